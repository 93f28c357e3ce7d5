import AppHealth
import Diagnostics
import LoopbackServer
import Synchronization
import Testing
import Transport

@testable import Providers

/// How much of each day Sentry reported, and the users of issues day by day.
struct SentryCoverageTests {
    private func fetch(
        kept: KeptBytes? = nil, sessions: StubSessions = .usual,
        _ change: (inout SentryConfiguration) -> Void = { _ in },
        fault: @escaping StubSentry.Fault = { _ in nil }
    ) async throws -> (snapshot: Snapshot, requests: [RecordedRequest]) {
        let stub = try await StubSentry.start(sessions: sessions, fault: fault)
        var configuration = try stub.configuration()
        configuration.mostDetailedIssues = 0
        change(&configuration)
        let outcome = try await stub.fetch(configuration, kept: kept)
        return (try #require(outcome.snapshots.first), stub.server.requests)
    }

    /// The list of a day: id, events and users.
    private static func list(_ issues: [(id: Int, events: Int, users: Int)]) -> StubResponse {
        .json(
            "["
                + issues.map {
                    #"{"id":"\#($0.id)","title":"T","level":"fatal","issueCategory":"error","count":"\#($0.events)","userCount":\#($0.users)}"#
                }.joined(separator: ",") + "]")
    }

    /// Returns the list of each day that is named, and of others an empty one.
    private func days(_ answers: [String: StubResponse]) -> StubSentry.Fault {
        { request in
            guard request.parameter("sort") == "user" else { return nil }
            return answers[String((request.parameter("start") ?? "").prefix(10))] ?? .json("[]")
        }
    }

    private func asked(_ requests: [RecordedRequest]) -> [String] {
        requests.filter { $0.parameter("sort") == "user" }
            .compactMap { $0.parameter("start").map { String($0.prefix(10)) } }
    }

    @Test func daysAreCoveredAsFarAsTheyReach() async throws {
        let snapshot = try await fetch().snapshot
        #expect(spans(snapshot, .sessions) == ["2026-10-21…2026-11-19 complete"])
        #expect(spans(snapshot, .releaseHealth) == ["2026-10-21…2026-11-19 complete"])
        // The fifth issue has a count on one day alone; no day before the 14 is spoken of.
        #expect(
            spans(snapshot, .issueDays) == [
                "2026-11-07…2026-11-17 partial 4/5", "2026-11-18…2026-11-18 complete",
                "2026-11-19…2026-11-19 partial 4/5",
            ])
        #expect(spans(snapshot, .issueUsers).isEmpty)
    }

    @Test func usersOfIssuesComeDayByDay() async throws {
        let full = (0..<100).map { (id: 9000 + $0, events: 2, users: 1) }
        let (snapshot, requests) = try await fetch(
            { $0.userDays = 4 },
            fault: days([
                "2026-11-19": Self.list([(5001, 16, 11), (5009, 4, 3)]),
                "2026-11-18": Self.list(full),
                "2026-11-17": Self.list([(5001, 14, 0)]),
            ]))
        #expect(asked(requests) == ["2026-11-19", "2026-11-18", "2026-11-17", "2026-11-16"])
        #expect(
            requests.first { $0.parameter("sort") == "user" }?.target
                == "\(StubSentry.root)/issues/?project=4501&environment=production&query=issue.category%3Aerror"
                + "&sort=user&limit=100&collapse=stats&start=2026-11-19T00%3A00%3A00&end=2026-11-20T00%3A00%3A00"
        )
        let day = snapshot.issueDays.filter { $0.date.description == "2026-11-19" && $0.users != nil }
        #expect(day.map { "\($0.issue) \($0.events ?? -1) \($0.users ?? -1)" } == ["5001 16 11", "5009 4 3"])
        // An issue that only the day's list names is an issue; counts of a day are none of its own.
        let added = snapshot.issues.first { $0.id == "5009" }
        #expect(added?.kind == .crash && added?.events == nil && added?.users == nil)
        // A full page is a part; users of the 17th are not reported; on the 16th others had events in the list of all.
        let users = spans(snapshot, .issueUsers)
        #expect(users.first == "2026-11-18…2026-11-18 partial 100/?")
        #expect(users.count == 2 && users.last?.hasPrefix("2026-11-19…2026-11-19") == true)
    }

    @Test func aDayThatWasSettledIsNotRequestedAgain() async throws {
        try await withTemporaryDirectory { folder in
            let kept = KeptBytes(ResponseCache(folder: folder), scope: "test")
            let answers = days(["2026-11-10": Self.list([(5001, 7, 5)])])
            let first = try await fetch(kept: kept, { $0.userDays = 12 }, fault: answers)
            #expect(asked(first.requests).count == 12)
            let second = try await fetch(kept: kept, { $0.userDays = 12 }, fault: answers)
            // Three days after its end nothing of a day is expected to change.
            #expect(asked(second.requests) == ["2026-11-19", "2026-11-18", "2026-11-17"])
            #expect(second.snapshot.issueDays == first.snapshot.issueDays)
            #expect(second.snapshot.coverage == first.snapshot.coverage)
            // Another environment has days of its own.
            let third = try await fetch(
                kept: kept, { ($0.userDays, $0.environment) = (12, nil) }, fault: answers)
            #expect(asked(third.requests).count == 12)
        }
    }

    /// An issue that a whole list does not name was merged or deleted: what was kept of its days is requested again. A
    /// list that is cut does not say so, nor does any of the days before it.
    @Test(arguments: [
        (pages: 3, day: "2026-11-10", isAsked: true), (pages: 1, day: "2026-11-10", isAsked: false),
        (pages: 3, day: "2026-10-21", isAsked: false),
    ]) func aKeptDayOfAnIssueThatIsGoneIsRequestedAgain(pages: Int, day: String, isAsked: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let kept = KeptBytes(ResponseCache(folder: folder), scope: "test")
            _ = try await fetch(
                kept: kept, { $0.userDays = 30 },
                fault: days([day: Self.list([(5001, 7, 5), (6001, 3, 2)])]))
            let (snapshot, requests) = try await fetch(
                kept: kept, { ($0.userDays, $0.mostPages) = (30, pages) },
                fault: days([day: Self.list([(5001, 9, 8)])]))
            #expect(asked(requests).contains(day) == isAsked)
            let rows = snapshot.issueDays.filter { $0.date.description == day && $0.users != nil }
            let users = rows.map { "\($0.issue) \($0.users ?? -1)" }
            #expect(users == (isAsked ? ["5001 8"] : ["5001 5", "6001 2"]))
        }
    }

    /// What was kept of an issue that is gone is of no use, also when its day cannot be fetched again that night, and later,
    /// when the list says nothing of it.
    @Test(arguments: [429, 500]) func aKeptDayOfAnIssueThatIsGoneStaysAway(status: Int) async throws {
        try await withTemporaryDirectory { folder in
            let kept = KeptBytes(ResponseCache(folder: folder), scope: "test")
            let day = "2026-11-10"
            let before = [day: Self.list([(5001, 7, 5), (6001, 3, 2)])]
            for (pages, answers) in [(3, before), (3, [day: .json("{}", status: status)]), (1, before)] {
                let (_, requests) = try await fetch(
                    kept: kept, { ($0.userDays, $0.mostPages) = (30, pages) }, fault: days(answers))
                #expect(asked(requests).contains(day))
            }
        }
    }

    /// Events by issue that were kept of a day, those that the list of all issues has, and what is kept from then on.
    @Test(
        arguments: [
            ("later events count", ["a": 5], true, ["a": 7], false, ["a": 7], true),
            (
                "an issue that came later is added", ["a": 5], true, ["a": 5, "b": 2], true,
                ["a": 5, "b": 2], true
            ),
            (
                "a list that lacks one is no whole one", ["a": 5], true, ["b": 2], false, ["a": 5, "b": 2],
                false
            ),
            ("one without events is none", ["a": 5], true, ["b": 0], false, ["a": 5], true),
            (
                "a full list is whole where all is", ["a": 5], false, ["a": 5, "b": 2], true,
                ["a": 5, "b": 2], true
            ),
            ("a day before the list stays", ["a": 5], false, [:], false, ["a": 5], false),
        ] as [(String, [String: Int], Bool, [String: Int], Bool, [String: Int], Bool)])
    func keptDaysTakeTheEventsOfTheList(
        name: String, kept: [String: Int], isWhole: Bool, listed: [String: Int], areAll: Bool,
        known: [String: Int], knowsAll: Bool
    ) {
        func counts(_ events: [String: Int], users: Set<String>, _ isWhole: Bool) -> SentryDayCounts {
            SentryDayCounts(
                entries: events.sorted { $0.key < $1.key }.map {
                    SentryDayCounts.Entry(
                        issue: $0.key, events: $0.value, users: users.contains($0.key) ? 1 : nil)
                }, isWhole: isWhole)
        }
        let day = runTime.date
        var snapshot = Snapshot(
            app: app("sketchbook"),
            source: Source(
                id: Slug(anyText: "sentry"), provider: "sentry", sessionDefinition: "", userDefinition: "",
                zone: "UTC", delay: "", capabilities: [.issues, .issueDays]), capturedAt: runTime)
        snapshot.issueDays = listed.map { IssueDay(issue: $0.key, date: day, events: $0.value, users: nil) }
        snapshot.coverage = areAll ? [CoverageSpan(.issueDays, day...day)] : []
        let users = Set(kept.keys)
        let updated = counts(kept, users: users, isWhole).updated(by: ListedDays(snapshot), on: day)
        #expect(updated == counts(known, users: users, knowsAll), "\(name)")
    }

    /// A list of which one issue came twice lacks another one, which is not gone.
    @Test func aListThatMovesIsNotWhole() async throws {
        let second = try StubSentry.text("issues-2")
        let moved = second.replacing("\"14d\"", with: "\"auto\"").replacing("\"5007\"", with: "\"5002\"")
        let snapshot = try await fetch(fault: { request in
            guard request.path.hasSuffix("/issues/"), request.parameter("cursor") == "0:100:0" else {
                return nil
            }
            return .json(moved, headers: [StubSentry.link(next: "0:200:0", results: false)])
        }).snapshot
        #expect(snapshot.issues.map(\.id) == ["5001", "5002", "5003", "5004"])
        #expect(spans(snapshot, .issueDays).allSatisfy { $0.contains("partial") })
    }

    @Test func aListOfADayThatLacksAnIssueWithEventsIsPart() async throws {
        let snapshot = try await fetch(
            { ($0.userDays, $0.mostPages) = (2, 1) }, fault: days(["2026-11-18": Self.list([(5001, 1, 1)])])
        ).snapshot
        let complete = spans(snapshot, .issueDays).filter { $0.hasSuffix("complete") }
        #expect(complete.isEmpty)
    }

    @Test func daysBeforeTheReachAreNoFault() async throws {
        let (snapshot, requests) = try await fetch({ $0.userDays = 30 }) { request in
            guard request.parameter("sort") == "user" else { return nil }
            return (request.parameter("start") ?? "") < "2026-11-15"
                ? StubSentry.bad("Invalid date range. Please try a more recent date range.") : .json("[]")
        }
        #expect(asked(requests).count == 6)
        #expect(!snapshot.warnings.contains { $0.summary.contains("users of issues by day") })
        let refused = try await fetch({ $0.userDays = 30 }) { request in
            request.parameter("sort") == "user" ? .json("{}", status: 403) : nil
        }
        #expect(asked(refused.requests).count == 1)
        #expect(
            refused.snapshot.warnings.map(\.summary).contains("sentry: couldn't fetch users of issues by day")
        )
    }

    /// What is asked day by day stops with the requests, and says on how many days; notes come after all of that.
    @Test func daysThatAreNotAskedAreCounted() async throws {
        let (snapshot, requests) = try await fetch(
            { ($0.userDays, $0.mostRequests) = (9, 12) }, fault: days([:]))
        let asked = self.asked(requests).count
        #expect(asked < 9)
        let skipped = snapshot.warnings.first { $0.summary.contains("users of issues on") }
        #expect(skipped?.summary == "sentry: skipped users of issues on \(9 - asked) days")
        #expect(skipped?.hints == ["raise 'requests' of the source"])
        #expect(snapshot.warnings.contains { $0.summary == "sentry: skipped releases of issues on 9 days" })
    }

    @Test func anEnvironmentThatDoesNotExistIsSkippedWithAWarning() async throws {
        let (snapshot, requests) = try await fetch({ $0.environment = "prodution" })
        #expect(snapshot.health.count { $0.version == nil } == 30)
        #expect(requests.count { $0.parameter("environment") == "prodution" } == 1)
        let warning = snapshot.warnings.first { $0.summary.contains("environment") }
        #expect(warning?.summary == "sentry: the organization has no environment 'prodution'")
        #expect(warning?.details == ["all environments are reported together"])
        #expect(snapshot.source.sessionDefinition.hasSuffix("all environments together."))
    }
}
