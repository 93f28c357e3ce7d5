import Configuration
import Diagnostics
import Files
import Foundation
import Testing

@testable import Site

/// Files of others in a site, or in the folder of the site before: no build removes them without a word.
struct ForeignFilesTests {
    private let folder: TemporaryFolder
    private var output: String { folder.path + "/site" }

    init() throws { folder = try TemporaryFolder() }

    /// How a path with files in it leaves `keep`.
    struct Leaving: Sendable, CustomTestStringConvertible {
        let name: String
        var kept = ["docs"]
        var later: [String] = []
        var paths = ["docs/handbook.html"]
        var nights = 2
        var swap = SiteSwap.folder
        var isFull = false
        /// What somebody does before the path is gone.
        var command = "true"

        var testDescription: String { name }
    }

    @Test(arguments: [
        Leaving(name: "taken out"),
        Leaving(name: "after one night", nights: 1),
        Leaving(name: "after three nights", nights: 3),
        Leaving(
            name: "below a folder of the site", kept: ["apps/docs"], paths: ["apps/docs/handbook.html"]),
        Leaving(name: "in the folder of an app", kept: ["apps/a/mine"], paths: ["apps/a/mine"]),
        Leaving(name: "misspelled", later: ["doc"]),
        Leaving(name: "a part of it stays", later: ["docs/pictures"]),
        Leaving(name: "a full build", isFull: true),
        Leaving(name: "nothing is known of builds", command: "rm -r kept"),
        Leaving(
            name: "in the place of a page", kept: ["docs", "robots.txt"],
            paths: ["docs/handbook.html", "robots.txt"]),
        Leaving(name: "a site that is a link", swap: .link),
    ])
    func whatIsNoLongerKeptIsRefused(_ one: Leaving) throws {
        var policy = OutputPolicy(swap: one.swap)
        try build(0, policy)
        for path in one.paths { try folder.write("site/\(path)", "mine") }
        policy.kept = one.kept
        for night in 1...one.nights {
            #expect(try build(night, policy).isEmpty)
            for path in one.paths { #expect(try folder.tree("site/")[path] == "mine") }
        }
        try folder.shell(one.command, in: "")
        policy.kept = one.later
        let before = try folder.tree("site/")
        for night in [7, 8] {
            let problem = #expect(throws: Diagnostic.self) { try build(night, policy, isFull: one.isFull) }
            #expect(problem?.id == "site.changed-files")
            #expect(problem?.details == one.paths.sorted().map { "added: \($0)" })
            #expect(try folder.tree("site/") == before)
        }
        for (place, path) in one.paths.enumerated() {
            try folder.shell("mv site/\(path) mine-\(place) && find site/ -type d -empty -delete", in: "")
        }
        for night in 9...11 {
            // The folder of the site before a link has a second name of what stayed, which is put next to the site.
            let reported = try build(night, policy).map(\.id)
            #expect(reported.allSatisfy { one.swap == .link && $0 == "site.late-files" }, "\(reported)")
            #expect(try folder.tree("site/").filter { $0.key != SiteManifest.name } == files(night))
        }
        let names = try folder.names()
        #expect(one.swap == .link || !names.contains { $0.contains("late") }, "\(names)")
        #expect(!names.contains { $0.contains("staging") }, "\(names)")
        for place in one.paths.indices { #expect(try folder.tree("")["mine-\(place)"] == "mine") }
    }

    /// How a build ends that had begun in the folder of the site before.
    enum End: CaseIterable { case stopped, killed, refused }

    /// A file that its listing does not show, though the times of the folders are as listed, stays in any case.
    @Test(arguments: End.allCases)
    func whatIsInTheSiteBeforeIsPutNextToTheSite(end: End) throws {
        for night in 0..<3 { try build(night) }
        let before = try folder.tree("site")
        try folder.shell(
            "touch -r apps/a ../time; echo mine > apps/a/late.html; touch -r ../time apps/a", in: "kept/spare"
        )
        // The clock of the file system is coarse: what is made from here on is later.
        let came = try #require(FileStamp(at: folder.path + "/kept/spare/apps/a/late.html")).changed
        repeat { try folder.write("clock", "") } while FileStamp(at: folder.path + "/clock")?.changed == came
        var reported: [Diagnostic] = []
        switch end {
        case .stopped:
            let staged = try staged(3)
            #expect(try filesBelow(staged.staging).contains("apps/a/late.html"))
            reported = staged.abandon()
            #expect(try folder.tree("site") == before)
        case .killed:
            var lock = ""
            do {
                let staged = try staged(3)
                lock = splitPath(staged.staging).name + ".lock"
                try folder.shell("ln \(lock) lock", in: "")
            }
            // A killed process leaves the file of its lock.
            try folder.shell("rm -f \(lock) && mv lock \(lock)", in: "")
            #expect(try folder.names().contains { $0.hasPrefix(".site.staging-") && !$0.hasSuffix(".lock") })
        case .refused:
            let held = try HeldSite(output: output, OutputPolicy(), kept(.folder))
            // The new name of a page that is gone cannot be made.
            try folder.shell("rm apps/a/index.html", in: "site")
            reported = try StagedSite(held, keepsEqual: true).notices
        }
        let next = try build(4)
        reported += next
        #expect(reported.map(\.id) == ["site.late-files"])
        let late = try #require(try folder.names().first { $0.hasPrefix("site.late-") })
        #expect(reported.first?.details.contains { $0.contains(late) } == true)
        #expect(try folder.tree(late) == ["apps/a/late.html": "mine\n"])
        #expect(try folder.tree("site").filter { $0.key != SiteManifest.name } == files(4))
        #expect(try folder.names().filter { $0.hasPrefix(".site.staging") } == [])
    }

    /// What is left of a build that was killed after its site had taken the place, with the old one.
    @Test func oldSiteOfAKilledBuildGoesWithoutWhatCameToIt() throws {
        for night in 0..<2 { try build(night) }
        let name = ".site.staging-0123456789abcdef0123456789abcdef"
        try folder.shell("cp -a site \(name) && echo mine > \(name)/late.html", in: "")
        try folder.shell("touch -d 2020-01-01 \(name)/late.html && touch \(name).lock", in: "")
        #expect(try build(2).map(\.id) == ["site.late-files"])
        let late = try #require(try folder.names().first { $0.hasPrefix("site.late-") })
        #expect(try folder.tree(late) == ["late.html": "mine\n"])
        #expect(try folder.names().filter { $0 != ".site.lock" } == ["kept", "site", late])
    }

    /// Files that a build of another umask made, or that somebody closed, are made again, and every other one is kept.
    @Test(arguments: [
        ("chmod 600 apps/a/days/1.html", ["apps/a/days/1.html"]),
        ("find . -type f -exec chmod 600 {} +", ["apps/a/days/1.html", "apps/a/days/2.html"]),
        ("chmod 666 apps/a/days/2.html", ["apps/a/days/2.html"]), ("true", []),
    ])
    func closedFilesAreMadeAgain(command: String, changed: [String]) throws {
        for night in 0..<2 { try build(night) }
        func nodes() throws -> [String: UInt64] {
            let entries = try folderEntries(output).filter { $0.path.hasPrefix("apps/a/days/") }
            return Dictionary(uniqueKeysWithValues: entries.map { ($0.path, $0.stamp.node) })
        }
        let before = try nodes()
        try folder.shell(command, in: "site")
        #expect(try build(2).isEmpty)
        let after = try nodes()
        #expect(before.keys.filter { before[$0] != after[$0] }.sorted() == changed)
        for night in 3..<5 { #expect(try build(night).isEmpty) }
        let modes = try folderEntries(output).filter { $0.kind == .file }.map(\.rights.mode)
        #expect(Set(modes).count == 1)
        #expect(try nodes() == after)
    }

    /// A build whose umask is not that of the build before keeps no file of it.
    @Test func anotherUmaskIsSeen() throws {
        try folder.shell("umask 077 && touch .site.lock", in: "")
        try build(0)
        let mode = try #require(kept(.folder).listing?.fileMode)
        let look = try HeldSite(output: output, OutputPolicy(), kept(.folder)).look
        guard case .seen = look else { return #expect(Bool(false), "\(mode) is known") }
        #expect(mode == 0o600)
    }

    private func files(_ night: Int) -> [String: String] {
        [
            "status.json": "\(night)", "apps/a/index.html": "page \(night)", "apps/a/days/1.html": "day",
            "apps/a/days/2.html": "day 2", "robots.txt": "built",
        ]
    }

    private func kept(_ swap: SiteSwap) -> KeptBuild {
        KeptBuild(in: folder.path + "/kept", keepsSpare: swap == .folder, threads: 3)
    }

    private func staged(_ night: Int, _ policy: OutputPolicy = OutputPolicy(), isFull: Bool = false) throws
        -> StagedSite
    {
        let held = try HeldSite(output: output, policy, kept(policy.swap))
        let staged = try StagedSite(held, keepsEqual: !isFull)
        for (path, text) in files(night) { try staged.write(path, Array(text.utf8)) }
        return staged
    }

    /// Builds the site of a night, and returns what was reported.
    @discardableResult
    private func build(
        _ night: Int, _ policy: OutputPolicy = OutputPolicy(), isFull: Bool = false
    ) throws -> [Diagnostic] {
        let staged = try staged(night, policy, isFull: isFull)
        let swapped = try staged.swapIn()
        try swapped.listing?.keep()
        return staged.notices + swapped.warnings
    }
}
