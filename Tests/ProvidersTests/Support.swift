import AppHealth
import Diagnostics
import Foundation
import Testing
import Transport

@testable import Providers

/// The instant of every run in these tests.
let runTime = Instant(secondsSinceEpoch: 1_795_154_400)

func app(_ id: String) -> App {
    App(id: Slug(anyText: id), name: id)
}

/// A path below the fixtures.
func fixture(_ path: String, file: String = #filePath) -> String {
    URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("Fixtures/\(path)").path
}

/// A client that reads files and queries loopback servers, without proxy.
func client() -> Client {
    var options = Client.Options(version: "test")
    options.allowsFiles = true
    options.usesProxy = false
    return Client(options)
}

extension Diagnostic {
    /// Everything in it that a person may see.
    var everything: String { consoleText(of: self) }
}

extension FetchOutcome {
    /// Every diagnostic in it.
    var diagnostics: [Diagnostic] { snapshots.flatMap(\.warnings) + failures.map(\.why) + warnings }
}

/// A directory that is gone after the test.
func withTemporaryDirectory<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("providers-\(UUID().uuidString)")
        .path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
}

/// What a snapshot states of a kind of fact, such as `2026-11-17…2026-11-18 partial 1/2`.
func spans(_ snapshot: Snapshot, _ fact: CoveredFact) -> [String] {
    snapshot.coverage.filter { $0.fact == fact }.map { span in
        let words =
            switch span.coverage {
            case .complete: "complete"
            case .approximate(let deviation): "approximate \((deviation * 100_000).rounded() / 1_000)%"
            case .partial(let counted, let all, _):
                "partial \(counted.map(String.init) ?? "?")/\(all.map(String.init) ?? "?")"
            case .unknown: "unknown"
            }
        return "\(span.days.lowerBound)…\(span.days.upperBound) \(words)"
    }
}
