import AppHealth
import Diagnostics
import Foundation
import Testing
import Transport

@testable import Providers

/// Sources of files at, below and above their bounds.
struct FilesBoundsTests {
    private func folder(_ files: Int, bytes: Int) throws -> String {
        let folder = NSTemporaryDirectory() + "files-bounds-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for number in 0..<files {
            let text =
                #"{"format":"plimsoll-snapshot","version":1,"app":"buoy","capturedAt":"2026-11-1\#(number)T06:00:00Z","provides":[]}"#
            let filled = text + String(repeating: " ", count: max(0, bytes - text.utf8.count))
            try Data(filled.utf8).write(to: URL(fileURLWithPath: "\(folder)/2026-11-1\(number).json"))
        }
        return folder
    }

    private func fetch(_ folder: String, _ change: (inout FilesConfiguration) -> Void) async throws
        -> FetchOutcome
    {
        var configuration = try FilesConfiguration(folder)
        configuration.mostHours = 10_000
        change(&configuration)
        return await FilesProvider(configuration, sender: client()).fetch(app("buoy"), at: runTime)
    }

    @Test func snapshotFileBytes() async throws {
        #expect(try FilesConfiguration("data").mostBytes == 32 << 20)
        for (bytes, isRead) in [(999, true), (1000, true), (1001, false)] {
            let folder = try folder(1, bytes: bytes)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let outcome = try await fetch(folder) { $0.mostBytes = 1000 }
            #expect(outcome.snapshots.count == (isRead ? 1 : 0))
            let ids = (outcome.failures.map(\.why.id) + outcome.warnings.map(\.id))
            #expect(ids.contains("transport.too-large") == !isRead, "\(ids)")
        }
    }

    @Test func snapshotFileCount() async throws {
        #expect(try FilesConfiguration("data").mostFiles == 500_000)
        for (files, isCut) in [(2, false), (3, false), (4, true)] {
            let folder = try folder(files, bytes: 0)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let outcome = try await fetch(folder) { $0.mostFiles = 3 }
            #expect(outcome.snapshots.count == min(files, 3))
            #expect(outcome.warnings.map(\.id).contains("files.many") == isCut)
        }
    }

    /// Files of three apps, named by the app in one of the ways that are documented, and what is read of them.
    @Test(arguments: [
        (6, [2, 2, 2], []), (5, [1, 2, 2], [["a"], [], []]), (3, [1, 1, 1], [["a"], ["b"], ["c"]]),
        (2, [0, 1, 1], [["a", "2 files"], ["b"], ["c"]]), (7, [2, 2, 2], []),
    ])
    func noAppLosesItsFilesToAnother(most: Int, read: [Int], named: [[String]]) async throws {
        for separator in ["/", "-"] {
            try await withTemporaryDirectory { folder in
                for (app, day) in [("a", 18), ("a", 19), ("b", 18), ("b", 19), ("c", 18), ("c", 19)] {
                    let path = "\(folder)/\(app)\(separator)2026-11-\(day).json"
                    try FileManager.default.createDirectory(
                        atPath: (path as NSString).deletingLastPathComponent,
                        withIntermediateDirectories: true)
                    try Data(
                        #"{"format":"plimsoll-snapshot","version":1,"app":"\#(app)","capturedAt":"2026-11-\#(day)T06:00:00Z","provides":[]}"#
                            .utf8
                    ).write(to: URL(fileURLWithPath: path))
                }
                let shelf = SnapshotFileCache()
                for (index, id) in ["a", "b", "c"].enumerated() {
                    var configuration = try FilesConfiguration(folder)
                    (configuration.mostHours, configuration.mostFiles) = (8_000, most)
                    let outcome = await FilesProvider(configuration, sender: client(), shelf: shelf)
                        .fetch(app(id), at: runTime)
                    #expect(outcome.snapshots.count == read[index], "\(id) of \(most)")
                    // The newest are read.
                    #expect(
                        outcome.snapshots.last.map { $0.capturedAt.date.description == "2026-11-19" } != false
                    )
                    let faults = outcome.failures.map(\.why)
                    #expect(faults.map(\.id) == (named.isEmpty || named[index].isEmpty ? [] : ["files.many"]))
                    for word in named.isEmpty ? [] : named[index] {
                        #expect(faults.first?.details.joined().contains(word) == true, "\(faults)")
                    }
                    #expect(outcome.warnings.isEmpty)
                }
            }
        }
    }

    @Test func payloadCount() async throws {
        for (files, isCut) in [(2, false), (3, false), (4, true)] {
            let folder = try folder(files, bytes: 0)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            var configuration = MetricKitConfiguration(path: folder)
            #expect(configuration.mostFiles == 100_000)
            configuration.mostFiles = 3
            let outcome = await MetricKitProvider(configuration, sender: client()).fetch(
                app("buoy"), at: runTime)
            // A part of the files would be a part of the days.
            #expect(outcome.requests == (isCut ? 0 : files))
            #expect(outcome.failures.map(\.why.id).contains("files.many") == isCut)
            #expect(!isCut || outcome.snapshots.isEmpty)
        }
    }

    @Test func metricKitBytes() async throws {
        for (bytes, isRead) in [(999, true), (1000, true), (1001, false)] {
            let folder = try folder(1, bytes: bytes)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            var configuration = MetricKitConfiguration(path: folder)
            #expect(configuration.mostBytes == 16 << 20 && configuration.mostFiles == 100_000)
            configuration.mostBytes = 1000
            let outcome = await MetricKitProvider(configuration, sender: client()).fetch(
                app("buoy"), at: runTime)
            #expect(outcome.warnings.map(\.id).contains("transport.too-large") == !isRead)
        }
    }

    @Test func cursorBytes() {
        for (bytes, isRead) in [(999, true), (1000, true), (1001, false)] {
            let cursor = String(repeating: "c", count: bytes)
            let next = NextCursor(in: [#"<https://host/>; rel="next"; results="true"; cursor="\#(cursor)""#])
            #expect(next == (isRead ? .cursor(cursor) : .missing))
        }
    }
}
