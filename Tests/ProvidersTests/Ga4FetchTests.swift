import AppHealth
import Diagnostics
import Foundation
import GoogleStub
import LoopbackServer
import Testing
import Transport

@testable import Providers

/// Refuses as the Data API does, and plays the fixtures in pages.
func answerAsGa4(_ request: RecordedRequest) throws -> StubResponse {
    let health = try GoogleFixture("ga4-health")
    if request.path == "/v1beta/properties/4242/metadata", request.method == "GET" {
        return health.answer("metadata")
    }
    guard request.path == "/v1beta/properties/4242:runReport", request.method == "POST" else {
        return .google(
            403, "PERMISSION_DENIED", "User does not have sufficient permissions for this property.")
    }
    let body = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any] ?? [:]
    let names = { (member: String) in
        (body[member] as? [[String: String]] ?? []).compactMap { $0["name"] }
    }
    if names("dimensions") == ["streamId", "streamName"] { return ga4Streams(["987": "Sketchbook iOS"]) }
    let member =
        switch (names("dimensions"), names("metrics").count, body["keepEmptyRows"] as? Bool) {
        case (["date"], 5, true): "usage"
        case (["date"], 3, true): "health"
        case (["date", "appVersion"], 3, false): "releases"
        default: ""
        }
    guard let limit = (body["limit"] as? String).flatMap({ Int($0) }), limit > 0,
        let offset = (body["offset"] as? String).flatMap({ Int($0) }), !member.isEmpty,
        let ranges = body["dateRanges"] as? [[String: String]],
        ranges == [["startDate": "28daysAgo", "endDate": "yesterday"]]
    else { return .google(400, "INVALID_ARGUMENT", "Invalid report request.") }
    let usage = try Data(contentsOf: URL(fileURLWithPath: fixture("google/ga4.json")))
    let data = member == "usage" ? usage : Data(health.answer(member).body)
    var report = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    let rows = report["rows"] as? [Any] ?? []
    report["rows"] = Array(rows.dropFirst(offset).prefix(limit))
    return .json(String(decoding: try JSONSerialization.data(withJSONObject: report), as: UTF8.self))
}

/// The report of data streams, by their ids.
private func ga4Streams(_ names: [String: String]) -> StubResponse {
    let rows = names.sorted { $0.key > $1.key }.map {
        #"{"dimensionValues":[{"value":"\#($0.key)"},{"value":"\#($0.value)"}],"metricValues":[{"value":"9"}]}"#
    }
    return .json(
        #"{"dimensionHeaders":[{"name":"streamId"},{"name":"streamName"}],"rows":[\#(rows.joined(separator: ","))]}"#
    )
}

struct Ga4FetchTests {
    private func fetch(
        rowsOfPage: Int = 10_000, stream: String? = nil, providedBefore: Set<Capability>? = nil,
        zoneBefore: String = "UTC", at time: Instant = runTime.advanced(bySeconds: 2 * 86_400),
        _ fault: @escaping StubGoogle.Fault = { _ in nil }
    ) async throws -> (outcome: FetchOutcome, stub: StubGoogle) {
        let stub = try await StubGoogle.start(answerAsGa4, fault: fault)
        var configuration = try Ga4Configuration(
            property: "4242", account: stub.account, stream: stream, base: stub.server.origin)
        configuration.rowsOfPage = rowsOfPage
        var provider = Ga4Provider(configuration, sender: client(), now: { runTime.secondsSinceEpoch })
        let before = providedBefore.map { capabilities in
            var source = ga4Source(configuration, zone: zoneBefore)
            source.capabilities = capabilities
            return source
        }
        provider.describedBefore = { before }
        return (await stub.fetch(provider, at: time), stub)
    }

    private func answering(_ body: String, at time: Instant = runTime) async throws -> Snapshot {
        try #require(
            try await fetch(at: time) { $0.path == "/token" ? nil : .json(body) }.outcome.snapshots.first)
    }

    @Test(arguments: [10_000, 1]) func readsUseByDayInTheZoneOfTheProperty(rows: Int) async throws {
        let (outcome, stub) = try await fetch(rowsOfPage: rows)
        let snapshot = try #require(outcome.snapshots.first)
        #expect(outcome.diagnostics.isEmpty)
        #expect(snapshot.source.zone == "Europe/Berlin")
        #expect(snapshot.source.capabilities == [.usage, .users, .releaseHealth])
        // The 18th has no row: it is missing. The 19th is reported as zero.
        #expect(
            snapshot.usage == [
                UsageDay(
                    date: try #require(CivilDate("2026-11-17")), activeUsers: 420, weeklyActiveUsers: 1800,
                    monthlyActiveUsers: 5000, newUsers: 40, sessions: 900),
                UsageDay(
                    date: try #require(CivilDate("2026-11-19")), activeUsers: 0, weeklyActiveUsers: 1790,
                    monthlyActiveUsers: 5000, newUsers: 0, sessions: 0),
            ])
        #expect(stub.asked.count == (rows == 1 ? 10 : 5))
        #expect(outcome.requests == stub.asked.count)
    }

    @Test func asksForOneStreamWhenItIsNamed() async throws {
        let (outcome, stub) = try await fetch(stream: "987")
        #expect(
            stub.asked.dropFirst().first?.text.contains(
                #""dimensionFilter":{"filter":{"fieldName":"streamId","stringFilter":{"matchType":"EXACT","value":"987"}}}"#
            ) == true)
        #expect(
            stub.asked.last?.text.contains(
                #""dimensionFilter":{"andGroup":{"expressions":[{"filter":{"fieldName":"streamId","stringFilter":{"matchType":"EXACT","value":"987"}}},{"notExpression":{"filter":{"fieldName":"platform","stringFilter":{"matchType":"EXACT","value":"web"}}}}]}}"#
            ) == true)
        #expect(outcome.snapshots.first?.source.userDefinition.contains("data stream 987") == true)
    }

    /// An app for two systems has two streams with rates of their own.
    @Test(arguments: [(nil, true), ("all", false), ("987", false)])
    func streamsThatAreCountedTogetherAreNamed(stream: String?, isSaid: Bool) async throws {
        let stub = try await StubGoogle.start(answerAsGa4) { request in
            String(decoding: request.body, as: UTF8.self).contains("streamName")
                ? ga4Streams(["987": "Sketchbook iOS", "988": "Sketchbook Android"]) : nil
        }
        var configuration = try Ga4Configuration(
            property: "4242", account: stub.account, stream: stream == "all" ? nil : stream,
            base: stub.server.origin)
        configuration.namesStreams = stream == nil
        let outcome = await stub.fetch(
            Ga4Provider(configuration, sender: client(), now: { runTime.secondsSinceEpoch }))
        let warning = outcome.snapshots.first?.warnings.first { $0.id == "ga4.streams" }
        #expect((warning != nil) == isSaid)
        guard isSaid else { return }
        #expect(warning?.summary == "ga4: 2 data streams are counted together")
        #expect(warning?.details == ["987: Sketchbook iOS", "988: Sketchbook Android"])
        #expect(
            warning?.hints == [
                "set 'stream' to all if that is meant, or to one of 987, 988, with another 'id': the stored days are of all"
            ])
    }

    @Test(arguments: [10_000, 1]) func readsUsersWithCrashesByDayAndByVersion(rows: Int) async throws {
        let snapshot = try #require(try await fetch(rowsOfPage: rows).outcome.snapshots.first)
        #expect(
            snapshot.health.map(\.line) == [
                "2026-11-17 - 800/9", "2026-11-18 - 790/0", "2026-11-19 - 0/0", "2026-11-17 4.2.0 300/1",
                "2026-11-17 4.2.1 520/8", "2026-11-18 4.2.1 790/0",
            ])
        #expect(
            snapshot.coverage.map(\.line) == [
                "usage 2026-11-17 complete", "usage 2026-11-19 complete",
                "users 2026-11-17...2026-11-19 complete", "releaseHealth 2026-11-17...2026-11-19 complete",
            ])
    }

    /// What the service says of its figures, or sends, and what is then known of users.
    private static let doubts: [(String, members: String, rows: [String], expected: [String])] = [
        (
            "sampled", #""samplingMetadatas":[{"samplesReadCount":"500","samplingSpaceSize":"1000"}]"#,
            [row("20261118", 9, 0.982, 500)], ["users 2026-11-18 partial 500 of 1000"]
        ),
        (
            "thresholded", #""subjectToThresholding":true"#, [row("20261118", 9, 0.982, 500)],
            ["users 2026-11-18 partial"]
        ),
        (
            "other", #""dataLossFromOtherRow":true"#, [row("20261118", 9, 0.982, 500)],
            ["users 2026-11-18 partial"]
        ),
        (
            "zeros that the rate denies", "", [row("20261118", 0, 0, 500), row("20261117", 0, 1, 500)],
            ["users 2026-11-17 complete"]
        ),
        (
            "blocked within the report",
            #""schemaRestrictionResponse":{"activeMetricRestrictions":[{"metricName":"crashAffectedUsers"}]}"#,
            [row("20261118", 0, 1, 500)], []
        ),
        (
            "more with a crash than all", "", [row("20261118", 501, 0, 500), row("20261117", 1, 0.998, 500)],
            ["users 2026-11-17 complete"]
        ),
        ("no app", "", [row("20261118", 0, 0, 0)], []),
    ]

    private static func row(_ date: String, _ crashed: Int, _ rate: Double, _ users: Int) -> String {
        """
        {"dimensionValues":[{"value":"\(date)"}],"metricValues":[{"value":"\(crashed)"},{"value":"\(rate)"},{"value":"\(users)"}]}
        """
    }

    @Test(arguments: doubts.indices) func statesHowMuchOfTheUsersIsKnown(index: Int) async throws {
        let (name, members, rows, expected) = Self.doubts[index]
        let headers = Ga4Query.healthMetrics.map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
        let body = """
            {"dimensionHeaders":[{"name":"date"}],"metricHeaders":[\(headers)],"rowCount":\(rows.count),
            "rows":[\(rows.joined(separator: ","))],
            "metadata":{"timeZone":"UTC"\(members.isEmpty ? "" : "," + members)}}
            """
        let (outcome, _) = try await fetch { request in
            request.text.contains("crashAffectedUsers") && !request.text.contains("appVersion")
                ? .json(body) : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.coverage.filter { $0.fact == .users }.map(\.line) == expected, "\(name)")
        #expect(snapshot.source.capabilities.contains(.users) == !expected.isEmpty, "\(name)")
        #expect(snapshot.usage.count == 2)
    }

    @Test func blockedMetricsAreUnknown() async throws {
        let list =
            #"{"metrics":[{"apiName":"crashAffectedUsers","blockedReasons":["NO_COST_METRICS"]},{"apiName":"totalUsers"},{"apiName":"crashFreeUsersRate"},{"apiName":"sessions"},{"apiName":"active1DayUsers"},{"apiName":"active7DayUsers"},{"apiName":"active28DayUsers"},{"apiName":"newUsers","blockedReasons":["NO_REVENUE_METRICS"]}]}"#
        let (outcome, _) = try await fetch { $0.path.hasSuffix("/metadata") ? .json(list) : nil }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(
            snapshot.warnings.map(\.summary) == ["ga4: the account may not see crashAffectedUsers, newUsers"])
        #expect(snapshot.health.isEmpty && !snapshot.source.capabilities.contains(.users))
        #expect(snapshot.usage.map(\.newUsers) == [nil, nil])
        #expect(snapshot.usage.map(\.sessions) == [900, 0])
    }

    /// A night in which the service does not say what the account may see: what is zero throughout may be blocked, what has
    /// other values is not.
    @Test(
        arguments: [
            // The rate contradicts the zeros, bears them out, or was not seen either.
            ("0.98875", "0", nil, ["ga4.part-missing", "ga4.unknown-zeros"]),
            ("1", "0", 0, ["ga4.part-missing", "ga4.unknown-zeros"]),
            ("0", "40", nil, ["ga4.part-missing"]),
        ] as [(String, String, Int?, [String])])
    func zerosOfANightWithoutTheListOfMetricsAreNoCounts(
        row: (rate: String, newUsers: String, crashed: Int?, ids: [String])
    ) async throws {
        let usage = try String(contentsOfFile: fixture("google/ga4.json"), encoding: .utf8)
            .replacing(#"{"value": "40"}"#, with: #"{"value": "\#(row.newUsers)"}"#)
        let health = ["20261117", "20261118"].map {
            #"{"dimensionValues":[{"value":"\#($0)"}],"metricValues":[{"value":"0"},{"value":"\#(row.rate)"},{"value":"800"}]}"#
        }
        let headers = Ga4Query.healthMetrics.map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
        let ofHealth =
            #"{"dimensionHeaders":[{"name":"date"}],"metricHeaders":[\#(headers)],"rowCount":2,"rows":[\#(health.joined(separator: ","))],"metadata":{"timeZone":"UTC"}}"#
        let (outcome, _) = try await fetch { request in
            if request.path.hasSuffix("/metadata") { return .google(403, "PERMISSION_DENIED", "No.") }
            if request.text.contains("appVersion") { return nil }
            if request.text.contains("crashAffectedUsers") { return .json(ofHealth) }
            return request.text.contains("newUsers") ? .json(usage) : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.usage.map(\.newUsers) == (row.newUsers == "0" ? [nil, nil] : [40, 0]))
        #expect(snapshot.usage.map(\.sessions) == [900, 0])
        #expect(snapshot.health.first { $0.version == nil }?.crashedUsers == row.crashed)
        #expect(snapshot.warnings.map(\.id) == row.ids, "\(snapshot.warnings)")
    }

    @Test func theRowOtherHidesVersionsOfItsDay() async throws {
        let rows = [("20261117", "4.2.1"), ("20261117", "(other)"), ("20261118", "(not set)")].map {
            #"{"dimensionValues":[{"value":"\#($0)"},{"value":"\#($1)"}],"metricValues":[{"value":"1"},{"value":"0.9"},{"value":"10"}]}"#
        }
        let headers = Ga4Query.healthMetrics.map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
        let body =
            #"{"dimensionHeaders":[{"name":"date"},{"name":"appVersion"}],"metricHeaders":[\#(headers)],"rowCount":3,"rows":[\#(rows.joined(separator: ","))],"metadata":{"timeZone":"UTC"}}"#
        let (outcome, _) = try await fetch { $0.text.contains("appVersion") ? .json(body) : nil }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.health.compactMap(\.version) == ["4.2.1"])
        #expect(
            snapshot.coverage.filter { $0.fact == .releaseHealth }.map(\.line) == [
                "releaseHealth 2026-11-17 partial", "releaseHealth 2026-11-18...2026-11-19 complete",
            ])
    }

    /// A row that is skipped may be of any day; a report without a version may hold everything back.
    @Test(
        arguments: [
            (
                [("20261117", "4.2.1", 1), ("20261118", "4.2.1", 11)],
                ["releaseHealth 2026-11-17...2026-11-19 partial"]
            ),
            (
                [("20261117", "4.2.1", 1), ("2026", "4.2.1", 1)],
                ["releaseHealth 2026-11-17...2026-11-19 partial"]
            ),
            ([], []), ([("20261117", "(not set)", 1)], []),
        ] as [([(String, String, Int)], [String])])
    func rowsOfVersionsThatAreMissingAreNotNothing(
        rows: [(date: String, version: String, crashed: Int)], expected: [String]
    ) async throws {
        let rows = rows.map {
            #"{"dimensionValues":[{"value":"\#($0.date)"},{"value":"\#($0.version)"}],"metricValues":[{"value":"\#($0.crashed)"},{"value":"0.9"},{"value":"10"}]}"#
        }
        let headers = Ga4Query.healthMetrics.map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
        let body =
            #"{"dimensionHeaders":[{"name":"date"},{"name":"appVersion"}],"metricHeaders":[\#(headers)],"rowCount":\#(rows.count),"rows":[\#(rows.joined(separator: ","))],"metadata":{"timeZone":"UTC"}}"#
        let (outcome, _) = try await fetch { $0.text.contains("appVersion") ? .json(body) : nil }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.coverage.filter { $0.fact == .releaseHealth }.map(\.line) == expected)
    }

    /// A night on which no user of an app is reported does not make of them something not provided.
    @Test func usersThatWereProvidedStayKnowable() async throws {
        let (outcome, _) = try await fetch(providedBefore: [.users, .usage]) { request in
            request.text.contains("crashAffectedUsers") ? .json(#"{"metadata":{"timeZone":"UTC"}}"#) : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.source.capabilities == [.usage, .users])
    }

    /// The list of metrics is no number: a night of which no report came has failed.
    @Test(arguments: [403, 429, 500]) func withoutAReportTheFetchFails(status: Int) async throws {
        let (outcome, _) = try await fetch { request in
            request.path.hasSuffix(":runReport") ? .google(status, "WORD", "Exhausted property tokens.") : nil
        }
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.map(\.why.id) == ["transport.status-\(status)"])
    }

    @Test func theZoneOfANightWithoutOneIsTheKnownOne() async throws {
        let (outcome, _) = try await fetch(providedBefore: [.usage], zoneBefore: "America/Los_Angeles") {
            $0.path.hasSuffix(":runReport") ? .json("{}") : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.source.zone == "America/Los_Angeles")
        #expect(!snapshot.warnings.contains { $0.id == "ga4.zone" })
    }

    /// Whether the fetch has failed without the users with crashes, which the source had.
    @Test(arguments: [(400, false), (403, true), (429, true), (500, true)])
    func usersWithCrashesAreNeeded(status: Int, hasFailed: Bool) async throws {
        let (outcome, _) = try await fetch { request in
            request.text.contains("crashAffectedUsers") ? .google(status, "WORD", "no") : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.usage.count == 2)
        #expect((snapshot.failure != nil) == hasFailed && outcome.failures.isEmpty != hasFailed)
    }

    @Test func withoutTheReportsOfCrashesTheUseStays() async throws {
        let (outcome, _) = try await fetch { request in
            request.text.contains("crashAffectedUsers")
                ? .google(400, "INVALID_ARGUMENT", "The dimensions and metrics are incompatible.") : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.usage.count == 2 && snapshot.health.isEmpty)
        #expect(snapshot.warnings.map(\.summary) == ["ga4: couldn't fetch users with crashes"])
        #expect(snapshot.source.capabilities.contains(.users))
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

    @Test(arguments: qualities.indices) func whatTheServiceSaysOfItsDataIsReported(index: Int) async throws {
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

    @Test(arguments: oddRows.indices) func skipsOnlyTheOddRow(index: Int) async throws {
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

    /// The service takes up to two days: of the last two, one without anything after days that had users is not known, nor is
    /// one before the first day with any.
    @Test(arguments: [
        ([5, 0, 5, 0, 0], 1, [5, 0, 5]), ([5, 0, 5], 1, [5, 0, 5]), ([5, 5, 0], 1, [5, 5]),
        ([5, 0, 0, 0], 1, [5, 0]), ([5, 5, 0, 0], 2, [5, 5, 0]), ([5, 5, 0], 3, [5, 5, 0]),
        ([0, 0, 0], 1, [0, 0, 0]), ([0, 0, 5, 0, 5], 1, [5, 0, 5]), ([0, 5, 0], 1, [5]),
    ])
    func aDayThatIsNotProcessedIsNotZero(sessions: [Int], age: Int, known: [Int]) async throws {
        let rows = sessions.enumerated().map { place, count in
            #"{"dimensionValues":[{"value":"2026111\#(place)"}],"metricValues":[{"value":"\#(count)"},{"value":"0"},{"value":"\#(count)"}]}"#
        }
        let last = try #require(CivilDate("2026-11-10")).advanced(by: sessions.count - 1)
        let snapshot = try await answering(
            """
            {"dimensionHeaders":[{"name":"date"}],"rowCount":\(rows.count),"metadata":{"timeZone":"UTC"},
            "metricHeaders":[{"name":"sessions"},{"name":"crashAffectedUsers"},{"name":"totalUsers"}],
            "rows":[\(rows.joined(separator: ","))]}
            """, at: Instant(startOf: last.advanced(by: age)).advanced(bySeconds: 21_600))
        #expect(snapshot.usage.map(\.sessions) == known)
        #expect(snapshot.health.isEmpty || snapshot.health.map(\.users) == known)
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
