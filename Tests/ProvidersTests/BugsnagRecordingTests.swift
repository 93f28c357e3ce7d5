import AppHealth
import Diagnostics
import Foundation
import LoopbackServer
import Testing
import Transport

@testable import Providers

/// Plays recorded exchanges with the real service, where they are present next to the checkout.
struct BugsnagRecordingTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../shared/providers/samples/bugsnag").standardizedFileURL.path

    static var files: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { "\(folder)/\($0)" }
    }

    @Test(.enabled(if: !files.isEmpty, "the recordings are not here"))
    func readsWhatTheRealServiceAnswered() async throws {
        let stub = try await StubBugsnag.start(files: Self.files)
        let outcome = try await stub.fetch(try stub.configuration("vcr-tests"))
        let snapshot = try #require(outcome.snapshots.first)
        // One recorded day has 16 sessions, and more of them unhandled: the day is kept, without its crashes.
        #expect(snapshot.health.count == 30)
        #expect(snapshot.health.compactMap(\.sessions).reduce(0, +) == 225)
        #expect(snapshot.health.compactMap(\.crashedSessions).reduce(0, +) == 10)
        #expect(snapshot.health.filter { $0.sessions == 0 }.allSatisfy { $0.crashedSessionShare == nil })
        #expect(snapshot.health.filter { $0.sessions != 0 }.allSatisfy { $0.users == nil })
        #expect(snapshot.releases.map(\.version.label) == ["2.0.0", "1.2.3", "1.0.0", "1.0.0-bbbb"])
        #expect(snapshot.releases.map { $0.lifetime?.sessions } == [3, 0, 29, 17])
        #expect(snapshot.issues.map(\.title) == ["RuntimeError: Error"])
        #expect(snapshot.issues.first?.state == .closed)
        #expect(snapshot.issues.first?.kind == .error)
        #expect(snapshot.issues.first?.events == 475)
        #expect(snapshot.issues.first?.users == nil)
        #expect(snapshot.issues.first?.place?.fileName == "test.rb")
        #expect(snapshot.issues.first?.place?.line == 34)
        #expect(snapshot.notes.count == 10)
        #expect(
            snapshot.warnings.map(\.id) == [
                "decoding.mismatch", "bugsnag.release-stage", "bugsnag.part-missing", "bugsnag.pages-cut",
                // Neither the fields nor a list with trends was recorded.
                "bugsnag.part-missing", "decoding.mismatch",
            ])
        #expect(snapshot.source.sessionDefinition.contains("'development'"))
    }
}
