import AppHealth
import Diagnostics
import Foundation
import Testing

@testable import Providers

/// Reads the examples of the service's own specification, where they are present next to the checkout.
struct SentrySampleTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../shared/providers/samples/sentry").standardizedFileURL.path

    static var isPresent: Bool { FileManager.default.fileExists(atPath: "\(folder)/example-sessions.json") }

    private func decode<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> (
        value: Value, losses: SkippedValues
    ) {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/example-\(name).json"))
        let decoder = ResponseDecoder(provider: "sentry", endpoint: name)
        let (value, losses) = try decoder.decode(type, from: Array(data))
        #expect(losses.warnings.isEmpty)
        return (value, losses)
    }

    @Test(.enabled(if: isPresent, "the examples are not here"))
    func readsTheExamplesOfTheSpecification() throws {
        var (sessions, losses) = try decode(SentrySessions.self, "sessions")
        #expect(sessions.groups.count == 2)
        var refused = losses
        // Its buckets are half hours.
        #expect(wholeDays(of: sessions, at: runTime, losses: &losses).isEmpty)
        // It names the healthy and the errored sessions alone: nothing says that none crashed.
        #expect(sessionCounts(of: sessions, on: [0: runTime.date], losses: &refused) == nil)
        #expect(refused.warnings.map(\.id) == ["decoding.mismatch"])
        let projects = try decode(LossyArray<SentryAPIProject>.self, "projects_list").value.values
        #expect(projects.map(\.id.text) == ["3"])
        let items = try decode(LossyArray<SentryReleaseItem>.self, "releases_list").value.values
        #expect(releases(items).map(\.version.label) == ["1.0.0"])
        let issues = try decode(LossyArray<SentryIssue>.self, "issues_list").value.values
        #expect(issues.first?.count?.value == 150)
        #expect(issues.compactMap { issue($0, losses: &losses) }.isEmpty)
        let detail = try decode(SentryIssueDetail.self, "issue_detail").value
        #expect(detail.activity.values.count == 1)
        #expect(detail.firstRelease?.value?.version.text.count == 40)
        let event = try decode(SentryAPIEvent.self, "issue_event_detail").value
        #expect(place(of: event)?.fileName == "PublisherMethods.js")
        #expect(place(of: event)?.line == 74)
    }
}
