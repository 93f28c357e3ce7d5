import Analysis
import AppHealth
import Diagnostics
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
        isFull: Bool = false
    ) async throws -> [String] {
        var facts = SiteFacts(
            title: "Quay", asOf: Instant(startOf: .last.advanced(by: 1)), isDemo: false, baseURL: nil,
            isIndexed: true, contentPages: [], audience: audience)
        facts.outputs = .all
        let apps = Self.apps.filter { shard?.contains($0.id) ?? true }
        var input = SiteInput(
            facts: facts, theme: try ThemeLayers(name: "default", roots: [installedThemes]),
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
