import AppHealth
import Foundation
import Synchronization
import Testing
import Transport

@testable import Providers

struct SnapshotFileCacheTests {
    /// Counts how often each address is read.
    private final class CountingSender: Sender {
        let base = client()
        let counts = Mutex<[String: Int]>([:])

        func send(_ request: Request) async throws(TransportError) -> Response {
            counts.withLock {
                $0[request.address.path.split(separator: "/").suffix(2).joined(separator: "/"), default: 0] +=
                    1
            }
            return try await base.send(request)
        }
    }

    private func fetch(
        _ ids: [String], from folder: String, _ sender: CountingSender, _ shelf: SnapshotFileCache?
    ) async throws -> [String: FetchOutcome] {
        let place = try FilesConfiguration(fixture("files/\(folder)"))
        return await withTaskGroup(of: (String, FetchOutcome).self) { group in
            for id in ids {
                let provider = FilesProvider(place, sender: sender, shelf: shelf ?? SnapshotFileCache())
                group.addTask { (id, await provider.fetch(app(id), at: runTime)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    @Test(arguments: ["good", "broken", "odd"]) func eachFileIsReadOnceForAllApps(folder: String) async throws
    {
        let (alone, together) = (CountingSender(), CountingSender())
        let ids = ["sketchbook", "tidepool", "metronome"]
        let expected = try await fetch(ids, from: folder, alone, nil)
        let found = try await fetch(ids, from: folder, together, SnapshotFileCache())
        let counts = together.counts.withLock { $0 }
        #expect(!counts.isEmpty && counts.values.allSatisfy { $0 == 1 }, "\(counts)")
        #expect(alone.counts.withLock { $0 }.values.allSatisfy { $0 == ids.count })
        for id in ids {
            #expect(found[id]?.snapshots == expected[id]?.snapshots, "\(id)")
            #expect(found[id]?.failures == expected[id]?.failures, "\(id)")
            #expect(found[id]?.warnings == expected[id]?.warnings, "\(id)")
        }
    }

    /// What an app has taken is not held any more: a second source of it with the same folder reads it again.
    @Test func aSecondSourceOfAnAppGetsItsFilesToo() async throws {
        let (sender, shelf) = (CountingSender(), SnapshotFileCache())
        let first = try await fetch(["sketchbook"], from: "good", sender, shelf)
        let second = try await fetch(["sketchbook"], from: "good", sender, shelf)
        #expect(first["sketchbook"]?.snapshots == second["sketchbook"]?.snapshots)
        #expect(sender.counts.withLock { $0 }["tidepool/2026-11-20.json"] == 1)
    }

    /// What is handed over before the end is what an outcome would have, in the same order, and no more at once than is
    /// to be held.
    @Test(arguments: [0, 500, 1_000, 100_000])
    func manySnapshotsAreHandedOver(mostHeldBytes: Int) async throws {
        try await withTemporaryDirectory { folder in
            for day in [17, 19, 18, 16] {
                try Data(
                    #"""
                    {"format":"plimsoll-snapshot","version":1,"app":"buoy","capturedAt":"2026-11-\#(day)T06:00:00Z",
                    "provides":["usage"],"usage":[{"date":"2026-11-\#(day - 1)","activeUsers":\#(day)}],"extra":"\#(String(repeating: " ", count: 300))"}
                    """#.utf8
                ).write(to: URL(fileURLWithPath: "\(folder)/\(20 - day).json"))
            }
            try Data("{".utf8).write(to: URL(fileURLWithPath: "\(folder)/buoy-2026-11-15.json"))
            var configuration = try FilesConfiguration(folder)
            configuration.shownAs = "data"
            configuration.mostHeldBytes = mostHeldBytes
            let provider = FilesProvider(configuration, sender: client())
            let expected = await provider.fetch(app("buoy"), at: runTime)
            let parts = Mutex<[[Snapshot]]>([])
            let outcome = await provider.fetch(app("buoy"), at: runTime) { snapshots in
                parts.withLock { $0.append(snapshots) }
                return true
            }
            let handed = parts.withLock { $0 }
            #expect(handed.flatMap(\.self) + outcome.snapshots == expected.snapshots)
            #expect(expected.snapshots.map(\.capturedAt.date.components.day) == [16, 17, 18, 19])
            #expect(outcome.failures == expected.failures && outcome.warnings == expected.warnings)
            let counts = [0: [1, 1, 1, 1], 500: [1, 1, 1], 1_000: [2]]
            #expect(handed.map(\.count) == counts[mostHeldBytes] ?? [])
            // One who can take no more is not asked again.
            let refused = await provider.fetch(app("buoy"), at: runTime) { _ in false }
            #expect(refused.snapshots.isEmpty == !handed.isEmpty)
        }
    }

    /// Files that are stored need not be decoded, but for those that were captured since the first other one: what is
    /// stored of them depends on it.
    @Test(
        arguments: [
            (stored: [17, 18, 19], others: [], decoded: []),
            ([17, 18], [19], [19]),
            ([17, 19], [18], [18, 19]),
            ([18, 19], [17], [17, 18, 19]),
            ([], [17, 18], [17, 18]),
            ([17, 20], [18], [18, 20]),
        ] as [(stored: [Int], others: [Int], decoded: [Int])])
    func whatIsStoredIsNotDecoded(stored: [Int], others: [Int], decoded: [Int]) async throws {
        try await withTemporaryDirectory { folder in
            func write(_ day: Int) throws {
                try Data(
                    #"""
                    {"format":"plimsoll-snapshot","version":1,"app":"buoy","capturedAt":"2026-11-\#(day)T06:00:00Z",
                    "provides":["usage"],"usage":[{"date":"2026-11-\#(day - 1)","activeUsers":\#(day)}]}
                    """#.utf8
                ).write(to: URL(fileURLWithPath: "\(folder)/\(40 - day).json"))
            }
            func fetch(_ known: StoredFiles, _ source: String = "files") async throws -> FetchOutcome {
                let configuration = try FilesConfiguration(folder, id: Slug(anyText: source))
                return await FilesProvider(
                    configuration, sender: client(), shelf: SnapshotFileCache(stored: known)
                ).fetch(app("buoy"), at: runTime)
            }
            for day in stored { try write(day) }
            var known = StoredFiles()
            for file in try await fetch(known).files {
                known.insert(file, of: Slug(anyText: "buoy"), source: Slug(anyText: "files"))
            }
            #expect(known.count == stored.count)
            for day in others { try write(day) }
            let outcome = try await fetch(known)
            #expect(outcome.snapshots.map(\.capturedAt.date.components.day) == decoded)
            #expect(outcome.storedBefore == stored.count + others.count - decoded.count)
            #expect(outcome.files.count == stored.count + others.count)
            // Another source of the app has stored none of them.
            let all = try await fetch(known, "others")
            #expect(all.snapshots.count == stored.count + others.count && all.storedBefore == 0)
            #expect(outcome.failures == all.failures && outcome.warnings == all.warnings)
        }
    }
}
