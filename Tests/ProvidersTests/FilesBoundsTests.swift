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
        #expect(try FilesConfiguration("data").mostFiles == 10_000)
        for (files, isCut) in [(2, false), (3, false), (4, true)] {
            let folder = try folder(files, bytes: 0)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let outcome = try await fetch(folder) { $0.mostFiles = 3 }
            #expect(outcome.snapshots.count == min(files, 3))
            #expect(outcome.warnings.map(\.id).contains("files.many") == isCut)
        }
    }

    @Test func metricKitBytes() async throws {
        for (bytes, isRead) in [(999, true), (1000, true), (1001, false)] {
            let folder = try folder(1, bytes: bytes)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            var configuration = MetricKitConfiguration(path: folder)
            #expect(configuration.mostBytes == 16 << 20 && configuration.mostFiles == 10_000)
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
