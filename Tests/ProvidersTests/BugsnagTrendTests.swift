import AppHealth
import Diagnostics
import Foundation
import LoopbackServer
import Testing

@testable import Providers

/// The buckets of a trend as the days of an issue.
struct BugsnagTrendTests {
    /// The days with their counts, such as `19:7`, of buckets written as `18T00 19T00 7` in November 2026; the
    /// run is on the 20th at 06:00.
    private func check(
        _ buckets: [String], _ expected: String, source: SourceLocation = #_sourceLocation
    ) throws {
        let objects = buckets.map { text in
            let parts = text.split(separator: " ")
            return
                #"{"from":"2026-11-\#(parts[0]):00:00Z","to":"2026-11-\#(parts[1]):00:00.000Z","events_count":\#(parts[2])}"#
        }
        try check(json: "[\(objects.joined(separator: ","))]", expected, source)
    }

    /// The same of buckets written as `18T00 7`, which end where the next begins.
    private func check(
        pairs: [String], _ expected: String, source: SourceLocation = #_sourceLocation
    ) throws {
        let lists = pairs.map { text in
            let parts = text.split(separator: " ")
            return #"["2026-11-\#(parts[0]):00:00.000Z",\#(parts[1])]"#
        }
        try check(json: "[\(lists.joined(separator: ","))]", expected, source)
    }

    private func check(json: String, _ expected: String, _ source: SourceLocation) throws {
        let values = try JSONDecoder().decode([BugsnagError.Bucket].self, from: Data(json.utf8))
        let days = issueDays(of: values, issue: "e1", at: runTime)
        let text = days.map { "\($0.date.components.day):\($0.events.map(String.init) ?? "?")" }
        #expect(text.joined(separator: " ") == expected, sourceLocation: source)
        #expect(days.allSatisfy { $0.users == nil && $0.version == nil && $0.issue == "e1" })
    }

    @Test func onlyWholeDaysThatAreOverCount() throws {
        try check([], "")
        try check(["18T00 19T00 7"], "18:7")
        try check(["18T00 19T00 0"], "18:0")
        // The first bucket begins within its day, the last is still filling.
        try check(["17T06 18T00 3", "18T00 19T00 7", "19T00 20T00 8", "20T00 20T06 2"], "18:7 19:8")
        try check(["19T00 20T00 8", "20T00 21T00 2"], "19:8")
        // Smaller buckets make up a day together, in any order.
        try check(["18T12 19T00 4", "18T00 18T12 3"], "18:7")
        try check(["18T00 18T06 1", "18T06 18T12 2", "18T12 18T18 3", "18T18 19T00 4"], "18:10")
        // A part is missing, reported twice, or overlaps.
        try check(["18T00 18T12 3", "19T00 20T00 8"], "19:8")
        try check(["18T12 19T00 3"], "")
        try check(["18T00 18T06 1", "18T12 19T00 4"], "")
        try check(["18T00 19T00 7", "18T00 19T00 7"], "")
        try check(["18T00 18T13 3", "18T12 19T00 4"], "")
        // Over midnight, longer than a day, without length, backwards.
        try check(["17T10 18T10 5", "18T10 19T10 6"], "")
        try check(["17T00 19T00 5"], "")
        try check(["18T00 18T00 0", "18T00 19T00 7"], "")
        try check(["18T00 17T00 5"], "")
        // No sum that does not fit.
        try check(["18T00 18T12 9223372036854775807", "18T12 19T00 1"], "")
        // A day that ends at the very instant of the run is over.
        try check(["19T00 20T00 1", "20T00 20T06 1"], "19:1")
    }

    @Test func pairsLastUntilTheNextBegins() throws {
        try check(pairs: ["18T00 7", "19T00 0", "20T00 2"], "18:7 19:0")
        try check(pairs: ["18T00 7"], "18:7")
        // The last lasts as long as the one before it.
        try check(pairs: ["17T00 1", "18T00 7", "19T00 3"], "17:1 18:7 19:3")
        try check(pairs: ["18T00 1", "18T12 2", "19T00 3", "19T12 4"], "18:3 19:7")
        // In another order, twice, over midnight, over two days.
        try check(pairs: ["20T00 2", "19T00 1", "18T00 7"], "18:7 19:1")
        try check(pairs: ["18T00 7", "18T00 7", "19T00 1", "20T00 1"], "19:1")
        try check(pairs: ["17T10 5", "18T10 6", "19T10 7"], "")
        try check(pairs: ["16T00 1", "18T00 7", "19T00 1", "20T00 0"], "18:7 19:1")
    }

    private func fetch(errors: String) async throws -> Snapshot {
        let stub = try await StubBugsnag.start { request in
            request.path.hasSuffix("/errors") && !request.target.contains("event.unhandled")
                ? .json(errors) : nil
        }
        return try #require(try await stub.fetch(stub.configuration()).snapshots.first)
    }

    @Test func eachIssueHasItsDays() async throws {
        let stub = try await StubBugsnag.start()
        let snapshot = try #require(try await stub.fetch(stub.configuration()).snapshots.first)
        let byIssue = Dictionary(grouping: snapshot.issueDays, by: \.issue)
        #expect(byIssue.keys.sorted() == ["e1", "e2", "e3", "e4", "e6"])
        #expect(byIssue.values.allSatisfy { $0.count == 13 })
        #expect(byIssue["e1"]?.first == IssueDay(issue: "e1", date: day(7), events: 60, users: nil))
        #expect(byIssue["e1"]?.last == IssueDay(issue: "e1", date: day(19), events: 84, users: nil))
        #expect(byIssue["e2"]?[4] == IssueDay(issue: "e2", date: day(11), events: 1, users: nil))
        #expect(byIssue["e4"]?.allSatisfy { $0.events == 0 } == true)
        #expect(snapshot.warnings.isEmpty)
    }

    @Test func issuesWithoutWholeDaysAreReported() async throws {
        let snapshot = try await fetch(
            errors: #"""
                [{"id":"a","events":3},{"id":"b","events":3,"trend":"none"},{"id":"c","events":3,"trend":[]},
                 {"id":"d","events":3,"trend":[{"from":"2026-11-12T10:58:49Z","to":"2026-11-12T11:10:12Z","events_count":3}]},
                 {"id":"e","events":3,"trend":[{"from":"2026-11-12T00:00:00Z","to":"2026-11-13T00:00:00Z","events_count":"x"},
                  {"from":"2026-11-13T00:00:00Z","to":"2026-11-14T00:00:00Z","events_count":2}]}]
                """#)
        #expect(snapshot.issues.map(\.id) == ["a", "b", "c", "d", "e"])
        #expect(snapshot.issueDays == [IssueDay(issue: "e", date: day(13), events: 2, users: nil)])
        let reported = snapshot.warnings.map(\.summary)
        #expect(reported.count == 2)
        #expect(
            reported.last
                == "bugsnag: […].trend: expected buckets that make up whole days in UTC, found none for 4 of 5 issues"
        )
    }

    private func day(_ day: Int) -> CivilDate {
        CivilDate(year: 2026, month: 11, day: day) ?? CivilDate(daysSinceEpoch: 0)
    }
}
