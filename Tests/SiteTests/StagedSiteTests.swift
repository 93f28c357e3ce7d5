import Diagnostics
import Files
import Foundation
import Platform
import PrivateMounts
import Testing

@testable import Site

struct StagedSiteTests {
    private let folder: TemporaryFolder
    private var output: String { folder.path + "/site" }
    /// The end of the name of a staging folder.
    private let id = "0123456789abcdef0123456789abcdef"

    init() throws { folder = try TemporaryFolder() }

    /// Makes a site of some files stand.
    private func writeSite(_ files: [String: String], in name: String = "site") throws {
        for (path, text) in files { try folder.write("\(name)/\(path)", text) }
        let manifest = SiteManifest(files: files.mapValues { SiteManifest.File($0.utf8) })
        try folder.write("\(name)/manifest.json", String(decoding: manifest.bytes, as: UTF8.self))
    }

    /// Builds a site of one file.
    private func build(_ policy: OutputPolicy = OutputPolicy(), text: String = "new") throws {
        let staged = try StagedSite(output: output, policy)
        try staged.write("status.json", Array(text.utf8))
        try staged.swapIn()
    }

    /// The files below the site without its manifest.
    private func site() throws -> [String: String] {
        try folder.tree("site").filter { $0.key != "manifest.json" }
    }

    @Test func firstSiteIsMovedIntoItsPlace() throws {
        let staged = try StagedSite(output: output)
        try staged.write("status.json", Array("{}".utf8))
        try staged.write("a/b/c.html", Array("deep".utf8))
        #expect(!FileManager.default.fileExists(atPath: output))
        try staged.swapIn()
        #expect(try site() == ["status.json": "{}", "a/b/c.html": "deep"])
    }

    /// Whether files with equal bytes are kept, and of which of two the file is the one of the site before.
    @Test(arguments: [(true, [true, false]), (false, [false, false])])
    func equalFilesAreKept(keepsEqual: Bool, expected: [Bool]) throws {
        try writeSite(["status.json": "same", "a/b.html": "old"])
        let files = ["status.json", "a/b.html"]
        let stamps = {
            let entries = try folderEntries(output)
            return files.compactMap { file in entries.first { $0.path == file }?.stamp }
        }
        let before = try stamps()
        let staged = try StagedSite(
            try HeldSite(output: output, OutputPolicy()), keepsEqual: keepsEqual)
        try staged.write("status.json", Array("same".utf8))
        try staged.write("a/b.html", Array("new".utf8))
        try staged.swapIn()
        #expect(try site() == ["status.json": "same", "a/b.html": "new"])
        #expect(zip(before, try stamps()).map { $0.isOfSameBytes(as: $1) } == expected)
    }

    @Test func manifestNamesEveryFileWithItsHash() throws {
        let staged = try StagedSite(output: output)
        try staged.write("b\".txt", Array("abc".utf8))
        try staged.write("a/c", [])
        try staged.swapIn()
        #expect(
            try folder.tree("site")["manifest.json"] == """
                {
                "format":"plimsoll-manifest",
                "version":1,
                "files":[
                {"path":"a/c","size":0,"sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                {"path":"b\\".txt","size":3,"sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}
                ]
                }

                """)
        #expect(try SiteManifest.read(in: output)?.files["b\".txt"] == SiteManifest.File("abc".utf8))
    }

    /// Its own form is read line by line, and any other form of the same as JSON; both give the same.
    @Test func manifestIsReadInEveryForm() throws {
        let plain = ["a/c": "", "é/\u{1F30A}": "x", "b": "abc"]
        for files in [[:], plain, plain.merging(["\"": "q"]) { first, _ in first }] {
            let bytes = SiteManifest(files: files.mapValues { SiteManifest.File($0.utf8) }).bytes
            let read = SiteManifest(lines: bytes)
            #expect(read == (files.keys.contains("\"") ? nil : SiteManifest(json: bytes)))
            #expect(SiteManifest(json: bytes)?.files.keys.sorted() == files.keys.sorted())
            for count in bytes.indices { #expect(SiteManifest(lines: Array(bytes[..<count])) == nil) }
            #expect(SiteManifest(lines: bytes + [0x0A]) == nil)
        }
        let twice = SiteManifest(files: ["a": SiteManifest.File("".utf8), "b": SiteManifest.File("".utf8)])
        #expect(
            SiteManifest(
                lines: Array(
                    String(decoding: twice.bytes, as: UTF8.self).replacing("\"b\"", with: "\"a\"").utf8))
                == nil)
    }

    @Test func oldSiteIsReplacedWhole() throws {
        try writeSite(["status.json": "old", "gone/index.html": "old"])
        let staged = try StagedSite(output: output)
        try staged.write("status.json", Array("new".utf8))
        #expect(try site() == ["status.json": "old", "gone/index.html": "old"])
        try staged.swapIn()
        #expect(try site() == ["status.json": "new"])
    }

    @Test func noPageTakesTheAddressOfAnother() throws {
        let staged = try StagedSite(output: output)
        try staged.write("a/index.html", Array("first".utf8))
        let failure = #expect(throws: FileFailure.self) {
            try staged.write("a/index.html", Array("second".utf8))
        }
        #expect(failure?.path == "a/index.html" && failure?.code == EEXIST)
        staged.abandon()
    }

    /// Files of apps whose names are parts of each other, and of none, in any order.
    @Test func manifestIsInTheOrderOfPathsWhateverIsDoneFirst() throws {
        let paths = [
            "apps/a/index.html", "apps/a/days/1/index.html", "apps/a-b/index.html", "apps/a-b/x/y",
            "apps/a.html",
            "apps/aa/z", "apps-of-others", "zebra", "index.html", "apps/a/days-1", "apps/z/1", "apps/b.html",
        ]
        let written = SiteManifest(files: paths.reduce(into: [:]) { $0[$1] = SiteManifest.File($1.utf8) })
            .bytes
        let branches = Set(paths.map(SiteBranch.init(of:)))
        #expect(branches.count == 5)
        for (round, done) in [[], Array(branches), branches.filter { $0.app?.hasPrefix("a") == true }]
            .enumerated()
        {
            let staged = try StagedSite(output: output)
            for path in paths.shuffled() { try staged.write(path, Array(path.utf8)) }
            for branch in done { _ = try staged.end(branch) }
            for branch in done {
                #expect(throws: FileFailure.self) { try staged.write(branch.prefix + "late", []) }
            }
            try staged.swapIn()
            let text = try folder.tree("site")["manifest.json"]
            #expect(text == String(decoding: written, as: UTF8.self), "\(round)")
            #expect(try site().keys.sorted() == paths.sorted())
        }
    }

    @Test func nothingIsLeftNextToTheSite() throws {
        for _ in 0..<2 { try build() }
        #expect(try folder.names() == ["site"])
        try StagedSite(output: output).abandon()
        #expect(try folder.names() == ["site"])
    }

    @Test(arguments: ["/", "//", "///"]) func slashesAtTheEndOfTheOutputAreNothing(end: String) throws {
        let staged = try StagedSite(output: output + end)
        #expect(staged.output == output && !staged.staging.hasPrefix(output + "/"))
        try staged.write("status.json", Array("{}".utf8))
        try staged.swapIn()
        #expect(try site() == ["status.json": "{}"])
    }

    @Test func emptyFolderMayBecomeASite() throws {
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        try build()
        #expect(try site() == ["status.json": "new"])
    }

    @Test func abandonedSiteLeavesNothing() throws {
        try writeSite(["status.json": "old"])
        let staged = try StagedSite(output: output)
        try staged.write("x/y.html", Array("new".utf8))
        staged.abandon()
        #expect(try site() == ["status.json": "old"])
    }

    @Test(arguments: [
        ["site/thesis.txt"], ["site"], ["site/status.json", "site/thesis.txt"], ["site/a/.hidden"],
        ["site/manifest.json"],
    ])
    func foreignFolderIsRefused(files: [String]) throws {
        for file in files { try folder.write(file, "{}") }
        let problem = #expect(throws: Diagnostic.self) { try StagedSite(output: output) }
        #expect(problem?.id == "site.foreign-folder")
        #expect(problem?.location == .file(path: output))
        #expect(problem?.hints.first == "use an empty folder for 'output'")
        for file in files where file != "site" {
            #expect(problem?.details.contains("would go: \(file.dropFirst(5))") == true, "\(file)")
        }
        #expect(try folder.tree() == Dictionary(uniqueKeysWithValues: files.map { ($0, "{}") }))
    }

    @Test(arguments: [
        ("notes.txt", "mine", "added: notes.txt"), ("a/notes.txt", "mine", "added: a/notes.txt"),
        ("index.html", "more than it was", "changed: index.html"),
        ("index.html", "mine", "changed: index.html"),
    ])
    func handMadeFileInASiteIsRefusedOrAdopted(path: String, text: String, reported: String) throws {
        try writeSite(["index.html": "page", "status.json": "old"])
        try folder.write("site/\(path)", text)
        let problem = #expect(throws: Diagnostic.self) { try StagedSite(output: output) }
        #expect(problem?.id == "site.changed-files")
        #expect(problem?.details == [reported])
        #expect(try folder.tree("site")[path] == text)
        #expect(try folder.names() == ["site"])

        let staged = try StagedSite(output: output, OutputPolicy(adopts: true))
        #expect(staged.notices.map(\.id) == ["site.adopted"] && staged.notices.first?.details == [reported])
        try staged.write("status.json", Array("new".utf8))
        try staged.swapIn()
        #expect(try site() == ["status.json": "new"])
    }

    @Test func fileThatComesDuringABuildIsNotLost() throws {
        try writeSite(["status.json": "old"])
        let staged = try StagedSite(output: output)
        try folder.write("site/late.txt", "mine")
        let problem = #expect(throws: Diagnostic.self) { try staged.swapIn() }
        #expect(problem?.id == "site.changed-files")
        staged.abandon()
        #expect(try site() == ["status.json": "old", "late.txt": "mine"])
    }

    @Test func keptFilesStay() throws {
        let kept = [
            ".git/HEAD": "ref", ".git/objects/ab/cd": "object", "CNAME": "quay.example", ".nojekyll": "",
            ".well-known/security.txt": "mail", "docs/guide.txt": "mine", "logo.png": "picture",
        ]
        for (path, text) in kept { try folder.write("site/\(path)", text) }
        try FileManager.default.createDirectory(
            atPath: output + "/.git/refs/tags", withIntermediateDirectories: true)
        let policy = OutputPolicy(kept: ["docs", "logo.png", "nothing"])
        for _ in 0..<3 { try build(policy) }
        #expect(try site() == kept.merging(["status.json": "new"]) { first, _ in first })
        #expect(FileManager.default.fileExists(atPath: output + "/.git/refs/tags"))
        #expect(try SiteManifest.read(in: output)?.files.keys.sorted() == ["status.json"])
    }

    #if os(Linux)
        /// Two names that look alike and differ in their bytes are two, where one of them is asked for, too.
        @Test func namesOfWhatStaysAreTheirBytes() throws {
            let names = ["\u{FC}", "u\u{308}"]
            for (number, name) in names.enumerated() {
                try makeFolder("\(output)/\(name)")
                try replaceFile("\(output)/\(name)/a", Array("\(number)".utf8))
            }
            let policy = OutputPolicy(kept: names)
            for _ in 0..<2 { try build(policy) }
            for (number, name) in names.enumerated() {
                #expect(try readFile("\(output)/\(name)/a", limit: 10) == Array("\(number)".utf8))
                let found = try folderEntries(output, named: [name]).map { Array($0.path.utf8) }
                #expect(found == [Array(name.utf8), Array("\(name)/a".utf8)])
            }
            #expect(policy.keptPaths(in: output).count == 2)
        }
    #endif

    /// Kept folders with their rights, which no new folder has, and their times.
    @Test func keptFoldersStayAsTheyAre() throws {
        let script =
            "mkdir -p docs/empty; echo x >docs/x; chmod 2750 docs; chmod 1700 docs/empty; touch -d 2020-02-02 docs/empty"
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        try folder.shell(script, in: "site")
        let before = try folderEntries(output)
        for _ in 0..<2 { try build(OutputPolicy(kept: ["docs"])) }
        let now = try folderEntries(output).filter { $0.path.hasPrefix("docs") }
        #expect(now.map(\.path) == ["docs", "docs/empty", "docs/x"])
        #expect(now.map(\.rights.mode) == before.map(\.rights.mode))
        #expect(now.map(\.stamp.written) == before.map(\.stamp.written))
    }

    #if os(Linux)
        /// What is mounted in a folder that is kept, or anywhere else in the site, is not ours to move.
        @Test(
            .enabled(if: PrivateMounts.areAllowed, "mounting is not allowed here"),
            arguments: [
                ("mount --bind theirs site/docs", "docs"),
                ("mount --bind theirs/x site/docs/file", "docs/file"),
                ("mount -t tmpfs tmpfs site/docs", "docs"), ("mount --bind theirs site/a", "a"),
            ])
        func aMountInTheSiteIsRefused(script: String, place: String) throws {
            try writeSite(["status.json": "old", "a/index.html": "old"])
            try folder.write("site/docs/file", "mine")
            try folder.write("theirs/x", "theirs")
            let before = try folder.tree()
            let mounts = try PrivateMounts(script, in: folder.path)
            let site = mounts.path(output)
            let problem = #expect(throws: Diagnostic.self) {
                try StagedSite(output: site, OutputPolicy(kept: ["docs"], adopts: true))
            }
            #expect(problem?.id == "file.mounted")
            #expect(
                problem?.summary == "Cannot replace '\(site)': something is mounted at '\(site)/\(place)'")
            #expect(throws: FileFailure.self) { try removeFolder(site) }
            #expect(try folder.tree() == before)
        }
    #endif

    @Test func keptFileWinsOverABuiltOne() throws {
        try writeSite([:])
        try folder.write("site/status.json", "mine")
        try build(OutputPolicy(kept: ["status.json"]))
        #expect(try site() == ["status.json": "mine"])
    }

    @Test func leftoversOfKilledBuildsAreRemoved() throws {
        try writeSite(["status.json": "old"])
        try folder.write(".site.staging-\(id).lock", "")
        try folder.write(".site.staging-\(id)/index.html", "half")
        try folder.write(".site.staging-\(id).old/index.html", "older")
        try folder.write(".site.lock", "")
        try build()
        #expect(try folder.names() == ["site"])
    }

    @Test func leftoversOfOthersStay() throws {
        let names = [
            ".other.staging-\(id)", ".site.staging-", ".site.staging-1", ".site.staging-\(id)0",
            ".site.staging-x", "site.staging-\(id)",
        ]
        for name in names { try folder.write("\(name)/index.html", "theirs") }
        try StagedSite(output: output).abandon()
        #expect(try folder.names() == names.sorted())
    }

    @Test func stagingOfALivingBuildStays() throws {
        let lock = try #require(try FileLock.acquire(folder.path + "/.site.staging-\(id).lock"))
        try folder.write(".site.staging-\(id)/index.html", "half")
        try build()
        #expect(try folder.names() == [".site.staging-\(id)", ".site.staging-\(id).lock", "site"])
        withExtendedLifetime(lock) {}
    }

    @Test func twoBuildsOfOneSiteDoNotRunAtOnce() throws {
        let first = try StagedSite(output: output)
        let problem = #expect(throws: Diagnostic.self) { try StagedSite(output: output) }
        #expect(problem?.id == "site.held")
        try first.write("status.json", Array("new".utf8))
        try first.swapIn()
        #expect(try site() == ["status.json": "new"])
    }

    @Test func lockIsGivenBackWithItsFile() throws {
        let path = folder.path + "/.lock"
        do {
            let lock = try #require(try FileLock.acquire(path))
            #expect(try FileLock.acquire(path) == nil)
            withExtendedLifetime(lock) {}
        }
        #expect(try folder.names() == [])
        var asked = 0
        var held = try FileLock.acquire(path)
        let second = try FileLock.acquire(path, waiting: 3) { _ in
            asked += 1
            if asked == 5 { held = nil }
        }
        #expect(second != nil && asked == 5 && held == nil)
    }

    /// What would be left of the pages of apps, of 41 in the old site: 40 of an app, and one of an app that is gone.
    @Test(arguments: [
        (40, false, nil), (21, false, nil), (20, false, "site.loss"), (0, false, "site.loss"), (0, true, nil),
    ])
    func aBuildThatLosesMostOfTheSiteIsRefused(left: Int, isForced: Bool, id: String?) throws {
        func pages(_ count: Int) -> [String: String] {
            Dictionary(uniqueKeysWithValues: (0..<count).map { ("apps/quay/\($0)/index.html", "page") })
        }
        try writeSite(
            pages(40).merging(["apps/pier/index.html": "gone", "status.json": "{}"]) { first, _ in first })
        var policy = OutputPolicy()
        policy.loses = isForced
        let staged = try StagedSite(output: output, policy)
        for (path, text) in pages(left) { try staged.write(path, Array(text.utf8)) }
        let apps: Set = [SiteBranch(of: "apps/quay/index.html")]
        let refusal = staged.refusal(ofLossOf: apps)
        // It is the same when the pages of the app are done.
        _ = try staged.end(SiteBranch(of: "apps/quay/index.html"))
        #expect(staged.refusal(ofLossOf: apps)?.id == refusal?.id)
        #expect(refusal?.id == id)
        #expect(refusal?.gravity ?? .nothingDone == .nothingDone)
        staged.abandon()
    }

    /// An app whose id was misspelled or renamed takes its pages along.
    @Test func pagesOfAppsThatAreNotConfiguredAnyMoreCount() throws {
        let pages = (0..<40).map { ("apps/quay/\($0)/index.html", "page") }
        try writeSite(Dictionary(uniqueKeysWithValues: pages + [("status.json", "{}")]))
        let staged = try StagedSite(output: output)
        try staged.write("apps/quai/index.html", Array("page".utf8))
        let apps: Set = [SiteBranch(of: "apps/quai/index.html")]
        let refusal = staged.refusal(ofLossOf: apps)
        #expect(
            refusal?.summary
                == "Of 40 pages of apps in the site, 1 would be left, as no app is 'quay' any more; the previous site is unchanged"
        )
        #expect(staged.refusal(ofLossOf: apps, isPart: true) == nil)
        staged.abandon()
    }

    @Test func siteThatWasMovedAsideIsPutBack() throws {
        try writeSite(["status.json": "old"], in: ".site.staging-\(id).old")
        try folder.write(".site.staging-\(id)/status.json", "half")
        try StagedSite(output: output).abandon()
        #expect(try site() == ["status.json": "old"])
        #expect(try folder.names() == ["site"])
    }

    @Test func siteThatWasMovedAsideIsRestoredUnlessItsBuildLives() throws {
        try writeSite(["status.json": "old"], in: ".site.staging-\(id).old")
        do {
            let lock = try #require(try FileLock.acquire(folder.path + "/.site.staging-\(id).lock"))
            restoreSite(at: output)
            #expect(try folder.names() == [".site.staging-\(id).lock", ".site.staging-\(id).old"])
            withExtendedLifetime(lock) {}
        }
        restoreSite(at: output + "/")
        #expect(try site() == ["status.json": "old"])
        #expect(try folder.names() == ["site"])
        // A whole site is left alone.
        try writeSite(["status.json": "older"], in: ".site.staging-\(id).old")
        restoreSite(at: output)
        #expect(try site() == ["status.json": "old"])
    }

    /// In a folder that everybody may write to, others may put links where the files of a build will be.
    @Test func plantedLinksAreNotFollowed() throws {
        try folder.write("others/victim.txt", "kept")
        chmod(folder.path, 0o1777)
        let victim = folder.path + "/others"
        for name in [".site.staging-\(id)", ".site.staging-\(id).old", "site.late-01234567"] {
            symlink(victim, folder.path + "/" + name)
        }
        symlink(victim + "/victim.txt", folder.path + "/.site.staging-\(id).lock")
        symlink(victim + "/new.txt", folder.path + "/.site.staging-fedcba9876543210fedcba9876543210.lock")
        try build()
        #expect(try site() == ["status.json": "new"])
        #expect(try folder.tree("others") == ["victim.txt": "kept"])
        symlink(victim + "/victim.txt", folder.path + "/.site.lock")
        #expect(throws: Diagnostic.self) { try StagedSite(output: output) }
        #expect(try folder.tree("others") == ["victim.txt": "kept"])
    }

    /// No link can be planted under a name that cannot be known.
    @Test func namesOfStagingFoldersCannotBeForeseen() throws {
        let names = try (0..<8).map { _ in
            let staged = try StagedSite(output: output)
            defer { staged.abandon() }
            return String(staged.staging.split(separator: "-").last ?? "")
        }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil })
    }

    @Test func buildWithoutItsStagingFailsAndLeavesTheOldSite() throws {
        try writeSite(["status.json": "old"])
        let staged = try StagedSite(output: output)
        try staged.write("a/b.html", Array("new".utf8))
        try FileManager.default.removeItem(atPath: staged.staging)
        try FileManager.default.createDirectory(atPath: staged.staging, withIntermediateDirectories: true)
        #expect(throws: FileFailure.self) { try staged.write("c/d.html", Array("new".utf8)) }
        #expect(throws: Diagnostic.self) { try staged.swapIn() }
        #expect(staged.loss?.id == "site.staging-lost")
        #expect(try site() == ["status.json": "old"])
    }

    @Test func buildThatLostAFileFails() throws {
        try writeSite(["status.json": "old"])
        let staged = try StagedSite(output: output)
        try staged.write("a/b.html", Array("new".utf8))
        try FileManager.default.removeItem(atPath: staged.staging + "/a")
        #expect(throws: Diagnostic.self) { try staged.swapIn() }
        #expect(try site() == ["status.json": "old"])
    }

    @Test func linkStaysAndWhatItLeadsToIsReplaced() throws {
        try writeSite(["status.json": "old", "gone.html": "old"], in: "srv/www")
        try FileManager.default.createSymbolicLink(atPath: output, withDestinationPath: "srv/www")
        try build()
        #expect(try folder.tree("srv").filter { $0.key != "www/manifest.json" } == ["www/status.json": "new"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: output) == "srv/www")
        #expect(try folder.names() == ["site", "srv"])
    }

    @Test func leftoverThatIsALinkIsRemovedAndNotFollowed() throws {
        try folder.write("home/thesis.txt", "mine")
        for end in ["", ".lock"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/.site.staging-\(id)\(end)", withDestinationPath: "home")
        }
        try build()
        #expect(try folder.tree("home") == ["thesis.txt": "mine"])
        #expect(try site() == ["status.json": "new"])
    }

    @Test func placeBelowAFileIsRefused() throws {
        try folder.write("file", "x")
        let problem = #expect(throws: Diagnostic.self) { try StagedSite(output: folder.path + "/file/site") }
        #expect(problem?.id == "file.missing")
        #expect(problem?.summary.contains(folder.path + "/file/") == true)
        #expect(try folder.tree() == ["file": "x"])
    }

    @Test func fileThatCannotBeWrittenIsAFailure() throws {
        let staged = try StagedSite(output: output)
        try staged.write("a", Array("x".utf8))
        let failure = #expect(throws: FileFailure.self) { try staged.write("a/b", Array("y".utf8)) }
        #expect(failure?.code == ENOTDIR || failure?.code == EEXIST)
        #expect(failure?.diagnostic.hints.isEmpty == false)
        staged.abandon()
    }

    @Test(arguments: [
        (ENOSPC, "file.full"), (EDQUOT, "file.full"), (EROFS, "file.read-only"), (EACCES, "file.read-only"),
        (ENOENT, "file.missing"), (EFBIG, "file.too-large"), (EMFILE, "file.too-many-open"),
        (EIO, "file.failed"),
    ])
    func failuresAreReportedWithAHint(code: Int32, id: String) {
        let reported = FileFailure("write", "site/a.html", code: code).diagnostic
        #expect(reported.id == id)
        #expect(reported.location == .file(path: "site/a.html"))
        #expect(reported.summary.hasPrefix("Cannot write 'site/a.html': "))
        #expect(reported.hints.count == 1)
    }

    /// The folder is writable enough where nothing is to be written.
    @Test(arguments: ["read", "list", "open"]) func whatCannotBeReadAsksForNoRightToWrite(action: String) {
        for code in [EACCES, EPERM] {
            let reported = FileFailure(action, "site/a.html", code: code).diagnostic
            #expect(reported.id == "file.unreadable" && !reported.hints.joined().contains("writable"))
        }
    }

    @Test func filesHaveALimit() throws {
        try folder.write("a", "12345")
        #expect(try readFile(folder.path + "/a", limit: 5) == Array("12345".utf8))
        #expect(throws: FileFailure.self) { try readFile(folder.path + "/a", limit: 4) }
        #expect(throws: FileFailure.self) { try readFile(folder.path) }
        #expect(throws: FileFailure.self) { try readFile("/dev/zero") }
    }
}
