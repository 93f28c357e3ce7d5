import AppHealth
import Diagnostics
import LoopbackServer
import Testing
import Transport

@testable import Providers

/// What Sentry counts over events as tables and series, and the days of the list of issues.
struct SentryTableTests {
    private func fetch(
        kept: KeptBytes? = nil, userDays: Int = 0, mostPages: Int = 3,
        fault: @escaping StubSentry.Fault = { _ in nil }
    ) async throws -> (snapshot: Snapshot, requests: [RecordedRequest]) {
        let stub = try await StubSentry.start(fault: fault)
        var configuration = try stub.configuration()
        (configuration.mostDetailedIssues, configuration.userDays) = (0, userDays)
        configuration.mostPages = mostPages
        let outcome = try await stub.fetch(configuration, kept: kept)
        return (try #require(outcome.snapshots.first), stub.server.requests)
    }

    private static let events = "\(StubSentry.root)/events/"
    private static let series = "\(StubSentry.root)/events-timeseries/"

    private static func table(_ rows: [String]) -> StubResponse {
        .json(#"{"data":[\#(rows.joined(separator: ","))],"meta":{"dataset":"errors"}}"#)
    }

    private static func day(_ day: String, _ count: Int) -> String {
        #"{"timestamp.to_day":"\#(day)T00:00:00+00:00","count()":\#(count)}"#
    }

    // MARK: Days of the list

    @Test func fourWeeksOfDaysComeWithTheList() async throws {
        let (snapshot, requests) = try await fetch { request in
            guard request.parameter("groupStatsPeriod") == "auto" else { return nil }
            // From October 23, 1792713600, to November 20.
            let points = (0..<29).map { "[\(1_792_713_600 + $0 * 86_400),\($0)]" }.joined(separator: ",")
            return .json(
                #"[{"id":"5001","title":"a","level":"fatal","count":"406","userCount":9,"stats":{"auto":[\#(points)]}}]"#
            )
        }
        #expect(snapshot.issueDays.map(\.events) == Array(0..<28))
        #expect(spans(snapshot, .issueDays) == ["2026-10-23…2026-11-19 complete"])
        #expect(requests.count { $0.parameter("groupStatsPeriod") == "14d" } == 0)
    }

    /// A server that does not know the period, and one whose buckets are no days, give the days of two weeks.
    @Test(arguments: [
        StubSentry.bad("Invalid stats_period"),
        .json(#"[{"id":"5001","title":"a","stats":{"auto":[[1792717200,4],[1792803600,5]]}}]"#),
    ])
    func twoWeeksComeWhereFourDoNot(answer: StubResponse) async throws {
        let (snapshot, requests) = try await fetch { request in
            request.parameter("groupStatsPeriod") == "auto" ? answer : nil
        }
        let target = requests.first { $0.parameter("groupStatsPeriod") == "14d" }?.target
        #expect(target?.hasSuffix("&groupStatsPeriod=14d&statsPeriod=14d") == true)
        #expect(snapshot.issues.count == 5)
        #expect(snapshot.issueDays.map(\.date).min()?.description == "2026-11-07")
        #expect(!snapshot.warnings.contains { $0.summary.contains("issues") })
    }

    // MARK: Crashes by day

    /// Where the days of issues are a part, the day's crashes come from the table, otherwise from the series; a day
    /// without a row had none, and a total below what its issues had is none.
    @Test(arguments: [true, false]) func crashesOfADayAreCountedWhereIssuesAreCut(hasTable: Bool) async throws
    {
        let counts = ["2026-11-19": 90, "2026-11-17": 44, "2026-11-16": 1]
        let (snapshot, requests) = try await fetch(fault: { request in
            switch request.path {
            case Self.events where hasTable && request.parameter("field") == "timestamp.to_day":
                return Self.table(counts.sorted { $0.key > $1.key }.map { Self.day($0.key, $0.value) })
            case Self.series where !hasTable:
                let days = (0..<28).map { back in runTime.date.advanced(by: -back - 1) }
                let values = days.map {
                    #"{"timestamp":\#(Instant(startOf: $0).secondsSinceEpoch * 1000),"value":\#(counts[$0.description] ?? 0),"incomplete":false}"#
                }
                return .json(
                    #"{"timeSeries":[{"yAxis":"count()","values":[\#(values.joined(separator: ","))]}]}"#)
            default: return nil
            }
        })
        let all = snapshot.health.filter { $0.version == nil }
        func crashes(_ day: String) -> Int? { all.first { $0.date.description == day }?.crashes }
        #expect(crashes("2026-11-19") == 90 && crashes("2026-11-17") == 44)
        // The list is whole for the 18th; on the 16th one issue alone had more.
        #expect(crashes("2026-11-18") == nil && crashes("2026-11-16") == nil)
        #expect(spans(snapshot, .crashes).contains { $0.hasPrefix("2026-11-19") && $0.hasSuffix("complete") })
        let request = requests.first {
            $0.path == (hasTable ? Self.events : Self.series) && $0.parameter("query") != nil
        }
        #expect(request?.parameter("query")?.hasPrefix("level:fatal !error.type:[\"Application") == true)
        #expect(request?.parameter("dataset") == "errors")
    }

    /// A total that was stated on a night without issues would stay: where the issues are whole, their sum takes its place,
    /// unless the table has less.
    @Test func theSumOfWholeIssuesTakesThePlaceOfATotal() async throws {
        let snapshot = try await fetch { request in
            if request.parameter("groupStatsPeriod") == "auto" {
                // From October 23, 1792713600, to November 20.
                let points = (0..<29).map { "[\(1_792_713_600 + $0 * 86_400),\($0)]" }
                return .json(
                    #"[{"id":"5001","title":"a","level":"fatal","count":"406","userCount":9,"stats":{"auto":[\#(points.joined(separator: ","))]}}]"#
                )
            }
            guard request.path == Self.events, request.parameter("field") == "timestamp.to_day" else {
                return nil
            }
            return Self.table([
                Self.day("2026-11-19", 30), Self.day("2026-11-18", 26), Self.day("2026-11-17", 20),
            ])
        }.snapshot
        #expect(spans(snapshot, .issueDays) == ["2026-10-23…2026-11-19 complete"])
        // On the first day the issues had none, and the table has no row.
        #expect(
            spans(snapshot, .crashes) == [
                "2026-10-23…2026-10-23 complete", "2026-11-18…2026-11-19 complete",
            ])
        let crashes = ["2026-11-17", "2026-11-18", "2026-11-19"].map { day in
            snapshot.health.first { $0.date.description == day && $0.version == nil }?.crashes
        }
        #expect(crashes == [nil, 26, 27])
    }

    /// What the organization or the server does not offer is no fault; what fails is.
    @Test(arguments: [(404, false), (400, false), (403, false), (500, true)])
    func tablesThatAreNotOfferedAreNoFault(status: Int, isReported: Bool) async throws {
        let (snapshot, requests) = try await fetch(userDays: 3) { request in
            if request.parameter("sort") == "user" { return .json("[]") }
            return [Self.events, Self.series].contains(request.path) ? .text("", status: status) : nil
        }
        #expect(spans(snapshot, .crashes).isEmpty && spans(snapshot, .issueReleases).isEmpty)
        let isSaid = snapshot.warnings.contains { $0.summary.contains("crashes by day") }
        #expect(isSaid == isReported)
        // One refusal ends the questions for each day.
        if !isReported { #expect(requests.count { $0.parameter("field") == "issue.id" } <= 1) }
    }

    /// A table without a row may as well be one that holds everything back.
    @Test func fourWeeksWithoutACrashTellNothing() async throws {
        let snapshot = try await fetch(mostPages: 1) { request in
            request.path == Self.events ? Self.table([]) : nil
        }.snapshot
        #expect(spans(snapshot, .crashes).isEmpty)
        #expect(snapshot.health.allSatisfy { $0.crashes == nil })
    }

    @Test func aSeriesThatIsStillFillingSaysNothing() async throws {
        let snapshot = try await fetch(fault: { request in
            request.path == Self.series
                ? .json(
                    #"{"timeSeries":[{"yAxis":"count()","values":[{"timestamp":1795046400000,"value":9,"incomplete":true}]}]}"#
                ) : nil
        }).snapshot
        #expect(spans(snapshot, .crashes).isEmpty)
    }

    // MARK: Releases of issues

    private static func row(_ issue: Int, _ release: String, _ events: Int, _ users: Int) -> String {
        #"{"issue.id":\#(issue),"release":\#(release),"count()":\#(events),"count_unique(user)":\#(users)}"#
    }

    @Test func issuesAreCountedByReleaseAndDay() async throws {
        try await withTemporaryDirectory { folder in
            let kept = KeptBytes(ResponseCache(folder: folder), scope: "test")
            let fault: StubSentry.Fault = { request in
                if request.parameter("sort") == "user" { return .json("[]") }
                guard request.path == Self.events, request.parameter("field") == "issue.id" else {
                    return nil
                }
                switch request.parameter("start") {
                case "2026-11-19T00:00:00":
                    return Self.table([
                        Self.row(5001, "\"a.b@4.2.1+371\"", 9, 7), Self.row(5001, "\"a.b@4.2.1+370\"", 4, 3),
                        Self.row(5001, "\"a.b@4.2.0+360\"", 2, 2), Self.row(5002, "\"a.b@4.2.0+360\"", 3, 0),
                        Self.row(5002, "null", 8, 8), Self.row(7777, "\"a.b@4.2.0+360\"", 1, 1),
                    ])
                case "2026-11-18T00:00:00":
                    return Self.table((0..<100).map { _ in Self.row(5001, "\"a.b@4.2.1+371\"", 1, 1) })
                // What belongs to no release is of no version.
                default: return Self.table([Self.row(5001, "null", 3, 3)])
                }
            }
            let (snapshot, requests) = try await fetch(kept: kept, userDays: 12, fault: fault)
            let days = snapshot.issueDays.filter { $0.version != nil && $0.date.description == "2026-11-19" }
            #expect(
                days.map { "\($0.issue) \($0.version ?? "") \($0.events ?? -1) \($0.users ?? -1)" } == [
                    "5001 4.2.1 13 -1", "5001 4.2.0 2 2", "5002 4.2.0 3 -1",
                ])
            #expect(
                spans(snapshot, .issueReleases) == [
                    "2026-11-08…2026-11-17 complete", "2026-11-18…2026-11-18 partial 1/?",
                    "2026-11-19…2026-11-19 complete",
                ])
            #expect(requests.count { $0.parameter("field") == "issue.id" } == 12)
            let again = try await fetch(kept: kept, userDays: 12, fault: fault)
            #expect(again.requests.count { $0.parameter("field") == "issue.id" } == 3)
            #expect(again.snapshot.issueDays == snapshot.issueDays)
            #expect(again.snapshot.coverage == snapshot.coverage)
        }
    }

    /// The rows of an issue that the list does not name stay where that list is cut; where it is whole the issue was merged
    /// or deleted, and what was kept of the day is requested again.
    @Test(arguments: [(pages: 3, isThere: false), (pages: 1, isThere: true)])
    func releasesOfAnIssueThatIsNotListed(pages: Int, isThere: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let kept = KeptBytes(ResponseCache(folder: folder), scope: "test")
            let fault: StubSentry.Fault = { request in
                if request.parameter("sort") == "user" { return .json("[]") }
                guard request.path == Self.events, request.parameter("field") == "issue.id" else {
                    return nil
                }
                return Self.table([Self.row(7777, "\"a.b@4.2.0+360\"", 1, 1)])
            }
            _ = try await fetch(kept: kept, userDays: 5, mostPages: 1, fault: fault)
            let (snapshot, requests) = try await fetch(
                kept: kept, userDays: 5, mostPages: pages, fault: fault)
            #expect(requests.count { $0.parameter("field") == "issue.id" } == (isThere ? 3 : 5))
            #expect(snapshot.issueDays.count { $0.issue == "7777" } == (isThere ? 5 : 0))
            #expect(spans(snapshot, .issueReleases) == ["2026-11-15…2026-11-19 complete"])
        }
    }

    @Test func aTableWithoutARowOfADayWithEventsSaysNothing() async throws {
        let (snapshot, requests) = try await fetch(userDays: 4) { request in
            if request.parameter("sort") == "user" { return .json("[]") }
            return request.path == Self.events ? Self.table([]) : nil
        }
        #expect(requests.count { $0.parameter("field") == "issue.id" } == 4)
        #expect(spans(snapshot, .issueReleases).isEmpty)
    }
}
