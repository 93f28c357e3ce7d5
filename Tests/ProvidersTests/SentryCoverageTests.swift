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
        kept: KeptBytes? = nil, sessions: StubSessions = .usual, stored: KnownIssues = KnownIssues(),
        _ change: (inout SentryConfiguration) -> Void = { _ in },
        fault: @escaping StubSentry.Fault = { _ in nil }
    ) async throws -> (snapshot: Snapshot, requests: [RecordedRequest]) {
        let stub = try await StubSentry.start(sessions: sessions, fault: fault)
        var configuration = try stub.configuration()
        configuration.mostDetailedIssues = 0
        change(&configuration)
        let outcome = try await stub.fetch(configuration, kept: kept, stored: stored)
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
            let answer = answers[String((request.parameter("start") ?? "").prefix(10))] ?? .json("[]")
            return try StubSentry.collapsed(answer, by: request)
        }
    }

    /// A list with one issue for each of the last 12 days.
    private static let quietDays = Dictionary(
        uniqueKeysWithValues: (1...12).map {
            ("\(runTime.date.advanced(by: -$0))", list([(5001, 7, 5)]))
        })

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
                "2026-11-07…2026-11-07 partial 4/?", "2026-11-08…2026-11-17 partial 4/5",
                "2026-11-18…2026-11-18 complete",
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
                + "&sort=user&limit=100&groupStatsPeriod=&collapse=filtered&collapse=unhandled"
                + "&start=2026-11-19T00%3A00%3A00&end=2026-11-20T00%3A00%3A00"
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
            let answers = days(Self.quietDays)
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
        (pages: 3, day: "2026-10-22", isAsked: false),
    ]) func aKeptDayOfAnIssueThatIsGoneIsRequestedAgain(pages: Int, day: String, isAsked: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let kept = KeptBytes(ResponseCache(folder: folder), scope: "test")
            // An older day with events: those after it are there as a whole.
            let oldest = Self.list([(5001, 1, 1)])
            _ = try await fetch(
                kept: kept, { $0.userDays = 30 },
                fault: days([day: Self.list([(5001, 7, 5), (6001, 3, 2)]), "2026-10-21": oldest]))
            let (snapshot, requests) = try await fetch(
                kept: kept, { ($0.userDays, $0.mostPages) = (30, pages) },
                fault: days([day: Self.list([(5001, 9, 8)]), "2026-10-21": oldest]))
            #expect(asked(requests).contains(day) == isAsked)
            let rows = snapshot.issueDays.filter { $0.date.description == day && $0.users != nil }
            let users = rows.map { "\($0.issue) \($0.users ?? -1)" }
            #expect(users == (isAsked ? ["5001 8"] : ["5001 5", "6001 2"]))
        }
    }

    /// A list that is cut does not say which issues are gone: one request does. A merged issue has nothing on the days of
    /// the list any more, for the one that took it has all of it. A server that does not know the question says nothing.
    @Test(arguments: [("gone", true), ("there", false), ("unknown", false)])
    func aMergedIssueCountsOnceAlsoWhereTheListIsCut(answer: String, isTakenBack: Bool) async throws {
        let day = try #require(CivilDate("2026-11-18"))
        let stored = KnownIssues(
            issues: [Issue(id: "6001", title: "Old", events: 12, users: 5)],
            days: [IssueDay(issue: "6001", date: day, events: 7, users: 4)])
        let (snapshot, requests) = try await fetch(stored: stored, { $0.mostPages = 1 }) { request in
            let ids = request.query.filter { $0.name == "group" }.map(\.value)
            guard !ids.isEmpty else { return nil }
            let there = answer == "unknown" ? ["7001"] : ids.filter { answer == "there" || $0 != "6001" }
            return Self.list(there.compactMap { Int($0) }.map { (id: $0, events: 1, users: 1) })
        }
        #expect(requests.count { $0.parameter("group") != nil } == 1)
        let rows = snapshot.issueDays.filter { $0.issue == "6001" }
        #expect(rows == (isTakenBack ? [IssueDay(issue: "6001", date: day, events: 0, users: 0)] : []))
        #expect(snapshot.issues.first { $0.id == "6001" }?.events == (isTakenBack ? 0 : nil))
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

    /// An answer without counts is none: it is said, nothing is kept of the day, and no other day is asked for.
    @Test(arguments: [true, false]) func aListWithoutCountsSaysNothing(isWhole: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let kept = KeptBytes(ResponseCache(folder: folder), scope: "test")
            let bare = #"{"id":"5001","title":"T","level":"fatal","issueCategory":"error"}"#
            let counted = #"{"id":"5002","title":"T","level":"fatal","count":"4","userCount":3}"#
            let fault = days(["2026-11-19": .json(isWhole ? "[\(bare)]" : "[\(bare),\(counted)]")])
            let (snapshot, requests) = try await fetch(kept: kept, { $0.userDays = 2 }, fault: fault)
            #expect(asked(requests).count == (isWhole ? 1 : 2))
            let all = isWhole ? 1 : 2
            #expect(
                snapshot.warnings.map(\.summary).contains(
                    "sentry: […].count: expected the events of each issue, found none for 1 of \(all) issues")
            )
            #expect(
                spans(snapshot, .issueUsers).first == (isWhole ? nil : "2026-11-19…2026-11-19 partial 1/?"))
            #expect(snapshot.issueDays.allSatisfy { $0.events != nil })
        }
    }

    // MARK: Empty lists

    /// What is stored of one issue on a day.
    private static func stored(on day: String?) -> KnownIssues {
        KnownIssues(
            days: day.flatMap { CivilDate($0) }.map {
                [IssueDay(issue: "5001", date: $0, events: 9, users: 4)]
            }
                ?? [])
    }

    /// Responds to each question for issues with an empty list.
    private static let emptyLists: StubSentry.Fault = { request in
        request.path.hasSuffix("/issues/") ? .json("[]") : nil
    }

    /// A list without issues is no answer where issues with events on its days are stored: nothing is stated of any day. An
    /// app without issues, and one whose issues are older than the list, may have such a list.
    @Test(
        arguments: [("2026-11-10", true), (nil, false), ("2026-10-01", false)] as [(String?, Bool)])
    func anEmptyListNextToStoredEventsSaysNothing(day: String?, isDoubted: Bool) async throws {
        let (snapshot, requests) = try await fetch(
            stored: Self.stored(on: day), { $0.userDays = 3 }, fault: Self.emptyLists)
        #expect(snapshot.issues.isEmpty && snapshot.issueDays.isEmpty)
        #expect(spans(snapshot, .issueDays).isEmpty == isDoubted)
        #expect(spans(snapshot, .issueUsers).isEmpty == isDoubted)
        #expect(asked(requests).isEmpty == isDoubted)
        let warning = snapshot.warnings.first { $0.id == "sentry.empty-list" }
        #expect(warning?.summary == (isDoubted ? "sentry: the list of issues is empty" : nil))
        #expect(
            warning?.details.first
                == day.flatMap {
                    isDoubted ? "stored issues had events on days of this list, the last on \($0)" : nil
                })
        #expect(spans(snapshot, .sessions) == ["2026-10-21…2026-11-19 complete"])
    }

    @Test func anEmptyListLosesNoKeptDay() async throws {
        try await withTemporaryDirectory { folder in
            let kept = KeptBytes(ResponseCache(folder: folder), scope: "test")
            let answers = days(Self.quietDays)
            let first = try await fetch(kept: kept, { $0.userDays = 12 }, fault: answers)
            _ = try await fetch(
                kept: kept, stored: KnownIssues(days: first.snapshot.issueDays), { $0.userDays = 12 },
                fault: Self.emptyLists)
            let third = try await fetch(kept: kept, { $0.userDays = 12 }, fault: answers)
            #expect(asked(third.requests) == ["2026-11-19", "2026-11-18", "2026-11-17"])
            #expect(third.snapshot.issueDays == first.snapshot.issueDays)
            #expect(third.snapshot.coverage == first.snapshot.coverage)
        }
    }

    /// An empty list of a day with events, by the list of all issues or by what is stored of a day before it, is said and not
    /// kept.
    @Test(arguments: ["2026-11-10", "2026-10-22"]) func anEmptyListOfADayWithEventsIsNotKept(day: String)
        async throws
    {
        try await withTemporaryDirectory { folder in
            let kept = KeptBytes(ResponseCache(folder: folder), scope: "test")
            let others = Self.quietDays.merging(["2026-10-21": Self.list([(5001, 1, 1)])]) { $1 }
            let stored = Self.stored(on: day)
            let before = try await fetch(
                kept: kept, stored: stored, { $0.userDays = 30 },
                fault: days(others.merging([day: .json("[]")]) { $1 }))
            #expect(before.snapshot.warnings.contains { $0.id == "sentry.empty-list" })
            #expect(!before.snapshot.issueDays.contains { "\($0.date)" == day && $0.users != nil })
            let (snapshot, requests) = try await fetch(
                kept: kept, stored: stored, { $0.userDays = 30 },
                fault: days(others.merging([day: Self.list([(5001, 7, 5)])]) { $1 }))
            #expect(asked(requests).contains(day))
            let users = snapshot.issueDays.filter { "\($0.date)" == day }.compactMap(\.users)
            #expect(users == [5])
        }
    }

    // MARK: Reach

    /// A list of 28 days in which one issue has 3 events a day from a day on, and zeros before.
    private static func list(from first: String, seen: String) -> StubResponse {
        let start = CivilDate(first) ?? runTime.date
        let days = (1...28).reversed().map { runTime.date.advanced(by: -$0) }
        let points = days.map { "[\(Instant(startOf: $0).secondsSinceEpoch),\($0 < start ? 0 : 3)]" }
        return .json(
            #"[{"id":"5001","title":"T","level":"fatal","count":"9","userCount":3,"lifetime":{"firstSeen":"\#(seen)T08:00:00Z"},"stats":{"auto":[\#(points.joined(separator: ","))]}}]"#
        )
    }

    /// Which days a list of which the first events are of November 14 covers; the tables refuse the days before one.
    @Test(
        arguments: [
            ("tables reach beyond", "2026-01-01", nil, "2026-10-23…2026-11-19 complete", []),
            ("one day more", "2026-10-22", nil, "2026-10-23…2026-11-19 complete", []),
            ("fourteen days", "2026-11-06", nil, "2026-11-13…2026-11-19 complete", []),
            (
                "no day with events is asked for", "2026-11-14", nil,
                "2026-11-15…2026-11-19 complete", ["2026-11-14…2026-11-14 partial 1/?"]
            ),
            ("no tables", nil, "2026-11-14", "2026-10-23…2026-11-19 complete", []),
            (
                "no tables, an issue that is older than its events", nil, "2026-03-01",
                "2026-11-15…2026-11-19 complete", ["2026-11-14…2026-11-14 partial 1/?"]
            ),
        ] as [(String, String?, String?, String, [String])])
    func daysThatAreGoneAreNotWithoutIssues(
        name: String, kept: String?, seen: String?, complete: String, partial: [String]
    ) async throws {
        let (snapshot, _) = try await fetch(fault: { request in
            if request.parameter("groupStatsPeriod") == "auto" {
                return Self.list(from: "2026-11-14", seen: seen ?? "2026-03-01")
            }
            guard let kept, request.path.hasSuffix("/events/") else { return nil }
            return (request.parameter("end") ?? "") <= "\(kept)T00:00:00"
                ? StubSentry.bad("Invalid date range. Please try a more recent date range.")
                : .json(#"{"data":[{"count()":3}],"meta":{}}"#)
        })
        #expect(spans(snapshot, .issueDays) == partial + [complete], "\(name)")
        let first = (partial + [complete])[0].prefix(10)
        #expect(snapshot.issueDays.map(\.date.description).min() == String(first), "\(name)")
        #expect(!snapshot.warnings.contains { $0.summary.contains("how far back") }, "\(name)")
    }

    /// A day that is cut has no less than what was stored of it.
    @Test func aCutDayKeepsWhatWasStored() async throws {
        let stub = try await StubSentry.start { request in
            request.parameter("groupStatsPeriod") == "auto"
                ? Self.list(from: "2026-11-14", seen: "2026-03-01") : nil
        }
        var configuration = try stub.configuration()
        configuration.mostDetailedIssues = 0
        let day = try #require(CivilDate("2026-11-14"))
        let stored = KnownIssues(days: [
            IssueDay(issue: "5001", date: day, events: 8, users: nil),
            IssueDay(issue: "5001", date: day.advanced(by: 1), events: 8, users: nil),
        ])
        let provider = try SentryProvider(configuration, sender: client(), knownIssues: { stored })
        let snapshot = try #require(await provider.fetch(app("sketchbook"), at: runTime).snapshots.first)
        await stub.server.stop()
        #expect(snapshot.issueDays.prefix(2).map(\.events) == [8, 3])
    }

    /// Of the days before the list, one without events is known only where an older one has some; the oldest is a part, and
    /// is not kept.
    @Test func daysBeforeTheListAreKnownFromTheOldestEventOn() async throws {
        try await withTemporaryDirectory { folder in
            let kept = KeptBytes(ResponseCache(folder: folder), scope: "test")
            let answers = days(["2026-10-19": Self.list([(5001, 7, 5)])])
            let (snapshot, requests) = try await fetch(kept: kept, { $0.userDays = 40 }, fault: answers)
            #expect(asked(requests).count == 40)
            let events = spans(snapshot, .issueDays).filter { $0 < "2026-10-23" }
            #expect(events.map { $0.prefix(10) } == ["2026-10-19", "2026-10-20"])
            #expect(events.first == "2026-10-19…2026-10-19 partial 1/?")
            let again = try await fetch(kept: kept, { $0.userDays = 40 }, fault: answers)
            #expect(asked(again.requests).contains("2026-10-19"))
            #expect(!asked(again.requests).contains("2026-10-20"))
        }
    }

    /// Sessions before the first are those that the service no longer keeps, or none: nothing is said of them, and the users
    /// of a span that begins before are not those of the span.
    @Test func daysBeforeTheFirstSessionAreUnknown() async throws {
        var sessions = StubSessions.usual
        for place in sessions.runs.indices {
            sessions.runs[place].first = max(
                sessions.runs[place].first, CivilDate("2026-11-06") ?? runTime.date)
        }
        let snapshot = try await fetch(sessions: sessions).snapshot
        #expect(spans(snapshot, .sessions) == ["2026-11-06…2026-11-19 complete"])
        #expect(spans(snapshot, .releaseHealth) == ["2026-11-06…2026-11-19 complete"])
        #expect(snapshot.usage.last?.weeklyActiveUsers == 900 * 7)
        #expect(snapshot.usage.last?.monthlyActiveUsers == nil)
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

    /// After a token that was refused, what is skipped says so: there are requests left.
    @Test func whatIsSkippedAfterARefusalNamesIt() async throws {
        let (snapshot, _) = try await fetch({ $0.userDays = 5 }) { request in
            request.parameter("sort") == "user" ? .json(#"{"detail":"Token expired"}"#, status: 401) : nil
        }
        let skipped = snapshot.warnings.filter { $0.summary.hasPrefix("sentry: skipped") }
        #expect(skipped.contains { $0.summary == "sentry: skipped releases of issues on 5 days" })
        for warning in skipped {
            #expect(warning.id == "sentry.halted", "\(warning.summary)")
            #expect(warning.details.contains("sentry: stopped after status 401"), "\(warning.summary)")
            #expect(!warning.hints.contains("raise 'requests' of the source"), "\(warning.summary)")
            #expect(warning.hints.first?.hasPrefix("make a new personal token") == true, "\(warning.summary)")
        }
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
