import Configuration
import Diagnostics
import Files
import Foundation
import Testing

@testable import Site

/// Each site is made in the folder of the one before the present one.
struct SpareSiteTests {
    private let folder: TemporaryFolder
    private var output: String { folder.path + "/site" }
    private var kept: KeptBuild { KeptBuild(in: folder.path + "/kept", keepsSpare: true, threads: 3) }

    /// The files of successive nights: some stay, some change, come and go, and a folder becomes a file.
    private static let nights = [
        [
            "status.json": "1", "apps/a/index.html": "page 1", "apps/a/days/1.html": "day",
            "apps/b/x/y": "other", "gone/deep/page.html": "old", "data": "file",
        ],
        [
            "status.json": "2", "apps/a/index.html": "page 2", "apps/a/days/1.html": "day",
            "apps/a/days/2.html": "day 2", "apps/b/x": "file", "data/index.html": "page",
        ],
        [
            "status.json": "3", "apps/a/index.html": "page 2", "apps/a/days/1.html": "day",
            "apps/a/days/2.html": "day 2", "apps/c/z": "new", "data": "file",
        ],
        ["status.json": "4", "apps/a/days/1.html": "day", "apps/b/x/y": "other"],
        ["status.json": "5"],
        ["status.json": "6", "apps/a/days/1.html": "day", "apps/b/x/y/z": "deep"],
    ]

    init() throws { folder = try TemporaryFolder() }

    /// What the owner of a site gives to its folders does not last for one build alone.
    @Test func foldersHaveTheRightsOfThoseThatVisitorsSee() throws {
        for night in Self.nights.prefix(2) { try build(night) }
        let given: [(path: String, mode: mode_t)] = [("/apps/a/days", 0o2750), ("/apps", 0o711), ("", 0o750)]
        for (path, mode) in given { #expect(chmod(output + path, mode) == 0) }
        for night in Self.nights[2...3] + Self.nights[1...2] {
            try build(night)
            for (path, mode) in given {
                var status = stat()
                #expect(stat(output + path, &status) == 0)
                #expect(status.st_mode & 0o7777 == mode, "\(path)")
            }
        }
    }

    private func staged(keepsEqual: Bool = true) throws -> StagedSite {
        try StagedSite(try HeldSite(output: output, OutputPolicy(), kept), keepsEqual: keepsEqual)
    }

    /// Builds a site, keeps what it is like, and returns what was reported.
    @discardableResult
    private func build(_ files: [String: String], keepsEqual: Bool = true) throws -> [Diagnostic] {
        let staged = try staged(keepsEqual: keepsEqual)
        for (path, text) in files { try staged.write(path, Array(text.utf8)) }
        let swapped = try staged.swapIn()
        try swapped.listing?.keep()
        return staged.notices + swapped.warnings
    }

    /// Whether the site has these files and no other, nor an empty folder.
    private func check(_ files: [String: String]) throws {
        #expect(try folder.tree("site").filter { $0.key != SiteManifest.name } == files)
        let manifest = try #require(try SiteManifest.read(in: output))
        #expect(manifest.files == files.mapValues { SiteManifest.File($0.utf8) })
        let folders = try folderEntries(output).filter { $0.kind == .folder }.map(\.path)
        #expect(folders.allSatisfy { folder in files.keys.contains { $0.hasPrefix(folder + "/") } })
        let listing = try #require(kept.listing)
        #expect(listing.isStill(output, OutputPolicy()))
        let listed = try listing.all.flatMap { try listing.items(of: $0) }.filter { $0.digest != nil }
        #expect(listed.map(\.entry.path).sorted() == files.keys.sorted())
        for branch in Set(files.keys.map(SiteBranch.init(of:))) where branch != .rest {
            let own = files.filter { SiteBranch(of: $0.key) == branch }
                .sorted { isInOrder($0.key, $1.key) }
            let digest = branch.digest(of: own.map { ($0.key, ContentDigest(of: $0.value.utf8)) })
            #expect(listing.digest(of: branch) == digest)
            #expect(listing.pages(of: [branch]) == own.count { branch.isPage($0.key) })
        }
    }

    /// Builds a site in which the folders of each app stay together where all files in them are those of the site before,
    /// as an app does of which nothing changed.
    private func buildByFolders(_ files: [String: String], after before: [String: String]) throws {
        let staged = try staged()
        for (branch, own) in Dictionary(grouping: files, by: { SiteBranch(of: $0.key) }) {
            func folders(_ files: [String: String]) -> [String: String] {
                files.filter { SiteBranch(of: $0.key) == branch && branch.isBelowFolder($0.key) }
            }
            let inFolders = folders(files)
            let stays = !inFolders.isEmpty && inFolders == folders(before)
            let plain = own.filter { !branch.isBelowFolder($0.key) && before[$0.key] == $0.value }.map(\.key)
            if stays {
                let kept = try staged.reuseFolders(of: branch, with: Set(plain))
                #expect(kept.files == inFolders.count + plain.count)
                let bytes = (Array(inFolders.values) + plain.compactMap { files[$0] }).map(\.utf8.count)
                #expect(kept.bytes == bytes.reduce(0, +))
                #expect(throws: FileFailure.self) { try staged.reuseFolders(of: branch, with: []) }
                #expect(throws: FileFailure.self) { try staged.write(inFolders.keys.sorted()[0], []) }
            }
            for (path, text) in own
            where !stays || !branch.isBelowFolder(path) && !plain.contains(path) {
                try staged.write(path, Array(text.utf8))
            }
        }
        try staged.swapIn().listing?.keep()
    }

    /// Files and folders of the same names, in any order of nights.
    @Test(arguments: 0..<8) func anySiteFollowsAnyOther(seed: UInt64) throws {
        struct Dice: RandomNumberGenerator {
            var state: UInt64
            mutating func next() -> UInt64 {
                // An odd multiplier and increment have the full period (D. E. Knuth, TAOCP 2, 3.2.1).
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return state >> 33 | state << 31
            }
        }
        let names = [
            "a", "a/b", "a/b/c", "a/b-c", "b/a", "b", "apps/x/index.html", "apps/x/1/index.html", "apps/x/1",
            "apps/x-y/1", "apps/x.html", "apps/z/1/2/3/4", "apps/z/1/2", "c/d", "status.json",
            "apps/x/1-a.html", "apps/x/0/1", "apps/x/2/3/index.html",
        ]
        var dice = Dice(state: seed)
        for night in 0..<12 {
            var files: [String: String] = [:]
            for name in names.shuffled(using: &dice).prefix(Int.random(in: 0...9, using: &dice))
            where !files.keys.contains(where: { $0.hasPrefix(name + "/") || name.hasPrefix($0 + "/") }) {
                files[name] = "\(Int.random(in: 0...2, using: &dice))"
            }
            let reported = try build(files)
            #expect(reported.isEmpty, "night \(night)")
            try check(files)
            for path in files.keys.sorted()
            where !path.dropFirst("apps/x/".count).contains("/") || night % 3 == 0 {
                if Bool.random(using: &dice) { files[path] = "\(Int.random(in: 0...2, using: &dice))" }
            }
            if Bool.random(using: &dice), files["apps/x/1"] == nil { files["apps/x/1.html"] = "new" }
            let before = try folder.tree("site")
            try buildByFolders(files, after: before)
            try check(files)
        }
    }

    /// What somebody does to the site that visitors see while the next one is built, and what becomes of it.
    @Test(
        arguments: [
            ("echo mine > late.html", .refused), ("echo mine > apps/a/late.html", .refused),
            ("rm -r apps/a && mkdir apps/a && echo mine > apps/a/a", .refused),
            ("echo mine > apps/a/days/1.html", .staysWithItsPage), ("echo mine > status.json", .late),
        ] as [(String, Fate)])
    func whatComesWhileTheNextOneIsBuiltIsNotLost(command: String, fate: Fate) throws {
        for files in Self.nights.prefix(3) { try build(files) }
        let next = Self.nights[3]
        do {
            let staged = try staged()
            for (path, text) in next { try staged.write(path, Array(text.utf8)) }
            try folder.shell(command, in: "site")
            let changed = try folder.tree("site")
            if fate == .refused {
                let problem = #expect(throws: Diagnostic.self) { try staged.swapIn() }
                #expect(problem?.id == "site.changed-files")
                return #expect(try folder.tree("site") == changed)
            }
            try staged.swapIn().listing?.keep()
        }
        if fate == .staysWithItsPage {
            #expect(try folder.tree("site")["apps/a/days/1.html"] == "mine\n")
            let problem = #expect(throws: Diagnostic.self) { try build(next) }
            #expect(problem?.id == "site.changed-files")
            return #expect(problem?.details.contains { $0.contains("apps/a/days/1.html") } == true)
        }
        try check(next)
        #expect(try build(Self.nights[4]).map(\.id) == ["site.late-files"])
        let late = try #require(try folder.names().first { $0.hasPrefix("site.late-") })
        #expect(try folder.tree(late)["status.json"] == "mine\n")
    }

    enum Fate {
        /// The build is refused, and the old site stays.
        case refused
        /// The page that stays is the changed one, and the next build is refused.
        case staysWithItsPage
        /// The next build puts it next to the site.
        case late
    }

    private func node(_ path: String) throws -> UInt64? {
        try FileManager.default.attributesOfItem(atPath: folder.path + "/" + path)[.systemFileNumber]
            as? UInt64
    }

    @Test func nextSiteIsMadeInTheFolderOfTheOneBefore() throws {
        var (sites, days): ([UInt64?], [UInt64?]) = ([], [])
        for files in Self.nights.prefix(4) {
            #expect(try build(files).isEmpty)
            try check(files)
            sites.append(try node("site"))
            days.append(try node("site/apps/a/days/1.html"))
        }
        #expect(sites[0] == sites[2] && sites[1] == sites[3] && sites[0] != sites[1])
        #expect(Set(days).count == 1)
        for files in Self.nights.dropFirst(4) {
            #expect(try build(files).isEmpty)
            try check(files)
        }
        #expect(try folder.names().filter { $0 != ".site.lock" } == ["kept", "site"])
    }

    /// A file that two sites share is never written to.
    @Test func siteBeforeStaysAsItWas() throws {
        for (files, before) in zip(Self.nights.dropFirst(), Self.nights) {
            try build(before)
            try build(files)
            #expect(try folder.tree("kept/spare").filter { $0.key != SiteManifest.name } == before)
        }
    }

    /// What is searched for leaks when all is written is what will be published.
    @Test func nothingOfAnOlderSiteIsInTheFolderWhenAllIsWritten() throws {
        for files in Self.nights {
            let staged = try staged()
            for (path, text) in files { try staged.write(path, Array(text.utf8)) }
            try staged.endAll()
            #expect(try filesBelow(staged.staging).sorted() == files.keys.sorted())
            try staged.swapIn().listing?.keep()
        }
    }

    /// What somebody does to the folder, whether a file came to it that must not be lost, and the text of that file.
    @Test(
        arguments: [
            ("true", nil),
            ("echo mine > late.html", "late.html"), ("echo mine > apps/a/late.html", "apps/a/late.html"),
            ("mkdir new && echo mine > new/late.html", "new/late.html"),
            ("echo mine > apps/a/index.html", "apps/a/index.html"),
            ("echo mine > status.json", "status.json"),
            ("rm status.json", nil), ("rm -r apps", nil), ("mv apps/a apps/other", "apps/other/index.html"),
            ("rm manifest.json", nil), ("rm ../spare-files", nil), ("truncate -s 40 ../spare-files", nil),
            ("sed -i s/days/dais/ ../spare-files", nil),
            ("rm -r ../spare && ln -s ../site ../spare", nil), ("rm -r ../spare && mkdir ../spare", nil),
            ("rm -r ../spare && echo > ../spare", nil), ("rm -r ../spare", nil),
            // As a backup of the whole project brings it back.
            ("cp -r . ../copy && rm -r ../spare && mv ../copy ../spare", nil),
            ("cp -a . ../copy && rm -r ../spare && mv ../copy ../spare", nil),
            ("find . -exec touch -d 2020-01-01 {} +", nil),
            (
                "cp -r . ../copy && echo mine > ../copy/apps/a/index.html && rm -r ../spare && mv ../copy ../spare",
                "apps/a/index.html"
            ),
            ("find . -exec touch -d 2020-01-01 {} + && echo mine > apps/late.html", "apps/late.html"),
        ] as [(String, String?)])
    func changedFolderIsNotBelieved(command: String, late: String?) throws {
        for files in Self.nights.prefix(2) { try build(files) }
        try folder.shell(command, in: "kept/spare")
        let reported = try build(Self.nights[2])
        try check(Self.nights[2])
        let lateFolders = try folder.names().filter { $0.hasPrefix("site.late-") }
        #expect(reported.map(\.id) == lateFolders.map { _ in "site.late-files" })
        if let late {
            let found = try folder.tree(try #require(lateFolders.first))
            #expect(found[late]?.isEmpty == false, "\(found.keys.sorted())")
            // Pages that the build made do not stay with it.
            #expect(command.hasPrefix("mv ") || found.count == 1, "\(found.keys.sorted())")
        } else {
            #expect(lateFolders.isEmpty)
        }
        for files in Self.nights.dropFirst(3) {
            try build(files)
            try check(files)
        }
    }

    /// What somebody does to the present site, of which the other folder has the same files under second names.
    @Test(
        arguments: [
            "rm -r apps/a/days", "rm apps/a/index.html", "echo example.org > CNAME", "touch x && rm x",
            "touch apps/a/x && rm apps/a/x",
        ], [1, 3])
    func changedSiteIsMadeWhole(command: String, next: Int) throws {
        for files in Self.nights.prefix(3) { try build(files) }
        try folder.shell(command, in: "site")
        #expect(try build(Self.nights[next]).isEmpty)
        let found = try folder.tree("site").filter { !["CNAME", SiteManifest.name].contains($0.key) }
        #expect(found == Self.nights[next])
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/kept/spare"))
        #expect(try folder.names().filter { $0 != ".site.lock" } == ["kept", "site"])
        let stays = try folder.tree("site")["CNAME"]
        for files in Self.nights[4...] {
            #expect(try build(files).isEmpty)
            #expect(try folder.tree("site")["CNAME"] == stays)
            #expect(FileManager.default.fileExists(atPath: folder.path + "/kept/spare") == (stays == nil))
        }
        #expect(try folder.names().filter { $0 != ".site.lock" } == ["kept", "site"])
    }

    /// What a build that was killed had not yet kept of the site that it replaced, and of its own.
    @Test(arguments: [["files"], ["spare-files", "files"]])
    func killedBuildLeavesNoFalseLateFiles(names: [String]) throws {
        for files in Self.nights.prefix(3) { try build(files) }
        for name in names { try folder.shell("cp \(name) \(name).before", in: "kept") }
        try build(Self.nights[3])
        for name in names { try folder.shell("mv \(name).before \(name)", in: "kept") }
        for files in Self.nights[4...] + Self.nights {
            #expect(try build(files).isEmpty)
            try check(files)
        }
        #expect(try folder.names().filter { $0 != ".site.lock" } == ["kept", "site"])
    }

    @Test func fullBuildUsesNothingOfIt() throws {
        for files in Self.nights.prefix(2) { try build(files) }
        let day = try node("site/apps/a/days/1.html")
        #expect(try build(Self.nights[2], keepsEqual: false).isEmpty)
        try check(Self.nights[2])
        #expect(try node("site/apps/a/days/1.html") != day)
        for files in Self.nights.dropFirst(3) {
            try build(files)
            try check(files)
        }
    }

    @Test func abandonedBuildLeavesNothing() throws {
        for files in Self.nights.prefix(2) { try build(files) }
        do {
            let staged = try staged()
            try staged.write("status.json", Array("half".utf8))
            staged.abandon()
        }
        try check(Self.nights[1])
        #expect(try folder.names().filter { $0 != ".site.lock" } == ["kept", "site"])
        try build(Self.nights[2])
        try check(Self.nights[2])
    }

    /// A part that is given to another machine has no site of a night before in it.
    @Test func othersKeepNone() throws {
        let kept = KeptBuild(in: folder.path + "/kept")
        for files in Self.nights.prefix(3) {
            let staged = try StagedSite(
                try HeldSite(output: output, OutputPolicy(), kept), keepsEqual: true)
            for (path, text) in files { try staged.write(path, Array(text.utf8)) }
            try staged.swapIn().listing?.keep()
            try check(files)
        }
        #expect(try folder.tree("kept").keys.sorted() == ["files"])
    }

    /// What is kept of a site by its name, next to that of others.
    private func keptOfOne(_ name: String) -> KeptBuild {
        KeptBuild(
            BuildKeeping(folder: folder.path + "/kept", program: "1", sources: [:]) { _ in nil },
            output: folder.path + "/" + name, .folder)
    }

    /// Builds a site of two nights that keeps its files next to those of others.
    private func buildOne(_ name: String) throws -> [Diagnostic] {
        var reported: [Diagnostic] = []
        for files in Self.nights.prefix(2) {
            let kept = keptOfOne(name)
            let held = try HeldSite(output: folder.path + "/" + name, OutputPolicy(), kept)
            let staged = try StagedSite(held, keepsEqual: true)
            for (path, text) in files { try staged.write(path, Array(text.utf8)) }
            try staged.swapIn().listing?.keep()
            reported += kept.keepOnly([])
        }
        return reported
    }

    private func spares() throws -> Int {
        try folderEntries(folder.path + "/kept").count { $0.path.hasSuffix("/spare/status.json") }
    }

    /// Of a site that was removed nothing as large as itself stays.
    @Test func spareOfALostSiteIsRemoved() throws {
        for name in ["one", "two"] { #expect(try buildOne(name).isEmpty) }
        #expect(try spares() == 2)
        try FileManager.default.removeItem(atPath: folder.path + "/one")
        #expect(try buildOne("two").isEmpty)
        #expect(try spares() == 1)
        #expect(keptOfOne("one").listing != nil)
    }

    /// What somebody put into the folder of a site that was moved or removed, and where it is then.
    @Test(
        arguments: [
            ("echo mine > late.html", "late.html"), ("echo mine > apps/a/late.html", "apps/a/late.html"),
            ("echo mine > apps/a/index.html", "apps/a/index.html"),
            ("echo mine > status.json", "status.json"),
            ("rm ../spare-files && echo mine > late.html", "late.html"),
        ], ["mv home/one home/other", "rm -r home/one", "mv home elsewhere"])
    func whatCameToTheSpareOfALostSiteIsNotLost(late: (command: String, file: String), loss: String) throws {
        try folder.shell("mkdir home", in: "")
        for name in ["home/one", "two"] { #expect(try buildOne(name).isEmpty) }
        let kept = keptOfOne("home/one").folder.dropFirst(folder.path.utf8.count)
        try folder.shell(late.command, in: kept + "/spare")
        try folder.shell(loss, in: "")
        let reported = try buildOne("two")
        // What cannot be moved next to the site is reported by each build until somebody takes it.
        let stays = loss.hasPrefix("mv home ")
        #expect(reported.map(\.id) == Array(repeating: "site.late-files", count: stays ? 2 : 1))
        let detail = try #require(reported.first?.details.first)
        let place = try #require(detail.split(separator: "'").dropFirst().first.map(String.init))
        #expect(try String(contentsOfFile: "\(place)/\(late.file)", encoding: .utf8) == "mine\n")
        #expect(try filesBelow(place) == [late.file])
        #expect(place.hasPrefix(folder.path + (stays ? "/kept/" : "/home/one.late-")))
        #expect(try buildOne("two").isEmpty == !stays)
    }
}
