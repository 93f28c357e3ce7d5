import Diagnostics
import Files
import Foundation
import Platform
import Synchronization
import Testing
import Transport

@testable import Publishing

/// Both ways to publish to a folder: by one rename, and file by file.
struct FolderTargetTests {
    enum Way: CaseIterable, Sendable {
        case swapped, fileByFile
    }

    private func target(_ way: Way, _ folder: TestFolder, links: Bool = true) -> any Target {
        let path = "\(folder.path)/out"
        return way == .swapped
            ? FolderTarget(path: path, links: links) : StoreTarget(FolderStore(path: path, links: links))
    }

    @Test(arguments: Way.allCases, [true, false])
    func publishesOnlyWhatChanged(way: Way, links: Bool) async throws {
        let folder = try TestFolder()
        let target = target(way, folder, links: links)
        let first = await publishing(try folder.site(Edition.files(0)), to: target)
        #expect(first.word == "published" && first.sentFiles == Edition.files(0).count + 1)
        #expect(folder.tree("out") == folder.tree("site"))
        let again = await publishing(try folder.site(Edition.files(0)), to: target)
        #expect(again.word == "unchanged" && again.sentFiles == 0)
        let second = await publishing(try folder.site(Edition.files(1)), to: target)
        #expect(second.word == "published", "\(String(describing: second.failure))")
        var expected = folder.tree("site")
        // The style sheet of the first edition stays for pages that readers still have open.
        expected["assets/style.0123456789.css"] = "body {}"
        #expect(folder.tree("out") == expected)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy {
                !$0.contains("publishing-")
            })
    }

    /// A site that was made under a umask of 077, over one that was published under it.
    @Test(arguments: Way.allCases, [true, false])
    func everybodyMayReadWhatIsPublished(way: Way, links: Bool) async throws {
        let folder = try TestFolder()
        let target = target(way, folder, links: links)
        for edition in [0, 1] {
            let site = try folder.site(Edition.files(edition))
            for name in folder.tree("site").keys { #expect(chmod("\(folder.path)/site/\(name)", 0o600) == 0) }
            #expect(await publishing(site, to: target).word == "published")
            let closed = try folderEntries("\(folder.path)/out").filter { $0.rights.mode & 0o044 != 0o044 }
            #expect(closed.map(\.path) == [])
            #expect(
                try folderEntries("\(folder.path)/site").allSatisfy {
                    $0.kind == .folder || $0.rights.mode == 0o600
                })
            if way == .swapped { #expect(chmod("\(folder.path)/out/index.html", 0o600) == 0) }
        }
    }

    @Test(arguments: Way.allCases)
    func filesOfOthersStay(way: Way) async throws {
        let folder = try TestFolder()
        let target = target(way, folder)
        try folder.write("out/theirs/thesis.txt", "mine")
        _ = await publishing(
            try folder.site(["index.html": "1", "old.html": "1", "a.html": "1"]), to: target)
        try folder.write("out/old.html", "changed by hand")
        let outcome = await publishing(try folder.site(["index.html": "2", "a.html": "1"]), to: target)
        #expect(outcome.word == "published")
        #expect(folder.text("out/theirs/thesis.txt") == "mine")
        // What was changed since belongs to whoever changed it.
        #expect(folder.text("out/old.html") == "changed by hand" && folder.text("out/index.html") == "2")
    }

    @Test(arguments: Way.allCases)
    func whatTheOwnerChangedIsNotRemoved(way: Way) async throws {
        let folder = try TestFolder()
        try await OwnerChanges.checkTheyStay(at: target(way, folder), folder, "out")
    }

    @Test(.enabled(if: hasBytesForNames), arguments: Way.allCases)
    func namesOfOtherBytesAreOtherFiles(way: Way) async throws {
        let folder = try TestFolder()
        try await TwoForms.checkEachIsAFile(at: target(way, folder)) {
            try TwoForms.texts("\(folder.path)/out")
        }
    }

    @Test(arguments: Way.allCases)
    func foreignFilesAreNotReplacedUnlessAdopted(way: Way) async throws {
        let folder = try TestFolder()
        let target = target(way, folder)
        try folder.write("out/index.html", "theirs")
        let site = try folder.site(["index.html": "ours"])
        #expect(await publishing(site, to: target).word == "publish.foreign-files")
        #expect(folder.tree("out") == ["index.html": "theirs"])
        #expect(await publishing(site, to: target) { $0.adopts = true }.word == "published")
        #expect(folder.text("out/index.html") == "ours")
    }

    /// A list that names no project is taken over, and whoever knows of none keeps the name that is there.
    @Test(arguments: Way.allCases)
    func theSiteOfAnotherProjectIsNotReplacedUnlessAdopted(way: Way) async throws {
        let folder = try TestFolder()
        let target = target(way, folder)
        let rows: [(project: String?, adopts: Bool, word: String, named: String?)] = [
            (nil, false, "published", nil), ("0a", false, "published", "0a"),
            ("0b", false, "publish.another-site", "0a"), (nil, false, "published", "0a"),
            ("0a", false, "published", "0a"), ("0b", true, "published", "0b"),
            ("0a", false, "publish.another-site", "0b"), ("0b", false, "published", "0b"),
        ]
        for (number, row) in rows.enumerated() {
            let before = folder.tree("out")
            for isDryRun in [true, false] {
                let outcome = await publishing(try folder.site(["index.html": "\(number)"]), to: target) {
                    $0.project = row.project.map { PublishedProject(archive: $0, site: nil) }
                    ($0.adopts, $0.isDryRun) = (row.adopts, isDryRun)
                }
                let expected = isDryRun && row.word == "published" ? "planned" : row.word
                #expect(outcome.word == expected, "\(number)")
            }
            #expect((folder.tree("out") == before) == (row.word != "published"), "\(number)")
            #expect(try await target.lastPublication()?.manifest.project?.archive == row.named, "\(number)")
        }
        // What is there already replaces nothing.
        let same = try folder.site(["index.html": "\(rows.count - 1)"])
        let unchanged = await publishing(same, to: target) {
            $0.project = PublishedProject(archive: "0a", site: nil)
        }
        #expect(unchanged.word == "unchanged")
    }

    /// A file where the site needs a folder, and a folder where it needs a file: they stay, adopted or not.
    @Test(arguments: Way.allCases, InTheWay.allCases)
    func whatIsInTheWayStays(way: Way, one: InTheWay) async throws {
        let folder = try TestFolder()
        let target = target(way, folder)
        if one.isLater { _ = await publishing(try folder.site(["index.html": "0"]), to: target) }
        try folder.write("out/\(one.path)", "mine")
        let before = folder.tree("out")
        for adopts in [false, true] {
            let outcome = await publishing(try folder.site(InTheWay.site), to: target) { $0.adopts = adopts }
            #expect(outcome.failure?.details == ["is in the way: \(one.path)"], "\(outcome.word)")
            #expect(folder.tree("out") == before)
        }
    }

    @Test(arguments: Way.allCases)
    func foldersBecomeFilesAndFilesFolders(way: Way) async throws {
        let folder = try TestFolder()
        try await Turns.checkEachArrives(at: target(way, folder), folder, "out")
    }

    /// Something else than a folder is somebody's, whatever its owner allows.
    @Test(arguments: Way.allCases, [true, false])
    func whatIsNoFolderStays(way: Way, isLink: Bool) async throws {
        let folder = try TestFolder()
        try folder.write("thesis.txt", "mine")
        let path = "\(folder.path)/out"
        if isLink {
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: "\(folder.path)/thesis.txt")
        } else {
            try folder.write("out", "mine")
        }
        let target = target(way, folder)
        for isDryRun in [true, false] {
            let outcome = await publishing(try folder.site(["index.html": "1"]), to: target) {
                ($0.adopts, $0.isDryRun) = (true, isDryRun)
            }
            let failure = try #require(outcome.failure, "\(outcome.word)")
            #expect(failure.id == "publish.folder" && failure.summary.contains("'\(path)' is not a folder"))
            #expect(folder.text("out") == "mine" && folder.text("thesis.txt") == "mine")
        }
        // Also one that comes while the site is compared.
        let plan = PublicationPlan(try folder.site(["index.html": "1"]).files, over: nil)
        let problem = await problem {
            try await target.apply(plan, of: try folder.site(["index.html": "1"]), at: "x") { _ in }
        }
        #expect(problem?.id == "publish.folder" && folder.text("out") == "mine")
    }

    /// A link to a folder, such as one on a larger disk, stays, and the site is filled through it.
    @Test(arguments: Way.allCases)
    func aLinkToAFolderIsAsGoodAsAFolder(way: Way) async throws {
        let folder = try TestFolder()
        let target = target(way, folder)
        _ = await publishing(try folder.site(["index.html": "1", "apps/a.html": "1"]), to: target)
        let manager = FileManager.default
        try manager.moveItem(atPath: "\(folder.path)/out/apps", toPath: "\(folder.path)/large")
        try manager.createSymbolicLink(
            atPath: "\(folder.path)/out/apps", withDestinationPath: "\(folder.path)/large")
        let next = ["index.html": "2", "apps/a.html": "2", "apps/b/c.html": "2"]
        let outcome = await publishing(try folder.site(next), to: target)
        #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        #expect(folder.text("large/a.html") == "2" && folder.text("large/b/c.html") == "2")
        #expect(folder.text("out/index.html") == "2")
        #expect(await publishing(try folder.site(next), to: target).word == "unchanged")
    }

    /// What another publication did between the plan and its work is not undone.
    @Test(arguments: Way.allCases)
    func aPlanThatWasOvertakenIsNotCarriedOut(way: Way) async throws {
        let folder = try TestFolder()
        let target = target(way, folder)
        _ = await publishing(try folder.site(["index.html": "1", "a.html": "1"]), to: target)
        let site = try folder.site(["index.html": "2", "a.html": "1"])
        let plan = PublicationPlan(site.files, over: try await target.lastPublication())
        _ = await publishing(try folder.site(["index.html": "3", "a.html": "3"]), to: target)
        let before = folder.tree("out")
        let problem = await problem {
            let site = try folder.site(["index.html": "2", "a.html": "1"])
            try await target.apply(plan, of: site, at: "2026-11-21T06:00:00Z") { _ in }
        }
        #expect(problem?.id == "publish.overtaken")
        #expect(folder.tree("out") == before)
    }

    /// Something is mounted on a file: it is named and stays in the list, and all others go.
    @Test(.enabled(if: getuid() == 0, "needs root, to mount something on a file"))
    func aFileThatCannotBeRemovedKeepsNoOtherFromGoing() async throws {
        let folder = try TestFolder()
        let target = target(.fileByFile, folder)
        let files = ["index.html": "1", "a.html": "1", "b.html": "1", "c.html": "1"]
        _ = await publishing(try folder.site(files), to: target)
        let held = "\(folder.path)/out/b.html"
        guard mount("\(folder.path)/site/b.html", held, "", UInt(MS_BIND), nil) == 0 else { return }
        defer { umount2("\(folder.path)/out/b.html", Int32(MNT_DETACH)) }
        let small = try folder.site(["index.html": "1"], in: "small")
        let outcome = await publishing(small, to: target) { $0.mostRemoved = nil }
        #expect("\(String(describing: outcome.failure))".contains("b.html"), "\(outcome.word)")
        #expect(folder.tree("out").keys.sorted() == ["b.html", "index.html", "manifest.json"])
        #expect(try await target.lastPublication()?.manifest.files["b.html"] != nil)
    }

    @Test(arguments: Way.allCases)
    func guardsAgainstRemovals(way: Way) async throws {
        let folder = try TestFolder()
        let target = target(way, folder)
        let files = Dictionary(uniqueKeysWithValues: (0..<10).map { ("p\($0).html", "x") })
        _ = await publishing(try folder.site(files), to: target)
        let before = folder.tree("out")
        let small = try folder.site(["p0.html": "x"])
        #expect(await publishing(small, to: target).word == "publish.removals")
        #expect(folder.tree("out") == before)
        #expect(await publishing(small, to: target) { $0.mostRemoved = nil }.word == "published")
        #expect(folder.tree("out").keys.sorted() == ["manifest.json", "p0.html"])
    }

    /// A path that leaves `keep` is still in the folder of the site: what was published of it stays until it is moved away.
    @Test(arguments: Way.allCases, [true, false])
    func publishedFilesInTheFolderOfTheSiteAreNotRemoved(way: Way, isDryRun: Bool) async throws {
        let folder = try TestFolder()
        let target = target(way, folder)
        let files = ["index.html": "1", "docs/a.html": "a", "docs/b.html": "b"]
        _ = await publishing(try folder.site(files, kept: ["docs"]), to: target)
        let before = folder.tree("out")
        #expect(before["docs/a.html"] == "a")
        let problem = await publishing(try SiteFolder("\(folder.path)/site"), to: target) {
            ($0.mostRemoved, $0.isDryRun) = (nil, isDryRun)
        }.failure
        #expect(problem?.id == "publish.unlisted")
        #expect(problem?.details == ["in the folder: docs/a.html", "in the folder: docs/b.html"])
        #expect(folder.tree("out") == before)
        try FileManager.default.removeItem(atPath: "\(folder.path)/site/docs")
        let outcome = await publishing(try SiteFolder("\(folder.path)/site"), to: target) {
            $0.mostRemoved = nil
        }
        #expect(outcome.word == "published")
        #expect(folder.tree("out").keys.sorted() == ["index.html", "manifest.json"])
    }

    @Test(arguments: Way.allCases)
    func dryRunChangesNothing(way: Way) async throws {
        let folder = try TestFolder()
        let site = try folder.site(Edition.files(0))
        let outcome = await publishing(site, to: target(way, folder)) { $0.isDryRun = true }
        #expect(outcome.word == "planned" && outcome.plan?.uploads.count == site.files.count)
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/out"))
    }

    /// Cut at every file: the site that readers find has no broken link, and the next publication completes it.
    @Test(arguments: Way.allCases)
    func aBrokenPublicationLeavesEveryLinkWorking(way: Way) async throws {
        for edition in [0, 1] {
            for cut in 1...Edition.files(1).count {
                let folder = try TestFolder()
                if edition == 1 {
                    _ = await publishing(try folder.site(Edition.files(0)), to: target(way, folder))
                }
                let site = try folder.site(Edition.files(edition))
                let files = PublicationPlan(
                    site.files, over: try await target(way, folder).lastPublication()
                ).uploads
                guard cut <= files.count else { continue }
                let victim = "\(folder.path)/site/\(files[cut - 1].file.path)"
                try FileManager.default.moveItem(atPath: victim, toPath: "\(folder.path)/away")
                let broken = await publishing(site, to: target(way, folder))
                #expect(broken.word == "publish.site-changed")
                #expect(Edition.brokenLinks(folder.tree("out")) == [], "cut at \(cut)")
                try FileManager.default.moveItem(atPath: "\(folder.path)/away", toPath: victim)
                let next = await publishing(site, to: target(way, folder))
                #expect(next.word == "published", "\(String(describing: next.failure))")
                let plan = next.plan?.uploads.count ?? 0
                #expect(way == .swapped || plan == files.count - (cut - 1), "sends what is missing")
                #expect(Set(folder.tree("site").keys).subtracting(folder.tree("out").keys) == [])
            }
        }
    }

    /// A program that another target starts at that moment has a copy of each descriptor until it begins.
    @Test func aHoldEndsThoughAnotherProgramHasItsDescriptor() throws {
        let folder = try TestFolder()
        try folder.write("out/index.html", "x")
        var hold: FolderHold? = try FolderHold("\(folder.path)/out")
        let copy = try #require(hold.map { dup($0.descriptor) })
        defer { close(copy) }
        #expect(throws: Diagnostic.self) { try FolderHold("\(folder.path)/out") }
        hold = nil
        #expect(throws: Never.self) { try FolderHold("\(folder.path)/out") }
    }

    @Test func aFullDiskLeavesTheOldSite() async throws {
        // The file system of the test is not full; a folder under the name of a file fails in the same place.
        let folder = try TestFolder()
        let target = target(.fileByFile, folder)
        _ = await publishing(try folder.site(Edition.files(0)), to: target)
        try folder.write("out/pages/p12.html/in-the-way", "x")
        let site = try folder.site(Edition.files(1))
        let plan = PublicationPlan(site.files, over: try await target.lastPublication())
        let problem = await problem {
            try await target.apply(plan, of: site, at: "2026-11-20T06:00:00Z") { _ in }
        }
        #expect(problem != nil)
        #expect(Edition.brokenLinks(folder.tree("out")) == [])
    }

    @Test func twoPublicationsDoNotMix() async throws {
        let folder = try TestFolder()
        let path = "\(folder.path)/out"
        let store = FolderStore(path: path, links: false)
        let site = try folder.site(["index.html": "1"])
        let plan = PublicationPlan(site.files, over: nil)
        // Another publication comes in between reading and writing.
        _ = await publishing(try folder.site(["index.html": "2"], in: "other"), to: StoreTarget(store))
        let problem = await problem {
            try await StoreTarget(store).apply(plan, of: site, at: "2026-11-20T06:00:00Z") { _ in }
        }
        #expect(problem?.id == "publish.overtaken" && folder.text("out/index.html") == "2")
        let lock = try lockForPublication("\(folder.path)/.out.publishing.lock")
        let held = await publishing(site, to: FolderTarget(path: path, links: true))
        #expect(held.word == "publish.held")
        withExtendedLifetime(lock) {}
    }

    @Test func whatAKilledPublicationLeftIsPutAway() async throws {
        let folder = try TestFolder()
        try folder.write(".out.publishing-0123/index.html", "half")
        try folder.write(".out.publishing-4567.old/index.html", "the old site")
        try folder.write(".out.publishing-4567.old/theirs.txt", "mine")
        let target = target(.swapped, folder)
        let outcome = await publishing(try folder.site(["a.html": "1"]), to: target)
        #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        #expect(folder.text("out/theirs.txt") == "mine" && folder.text("out/a.html") == "1")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["out", "site"])
    }

    /// Killed between two renames, the old site has another name: what it has is still known, and what is there.
    @Test func theListOfASiteThatWasMovedAwayIsKnown() async throws {
        let folder = try TestFolder()
        let target = target(.swapped, folder)
        let files = ["index.html": "1", "old.html": "1"]
        _ = await publishing(try folder.site(files), to: target)
        try folder.write("out/new.html", "theirs")
        #expect(rename("\(folder.path)/out", "\(folder.path)/.out.publishing-4567.old") == 0)
        let site = try folder.site(["index.html": "2", "new.html": "ours"])
        #expect(await publishing(site, to: target).word == "publish.foreign-files")
        let dry = await publishing(site, to: target) { ($0.adopts, $0.isDryRun) = (true, true) }
        #expect(dry.word == "planned" && dry.plan?.removals == ["old.html"])
        #expect(!(try folderNames(folder.path).contains("out")))
        let outcome = await publishing(site, to: target) { $0.adopts = true }
        #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        #expect(folder.tree("out") == folder.tree("site"))
        #expect(try folderNames(folder.path) == ["out", "site"])
    }

    /// Others write into the folder while the new one is made next to it.
    @Test(arguments: [true, false])
    func whatOthersWriteMeanwhileIsKept(links: Bool) async throws {
        let folder = try TestFolder()
        let target = target(.swapped, folder, links: links)
        _ = await publishing(
            try folder.site(["index.html": "1", "p/a.html": "1", "p/b.html": "1"]), to: target)
        for name in ["stats.json", "log.txt", "gone.txt", "theirs/x.txt", "theirs/deep/y.txt"] {
            try folder.write("out/\(name)", "before")
        }
        let site = try folder.site(["index.html": "2", "p/a.html": "1", "q.html": "2"])
        let plan = PublicationPlan(site.files, over: try await target.lastPublication())
        let isDone = Mutex(false)
        try await target.apply(plan, of: site, at: "2026-11-20T06:00:00Z") { _ in
            guard
                isDone.withLock({ isDone in
                    defer { isDone = true }
                    return !isDone
                })
            else { return }
            let out = "\(folder.path)/out"
            for (name, text) in [
                (".well-known/acme/token", "new"), ("theirs/z.txt", "new"), ("theirs/more/z.txt", "new"),
                ("p/mine.txt", "new"),
            ] {
                try? folder.write("out/\(name)", text)
            }
            try? replaceLocalFile("\(out)/stats.json", Array("after".utf8))
            let log = FileHandle(forWritingAtPath: "\(out)/log.txt")
            log?.seekToEndOfFile()
            log?.write(Data(", after".utf8))
            try? log?.close()
            unlink("\(out)/gone.txt")
        }
        #expect(isDone.withLock { $0 })
        var expected = folder.tree("site")
        for (name, text) in [
            (".well-known/acme/token", "new"), ("theirs/z.txt", "new"), ("theirs/more/z.txt", "new"),
            ("p/mine.txt", "new"), ("theirs/x.txt", "before"), ("theirs/deep/y.txt", "before"),
            ("stats.json", "after"), ("log.txt", "before, after"),
        ] {
            expected[name] = text
        }
        #expect(folder.tree("out") == expected)
        #expect(target.remarks.isEmpty)
        #expect(try folderNames(folder.path) == ["out", "site"])
    }

    /// A file of the site stays the site's; what others put in its place meanwhile is not lost.
    @Test func whatHasTheNameOfAPageIsKeptNextToTheFolder() async throws {
        let folder = try TestFolder()
        let target = target(.swapped, folder)
        _ = await publishing(try folder.site(["index.html": "1"]), to: target)
        let site = try folder.site(["index.html": "2", "a.html": "2"])
        let plan = PublicationPlan(site.files, over: try await target.lastPublication())
        try await target.apply(plan, of: site, at: "2026-11-20T06:00:00Z") { _ in
            try? folder.write("out/a.html", "theirs")
        }
        #expect(folder.tree("out") == folder.tree("site"))
        #expect(target.remarks.map(\.id) == ["publish.late-files"])
        let late = try #require(try folderNames(folder.path).first { $0.hasPrefix("out.late-") })
        #expect(folder.tree(late) == ["a.html": "theirs"])
        #expect(target.remarks.first?.details.first?.contains(late) == true)
    }

    /// As a container has the folder open.
    @Test func fileByFileTheFolderItselfStays() async throws {
        let folder = try TestFolder()
        let setup = TargetSetup(
            id: "web", values: ["path": .text("\(folder.path)/out"), "fileByFile": .flag(true)],
            folder: folder.path, environment: [:]
        ) { _ in Client(Client.Options(version: "1")) }
        let target = try TargetDescriptor.folder.make(setup)
        _ = await publishing(try folder.site(["index.html": "1"]), to: target)
        let open = try OpenFolder("\(folder.path)/out")
        _ = await publishing(try folder.site(["index.html": "2"]), to: target)
        #expect(open.isStill("\(folder.path)/out") && folder.text("out/index.html") == "2")
    }

    /// What a broken publication was about to send, and somebody else put or changed, is not taken for its own.
    @Test(arguments: Way.allCases)
    func whatABrokenPublicationNamedIsNotAllOurs(way: Way) async throws {
        let folder = try TestFolder()
        try await BrokenPublication.checkItClaimsNothing(at: target(way, folder), folder)
    }

    /// What cannot be given a name of its own goes with the next publication, which is said.
    @Test func lateFilesThatCannotBeMovedAreNamed() throws {
        let folder = try TestFolder()
        try folder.write(".out.publishing-1/mine.txt", "mine")
        let left = "\(folder.path)/.out.publishing-1"
        let replaced = ReplacedFolder(left, by: "\(folder.path)/none/out", seen: [], files: [])
        let warning = try #require(try replaced.remove())
        #expect(warning.details.first?.contains(left) == true)
        #expect(warning.hints == ["move it away before the next publication, which removes it"])
        #expect(folder.text(".out.publishing-1/mine.txt") == "mine")
    }

    @Test func whatAKilledPublicationLeftInAFolderGoes() async throws {
        let folder = try TestFolder()
        let target = target(.fileByFile, folder)
        _ = await publishing(try folder.site(["a/x.html": "1", "b.html": "1"]), to: target)
        let left = ".plimsoll-0123456789abcdef0123456789abcdef.new"
        for place in ["", "a/"] { try folder.write("out/\(place)\(left)", "half") }
        try folder.write("out/a/.plimsoll-mine.new", "mine")
        let outcome = await publishing(try folder.site(["b.html": "2"]), to: target)
        #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        #expect(folder.text("out/b.html") == "2" && folder.text("out/a/x.html") == nil)
        #expect(folder.text("out/\(left)") == nil && folder.text("out/a/\(left)") == nil)
        #expect(folder.text("out/a/.plimsoll-mine.new") == "mine")
    }

    @Test func onePublicationFillsAFolderAtATime() async throws {
        let folder = try TestFolder()
        let target = target(.fileByFile, folder)
        _ = await publishing(try folder.site(["a.html": "1"]), to: target)
        let hold = try FolderHold("\(folder.path)/out")
        let held = await publishing(try folder.site(["a.html": "2"]), to: target)
        #expect(held.word == "publish.held" && folder.text("out/a.html") == "1")
        withExtendedLifetime(hold) {}
    }

    @Test func aLinkStaysALink() async throws {
        let folder = try TestFolder()
        try folder.write("real/theirs.txt", "mine")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/out", withDestinationPath: "\(folder.path)/real")
        _ = await publishing(
            try folder.site(["a.html": "1"]), to: folderTarget("\(folder.path)/out", links: true))
        #expect(folder.text("real/a.html") == "1" && folder.text("real/theirs.txt") == "mine")
        #expect(fileKind("\(folder.path)/out") == .link)
    }
}
