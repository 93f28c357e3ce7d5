import Analysis
import AppHealth
import Diagnostics
import Files
import Foundation
import Pages
import Settings
import Synchronization
import Testing

@testable import Site

/// A site whose apps several machines made is that of one machine, byte for byte.
struct SitePartTests {
    private static let apps = (0..<9).map { App(id: Slug(anyText: "app-\($0)"), name: "App \($0)") }

    /// Builds at a place and tells whose history was read for it.
    private func build(
        _ folder: TemporaryFolder, _ name: String, _ scope: BuildScope = .site, shard: Shard? = nil,
        program: String = "1", audience: Audience = .team, revisions: [String: String] = [:],
        isFull: Bool = false, theme: String = "default"
    ) async throws -> [String] {
        var facts = SiteFacts(
            title: "Quay", asOf: Instant(startOf: .last.advanced(by: 1)), isDemo: false, baseURL: nil,
            isIndexed: true, contentPages: [], audience: audience)
        facts.outputs = .all
        let apps = Self.apps.filter { shard?.contains($0.id) ?? true }
        var input = SiteInput(
            facts: facts,
            theme: try ThemeLayers(name: theme, roots: [folder.path + "/themes", installedThemes]),
            content: ContentFolder.read(folder.path + "/content", apps: []).0,
            output: scope.output ?? "\(folder.path)/\(name)",
            apps: apps.map { ($0, .standard) }, threads: 2)
        input.facts.hasApps = true
        input.scope = scope
        input.outputPolicy.loses = true
        input.keeping = BuildKeeping(
            folder: "\(folder.path)/\(name).kept", program: program,
            sources: Dictionary(uniqueKeysWithValues: Self.apps.map { ($0.id, []) }), isFull: isFull
        ) { AppRevision(mark: revisions[$0.id.text] ?? "m", next: nil) }
        let read = Mutex<[String]>([])
        _ = try await buildSite(input) { app in
            read.withLock { $0.append(app.id.text) }
            return .sample(app, days: revisions[app.id.text] == nil ? 5 : 6)
        }
        return read.withLock(\.self).sorted()
    }

    private func files(_ folder: TemporaryFolder, _ name: String) throws -> [String: Data] {
        let root = "\(folder.path)/\(name)"
        let names = try FileManager.default.subpathsOfDirectory(atPath: root)
        return names.reduce(into: [:]) { $0[$1] = FileManager.default.contents(atPath: "\(root)/\($1)") }
    }

    private static var ids: [String] { apps.map(\.id.text).sorted() }

    @Test(arguments: [(1, Audience.team), (2, Audience(.public)), (7, .team)])
    func partsJoinToTheWhole(count: Int, audience: Audience) async throws {
        let folder = try TemporaryFolder()
        #expect(try await build(folder, "whole", audience: audience) == Self.ids)
        var (places, made): ([String], [String]) = ([], [])
        for index in 1...count {
            let place = "\(folder.path)/part-\(index)"
            places.append(place)
            made += try await build(
                folder, "part-\(index)", .part(folder: place), shard: Shard(index, of: count),
                audience: audience)
        }
        #expect(made.sorted() == Self.ids)
        #expect(try await build(folder, "joined", .joined(folders: places), audience: audience) == [])
        let whole = try files(folder, "whole")
        #expect(try files(folder, "joined") == whole)
        // What was joined is kept like what was made, and a part again too.
        #expect(try await build(folder, "joined", audience: audience) == [])
        #expect(try files(folder, "joined") == whole)
        let again = try await build(
            folder, "part-1", .part(folder: places[0]), shard: Shard(1, of: count), audience: audience)
        #expect(again == [])
    }

    /// What does not fit a part, is damaged or missing in it is made; the files are those of one machine.
    @Test(arguments: [
        "changed file", "missing file", "damaged record", "link", "program", "revision", "full",
        "changed data", "missing list", "damaged list", "list of another",
    ])
    func whatDoesNotFitIsMade(fault: String) async throws {
        let folder = try TemporaryFolder()
        let place = "\(folder.path)/part"
        _ = try await build(folder, "part", .part(folder: place))
        let page = "\(place)/site/apps/app-3/issues/index.html"
        var (expected, program, revisions, isFull): ([String], String, [String: String], Bool) = (
            ["app-3"], "1", [:], false
        )
        switch fault {
        case "changed file": try Data("<p>other</p>".utf8).write(to: URL(fileURLWithPath: page))
        case "missing file": try FileManager.default.removeItem(atPath: page)
        case "link":
            try FileManager.default.moveItem(atPath: page, toPath: place + "/moved")
            try FileManager.default.createSymbolicLink(atPath: page, withDestinationPath: place + "/moved")
        case "damaged record":
            var bytes = try #require(FileManager.default.contents(atPath: "\(place)/kept/app-app-3"))
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: URL(fileURLWithPath: "\(place)/kept/app-app-3"))
        case "changed data": try folder.write("part/site/apps/app-3/data.json", "{}")
        case "missing list", "damaged list":
            let command = fault == "missing list" ? "rm files" : "truncate -s -9 files"
            try folder.shell(command, in: "part/kept")
            expected = []
        case "list of another":
            _ = try await build(
                folder, "other", .part(folder: folder.path + "/other"), shard: Shard(1, of: 2))
            try folder.shell("cp ../../other/kept/files files", in: "part/kept")
            expected = []
        case "program": (program, expected) = ("2", Self.ids)
        case "revision": revisions = ["app-3": "n"]
        default: (isFull, expected) = (true, Self.ids)
        }
        let read = try await build(
            folder, "joined", .joined(folders: [place]), program: program, revisions: revisions,
            isFull: isFull)
        #expect(read == expected)
        _ = try await build(folder, "whole", program: program, revisions: revisions)
        #expect(try files(folder, "joined") == files(folder, "whole"))
    }

    /// Of a large part neither all files nor all that is known of them are held.
    @Test func partIsKnownByWhatItsBuildPutDown() async throws {
        let folder = try TemporaryFolder()
        _ = try await build(folder, "part", .part(folder: folder.path + "/part"))
        func isKnown() throws -> Bool {
            if case .known = try SitePart(folder.path + "/part").files.look { true } else { false }
        }
        #expect(try isKnown())
        try folder.shell("rm files", in: "part/kept")
        #expect(try !isKnown())
    }

    /// A site that another build put in the place has files of the same names, which its manifest lists.
    @Test(arguments: ["data.json", "feed.xml", "badge.svg"])
    func whatIsKeptOfAnAppIsComparedWithItsFiles(name: String) async throws {
        let folder = try TemporaryFolder()
        _ = try await build(folder, "site")
        let whole = try files(folder, "site")
        let (path, site) = ("apps/app-3/\(name)", folder.path + "/site")
        #expect(whole[path] != nil)
        try folder.write("site/" + path, "other")
        var manifest = try #require(try SiteManifest.read(in: site))
        manifest.files[path] = SiteManifest.File("other".utf8)
        try folder.write("site/" + SiteManifest.name, String(decoding: manifest.bytes, as: UTF8.self))
        // The badge is made by each build.
        #expect(try await build(folder, "site") == (name == "badge.svg" ? [] : ["app-3"]))
        #expect(try files(folder, "site") == whole)
    }

    /// An app of which nothing may be kept leaves nothing of an earlier night.
    @Test func whatIsNotKeptOfAnAppIsRemoved() async throws {
        let folder = try TemporaryFolder()
        try folder.write("themes/unlike/theme.yml", "name: unlike\n")
        try folder.write("themes/unlike/templates/app.html", "<h1>{{name}}</h1><p>{{frame.asOf}}</p>")
        try folder.write("themes/unlike/templates/app.md", "# {{name}}\n")
        func kept() throws -> Set<Substring> {
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/site.kept")
            let own = names.map { $0.split(separator: "/") }.filter { $0.count == 2 }
            return Set(own.compactMap { $0[1].split(separator: "-").first })
        }
        _ = try await build(folder, "site")
        #expect(try kept().isSuperset(of: ["app", "mark", "pages"]))
        _ = try await build(folder, "site", theme: "unlike")
        #expect(try kept().isDisjoint(with: ["app", "mark"]))
        #expect(try kept().contains("pages"))
    }

    @Test func aFolderThatIsNoPartIsRefused() async throws {
        let folder = try TemporaryFolder()
        try folder.write("other/readme.txt", "text")
        for place in ["other", "none"] {
            do {
                _ = try await build(folder, "joined", .joined(folders: ["\(folder.path)/\(place)"]))
                Issue.record("it was joined")
            } catch let error as Diagnostics {
                #expect(error.list.map(\.id) == ["site.no-part"])
            }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/joined"))
    }
}
