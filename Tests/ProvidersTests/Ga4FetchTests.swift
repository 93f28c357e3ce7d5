import AppHealth
import Diagnostics
import Foundation
import GoogleStub
import LoopbackServer
import Testing
import Transport

@testable import Providers

/// Refuses as the Data API does, and plays the fixture in pages.
func answerAsGa4(_ request: RecordedRequest) throws -> StubResponse {
    guard request.path == "/v1beta/properties/4242:runReport", request.method == "POST" else {
        return .google(
            403, "PERMISSION_DENIED", "User does not have sufficient permissions for this property.")
    }
    let body = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any] ?? [:]
    guard let limit = (body["limit"] as? String).flatMap({ Int($0) }), limit > 0,
        let offset = (body["offset"] as? String).flatMap({ Int($0) }), body["keepEmptyRows"] as? Bool == true,
        let ranges = body["dateRanges"] as? [[String: String]],
        ranges == [["startDate": "28daysAgo", "endDate": "yesterday"]],
        (body["metrics"] as? [[String: String]])?.count == 5
    else { return .google(400, "INVALID_ARGUMENT", "Invalid report request.") }
    let data = try Data(contentsOf: URL(fileURLWithPath: fixture("google/ga4.json")))
    var report = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    let rows = report["rows"] as? [Any] ?? []
    report["rows"] = Array(rows.dropFirst(offset).prefix(limit))
    return .json(String(decoding: try JSONSerialization.data(withJSONObject: report), as: UTF8.self))
}

struct Ga4FetchTests {
    private func fetch(
        rowsOfPage: Int = 10_000, stream: String? = nil, _ fault: @escaping StubGoogle.Fault = { _ in nil }
    ) async throws -> (outcome: FetchOutcome, stub: StubGoogle) {
        let stub = try await StubGoogle.start(answerAsGa4, fault: fault)
        var configuration = try Ga4Configuration(
            property: "4242", account: stub.account, stream: stream, base: stub.server.origin)
        configuration.rowsOfPage = rowsOfPage
        let provider = Ga4Provider(configuration, sender: client(), now: { runTime.secondsSinceEpoch })
        return (await stub.fetch(provider), stub)
    }

    private func answering(_ body: String) async throws -> Snapshot {
        try #require(
            try await fetch { $0.path == "/token" ? nil : .json(body) }.outcome.snapshots.first)
    }

    @Test(arguments: [10_000, 1]) func readsUseByDayInTheZoneOfTheProperty(rows: Int) async throws {
        let (outcome, stub) = try await fetch(rowsOfPage: rows)
        let snapshot = try #require(outcome.snapshots.first)
        #expect(outcome.diagnostics.isEmpty)
        #expect(snapshot.source.zone == "Europe/Berlin")
        #expect(snapshot.source.capabilities == [.usage])
        // The 18th has no row: it is missing. The 19th is told as zero.
        #expect(
            snapshot.usage == [
                UsageDay(
                    date: try #require(CivilDate("2026-11-17")), activeUsers: 420, weeklyActiveUsers: 1800,
                    monthlyActiveUsers: 5000, newUsers: 40, sessions: 900),
                UsageDay(
                    date: try #require(CivilDate("2026-11-19")), activeUsers: 0, weeklyActiveUsers: 1790,
                    monthlyActiveUsers: 5000, newUsers: 0, sessions: 0),
            ])
        #expect(stub.asked.count == (rows == 1 ? 2 : 1))
        #expect(outcome.requests == stub.asked.count)
    }

    @Test func asksForOneStreamWhenItIsNamed() async throws {
        let (outcome, stub) = try await fetch(stream: "987")
        #expect(
            stub.asked.first?.text.contains(
                #""dimensionFilter":{"filter":{"fieldName":"streamId","stringFilter":{"matchType":"EXACT","value":"987"}}}"#
            ) == true)
        #expect(outcome.snapshots.first?.source.userDefinition.contains("data stream 987") == true)
    }

    private static let qualities: [(String, String)] = [
        (#""samplingMetadatas":[{"samplesReadCount":"500","samplingSpaceSize":"1000"}]"#, "ga4.sampled"),
        (#""subjectToThresholding":true"#, "ga4.thresholded"),
        (#""dataLossFromOtherRow":true"#, "ga4.other-row"), (#""emptyReason":"NO_DATA""#, "ga4.empty"),
        (#""dataTruncationReasons":[{"dataTruncationMessage":"older days"}]"#, "ga4.truncated"),
        (
            #""schemaRestrictionResponse":{"activeMetricRestrictions":[{"metricName":"newUsers"}]}"#,
            "ga4.restricted"
        ),
        (#""timeZone":"""#, "ga4.zone"),
    ]

    @Test(arguments: qualities.indices) func whatTheServiceSaysOfItsFiguresIsTold(index: Int) async throws {
        let (member, id) = Self.qualities[index]
        let zone = id == "ga4.zone" ? "" : #","timeZone":"UTC""#
        let snapshot = try await answering(#"{"metadata":{\#(member)\#(zone)}}"#)
        #expect(snapshot.warnings.map(\.id) == [id])
        #expect(snapshot.usage.isEmpty)
    }

    private static let oddRows: [(String, String, Int)] = [
        (
            #"{"dimensionValues":[{"value":"(other)"}],"metricValues":[{"value":"1"}]}"#, #"found "(other)""#,
            1
        ),
        (#"{"dimensionValues":[{"value":"20261332"}],"metricValues":[{"value":"1"}]}"#, "expected a date", 1),
        (#"{"dimensionValues":[],"metricValues":[{"value":"1"}]}"#, "expected a date", 1),
        (#"{"metricValues":[{"value":"1"}]}"#, "expected a date", 1),
        (#"{"dimensionValues":[{"value":"20261101"}]}"#, "expected one entry for a day", 1),
        (
            #"{"dimensionValues":[{"value":"20261102"}],"metricValues":[{"value":"1.5"}]}"#,
            "expected a whole number of sessions as a text", 2
        ),
        (#"{"dimensionValues":[{"value":20261102}],"metricValues":[]}"#, "expected a text", 1),
    ]

    @Test(arguments: oddRows.indices) func anOddRowCostsItself(index: Int) async throws {
        let (row, words, days) = Self.oddRows[index]
        let snapshot = try await answering(
            """
            {"dimensionHeaders":[{"name":"date"}],"metricHeaders":[{"name":"sessions"}],"rowCount":2,
            "rows":[{"dimensionValues":[{"value":"20261101"}],"metricValues":[{"value":"7"}]},\(row)],
            "metadata":{"timeZone":"UTC"}}
            """)
        #expect(snapshot.usage.count == days)
        #expect(snapshot.usage.first?.sessions == 7)
        #expect(snapshot.usage.first?.activeUsers == nil)
        #expect(snapshot.warnings.first?.summary.contains(words) == true)
    }

    @Test func aPropertyThatMayNotBeSeenIsAFailureWithItsHint() async throws {
        let (outcome, _) = try await fetch { request in
            request.path == "/token" ? nil : .google(403, "PERMISSION_DENIED", "no")
        }
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.first?.why.hints.last?.contains("role Viewer") == true)
    }

    @Test(arguments: ["", "G-ABC123", "0", "-4", "properties/4242"])
    func otherTextsAreNoProperties(text: String) async throws {
        let account = try await StubGoogle.start(answerAsGa4, fault: { _ in nil }).account
        let error = #expect(throws: GoogleConfigurationError.self) {
            try Ga4Configuration(property: text, account: account)
        }
        #expect(error == .property(text))
    }
}
