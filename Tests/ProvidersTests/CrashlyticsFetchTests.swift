import AppHealth
import Diagnostics
import GoogleStub
import LoopbackServer
import Testing
import Transport

@testable import Providers

/// Refuses as Crashlytics does, and plays the fixture.
func answerAsCrashlytics(_ request: RecordedRequest) throws -> StubResponse {
    let fixture = try GoogleFixture("crashlytics")
    let parent = "/v1alpha/projects/123456789012/apps/1:123456789012:android:0a1b"
    guard request.method == "GET", request.path.hasPrefix(parent) else {
        return .google(404, "NOT_FOUND", "Requested entity was not found.")
    }
    let path = request.path.dropFirst(parent.count)
    if path == "/reports" { return fixture.answer("reports") }
    if path == "/events:batchGet" {
        let names = request.query.filter { $0.name == "names" }
        return (1...100).contains(names.count)
            ? fixture.answer("events") : .google(400, "INVALID_ARGUMENT", "names is required")
    }
    if path == "/events" {
        return fixture.answer("events/\(request.parameter("filter.issue.id") ?? "")")
    }
    if path == "/issues/a1/notes" { return fixture.answer("notes") }
    guard path.hasPrefix("/reports/"), let start = request.parameter("filter.interval.startTime"),
        let end = request.parameter("filter.interval.endTime"), let from = Instant(start),
        let to = Instant(end), from < to, from.seconds(to: runTime) <= 90 * 86_400,
        let grain = request.parameter("granularity")?.split(separator: "_").last
    else { return .google(400, "INVALID_ARGUMENT", "Request contains an invalid argument.") }
    let id = path.dropFirst("/reports/".count)
    let page = request.parameter("pageToken").map { "/\($0)" } ?? ""
    return fixture.answer("\(id)/\(grain)\(page)")
}

struct CrashlyticsFetchTests {
    private func fetch(
        mostRequests: Int = 40, mostPages: Int = 2, providedBefore: Set<Capability> = [],
        stored: KnownIssues = KnownIssues(),
        _ fault: @escaping StubGoogle.Fault = { _ in nil }
    ) async throws -> (outcome: FetchOutcome, stub: StubGoogle) {
        let stub = try await StubGoogle.start(answerAsCrashlytics, fault: fault)
        var configuration = try CrashlyticsConfiguration(
            appID: "1:123456789012:android:0a1b", account: stub.account, base: stub.server.origin)
        configuration.mostRequests = mostRequests
        configuration.mostPages = mostPages
        var provider = CrashlyticsProvider(
            configuration, sender: client(), providedBefore: { providedBefore },
            now: { runTime.secondsSinceEpoch })
        provider.knownIssues = { stored }
        return (await stub.fetch(provider), stub)
    }

    private func report(_ id: String, _ body: String) -> StubGoogle.Fault {
        { $0.path.hasSuffix("/reports/\(id)") ? .json(body) : nil }
    }

    @Test func fetchesEverythingOverAllPages() async throws {
        let (outcome, stub) = try await fetch()
        let snapshot = try #require(outcome.snapshots.first)
        #expect(outcome.failures.isEmpty)
        #expect(outcome.requests == 9)
        #expect(stub.tokens.exchanges == 1)
        #expect(
            snapshot.source.capabilities == [
                .sessions, .users, .releaseHealth, .releases, .issues, .issueDays, .notes,
            ])
        #expect(snapshot.issues.map(\.id) == ["a1", "a2", "a3"])
        #expect(snapshot.notes.map(\.id) == ["n2", "n1"])
        #expect(snapshot.releases.map(\.version.description) == ["4.2.1 (371)", "4.2.0 (360)"])
        #expect(
            snapshot.warnings.map(\.summary) == [
                "crashlytics: groups[1].issue.uri: expected an address that begins with https:// or http://, "
                    + #"found "javascript:alert(1)""#
            ])
    }

    @Test func asksForWholeDaysAndRepeatsEveryFilterWithThePageToken() async throws {
        let (_, stub) = try await fetch()
        let pages = stub.asked.filter { $0.path.hasSuffix("/topIssues") }
        #expect(pages.count == 3)
        let first = try #require(pages.first)
        #expect(first.parameter("filter.interval.startTime") == "2026-10-23T00:00:00Z")
        #expect(first.parameter("filter.interval.endTime") == "2026-11-20T00:00:00Z")
        #expect(pages[1].query.map(\.name) == first.query.map(\.name) + ["pageToken"])
        #expect(pages[1].parameter("pageToken") == "page/2+x")
        #expect(zip(first.query, pages[1].query).allSatisfy { $0.value == $1.value })
        #expect(first.target.contains("/apps/1:123456789012:android:0a1b/reports/topIssues?"))
        let versions = stub.asked.first { $0.path.hasSuffix("/topVersions") }
        #expect(versions?.parameter("filter.issue.errorTypes") == "FATAL")
    }

    @Test func readsIssuesWithTheirPlaces() async throws {
        let issues = try #require(try await fetch().outcome.snapshots.first).issues
        #expect(issues[0].title == "Canvas.kt: Canvas.flush")
        #expect(issues[0].events == 9_007_199_254_740_993)
        #expect(issues[0].users == 310)
        #expect(issues[0].place == CodePlace(file: "Canvas.kt", line: 54))
        #expect(issues[0].firstVersion == Version("4.2.0"))
        #expect(issues[0].lastSeen == Instant("2026-11-19T21:04:05Z"))
        #expect(issues.map(\.kind) == [.crash, .error, .hang])
        #expect(issues.map(\.state) == [.open, .muted, .closed])
        // Events that are not sent are zero, users are unknown; where nothing was counted, so are events.
        #expect(issues.map(\.events) == [9_007_199_254_740_993, 0, nil])
        #expect(issues.map(\.users) == [310, nil, nil])
        #expect(issues[1].url == nil)
    }

    @Test func anIssueWithoutASampleGetsThePlaceOfItsNewestEvents() async throws {
        let (outcome, stub) = try await fetch()
        let issues = try #require(outcome.snapshots.first).issues
        #expect(
            issues.map(\.place) == [
                CodePlace(file: "Canvas.kt", line: 54), CodePlace(file: "Sync.kt", line: 9), nil,
            ])
        // What has no events in the window is not searched.
        let asked = stub.asked.filter { $0.path.hasSuffix("/events") }
        #expect(asked.map { $0.parameter("filter.issue.id") } == ["a2"])
        #expect(asked.first?.parameter("readMask") == "name,blameFrame")
    }

    @Test func keepsCountsNotPercentages() async throws {
        let snapshot = try #require(try await fetch().outcome.snapshots.first)
        let days = snapshot.health.filter { $0.version == nil }
        #expect(days.count == 10)
        let known = days.suffix(3)
        #expect(known.map(\.date.description) == ["2026-11-17", "2026-11-18", "2026-11-19"])
        #expect(known.map(\.crashedSessionShare) == [nil, Fraction(11, of: 2000), nil])
        #expect(known.map(\.crashedUserShare) == [nil, Fraction(9, of: 800), nil])
        // Impacted counts that are missing are unknown; totals that are reported elsewhere are zeros.
        #expect(known.map(\.crashedSessions) == [nil, 11, nil])
        #expect(known.map(\.sessions) == [0, 2000, 1900])
    }

    @Test func crashEventsAreThoseOfAllVersions() async throws {
        let snapshot = try #require(try await fetch().outcome.snapshots.first)
        let days = snapshot.health.filter { $0.version == nil }
        // The oldest issue was first seen on the 10th: of the days before nothing is known.
        #expect(days.map { $0.crashes } == Array(repeating: 0, count: 9) + [10])
        #expect(snapshot.health.filter { $0.version != nil }.map(\.crashes) == [3, 7])
        #expect(
            snapshot.coverage.map(\.line) == [
                "issueDays 2026-11-10...2026-11-19 complete", "issueUsers 2026-11-10...2026-11-19 complete",
                "releaseHealth 2026-11-10...2026-11-19 complete", "crashes 2026-11-10...2026-11-19 complete",
                "sessions 2026-11-17...2026-11-19 complete", "users 2026-11-17...2026-11-19 complete",
            ])
    }

    /// Where an earlier event is stored, the days since have none.
    @Test func daysSinceAStoredEventKeepTheirZeros() async throws {
        let date = try #require(CivilDate("2026-10-30"))
        let stored = KnownIssues(days: [IssueDay(issue: "a1", date: date, events: 1, users: nil)])
        let snapshot = try #require(try await fetch(stored: stored).outcome.snapshots.first)
        let days = snapshot.health.filter { $0.version == nil }
        #expect(days.map { $0.crashes } == Array(repeating: 0, count: 20) + [10])
        #expect(snapshot.coverage.map(\.line).contains("crashes 2026-10-30...2026-11-19 complete"))
    }

    /// A percentage of something else than the counts takes nothing away from them.
    @Test(arguments: [99, 98]) func aPercentageThatDiffersLeavesTheDaysWhole(percent: Int) async throws {
        let day =
            #"{"startTime":"2026-11-19T00:00:00Z","eventsCount":"12","impactedUsersCount":"10","totalUsersCount":"1000","crashFreeUsersPercentage":\#(percent)}"#
        let versions = #"{"groups":[{"version":{"displayVersion":"1"},"metrics":[\#(day)]}]}"#
        let (outcome, _) = try await fetch(report("topVersions", versions))
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.health.last { $0.version == nil }?.crashes == 12)
        let lines = snapshot.coverage.map(\.line)
        #expect(lines.contains("releaseHealth 2026-11-10...2026-11-19 complete"))
        #expect(lines.contains("crashes 2026-11-10...2026-11-19 complete"))
        #expect(snapshot.warnings.contains { $0.summary.contains("by its own counts") } == (percent == 98))
    }

    @Test func theListOfReportsIsNoData() async throws {
        let (outcome, _) = try await fetch { request in
            request.path == "/token" || request.path.hasSuffix("/reports")
                ? nil : .google(403, "PERMISSION_DENIED", "no")
        }
        #expect(outcome.snapshots.isEmpty && outcome.failures.map(\.why.id) == ["transport.status-403"])
    }

    @Test(arguments: ["topVersions", "topIssues"]) func versionsAndIssuesAreNeeded(id: String) async throws {
        let (outcome, _) = try await fetch { request in
            request.path.hasSuffix("/\(id)") ? .google(403, "PERMISSION_DENIED", "no") : nil
        }
        #expect(outcome.snapshots.first?.failure?.id == "transport.status-403")
        #expect(outcome.failures.map(\.makesStale) == [true])
    }

    @Test func aListThatIsCutIsPartOfTheDays() async throws {
        let day = #"{"startTime":"2026-11-19T00:00:00Z","eventsCount":"4"}"#
        let more = #"{"nextPageToken":"x","groups":[{"issue":{"id":"z"},"metrics":[\#(day)]}]}"#
        let versions =
            #"{"nextPageToken":"x","groups":[{"version":{"displayVersion":"1"},"metrics":[\#(day)]}]}"#
        let (outcome, _) = try await fetch(mostPages: 1) { request in
            if request.path.hasSuffix("/topIssues") { return .json(more) }
            return request.path.hasSuffix("/topVersions") ? .json(versions) : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(
            snapshot.coverage.prefix(3).map(\.line) == [
                "issueDays 2026-11-18...2026-11-19 partial 1",
                "issueUsers 2026-11-18 partial 1",
                "releaseHealth 2026-11-18...2026-11-19 partial 1",
            ])
        #expect(snapshot.health.filter { $0.version == nil && $0.crashes != nil }.isEmpty)
    }

    @Test func buildsOfOneVersionAreAddedUpButNotTheirUsers() async throws {
        let snapshot = try #require(try await fetch().outcome.snapshots.first)
        let days = snapshot.health.filter { $0.version != nil }
        #expect(days.map(\.version) == ["4.2.0", "4.2.1"])
        #expect(days.map(\.crashedSessions) == [3, 7])
        #expect(days.map(\.crashedUsers) == [3, nil])
        #expect(days.allSatisfy { $0.sessions == nil && $0.users == nil })
        #expect(
            snapshot.issueDays.map { "\($0.issue) \($0.date) \($0.events ?? -1)" } == [
                "a1 2026-11-18 12", "a1 2026-11-19 0",
            ])
        #expect(snapshot.issueDays.map(\.users) == [8, nil])
    }

    @Test func theAuthorsOfNotesAreNamesNotAddresses() async throws {
        let notes = try #require(try await fetch().outcome.snapshots.first).notes
        #expect(notes.map(\.author) == ["mara", ""])
        #expect(notes.allSatisfy { $0.subject == .issue("a1") })
    }

    @Test func withoutAReportOfTotalsTheyCannotBeKnown() async throws {
        let list = #"{"reports":[{"name":"x/reports/topIssues","usage":"counts"}]}"#
        let (outcome, stub) = try await fetch { request in
            request.path.hasSuffix("/reports") ? .json(list) : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(!snapshot.source.capabilities.contains(.sessions))
        #expect(!snapshot.source.capabilities.contains(.users))
        #expect(snapshot.health.isEmpty)
        // What the service does not list is not requested.
        #expect(
            snapshot.warnings.contains { $0.details.first == "crashlytics: unknown report 'topVersions'" })
        #expect(!stub.asked.contains { $0.path.hasSuffix("/topVersions") })
    }

    /// No configuration has the name of a report: there is nothing to correct.
    @Test func anEmptyListOfReportsIsToBeFetchedAgain() async throws {
        let outcome = try await fetch { $0.path.hasSuffix("/reports") ? .json("{}") : nil }.outcome
        let why = try #require(outcome.failures.first?.why)
        #expect(why.summary == "crashlytics: the service listed no reports")
        #expect(why.hints == ["fetch again later"])
    }

    private static let skipped =
        #"{"groups":[{"version":{"displayVersion":"1"},"metrics":[{"startTime":"2026-11-19T00:00:00Z","eventsCount":"4"}]},"#

    /// A report without a group may be one of an app that the account may not see; nothing is zero for it. One that lost a
    /// group, and one with a group that has no name, is a part.
    @Test(arguments: [
        ("topVersions", "{}", []), ("topVersions", #"{"groups":[]}"#, []),
        ("topVersions", #"{"groups":[{"version":{"displayVersion":"1"}}]}"#, []),
        ("topVersions", skipped + "7]}", ["releaseHealth 2026-11-10...2026-11-19 partial 1"]),
        ("topVersions", skipped + #"{"version":{}}]}"#, ["releaseHealth 2026-11-10...2026-11-19 partial 2"]),
        ("topIssues", "{}", []), ("topIssues", #"{"groups":[{"issue":{"id":"a"},"metrics":[]}]}"#, []),
    ]) func aReportWithoutAGroupSaysNothing(id: String, body: String, expected: [String]) async throws {
        let snapshot = try #require(try await fetch(report(id, body)).outcome.snapshots.first)
        let facts: [CoveredFact] =
            id == "topIssues" ? [.issueDays, .issueUsers] : [.releaseHealth, .crashes]
        #expect(snapshot.coverage.filter { facts.contains($0.fact) }.map(\.line) == expected)
        if id == "topVersions" {
            #expect(snapshot.health.allSatisfy { $0.version != nil || $0.crashes == nil })
        }
    }

    /// A list of reports that does not come, and a report of totals without any, do not say that there are none.
    @Test(
        arguments: [
            ("reports", [.users], [.users]), ("reports", [], []),
            ("reports/appStability", [], [.sessions, .users]),
        ] as [(String, Set<Capability>, Set<Capability>)])
    func totalsThatWereProvidedStayKnowable(
        path: String, before: Set<Capability>, expected: Set<Capability>
    ) async throws {
        let (outcome, _) = try await fetch(providedBefore: before) { request in
            guard request.path.hasSuffix("/\(path)") else { return nil }
            return path == "reports" ? .google(503, "UNAVAILABLE", "oops") : .json("{}")
        }
        let known = try #require(outcome.snapshots.first).source.capabilities
        #expect(known.intersection([.sessions, .users]) == expected)
    }

    @Test func withoutTheListTheUsualReportsAreRequested() async throws {
        let (outcome, _) = try await fetch { request in
            request.path.hasSuffix("/reports") ? .google(500, "INTERNAL", "oops") : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.issues.count == 3 && snapshot.releases.count == 2)
        #expect(!snapshot.source.capabilities.contains(.users))
    }

    @Test func aReportOfTotalsThatFailsStaysKnowable() async throws {
        let (outcome, _) = try await fetch { request in
            request.path.hasSuffix("/appStability") ? .google(500, "INTERNAL", "oops") : nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.source.capabilities.contains(.sessions))
        #expect(snapshot.warnings.first?.summary == "crashlytics: couldn't fetch totals")
        #expect(snapshot.issues.count == 3)
    }

    private static let oddDays: [(String, String)] = [
        (#"{"startTime":"2026-11-19T08:00:00Z","endTime":"2026-11-20T08:00:00Z"}"#, "midnight UTC"),
        (#"{"startTime":"2026-11-19T00:00:00Z","endTime":"2026-11-19T12:00:00Z"}"#, "midnight UTC"),
        (#"{"eventsCount":"1"}"#, "the beginning of a day"),
        (
            #"{"startTime":"2026-11-19T00:00:00Z","totalSessionsCount":"5","impactedSessionsCount":"6"}"#,
            "at most the 5 sessions"
        ),
        (
            #"{"startTime":"2026-11-19T00:00:00Z","totalSessionsCount":"-5"}"#,
            "a whole number, zero or more"
        ),
        (
            #"{"startTime":"2026-11-19T00:00:00Z","totalSessionsCount":"100","impactedSessionsCount":"1","crashFreeSessionsPercentage":0.99}"#,
            "99.0 by its own counts"
        ),
    ]

    @Test(arguments: oddDays.indices) func anInvalidDayIsSkippedAndReported(index: Int) async throws {
        let (metrics, words) = Self.oddDays[index]
        let (outcome, _) = try await fetch(
            report("appStability", #"{"groups":[{"metrics":[\#(metrics)]}]}"#))
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.warnings.contains { $0.summary.contains(words) })
        let isKept = words.contains("counts") || words.contains("at most")
        #expect(snapshot.health.filter { $0.version == nil && $0.sessions != nil }.count == (isKept ? 1 : 0))
        #expect(snapshot.issues.count == 3)
    }

    @Test func pagesThatGoInCirclesEnd() async throws {
        let loop = #"{"nextPageToken":"again","groups":[{"issue":{"id":"z"}}]}"#
        let (outcome, stub) = try await fetch(mostPages: 5, report("topIssues", loop))
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.issues.map(\.id) == ["z"])
        #expect(snapshot.warnings.first?.details == ["the next page is one that was read already"])
        #expect(stub.asked.filter { $0.path.hasSuffix("/topIssues") }.count == 4)
    }

    @Test func requestsAreNotExceeded() async throws {
        let (outcome, stub) = try await fetch(mostRequests: 4)
        #expect(stub.asked.count == 4)
        #expect(outcome.requests == 4)
        #expect(outcome.snapshots.first?.issues.count == 3)
        #expect(outcome.snapshots.first?.warnings.contains { $0.id == "crashlytics.part-missing" } == true)
    }

    @Test(arguments: ["1:2:android", "x:y:android:0a", "", "1:-5:ios:0a"])
    func otherIdsAreNoAppsOfFirebase(id: String) async throws {
        let account = try await StubGoogle.start(answerAsCrashlytics, fault: { _ in nil }).account
        let error = #expect(throws: GoogleConfigurationError.self) {
            try CrashlyticsConfiguration(appID: id, account: account)
        }
        #expect(error == .firebaseApp(id))
    }

    @Test func thePlanHoldsNoSecret() async throws {
        let stub = try await StubGoogle.start(answerAsCrashlytics, fault: { _ in nil })
        let configuration = try CrashlyticsConfiguration(
            appID: "1:123456789012:android:0a1b", account: stub.account)
        let plan = CrashlyticsProvider(configuration, sender: client()).plan(for: app("sketchbook"))
        #expect(plan.first?.purpose == "an access token")
        #expect(
            plan.dropFirst().first?.address
                == "https://firebasecrashlytics.googleapis.com/v1alpha/projects/123456789012/apps/"
                + "1:123456789012:android:0a1b/reports")
        #expect(plan.map(\.most) == [1, 1, 4, 2, 6, 4, 40, 10])
    }
}
