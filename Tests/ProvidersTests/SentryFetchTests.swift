import AppHealth
import Diagnostics
import LoopbackServer
import Testing
import Transport

@testable import Providers

struct SentryFetchTests {
    private func fetch(
        sessions: StubSessions = .usual, _ change: (inout SentryConfiguration) throws -> Void = { _ in }
    ) async throws -> (outcome: FetchOutcome, requests: [RecordedRequest]) {
        let stub = try await StubSentry.start(sessions: sessions)
        var configuration = try stub.configuration()
        try change(&configuration)
        let outcome = try await stub.fetch(configuration)
        return (outcome, stub.server.requests)
    }

    @Test func fetchesEverythingOverAllPages() async throws {
        let (outcome, requests) = try await fetch()
        let snapshot = try #require(outcome.snapshots.first)
        // One address among the issues is none that a page may link to.
        #expect(
            snapshot.warnings.map(\.summary) == [
                #"sentry: issue 5003: permalink: expected an address that begins with https:// or http://, "#
                    + #"found "javascript:alert(1)""#
            ])
        #expect(outcome.failures.isEmpty)
        #expect(snapshot.capturedAt == runTime)
        #expect(
            snapshot.source.capabilities == [
                .sessions, .users, .releaseHealth, .releases, .issues, .issueDays, .hours, .usage, .notes,
            ])
        #expect(snapshot.issues.map(\.id) == ["5001", "5002", "5003", "5004", "5007"])
        #expect(snapshot.notes.map(\.id) == ["801", "799", "798", "810"])
        #expect(outcome.requests == requests.count)
        #expect(requests.allSatisfy { $0.header("Accept") == "application/json" && $0.path.hasSuffix("/") })
        #expect(requests.prefix(9).map(\.target) == Self.targets)
    }

    private static let scope = "project=4501&environment=production"
    private static let span = "interval=1d&start=2026-10-21T00%3A00%3A00&end=2026-11-19T23%3A59%3A59"
    private static let fields =
        "field=sum%28session%29&field=count_unique%28user%29&field=crash_free_rate%28user%29"
    private static let issues =
        "\(scope)&query=issue.category%3Aerror&sort=freq&limit=100&groupStatsPeriod=auto"
        + "&start=2026-10-23T00%3A00%3A00&end=2026-11-21T00%3A00%3A00"
    private static let targets = [
        "projects/?per_page=100", "../../projects/lantern-works/sketchbook-ios/",
        "releases/?\(scope)&per_page=100",
        "sessions/?\(scope)&field=sum%28session%29&groupBy=session.status&\(span)",
        "sessions/?\(scope)&\(fields)&\(span)", "issues/?\(issues)",
        "issues/?\(issues)&cursor=0%3A100%3A0",
        "events/?\(scope)&dataset=errors&field=count%28%29&per_page=1&start=2026-10-22T00%3A00%3A00&end=2026-10-23T00%3A00%3A00",
        "sessions/?\(scope)&\(fields)&groupBy=release&\(span)",
    ].map { "\(StubSentry.root)/\($0)".replacing("organizations/lantern-works/../../", with: "") }

    @Test func daysAreCountedByStatusAndTheUnfinishedOneIsSkipped() async throws {
        var sessions = StubSessions.usual
        sessions.addsToday = true
        let snapshot = try #require(try await fetch(sessions: sessions).outcome.snapshots.first)
        let all = snapshot.health.filter { $0.version == nil }
        #expect(all.count == 30)
        #expect(all.map(\.date).max()?.description == "2026-11-19")
        let last = try #require(all.last)
        // 985 + 496 + 5 sessions; unhandled, errored and abnormal ones have not crashed.
        #expect(last == day("2026-11-19", nil, 1486, 15, 900, 12))
        #expect(snapshot.usage.last == UsageDay(date: last.date, activeUsers: 900, sessions: 1486))
        // A total that holds a part of today is none of 7 days.
        let refusal = "sentry: intervals: expected the days of 2026-11-13…2026-11-19, found others"
        #expect(snapshot.warnings.map(\.summary).contains(refusal))
    }

    @Test func buildsOfOneLabelAreAddedUpButTheirUsersAreNot() async throws {
        let snapshot = try #require(try await fetch().outcome.snapshots.first)
        let days = snapshot.health.filter { $0.version == "4.2.1" }
        #expect(days.first == day("2026-11-08", "4.2.1", 51, 1, 30, 1))
        #expect(
            days.first { $0.date.description == "2026-11-11" }
                == day("2026-11-11", "4.2.1", 1036, 11, nil, nil))
        #expect(days.last == day("2026-11-19", "4.2.1", 985, 10, 500, 9))
        #expect(days.count == 12)
        #expect(Set(snapshot.health.compactMap(\.version)) == ["4.2.1", "4.2.0"])
    }

    @Test func usersOfSeveralDaysAreRequestedAndNotAddedUp() async throws {
        let usage = try #require(try await fetch().outcome.snapshots.first).usage
        #expect(usage.map(\.weeklyActiveUsers).suffix(2) == [nil, 900 * 7])
        #expect(usage.map(\.monthlyActiveUsers).suffix(2) == [nil, 900 * 28])
    }

    private func day(
        _ date: String, _ version: String?, _ sessions: Int, _ crashed: Int, _ users: Int?,
        _ crashedUsers: Int?
    ) -> HealthDay? {
        CivilDate(date).map {
            HealthDay(
                date: $0, version: version, sessions: sessions, crashedSessions: crashed, users: users,
                crashedUsers: crashedUsers)
        }
    }

    @Test func releasesHaveLabelBuildAndTime() async throws {
        let releases = try #require(try await fetch().outcome.snapshots.first).releases
        #expect(
            Set(releases.map(\.version.description)) == [
                "4.2.1 (371)", "4.2.0 (360)", "17642328ead24b51867165985996d04b29310337", "internal",
            ])
        let newest = releases.first { $0.version.label == "4.2.1" }
        #expect(newest?.releasedAt?.description == "2026-11-08T07:00:00Z")
        #expect(newest?.lifetime == nil)
    }

    @Test func issuesAreReadFromListDetailAndEvent() async throws {
        let snapshot = try #require(try await fetch().outcome.snapshots.first)
        let issues = snapshot.issues
        #expect(issues.map(\.kind) == [.crash, .hang, .error, .crash, .error])
        #expect(issues.map(\.state) == [.open, .open, .muted, .closed, .open])
        #expect(issues.map(\.events) == [150, 90, 70, 20, 3])
        #expect(issues.map(\.users) == [120, nil, 60, 20, 2])
        #expect(issues.map(\.title).last == "SKETCHBOOK-5007")
        #expect(
            issues.map(\.place) == [
                CodePlace(file: "Sources/Canvas/Brush.swift", line: 88), nil,
                CodePlace(file: "b.c", line: nil),
                CodePlace(file: "Brush.swift", line: nil), CodePlace(file: "Brush.swift", line: nil),
            ])
        #expect(issues[0].firstSeen?.description == "2026-03-01T10:00:00Z")
        #expect(issues[3].firstSeen?.description == "2026-11-07T01:00:00Z")
        #expect(issues[4].firstSeen == nil)
        #expect(issues[0].firstVersion == Version("4.0.0", build: "300"))
        #expect(issues[0].lastVersion == Version("4.2.1", build: "371"))
        #expect(issues[3].fixedIn == Version("4.2.1", build: "371"))
        #expect(
            issues.map(\.url) == ["https://lantern-works.sentry.io/issues/5001/"].map(Optional.some) + [
                "https://lantern-works.sentry.io/issues/5002/", nil,
                "https://lantern-works.sentry.io/issues/5004/",
                "https://lantern-works.sentry.io/issues/5007/",
            ])
    }

    @Test func issueDaysAreWholeDaysAndNullIsNotZero() async throws {
        let days = try #require(try await fetch().outcome.snapshots.first).issueDays
        let first = days.filter { $0.issue == "5001" }
        #expect(first.map(\.events) == (4...16).map { $0 })
        #expect(first.last?.date.description == "2026-11-19")
        #expect(first.allSatisfy { $0.users == nil })
        #expect(days.filter { $0.issue == "5007" }.map(\.date.description) == ["2026-11-18"])
    }

    @Test func hoursAreWholeOnesAndThoseOfUnknownIssuesAreSkipped() async throws {
        let snapshot = try #require(try await fetch().outcome.snapshots.first)
        let now = UTCHour(of: runTime)
        #expect(snapshot.healthHours.map(\.hour) == (-48..<0).map { now.advanced(by: $0) })
        #expect(snapshot.healthHours.allSatisfy { $0.sessions == 100 && $0.crashedSessions == 2 })
        #expect(Set(snapshot.issueHours.map(\.issue)) == ["5001"])
        #expect(snapshot.issueHours.map(\.hour) == (-23..<0).map { now.advanced(by: $0) })
        #expect(snapshot.issueHours.map(\.events) == (0..<23).map { $0 < 20 ? 0 : $0 })
        #expect(snapshot.issueHours.allSatisfy { $0.users == nil })
    }

    @Test func notesAreOfPeopleOnly() async throws {
        let notes = try #require(try await fetch().outcome.snapshots.first).notes
        #expect(notes.map(\.author) == ["Team Member", "second", "", "third"])
        #expect(notes.map(\.subject) == ["5001", "5001", "5001", "5004"].map(Note.Subject.issue))
        #expect(notes.first?.text == "Fixed on **main**, see the pull request.")
    }

    /// One that is not on the first page of the list is asked for by slug or id, a name is looked for on every page.
    @Test(arguments: [("4501", 3), ("sketchbook-ios", 3), ("Sketchbook iOS", 4)])
    func findsTheProjectByIDSlugOrName(name: String, place: Int) async throws {
        let (_, requests) = try await fetch { $0.project = name }
        #expect(requests.dropFirst(place - 1).first?.parameter("project") == "4501")
    }

    /// An organization has more projects than are read: the slug and the id are enough, and a name has a next step.
    @Test(arguments: [
        ("sketchbook-ios", true), ("4501", true), ("Sketchbook iOS", false), ("sketchbok", false),
    ])
    func aProjectBeyondTheListIsFoundBySlugOrID(name: String, isFound: Bool) async throws {
        let stub = try await StubSentry.start { request in
            guard request.path == "\(StubSentry.root)/projects/" else { return nil }
            let place =
                request.parameter("cursor")?.split(separator: ":").dropFirst().first.flatMap { Int($0) } ?? 0
            return .json(
                #"[{"id":"9\#(place)","slug":"other-\#(place)","name":"Other"}]"#,
                headers: [StubSentry.link(next: "0:\(place + 100):0", results: true)])
        }
        let outcome = try await stub.fetch(try stub.configuration(name))
        let lists = stub.server.requests.count { $0.path == "\(StubSentry.root)/projects/" }
        #expect(lists == (isFound ? 1 : 11))
        #expect(outcome.snapshots.isEmpty != isFound)
        let why = outcome.failures.first?.why
        #expect(why?.summary == (isFound ? nil : "sentry: project '\(name)' is not among the first 10"))
        #expect(why?.hints == (isFound ? nil : ["write the slug or the id of the project"]))
    }

    @Test func aProjectThatIsFoundEndsTheSearch() async throws {
        let (_, requests) = try await fetch { $0.project = "metronome-ios" }
        #expect(requests.count { $0.path.hasSuffix("/projects/") } == 1)
    }

    @Test(arguments: [
        ("sketchbok-ios", "sentry.not-found", "did you mean 'sketchbook-ios'?"),
        ("Metronome", "sentry.ambiguous", "write the slug or the id"),
    ])
    func aNameThatFitsNoneOrSeveralIsAFailure(project: String, id: String, hint: String) async throws {
        let outcome = try await fetch { $0.project = project }.outcome
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.map(\.why.id) == [id])
        #expect(outcome.failures.first?.why.hints == [hint])
    }

    @Test func withoutSessionsTheRestIsFetched() async throws {
        let (outcome, requests) = try await fetch { $0.project = "tidepool" }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.source.capabilities == [.releases, .issues, .issueDays, .notes])
        #expect(snapshot.health.isEmpty)
        #expect(snapshot.issues.count == 5)
        #expect(!requests.contains { $0.path.hasSuffix("/sessions/") })
    }

    /// A list of projects that says so once does not make of what was fetched something not provided.
    @Test func sessionsThatWereProvidedAreFetchedNevertheless() async throws {
        let stub = try await StubSentry.start()
        var configuration = try stub.configuration()
        configuration.project = "tidepool"
        let outcome = try await stub.fetch(configuration, providedBefore: [.sessions, .users])
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.source.capabilities.isSuperset(of: [.sessions, .users]))
        #expect(!snapshot.health.isEmpty)
    }

    @Test func allEnvironmentsAreRequestedWithoutAName() async throws {
        let (outcome, requests) = try await fetch { $0.environment = nil }
        #expect(requests.allSatisfy { $0.parameter("environment") == nil })
        #expect(
            outcome.snapshots.first?.source.sessionDefinition.hasSuffix("all environments together.") == true)
    }

    @Test func theRequestsLastForTheBudgetAndTheRestIsSaid() async throws {
        let outcome = try await fetch { ($0.mostRequests, $0.mostDetailedIssues) = (13, 0) }.outcome
        #expect(outcome.requests == 13)
        #expect(outcome.snapshots.first?.notes.map(\.id) == [])
        // Notes on issues beyond the first come last.
        #expect(outcome.snapshots.first?.healthHours.isEmpty == false)
        #expect(
            outcome.diagnostics.map(\.summary).suffix(2) == [
                "sentry: couldn't fetch crashes by day",
                "sentry: skipped notes and versions of 2 issues",
            ])
        let few = try await fetch { $0.mostRequests = 7 }.outcome
        #expect(few.requests == 7)
        #expect(few.snapshots.first?.health.count == 30)
        #expect(
            few.diagnostics.map(\.summary).suffix(7) == [
                "sentry: skipped sessions of releases on 30 days",
                "sentry: couldn't fetch users of 7 days",
                "sentry: couldn't fetch users of 28 days",
                "sentry: couldn't fetch sessions by hour",
                "sentry: couldn't fetch crashes by day",
                "sentry: skipped notes and versions of 5 issues",
                "sentry: skipped place and line of 5 issues",
            ])
    }

    @Test func aListThatIsCutSaysSo() async throws {
        let outcome = try await fetch { $0.mostPages = 1 }.outcome
        #expect(outcome.snapshots.first?.issues.map(\.id) == ["5001", "5002", "5003"])
        let warning = outcome.diagnostics.first
        #expect(warning?.summary == "sentry: a list ends after page 1, with 3 elements")
        #expect(warning?.details == ["no more pages are read in one fetch"])
    }

    @Test func plansItsRequestsWithoutTheToken() async throws {
        let secret = try #require(Secret(StubSentry.token))
        var configuration = try SentryConfiguration(
            organization: "lantern-works", project: "sketchbook-ios", token: secret,
            base: "https://crashes.example.org/sentry/api/0/")
        configuration.mostPages = 2
        let plan = try SentryProvider(configuration, sender: client()).plan(for: app("sketchbook"))
        let root = "https://crashes.example.org/sentry/api/0/organizations/lantern-works"
        #expect(plan.count == 20)
        #expect(
            plan[7].address == "\(root)/issues/?project={project}&environment=production"
                + "&query=issue.category:error&sort=user&limit=100&groupStatsPeriod=&collapse=filtered&collapse=unhandled"
                + "&start={day}T00:00:00&end={next day}T00:00:00")
        #expect(plan[7].most == 30)
        #expect(plan.count { $0.address.hasPrefix(root) } == 19)
        #expect(
            plan[1].address
                == "https://crashes.example.org/sentry/api/0/projects/lantern-works/sketchbook-ios/")
        #expect(
            plan[3].address == "\(root)/sessions/?project={project}&environment=production&field=sum(session)"
                + "&groupBy=session.status&interval=1d&start={first day}T00:00:00&end={last day}T23:59:59")
        #expect(plan[12].address == "\(root)/issues/{issue}/events/latest/")
        #expect(plan[13].address.hasSuffix("&interval=1h&start={first hour}:00:00&end={last hour}:59:59"))
        #expect(!"\(plan) \(configuration)".contains(StubSentry.token))
    }
}
