import AppHealth
import Foundation
import Testing

@testable import Providers

/// Decodes real responses, where they are present next to the checkout.
struct SampleAnswerTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../shared/providers/samples").standardizedFileURL.path
    static let areHere = FileManager.default.fileExists(atPath: folder)

    private func decode<Value: Decodable>(_ type: Value.Type, _ path: String) throws -> Value {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(path)"))
        let decoder = ResponseDecoder(provider: "sample", endpoint: path)
        let (value, losses) = try decoder.decode(type, from: [UInt8](bytes))
        #expect(losses.warnings.isEmpty)
        return value
    }

    @Test(.enabled(if: areHere, "the samples are not here"))
    func bugsinkAnswersAreRead() throws {
        let folder = "bugsink-2.6.2"
        #expect(try decode(BugsinkPage<BugsinkProject>.self, "\(folder)/projects.body").elements.count == 2)
        #expect(
            try decode(BugsinkPage<BugsinkIssue>.self, "\(folder)/issues_resolved.body").elements.count > 1)
        #expect(
            try decode(BugsinkPage<BugsinkRelease>.self, "\(folder)/releases_p1.body").elements.count == 6)
        #expect(
            try decode(BugsinkPage<BugsinkEventEntry>.self, "\(folder)/events_page2.body").elements.count
                == 21)
        #expect(try decode(BugsinkPage<BugsinkUser>.self, "\(folder)/issue_tags.body").next != nil)
        let event = try decode(BugsinkEvent.self, "\(folder)/event_detail.body")
        #expect(event.kind == .hang)
        #expect(event.place?.fileName == "ChartView.kt")
        #expect(event.place?.line == 169)
        let notes = try decode(BugsinkPage<BugsinkHistoryEntry>.self, "\(folder)/history_0.body").elements
            .compactMap { note($0, on: "a") }
        #expect(notes.count == 1)
        var losses = SkippedValues(provider: "sample", endpoint: "")
        let counts = try decode(BugsinkCounts.self, "\(folder)/issue_event_counts_28d.body")
        let days = issueDays(Providers.days(counts, at: runTime, losses: &losses), of: "a")
        #expect(days.count == 29)
        #expect(days.compactMap(\.events).reduce(0, +) == 271)
    }

    @Test(.enabled(if: areHere, "the samples are not here"))
    func socorroAnswersAreRead() throws {
        let answer = try decode(SocorroAnswer.self, "socorro/supersearch-histogram-date-by-product.json")
        #expect(answer.facets.days?.items.count == 7)
        #expect(try decode(SocorroAnswer.self, "socorro/supersearch-facet-product.json").total.value == 19)
    }
}
