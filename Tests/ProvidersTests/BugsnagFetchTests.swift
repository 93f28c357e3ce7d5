import AppHealth
import Diagnostics
import LoopbackServer
import Testing
import Transport

@testable import Providers

struct BugsnagFetchTests {
    private func fetch(
        _ change: (inout BugsnagConfiguration) -> Void = { _ in }
    ) async throws -> (outcome: FetchOutcome, requests: [RecordedRequest]) {
        let stub = try await StubBugsnag.start()
        var configuration = try stub.configuration()
        change(&configuration)
        let outcome = try await stub.fetch(configuration)
        return (outcome, stub.server.requests)
    }

    @Test func fetchesEverythingOverAllPages() async throws {
        let (outcome, requests) = try await fetch()
        #expect(outcome.diagnostics.isEmpty)
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.capturedAt == runTime)
        #expect(snapshot.source.capabilities == [.sessions, .users, .releases, .issues, .issueDays, .notes])
        #expect(snapshot.health.count == 14)
        #expect(
            snapshot.releases.map(\.version.description) == [
                "4.2.1 (371)", "4.2.0 (360)", "4.1.0", "4.0.0 (341)",
            ])
        #expect(snapshot.issues.map(\.id) == ["e1", "e2", "e3", "e4", "e6"])
        #expect(snapshot.notes.map(\.id) == ["n1", "n2", "n3"])
        #expect(outcome.requests == 14)
        #expect(requests.map(\.target) == Self.targets)
        #expect(requests.allSatisfy { $0.header("Accept") == "application/json" })
    }

    /// Links of two kinds, followed as they were sent; the list of projects ends with the page that has the project.
    private static let targets = [
        "/user/organizations", "/organizations/65b0000000000000000000a1/projects?per_page=100",
        "/organizations/65b0000000000000000000a2/projects?per_page=100",
        "/projects/65c000000000000000000001/stability_trend",
        "/projects/65c000000000000000000001/release_groups?release_stage_name=production",
        "/projects/65c000000000000000000001/release_groups?page_token=65d000000000000000000002%7C1793091600000%7C0"
            + "&release_stage_name=production",
        "/projects/65c000000000000000000001/releases?release_stage=production&sort=timestamp",
        "/projects/65c000000000000000000001/releases?offset=3&release_stage=production&sort=timestamp",
        "/projects/65c000000000000000000001/event_fields",
        "/projects/65c000000000000000000001/errors?sort=events&direction=desc&per_page=30&histogram=two_week"
            + "&filters%5Bapp.release_stage%5D%5B%5D%5Btype%5D=eq"
            + "&filters%5Bapp.release_stage%5D%5B%5D%5Bvalue%5D=production",
        "/projects/65c000000000000000000001/errors?base=2026-11-20T06%3A00%3A00Z&direction=desc"
            + "&filters%5Bapp.release_stage%5D%5B%5D%5Btype%5D=eq"
            + "&filters%5Bapp.release_stage%5D%5B%5D%5Bvalue%5D=production&histogram=two_week"
            + "&offset%5Bcount%5D=3&per_page=30&sort=events",
        "/projects/65c000000000000000000001/errors?sort=events&direction=desc&per_page=30"
            + "&filters%5Bevent.unhandled%5D%5B%5D%5Btype%5D=eq"
            + "&filters%5Bevent.unhandled%5D%5B%5D%5Bvalue%5D=true"
            + "&filters%5Bapp.release_stage%5D%5B%5D%5Btype%5D=eq"
            + "&filters%5Bapp.release_stage%5D%5B%5D%5Bvalue%5D=production",
        "/projects/65c000000000000000000001/errors/e1/comments",
        "/projects/65c000000000000000000001/errors/e2/comments",
    ]

    @Test func emptyDaysAndUnknownUsersAreNotTakenForStable() async throws {
        let days = try #require(try await fetch().outcome.snapshots.first).health
        #expect(days[3].sessions == 0)
        #expect(days[3].crashedSessionShare == nil)
        #expect(days[3].users == 0)
        #expect(days[6].sessions == 5822)
        #expect(days[6].users == nil)
        #expect(days[6].crashedUsers == nil)
        #expect(days[0].crashedSessionShare == Fraction(20, of: 5000))
        #expect(days[13].date.description == "2026-11-19")
    }

    @Test func versionsTakeTheirCountsFromGroupsOrElseFromBuilds() async throws {
        let releases = try #require(try await fetch().outcome.snapshots.first).releases
        #expect(
            releases.map(\.lifetime) == [
                ReleaseTotals(sessions: 31000, crashedSessions: 180, sessionsLastDay: 4100),
                ReleaseTotals(sessions: 52000, crashedSessions: 410, sessionsLastDay: 1900),
                ReleaseTotals(sessions: 90000, crashedSessions: 300, sessionsLastDay: 12),
                ReleaseTotals(sessions: 1000, crashedSessions: 10, sessionsLastDay: 0),
            ])
        #expect(
            releases.map { $0.releasedAt?.date.description } == [
                "2026-11-10", "2026-10-27", nil, "2026-08-01",
            ])
    }

    @Test func errorsBecomeIssuesAndCommentsBecomeNotes() async throws {
        let snapshot = try #require(try await fetch().outcome.snapshots.first)
        let issues = snapshot.issues
        #expect(
            issues.map(\.title) == [
                "EXC_BAD_ACCESS: Attempted to dereference garbage pointer",
                "NSRangeException: index 7 beyond bounds", "URLError: The request timed out.",
                "DecodingError: keyNotFound", "CanvasViewController",
            ])
        // A handled error may be as severe as a crash, and an unhandled one less so.
        #expect(issues.map(\.kind) == [.crash, .error, .crash, .error, .crash])
        #expect(issues.map(\.state) == [.open, .open, .muted, .closed, .open])
        #expect(issues.map(\.users) == [640, nil, 188, 60, 5])
        #expect(
            issues.map(\.place) == [
                CodePlace(file: "Sources/Canvas/Brush.swift", line: 88),
                CodePlace(file: "Sources/Layers/Stack.swift", line: 41), nil,
                CodePlace(file: "Sources/Sync/Page.swift", line: 12), nil,
            ])
        #expect(issues[0].firstSeen?.description == "2026-10-28T07:30:00Z")
        #expect(issues[0].url == "https://app.bugsnag.com/lantern-works/sketchbook-ios/errors/e1")
        #expect(snapshot.notes.map(\.subject) == [.issue("e1"), .issue("e1"), .issue("e2")])
        #expect(snapshot.notes.map(\.author) == ["Team member", "", "Team member"])
    }

    /// Where the list of the unhandled ones does not come, is cut, or cannot be requested, severity says the rest.
    @Test(
        arguments: [
            (
                "the whole list", #"[{"id":"e2"},{"id":"e3"}]"#, false, true,
                [.error, .crash, .crash, .error, .error], []
            ),
            (
                "no list", "{", false, true, [.crash, .crash, .error, .error, .crash],
                ["e1", "e2", "e3", "e4", "e6"]
            ),
            (
                "a cut list", #"[{"id":"e4"}]"#, true, true, [.crash, .crash, .error, .crash, .crash],
                ["e1", "e2", "e3", "e6"]
            ),
            (
                "a list that moved", #"[{"id":"e4"},{"id":"e4"}]"#, false, true,
                [.crash, .crash, .error, .crash, .crash], ["e1", "e2", "e3", "e6"]
            ),
            ("nothing to filter by", "[]", false, false, [.crash, .crash, .error, .error, .crash], []),
        ] as [(String, String, Bool, Bool, [AppHealth.Issue.Kind], [String])])
    func crashesAreTheIssuesThatNothingHandled(
        name: String, list: String, isCut: Bool, hasField: Bool, kinds: [AppHealth.Issue.Kind],
        unstated: [String]
    ) async throws {
        let project = "/projects/65c000000000000000000001"
        let stub = try await StubBugsnag.start { request in
            if request.path == "\(project)/event_fields", !hasField {
                return .json(#"[{"display_id":"app.release_stage"}]"#)
            }
            guard request.target.contains("event.unhandled") else { return nil }
            let link = (name: "Link", value: "<http://elsewhere.example/>; rel=\"next\"")
            return .json(list, headers: isCut ? [link] : [])
        }
        let outcome = try await stub.fetch(stub.configuration())
        #expect(outcome.snapshots.first?.issues.map(\.kind) == kinds, "\(name)")
        #expect(outcome.snapshots.first?.unstatedKinds == Set(unstated), "\(name)")
        #expect(stub.server.requests.contains { $0.target.contains("event.unhandled") } == hasField)
        let warnings = outcome.diagnostics.map(\.summary)
        #expect(warnings.contains("bugsnag: couldn't fetch unhandled issues") == (list == "{"))
    }

    /// Where the fields of events do not come, the kinds are not known.
    @Test func withoutFieldsKindsAreNotStated() async throws {
        let stub = try await StubBugsnag.start { request in
            request.path.hasSuffix("/event_fields") ? .text("oops", status: 500) : nil
        }
        let snapshot = try #require(try await stub.fetch(stub.configuration()).snapshots.first)
        #expect(snapshot.unstatedKinds == ["e1", "e2", "e3", "e4", "e6"])
        #expect(!stub.server.requests.contains { $0.target.contains("event.unhandled") })
    }

    @Test(arguments: [
        ("65c000000000000000000003", "65c000000000000000000003"), ("tidepool", "65c000000000000000000003"),
        ("Tidepool", "65c000000000000000000003"), ("Sketchbook iOS", "65c000000000000000000001"),
    ])
    func findsTheProjectByIDSlugOrName(name: String, id: String) async throws {
        let (_, requests) = try await fetch { $0.project = name }
        #expect(requests.contains { $0.path == "/projects/\(id)/stability_trend" })
    }

    @Test(arguments: [
        ("sketchbok-ios", nil, "bugsnag.not-found", "did you mean 'sketchbook-ios'?"),
        (
            "metronome", nil, "bugsnag.ambiguous",
            "write the slug or the id, and the organization when the slugs are alike"
        ),
        ("sketchbook-ios", "lantern-work", "bugsnag.not-found", "did you mean 'lantern-works'?"),
        ("sketchbook-ios", "harbour-lab", "bugsnag.not-found", "correct the name in the configuration"),
    ])
    func aNameThatFitsNoneOrSeveralIsAFailure(
        project: String, organization: String?, id: String, hint: String
    ) async throws {
        let outcome = try await fetch { ($0.project, $0.organization) = (project, organization) }.outcome
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.map(\.why.id) == [id])
        #expect(outcome.failures.map(\.at) == [runTime])
        #expect(outcome.failures.first?.why.hints == [hint])
    }

    @Test func anOrganizationMakesAnAmbiguousSlugPlain() async throws {
        let (_, requests) = try await fetch { ($0.project, $0.organization) = ("metronome", "harbour-lab") }
        #expect(requests.contains { $0.path == "/projects/65c000000000000000000004/stability_trend" })
        #expect(!requests.contains { $0.path.contains("a1/projects") })
    }

    @Test func theRequestsLastForTheBudgetAndTheRestIsSaid() async throws {
        let outcome = try await fetch { $0.mostRequests = 13 }.outcome
        #expect(outcome.requests == 13)
        #expect(outcome.snapshots.first?.notes.map(\.id) == ["n3"])
        #expect(outcome.diagnostics.map(\.summary) == ["bugsnag: skipped notes of 1 issue"])
        let few = try await fetch { $0.mostRequests = 6 }.outcome
        #expect(few.requests == 6)
        #expect(few.snapshots.first?.health.count == 14)
        #expect(
            few.diagnostics.map(\.summary) == [
                "bugsnag: couldn't fetch builds", "bugsnag: couldn't fetch issues",
            ])
    }

    @Test func aListThatIsCutSaysSo() async throws {
        let outcome = try await fetch { $0.mostErrorPages = 1 }.outcome
        #expect(outcome.snapshots.first?.issues.count == 3)
        #expect(outcome.diagnostics.map(\.summary) == ["bugsnag: a list ends after page 1, with 3 elements"])
        #expect(outcome.diagnostics.first?.details == ["no more pages are read in one fetch"])
        // That is all that the provider has of it: no problem.
        #expect(outcome.diagnostics.map(\.severity) == [.note])
    }

    @Test func anotherStageThanRequestedIsSaid() async throws {
        let outcome = try await fetch { $0.releaseStage = "beta" }.outcome
        let snapshot = try #require(outcome.snapshots.first)
        #expect(
            snapshot.source.sessionDefinition.hasSuffix(
                "release stage 'production', not the configured 'beta'."))
        #expect(snapshot.warnings.first?.id == "bugsnag.release-stage")
    }

    private static let reconfigured =
        "bugsnag: this source reported release stage 'beta', not 'production'"

    /// Of stored stages, the configured one and a primary one that is `production`: what is lost is refused, and the
    /// configured stage may become the primary one.
    @Test(
        arguments: [
            ("beta", "beta", "production", reconfigured),
            ("beta", "gamma", "production", reconfigured),
            ("beta", "production", "production", nil), ("production", "beta", "production", nil),
            ("production", "production", "beta", nil),
        ] as [(String, String, String, String?)])
    func anotherStageUnderTheSameIdIsRefused(
        counted: String, configured: String, now: String, refusal: String?
    ) async throws {
        let stub = try await StubBugsnag.start()
        var configuration = try stub.configuration()
        configuration.releaseStage = now
        let outcome = try await stub.fetch(
            configuration, providedBefore: [.sessions, .users],
            of: BugsnagStages(counted: counted, configured: configured))
        #expect(outcome.failures.map(\.why.summary) == [refusal].compactMap(\.self))
        #expect(outcome.snapshots.isEmpty == (refusal != nil))
        #expect(outcome.snapshots.first?.health.isEmpty != true)
    }

    @Test(
        arguments: [
            ("release stage 'a'.", BugsnagStages(counted: "a", configured: "a")),
            ("A session; release stage 'it's'.", BugsnagStages(counted: "it's", configured: "it's")),
            ("release stage 'a', not the configured 'b'.", BugsnagStages(counted: "a", configured: "b")),
            ("release stage 'a'", nil), ("a.", nil), ("", nil),
        ] as [(String, BugsnagStages?)])
    func stagesAreReadFromADefinition(text: String, stages: BugsnagStages?) {
        #expect(BugsnagStages(in: text) == stages)
        if let stages { #expect(text.hasSuffix(stages.words)) }
    }

    /// Someone made another stage the primary one: its days would take the place of those that are stored.
    @Test func theTrendOfAnotherStageIsNotStoredOverTheConfiguredOne() async throws {
        let stub = try await StubBugsnag.start()
        var configuration = try stub.configuration()
        configuration.releaseStage = "beta"
        let outcome = try await stub.fetch(configuration, providedBefore: [.sessions, .users])
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.health.isEmpty && spans(snapshot, .sessions).isEmpty)
        #expect(snapshot.source.sessionDefinition.hasSuffix("release stage 'beta'."))
        #expect(snapshot.source.capabilities.isSuperset(of: [.sessions, .users]))
        let why = try #require(outcome.failures.first?.why)
        #expect(why.id == "bugsnag.stage-changed")
        #expect(
            why.summary
                == "bugsnag: sessions and users are now of release stage 'production', not 'beta'")
        #expect(why.hints.last?.contains("'releaseStage: production'") == true)
    }

    /// The list would go on as it was, as if it were new.
    @Test func errorsThatWereProvidedAndAreRefusedAreAFailure() async throws {
        let stub = try await StubBugsnag.start { request in
            request.path.hasSuffix("/errors") ? .json(#"{"errors":["none here"]}"#, status: 403) : nil
        }
        let stored = KnownIssues(issues: [AppHealth.Issue(id: "e1", title: "a")])
        let outcome = try await stub.fetch(
            stub.configuration(), providedBefore: [.sessions, .issues], stored: stored)
        #expect(outcome.failures.map(\.why.id) == ["transport.status-403"])
        #expect(outcome.failures.first?.why.details.last == "couldn't fetch issues")
        #expect(outcome.snapshots.first?.health.isEmpty == false)
    }

    @Test func plansItsRequestsWithoutTheToken() async throws {
        let stub = try await StubBugsnag.start()
        var configuration = try stub.configuration()
        configuration.base = try Address("https://bugs.example.org/api/")
        configuration.userDays = 7
        let plan = try BugsnagProvider(configuration, sender: client()).plan(for: app("sketchbook"))
        #expect(
            plan.map(\.address) == [
                "https://bugs.example.org/api/user/organizations",
                "https://bugs.example.org/api/organizations/{organization}/projects?per_page=100",
                "https://bugs.example.org/api/projects/{project}/stability_trend",
                "https://bugs.example.org/api/projects/{project}/release_groups?release_stage_name=production",
                "https://bugs.example.org/api/projects/{project}/releases?release_stage=production&sort=timestamp",
                "https://bugs.example.org/api/projects/{project}/event_fields",
                "https://bugs.example.org/api/projects/{project}/errors?sort=events&direction=desc&per_page=30"
                    + "&histogram=two_week&filters[app.release_stage][][type]=eq"
                    + "&filters[app.release_stage][][value]=production",
                "https://bugs.example.org/api/projects/{project}/errors?sort=events&direction=desc&per_page=30"
                    + "&filters[event.unhandled][][type]=eq&filters[event.unhandled][][value]=true"
                    + "&filters[app.release_stage][][type]=eq&filters[app.release_stage][][value]=production",
                "https://bugs.example.org/api/projects/{project}/errors?sort=users&direction=desc&per_page=30"
                    + "&filters[event.since][][type]=eq&filters[event.since][][value]={day}T00:00:00Z"
                    + "&filters[event.before][][type]=eq&filters[event.before][][value]={next day}T00:00:00Z"
                    + "&filters[app.release_stage][][type]=eq&filters[app.release_stage][][value]=production",
                "https://bugs.example.org/api/projects/{project}/errors/{error}/comments",
            ])
        #expect(plan.map(\.most) == [10, 10, 1, 3, 3, 3, 4, 4, 7, 17])
        #expect(!"\(plan) \(configuration)".contains(StubBugsnag.token))
        await stub.server.stop()
    }
}
