import AppHealth
import Diagnostics
import Files
import Foundation
import Testing

@testable import Site

/// A site of which the build before left what it was like.
struct HeldSiteTests {
    private let folder: TemporaryFolder
    private var output: String { folder.path + "/site" }
    private var kept: KeptBuild { KeptBuild(in: folder.path + "/kept", threads: 3) }
    private static let files = [
        "status.json": "{}", "apps/a/index.html": "page", "apps/a/days/1.html": "day",
        "apps/a-b/x/y": "other",
    ]

    init() throws { folder = try TemporaryFolder() }

    /// What stays at the top of a site is no reason to look at each file of it; below other folders it is.
    @Test(
        arguments: [
            ("echo example.org > CNAME", [], true),
            ("touch .nojekyll; mkdir .git; echo 1 > .git/HEAD", [], true),
            ("mkdir -p mine/deep; echo 1 > mine/deep/a; ln -s a mine/deep/b", ["mine"], true),
            ("echo 1 > apps/a/mine", ["apps/a/mine"], false),
            ("mkdir docs; echo 1 > docs/mine", ["docs/mine"], false),
            ("echo mine > apps/new", ["apps"], false),
        ] as [(String, [String], Bool)])
    func siteWithWhatStaysIsKnown(command: String, kept: [String], isKnown: Bool) throws {
        let policy = OutputPolicy(kept: kept)
        try build(policy: policy)
        try folder.shell(command, in: "site")
        func own() throws -> [String: String] {
            try folder.tree("site").filter { policy.keeps($0.key) }
        }
        for night in 0..<3 {
            let before = try own()
            if night > 0 {
                let look = try HeldSite(output: output, policy, self.kept).look
                if case .known = look { #expect(isKnown) } else { #expect(!isKnown) }
            }
            let files = Self.files.merging(["status.json": "\(night)"]) { $1 }
            #expect(try build(files, policy: policy).isEmpty)
            #expect(try own() == before && !before.isEmpty)
            #expect(try folder.names().filter { $0 != ".site.lock" } == ["kept", "site"])
            if command.contains(".git") { try folder.write("site/.git/objects/\(night)", "new") }
        }
        try folder.write("site/late.html", "mine")
        let problem = #expect(throws: Diagnostic.self) { try build(policy: policy) }
        #expect(problem?.id == "site.changed-files")
    }

    private func staged(_ policy: OutputPolicy = OutputPolicy()) throws -> StagedSite {
        try StagedSite(try HeldSite(output: output, policy, kept), keepsEqual: true)
    }

    /// Builds a site, keeps what it is like, and returns what was reported.
    @discardableResult
    private func build(
        _ files: [String: String] = files, policy: OutputPolicy = OutputPolicy()
    ) throws -> [Diagnostic] {
        let staged = try staged(policy)
        for (path, text) in files { try staged.write(path, Array(text.utf8)) }
        let swapped = try staged.swapIn()
        try #require(swapped.listing).keep()
        return staged.notices + swapped.warnings
    }

    @Test(arguments: [
        ("true", true),
        // Listing a folder changes nothing.
        ("ls -R > ../list", true),
        ("echo new > apps/new.html", false),
        ("echo other > status.json", false),
        ("rm -r apps/a/days", false),
        ("chmod 600 status.json", false),
        ("chmod 664 apps/a/index.html", false),
        ("echo example.org > CNAME", true),
        ("rm manifest.json", false),
        ("sed -i s/format/form/ manifest.json", false),
    ])
    func isKnownWhileNothingChanges(command: String, hasDigest: Bool) throws {
        try build()
        let before = try HeldSite(output: output, OutputPolicy(), kept).digest
        #expect(before != nil)
        try folder.shell(command, in: "site")
        let known = try Found(output, kept)
        #expect((known.digest == before) == hasDigest)
        // What is known of it is what a look at every file shows.
        #expect(known == (try Found(output, nil)))
    }

    /// What is found of a site; the right to write it is given back.
    private struct Found: Equatable {
        let digest: String?
        let unchanged: [String]
        let apps: [String]
        let entries: [String]
        let lost: [String]

        init(_ output: String, _ kept: KeptBuild?) throws {
            let held = try HeldSite(output: output, OutputPolicy(adopts: true), kept)
            let old = OldSite(held.look)
            digest = held.digest
            let branches = ["", "apps/a/", "apps/a-b/"].map(SiteBranch.init(of:))
            unchanged = try branches.flatMap { branch in
                try old.files(of: branch).map { "\($0.key) \($0.value.file.digest)" }.sorted()
            }
            apps = ["a", "a-b", "none"].map { app in
                "\(old.digest(of: Slug(anyText: app))) \(old.pages(of: [SiteBranch(of: "apps/\(app)/")]))"
            }
            switch held.look {
            case .known(let listing):
                entries = try listing.all.flatMap { try listing.items(of: $0).map(\.entry.path) }
                    .filter { !$0.isEmpty }.sorted()
                lost = []
            case .seen(let inspection):
                entries = inspection.entries.map(\.path).sorted()
                lost = inspection.lost.sorted()
            }
        }
    }

    /// What is damaged is not believed, and the build looks at every file.
    @Test(arguments: [
        "truncate -s 40 kept/files", "printf x >> kept/files", "sed -i s/listing/lasting/ kept/files",
        "sed -i s/status/stat:s/ kept/files", "rm kept/files", "sed -i s#days/1#days/2# kept/files",
    ])
    func damagedListingIsNotBelieved(command: String) throws {
        try build()
        let found = try Found(output, nil)
        try folder.shell(command, in: ".")
        #expect(try Found(output, kept) == found)
        try build(["status.json": "{}"])
        #expect(try folder.tree("site").keys.sorted() == [SiteManifest.name, "status.json"])
    }

    @Test func anotherBuildTakesThePlaceAndLeavesNothingBehind() throws {
        try build()
        try build(["status.json": "{}", "apps/a/index.html": "changed", "apps/b/index.html": "new"])
        #expect(
            try folder.tree("site").filter { $0.key != SiteManifest.name }
                == ["status.json": "{}", "apps/a/index.html": "changed", "apps/b/index.html": "new"])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.filter { $0 != ".site.lock" }.sorted() == ["kept", "site"])
    }

    @Test(arguments: [
        "echo mine > apps/late.html", "echo mine > status.json", "touch -d 2020-01-01 status.json",
    ])
    func whatComesWhileTheNextOneIsBuiltIsNotLost(command: String) throws {
        try build()
        let staged = try staged()
        for path in Self.files.keys { try staged.write(path, Array("other".utf8)) }
        try folder.shell(command, in: "site")
        if command.hasPrefix("touch") {
            // The bytes are those that a build wrote.
            try staged.swapIn()
        } else {
            let before = try folder.tree("site")
            let problem = #expect(throws: Diagnostic.self) { try staged.swapIn() }
            #expect(problem?.id == "site.changed-files")
            #expect(try folder.tree("site") == before)
        }
    }
}
