import AppHealth
import Diagnostics
import Foundation
import GoogleStub
import LoopbackServer
import Testing
import Transport

@testable import Providers

/// Refuses as the Developer Reporting API does, and plays the fixture.
func answerAsPlay(_ request: RecordedRequest) throws -> StubResponse {
    let fixture = try GoogleFixture("play")
    let app = "/v1beta1/apps/org.example.sketchbook"
    guard request.path.hasPrefix(app) else {
        return .google(403, "PERMISSION_DENIED", "The caller does not have permission")
    }
    let path = String(request.path.dropFirst(app.count))
    switch (request.method, path) {
    case ("GET", ":fetchReleaseFilterOptions"): return fixture.answer("releases")
    case ("GET", "/crashRateMetricSet"), ("GET", "/anrRateMetricSet"), ("GET", "/errorCountMetricSet"):
        return fixture.answer("freshness")
    case ("GET", "/errorIssues:search"): return issues(request, fixture)
    case ("GET", "/anomalies"):
        guard request.parameter("filter") == "activeBetween(\"2026-10-23T00:00:00Z\", UNBOUNDED)" else {
            return .google(400, "INVALID_ARGUMENT", "Invalid filter.")
        }
        return fixture.answer("anomalies" + (request.parameter("pageToken").map { "/\($0)" } ?? ""))
    case ("POST", let set) where set.hasSuffix("MetricSet:query"): return rows(request, path, fixture)
    default: return .google(404, "NOT_FOUND", "Method not found.")
    }
}

private func issues(_ request: RecordedRequest, _ fixture: GoogleFixture) -> StubResponse {
    let names = Set(request.query.map(\.name))
    guard !names.contains(where: { $0.contains("timeZone") }), names.contains("interval.startTime.year"),
        names.contains("interval.endTime.utcOffset"),
        request.parameter("filter")
            == "errorIssueType = CRASH OR errorIssueType = ANR AND isUserPerceived",
        request.parameter("orderBy") == "errorReportCount desc"
    else { return .google(400, "INVALID_ARGUMENT", "Invalid filter or interval.") }
    return fixture.answer("issues")
}

/// The metric sets want whole days in Los Angeles that end no later than the freshness, and the error counts
/// want the type of report among the dimensions.
private func rows(_ request: RecordedRequest, _ path: String, _ fixture: GoogleFixture) -> StubResponse {
    let body = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any] ?? [:]
    let timeline = body["timelineSpec"] as? [String: Any] ?? [:]
    let dimensions = body["dimensions"] as? [String] ?? []
    let metrics = body["metrics"] as? [String] ?? []
    let zone = { (key: String) in
        ((timeline[key] as? [String: Any])?["timeZone"] as? [String: Any])?["id"] as? String
    }
    let end = timeline["endTime"] as? NSDictionary
    let fresh: NSDictionary = [
        "year": 2026, "month": 11, "day": 18,
        "timeZone": ["id": "America/Los_Angeles", "version": "2026a"],
    ]
    guard timeline["aggregationPeriod"] as? String == "DAILY", zone("startTime") == "America/Los_Angeles",
        end == fresh, request.header("Content-Type") == "application/json"
    else { return .google(400, "INVALID_ARGUMENT", "Invalid timeline.") }
    if path == "/errorCountMetricSet:query" {
        guard dimensions.contains("reportType"), metrics.contains("errorReportCount"),
            body["filter"] as? String == "isUserPerceived = USER_PERCEIVED"
        else {
            return .google(400, "INVALID_ARGUMENT", "Dimensions and metrics cannot be used together.")
        }
        return fixture.answer("counts")
    }
    let rate = path.hasPrefix("/anr") ? "userPerceivedAnrRate" : "userPerceivedCrashRate"
    guard metrics == [rate, "distinctUsers"] else {
        return .google(400, "INVALID_ARGUMENT", "Unknown metric.")
    }
    let page = (body["pageToken"] as? String).map { "/\($0)" } ?? ""
    var answer = fixture.answer(dimensions == ["versionCode"] ? "rate/versions" : "rate\(page)")
    answer.body = Array(String(decoding: answer.body, as: UTF8.self).replacing("RATE", with: rate).utf8)
    return answer
}

struct PlayFetchTests {
    private func fetch(
        _ measure: PlayMeasure = .crashes, stored: KnownIssues = KnownIssues(),
        _ fault: @escaping StubGoogle.Fault = { _ in nil }
    ) async throws -> (outcome: FetchOutcome, stub: StubGoogle) {
        let stub = try await StubGoogle.start(answerAsPlay, fault: fault)
        let configuration = try PlayConfiguration(
            package: "org.example.sketchbook", account: stub.account, measure: measure,
            base: stub.server.origin)
        var provider = PlayProvider(configuration, sender: client(), now: { runTime.secondsSinceEpoch })
        provider.knownIssues = { stored }
        return (await stub.fetch(provider), stub)
    }

    private func rates(_ rows: String) -> StubGoogle.Fault {
        { request in
            guard request.path.hasSuffix("/crashRateMetricSet:query"), !request.text.contains("versionCode")
            else { return nil }
            return .json(#"{"rows":[\#(rows)]}"#)
        }
    }

    /// The service names an hour in the end of its days at times, and refuses a query of days that has one.
    @Test func anHourInTheEndOfDaysIsNotSentBack() async throws {
        let outcome = try await fetch { request in
            guard request.method == "GET", request.path.hasSuffix("MetricSet") else { return nil }
            var answer = try answerAsPlay(request)
            let text = String(decoding: answer.body, as: UTF8.self)
            answer.body = Array(
                text.replacing(/"day"\s*:\s*18\b/, with: "\"day\":18,\"hours\":7").utf8)
            return answer
        }.outcome
        #expect(outcome.diagnostics.isEmpty)
        #expect(outcome.snapshots.first?.issueDays.isEmpty == false)
    }

    @Test(arguments: PlayMeasure.allCases) func fetchesEverything(measure: PlayMeasure) async throws {
        let (outcome, stub) = try await fetch(measure)
        let snapshot = try #require(outcome.snapshots.first)
        #expect(outcome.diagnostics.isEmpty)
        #expect(outcome.requests == 10)
        #expect(snapshot.source.zone == "America/Los_Angeles")
        #expect(
            snapshot.source.capabilities == [.users, .releaseHealth, .releases, .issues, .issueDays, .notes])
        #expect(snapshot.source.userDefinition.contains(measure.words))
        let freshness = stub.asked.firstIndex { $0.path.hasSuffix("/\(measure.metricSet)") }
        let query = stub.asked.firstIndex { $0.path.hasSuffix("/\(measure.metricSet):query") }
        #expect(try #require(freshness) < #require(query))
    }

    /// The metric sets are what the source is for: without them the fetch has failed, and what came is kept.
    @Test(arguments: ["/crashRateMetricSet", "/crashRateMetricSet:query"])
    func withoutTheRatesTheFetchHasFailed(path: String) async throws {
        let (outcome, _) = try await fetch { request in
            request.path.hasSuffix(path) ? .google(403, "PERMISSION_DENIED", "no") : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(!snapshot.issues.isEmpty && !snapshot.releases.isEmpty)
        #expect(outcome.failures.map(\.why.id) == ["transport.status-403"])
        #expect(outcome.attempts.map { $0.failure?.id } == ["transport.status-403"])
        #expect(snapshot.failure?.details.last?.hasPrefix("couldn't fetch ") == true)
    }

    @Test func withoutTheIssuesTheRatesAreGood() async throws {
        let (outcome, _) = try await fetch { request in
            request.path.hasSuffix("/errorIssues:search") ? .google(403, "PERMISSION_DENIED", "no") : nil
        }
        #expect(outcome.failures.isEmpty && outcome.snapshots.first?.failure == nil)
    }

    @Test func namesOfReleasesAreNoData() async throws {
        let (outcome, _) = try await fetch { request in
            request.path == "/token" || request.path.hasSuffix(":fetchReleaseFilterOptions")
                ? nil : .google(403, "PERMISSION_DENIED", "no")
        }
        #expect(outcome.snapshots.isEmpty && outcome.failures.map(\.why.id) == ["transport.status-403"])
    }

    @Test func usersAreRoundedAndTheirCrashesWorkedOut() async throws {
        let snapshot = try #require(try await fetch().outcome.snapshots.first)
        let days = snapshot.health.filter { $0.version == nil && $0.users != nil }
        #expect(days.map(\.date.description) == ["2026-11-16", "2026-11-17"])
        #expect(days.map(\.users) == [12_000, 13_000])
        // 0.0893 is a fraction: 8.93%. A rate that is not reported is unknown, not zero.
        #expect(days.map(\.crashedUsers) == [1072, nil])
        #expect(days.allSatisfy { $0.sessions == nil && $0.crashedSessions == nil })
    }

    @Test func versionCodesGetTheirNamesAndAreNeverPutTogether() async throws {
        let snapshot = try #require(try await fetch().outcome.snapshots.first)
        let days = snapshot.health.filter { $0.version != nil }
        #expect(days.map(\.version) == ["350", "4.2.1+370", "4.2.1+371"])
        #expect(days.map(\.users) == [10, 9000, 100])
        #expect(days.map(\.crashedUsers) == [nil, 90, 0])
        #expect(
            snapshot.releases.map(\.version.description) == [
                "4.2.1+371 (371)", "4.2.1+370 (370)", "Autumn (360)",
            ])
    }

    /// What a code is called by what an earlier run named and by what is served now.
    @Test(
        arguments: [
            (["4.2.1 (370)"], "", "4.2.1"), ([], "", "370"), (["4.2.1+370 (370)"], "", "4.2.1+370"),
            (["4.2.1 (370)"], "370 (4.2.1)=370", "4.2.1"), (["4.2.1 (370)"], "Autumn=370", "4.2.1"),
            (["4.2.1 (371)"], "370 (4.2.1)=370", "4.2.1+370"),
            (["4.2.1 (370)"], "370 (4.2.1)=370,371", "4.2.1"), (["9.0 (9)"], "Autumn=370", "Autumn"),
            (["9.0"], "", "370"),
        ])
    func aCodeKeepsItsName(row: (known: [String], served: String, expected: String)) throws {
        let known = row.known.map { text in
            let parts = text.split(separator: " (")
            return Release(
                version: Version(
                    String(parts[0]), build: parts.count > 1 ? String(parts[1].dropLast()) : ""),
                releasedAt: nil)
        }
        let parts = row.served.split(separator: "=")
        let codes = parts.last.map { $0.split(separator: ",").map { "\"\($0)\"" }.joined(separator: ",") }
        let releases = parts.first.map {
            #"{"displayName":"\#($0)","versionCodes":[\#(codes ?? "")]}"#
        }
        let options = try JSONDecoder().decode(
            PlayReleaseOptions.self,
            from: Data(#"{"tracks":[{"servingReleases":[\#(releases ?? "")]}]}"#.utf8))
        #expect(PlayReleaseNames(options, known: known).version(370) == Version(row.expected, build: "370"))
    }

    /// In a run without names a code that no earlier run named may have one: its users would be stored twice.
    @Test(
        arguments: [
            ("named before", [370], false, 370, true), ("new, without names", [370], false, 371, false),
            ("new, with names", [370], true, 371, true), ("names never came", [], false, 371, true),
        ] as [(String, [Int], Bool, Int, Bool)])
    func aNewCodeWaitsForItsName(
        name: String, known: [Int], isCurrent: Bool, code: Int, mayName: Bool
    ) throws {
        let releases = known.map {
            Release(version: Version("4.2.1", build: String($0)), releasedAt: nil)
        }
        let options = try JSONDecoder().decode(PlayReleaseOptions.self, from: Data(#"{"tracks":[]}"#.utf8))
        let names =
            isCurrent ? PlayReleaseNames(options, known: releases) : PlayReleaseNames(known: releases)
        #expect(names.mayName(code) == mayName, "\(name)")
    }

    @Test func readsIssuesOfBothKinds() async throws {
        let snapshot = try #require(try await fetch().outcome.snapshots.first)
        let first = try #require(snapshot.issues.first)
        #expect(snapshot.issues.map(\.id) == ["f00d", "beef"])
        #expect(snapshot.issues.map(\.kind) == [.crash, .hang])
        #expect(first.title == "java.lang.IllegalStateException in org.example.Canvas.flush")
        #expect(first.events == 412 && first.users == 390)
        #expect(first.firstSeen == nil && first.firstVersion == nil && first.place == nil)
        #expect(first.lastVersion == Version("4.2.1+370", build: "370"))
        #expect(first.lastSeen == Instant("2026-11-19T20:00:00Z"))
        #expect(
            snapshot.issueDays.map { "\($0.issue) \($0.date) \($0.events ?? -1)" } == ["f00d 2026-11-17 31"])
        #expect(snapshot.issueDays.map(\.users) == [29])
    }

    @Test(arguments: [(#","errorReportCount":"4""#, 4), (#","errorReportCount":"0""#, 0), ("", nil)])
    func anIssueWithoutACountHasNone(count: String, events: Int?) async throws {
        let (outcome, _) = try await fetch { request in
            request.path.hasSuffix("/errorIssues:search")
                ? .json(#"{"errorIssues":[{"name":"apps/p/9f","type":"CRASH"\#(count)}]}"#) : nil
        }
        let issues = try #require(outcome.snapshots.first).issues
        #expect(issues.map(\.id) == ["9f"] && issues.map(\.events) == [events])
    }

    @Test func statesWhatIsKnownOfEachDay() async throws {
        let snapshot = try #require(try await fetch().outcome.snapshots.first)
        // The days end where the service says that they end: there is nothing of the 18th.
        #expect(
            snapshot.coverage.map(\.line) == [
                "users 2026-11-16 complete", "releaseHealth 2026-11-17 partial",
                "issueDays 2026-11-16...2026-11-17 partial 1 of 2",
                "issueUsers 2026-11-16...2026-11-17 partial 1 of 2",
                "crashes 2026-11-16...2026-11-17 complete",
            ])
        // An issue that is not listed counts among the crashes of its day, and the day before had users and no crash. Of
        // days before the first user nothing is known.
        let crashes = snapshot.health.filter { $0.version == nil }.map(\.crashes)
        #expect(crashes == [0, 32])
    }

    /// Where an earlier event is stored, the days since have none.
    @Test func daysSinceAStoredEventKeepTheirZeros() async throws {
        let date = try #require(CivilDate("2026-09-01"))
        let stored = KnownIssues(days: [IssueDay(issue: "f00d", date: date, events: 1, users: nil)])
        let snapshot = try #require(try await fetch(stored: stored).outcome.snapshots.first)
        let crashes = snapshot.health.filter { $0.version == nil }.map(\.crashes)
        #expect(crashes == Array(repeating: 0, count: 27) + [32])
        #expect(snapshot.coverage.map(\.line).contains("crashes 2026-10-21...2026-11-17 complete"))
    }

    /// A row that cannot be read, or names no issue, may be a crash of any day.
    @Test(arguments: [
        "7",
        #"{"startTime":{"year":2026,"month":11,"day":17},"dimensions":[{"dimension":"reportType","stringValue":"CRASH"}]}"#,
    ]) func countsThatLackARowStateAPart(row: String) async throws {
        let good =
            #"{"startTime":{"year":2026,"month":11,"day":17},"dimensions":[{"dimension":"reportType","stringValue":"CRASH"},{"dimension":"issueId","stringValue":"b-unlisted"}],"metrics":[{"metric":"errorReportCount","decimalValue":{"value":"4"}},{"metric":"distinctUsers","decimalValue":{"value":"3"}}]}"#
        let (outcome, _) = try await fetch { request in
            request.path.hasSuffix("/errorCountMetricSet:query")
                ? .json(#"{"rows":[\#(good),\#(row)]}"#) : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        let issues = snapshot.coverage.filter { $0.fact == .issueDays }
        #expect(!issues.contains { $0.coverage.isComplete })
        #expect(!snapshot.coverage.contains { $0.fact == .crashes })
    }

    @Test func countsWithoutARowStateNothing() async throws {
        let (outcome, _) = try await fetch { request in
            request.path.hasSuffix("/errorCountMetricSet:query") ? .json("{}") : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(!snapshot.coverage.contains { [.issueDays, .crashes].contains($0.fact) })
        #expect(snapshot.health.allSatisfy { $0.crashes == nil })
    }

    @Test func anomaliesAreNotesOfTheService() async throws {
        let notes = try #require(try await fetch().outcome.snapshots.first).notes
        #expect(notes.map(\.id) == ["an1", "an2"])
        #expect(notes.map(\.author) == ["Google Play", "Google Play"])
        #expect(notes.map(\.subject) == [.release("4.2.1+370"), .app])
        // Midnight in Los Angeles, in winter.
        #expect(notes.map(\.at) == [Instant("2026-11-16T08:00:00Z"), Instant("2026-07-01T03:00:00Z")])
        #expect(
            notes.map(\.text) == [
                "Anomaly in userPerceivedCrashRate: 8.93% (confidence interval 8% to 9.5%), "
                    + "from 2026-11-16 to 2026-11-17, for versionCode 370 and countryCode ES (Spain).",
                "Anomaly in errorReportCount: 1200, from 2026-07-01 03:00 until 2026-07-01 11:00 (UTC).",
            ])
    }

    @Test func skipsOnlyTheAnomalyOfAnUnknownZone() async throws {
        let odd =
            #"{"name":"a/x","timelineSpec":{"startTime":{"year":2026,"month":7,"day":1,"timeZone":{"id":"Moon/Tycho"}}},"metric":{"metric":"m"}}"#
        let good =
            #"{"name":"a/y","timelineSpec":{"startTime":{"year":2026,"month":7,"day":1}},"metric":{"metric":"m"}}"#
        let (outcome, _) = try await fetch { request in
            request.path.hasSuffix("/anomalies") ? .json(#"{"anomalies":[\#(odd),\#(good)]}"#) : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.notes.map(\.text) == ["Anomaly in m, on 2026-07-01."])
        #expect(
            snapshot.warnings.map(\.summary) == [
                "play: anomalies[0].timelineSpec.startTime: expected a time in a known zone, found none"
            ])
    }

    @Test(
        arguments: [
            ("org.example.Canvas.flush(Canvas.kt:54)", CodePlace(file: "Canvas.kt", line: 54)),
            ("Canvas.kt:54", CodePlace(file: "Canvas.kt", line: 54)),
            ("flush (src/canvas.cpp:7)", CodePlace(file: "src/canvas.cpp", line: 7)),
            ("org.example.Canvas.flush", nil), ("libc.so:abort", nil), ("Canvas.kt:0", nil),
            ("Canvas:54", nil),
            ("http://host:80", nil), ("Canvas.kt:54:7", nil), ("", nil), (":", nil),
        ] as [(String, CodePlace?)])
    func aLocationLikeAFrameNamesAPlace(location: String, place: CodePlace?) {
        #expect(playPlace(location) == place)
    }

    @Test func aTimeNamesAnInstant() {
        let day = { GoogleDateTime(year: 2026, month: 7, day: 1, hours: $0, utcOffset: $1, timeZone: $2) }
        let rows: [(GoogleDateTime, String?)] = [
            (day(nil, nil, nil), "2026-07-01T00:00:00Z"), (day(5, "0s", nil), "2026-07-01T05:00:00Z"),
            (day(5, "-25200s", nil), "2026-07-01T12:00:00Z"),
            (day(nil, nil, .init(id: "America/Los_Angeles")), "2026-07-01T07:00:00Z"),
            (day(nil, nil, .init(id: "Nowhere")), nil), (day(99, nil, nil), nil), (day(5, "soon", nil), nil),
            (day(5, "999999s", nil), nil), (GoogleDateTime(), nil),
        ]
        for (time, expected) in rows { #expect(time.instant?.description == expected, "\(time)") }
    }

    @Test func everyParameterIsRepeatedWithThePageToken() async throws {
        let (_, stub) = try await fetch()
        let bodies = stub.asked.filter { $0.path.hasSuffix("/crashRateMetricSet:query") }.map(\.text)
        #expect(
            bodies[1]
                == bodies[0].replacing(#""pageSize":10000"#, with: #""pageSize":10000,"pageToken":"r2""#))
        #expect(bodies[0].contains(#""startTime":{"day":21,"month":10,"timeZone":"#))
    }

    private static let oddRows: [(String, String)] = [
        (#"{"startTime":{"year":2026,"month":11,"day":17,"timeZone":{"id":"UTC"}}}"#, "Los_Angeles"),
        (#"{"startTime":{"year":2026,"month":11,"day":17,"hours":5}}"#, "Los_Angeles"),
        (#"{"aggregationPeriod":"HOURLY","startTime":{"year":2026,"month":11,"day":17}}"#, "Los_Angeles"),
        (#"{"startTime":{"year":2026,"month":11}}"#, "expected a date"),
        (
            #"{"startTime":{"year":2026,"month":11,"day":17},"metrics":[{"metric":"userPerceivedCrashRate","decimalValue":{"value":"8.93"}}]}"#,
            "a fraction in 0…1, found 8.93"
        ),
        (
            #"{"startTime":{"year":2026,"month":11,"day":17},"metrics":[{"metric":"distinctUsers","decimalValue":{"value":"1e300"}}]}"#,
            "a number of users"
        ),
        (
            #"{"startTime":{"year":2026,"month":11,"day":17},"metrics":[{"metric":"distinctUsers","decimalValue":{"value":"-10"}}]}"#,
            "a number of users"
        ),
    ]

    @Test(arguments: oddRows.indices) func skipsOnlyTheOddRow(index: Int) async throws {
        let (row, words) = Self.oddRows[index]
        let good =
            #"{"startTime":{"year":2026,"month":11,"day":15},"metrics":[{"metric":"distinctUsers","decimalValue":{"value":"10"}}]}"#
        let snapshot = try #require(
            try await fetch(.crashes, rates("\(row),\(good)")).outcome.snapshots.first)
        let days = snapshot.health.filter { $0.version == nil && $0.users != nil }
        #expect(days.map(\.date.description) == ["2026-11-15"])
        #expect(snapshot.warnings.first?.summary.contains(words) == true)
    }

    @Test(arguments: ["nan", "0x1p3", "inf", "1,5", " 1", "1e999"])
    func otherTextsAreNoDecimals(text: String) async throws {
        let row =
            #"{"startTime":{"year":2026,"month":11,"day":17},"metrics":[{"metric":"distinctUsers","decimalValue":{"value":"\#(text)"}}]}"#
        let snapshot = try #require(try await fetch(.crashes, rates(row)).outcome.snapshots.first)
        #expect(snapshot.health.allSatisfy { $0.version != nil || $0.users == nil })
        #expect(snapshot.warnings.first?.summary.contains("expected a decimal number as a text") == true)
    }

    @Test func daysBelowTheThresholdAreMissingNotStable() async throws {
        let snapshot = try #require(
            try await fetch { $0.path.hasSuffix("/crashRateMetricSet:query") ? .json("{}") : nil }.outcome
                .snapshots.first)
        #expect(snapshot.health.allSatisfy { $0.users == nil && $0.crashedUsers == nil })
        #expect(!snapshot.coverage.contains { $0.fact == .users })
        #expect(snapshot.warnings.isEmpty)
        #expect(snapshot.source.capabilities.contains(.users))
    }

    @Test func withoutFreshnessNoDayIsRequested() async throws {
        let (outcome, stub) = try await fetch { request in
            request.path.hasSuffix("/crashRateMetricSet") ? .json(#"{"freshnessInfo":{}}"#) : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(!stub.asked.contains { $0.path.hasSuffix("/crashRateMetricSet:query") })
        #expect(
            snapshot.warnings.map(\.summary) == [
                "play: couldn't fetch the days of crashRateMetricSet"
            ])
        #expect(snapshot.issues.count == 2)
    }

    @Test func withoutNamesVersionsAreCalledByTheirCodes() async throws {
        let snapshot = try #require(
            try await fetch {
                $0.path.hasSuffix(":fetchReleaseFilterOptions") ? .text("no", status: 500) : nil
            }
            .outcome.snapshots.first)
        #expect(snapshot.health.compactMap(\.version) == ["350", "370", "371"])
        #expect(snapshot.releases.isEmpty)
    }

    @Test func aMissingGrantIsAFailureWithItsHint() async throws {
        let (outcome, _) = try await fetch { request in
            request.path == "/token" ? nil : .google(403, "PERMISSION_DENIED", "denied")
        }
        let why = try #require(outcome.failures.first?.why)
        #expect(
            why.hints.last
                == "in the Play Console, give the account 'View app information (read-only)', or for this app "
                + "'View app quality information (read-only)'")
    }

    @Test(arguments: ["", "sketchbook", "org..x", "org/x.y", "org.x:y", "..", "org.é"])
    func otherTextsAreNoPackages(name: String) async throws {
        let account = try await StubGoogle.start(answerAsPlay, fault: { _ in nil }).account
        let error = #expect(throws: GoogleConfigurationError.self) {
            try PlayConfiguration(package: name, account: account)
        }
        #expect(error == .package(name))
    }
}
