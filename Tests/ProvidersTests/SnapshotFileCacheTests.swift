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
}
