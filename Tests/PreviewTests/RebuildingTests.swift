import Foundation
import Testing

@testable import Preview

/// When a preview builds its site again: what happens between two looks, and how many builds and readings of files
/// there are.
struct RebuildingTests {
    /// Sources of a site, `a` and `b/c` long ago, and the site next to them.
    private final class Sources: Sendable {
        let path = NSTemporaryDirectory() + "plimsoll-rebuilding-" + UUID().uuidString

        init() throws {
            for file in ["a", "b/c", "site/index.html"] { try write(file, "old") }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ file: String, _ text: String, changed: Int = 0) throws {
            let url = URL(fileURLWithPath: path + "/" + file)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
            try touch(file, changed)
        }

        func touch(_ file: String, _ changed: Int) throws {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000 + Double(changed))],
                ofItemAtPath: path + "/" + file)
        }

        func remove(_ file: String) throws {
            try FileManager.default.removeItem(atPath: path + "/" + file)
        }
    }

    /// Builds, sixty times a second after the other, where each second is a pause that takes no time.
    private func builds(_ sources: Sources, _ change: (Int) throws -> Void) async throws -> Int {
        var (builds, looks) = (0, 0)
        var failure: (any Error)?
        await keepBuilding(
            from: { ([sources.path, sources.path + "/none"], sources.path + "/site") },
            build: {
                builds += 1
                // As a build does, which must not be seen as a change.
                try? sources.write("site/index.html", "new \(builds)", changed: builds)
                return true
            },
            pause: {
                looks += 1
                do { try change(looks) } catch { failure = error }
                return looks < 60
            })
        if let failure { throw failure }
        return builds
    }

    @Test func siteIsBuiltOnceInAMinuteInWhichNothingHappens() async throws {
        #expect(try await builds(try Sources()) { _ in } == 1)
    }

    @Test func touchedFileIsNoChange() async throws {
        let sources = try Sources()
        #expect(try await builds(sources) { try sources.touch("a", $0) } == 1)
    }

    @Test func fileThatIsChangedAndChangedBackIsNoChange() async throws {
        let sources = try Sources()
        let count = try await builds(sources) {
            try sources.write("b/c", "new", changed: $0)
            try sources.write("b/c", "old", changed: $0 + 100)
        }
        #expect(count == 1)
    }

    @Test func eachChangeIsBuiltOnce() async throws {
        let sources = try Sources()
        let count = try await builds(sources) { second in
            switch second {
            case 10: try sources.write("a", "new", changed: second)
            case 20: try sources.write("b/d", "more", changed: second)
            case 30: try sources.remove("b/d")
            case 40: try sources.write("a", "old", changed: second)
            default: break
            }
        }
        #expect(count == 5)
    }

    /// A site that is removed is built again; one that no build makes is not built each second.
    @Test func siteThatIsGoneIsBuiltOnce() async throws {
        let sources = try Sources()
        let count = try await builds(sources) { if $0 == 10 || $0 == 20 { try sources.remove("site") } }
        #expect(count == 3)
        var (failed, looks) = (0, 0)
        await keepBuilding(
            from: { ([sources.path], sources.path + "/none") },
            build: {
                failed += 1
                return true
            },
            pause: {
                looks += 1
                return looks < 60
            })
        #expect(failed == 1)
    }

    /// What happens to a site of which no build succeeds before a look, and after how many looks each build came.
    @Test(
        arguments: [
            ("nothing", 99, [0, 1, 3, 7, 15, 31]), ("nothing", 5, [0, 1, 3, 7]),
            // What is being removed while the build looks at it, and is gone a while later.
            ("removed", 20, [0, 1, 3, 7, 15, 20]),
            ("source", 20, [0, 1, 3, 7, 15, 20, 21, 23, 27, 35, 51]),
        ])
    func failedBuildIsTriedAgain(event: String, at look: Int, builtAt: [Int]) async throws {
        let sources = try Sources()
        try sources.remove("site/index.html")
        try sources.write("site/rest", "old")
        var (builds, looks): ([Int], Int) = ([], 0)
        await keepBuilding(
            from: { ([sources.path], sources.path + "/site") },
            build: {
                builds.append(looks)
                let isBuilt = looks >= look && event != "source"
                if isBuilt { try? sources.write("site/index.html", "new") }
                return isBuilt
            },
            pause: {
                looks += 1
                if looks == look, event == "removed" { try? sources.remove("site") }
                if looks == look, event == "source" { try? sources.write("a", "new", changed: looks) }
                return looks < 60
            })
        #expect(builds == builtAt)
    }

    @Test func fileIsReadOnlyWhenItsStampMoves() throws {
        let sources = try Sources()
        var files = WatchedFiles()
        func look() -> Bool { files.haveChanged([sources.path], without: sources.path + "/site") }
        #expect(look())
        #expect(files.reads == 2)
        for _ in 0..<60 { #expect(!look()) }
        #expect(files.reads == 2)
        try sources.touch("a", 7)
        for _ in 0..<3 { #expect(!look()) }
        #expect(files.reads == 3)
    }

    /// Links that lead back to folders around them would be followed without end.
    @Test func aCircleOfLinksIsFollowedOnce() throws {
        let sources = try Sources()
        for name in ["up", "back", "again"] {
            try FileManager.default.createSymbolicLink(
                atPath: sources.path + "/" + name, withDestinationPath: ".")
        }
        var files = WatchedFiles()
        let haveChanged = files.haveChanged([sources.path], without: sources.path + "/site")
        #expect(haveChanged && files.reads == 2)
    }

    /// The site may be named in another way than the folder in which it lies.
    @Test func siteIsKnownByWhateverName() throws {
        let sources = try Sources()
        var files = WatchedFiles()
        let name = sources.path + "/b/../site"
        _ = files.haveChanged([sources.path], without: name)
        try sources.write("site/index.html", "new")
        let haveChanged = files.haveChanged([sources.path], without: name)
        #expect(!haveChanged)
    }
}
