import AppHealth
import Diagnostics
import LoopbackServer
import Testing
import Transport

@testable import Providers

/// What a fetch must not write over: what earlier ones stored.
struct SentryStoredTests {
    private static let all: Set<Capability> = [.sessions, .users, .releases, .issues, .issueDays, .notes]

    private func fetch(
        _ project: String = "sketchbook-ios", sessions: StubSessions = .usual,
        providedBefore: Set<Capability>? = Self.all, in environment: String? = "production",
        stored: KnownIssues = KnownIssues(), fault: @escaping StubSentry.Fault = { _ in nil }
    ) async throws -> (outcome: FetchOutcome, requests: [RecordedRequest]) {
        let stub = try await StubSentry.start(sessions: sessions, fault: fault)
        let outcome = try await stub.fetch(
            stub.configuration(project), providedBefore: providedBefore, in: environment, stored: stored)
        return (outcome, stub.server.requests)
    }

    // MARK: Another environment

    /// The zeros of an environment, as of a new name of it, would take the place of the events of another.
    @Test(arguments: ["prod", "it's", "production-eu"]) func anotherEnvironmentIsAFailure(
        stored: String
    ) async throws {
        let (outcome, requests) = try await fetch(in: stored)
        #expect(requests.isEmpty && outcome.snapshots.isEmpty)
        let why = try #require(outcome.failures.first?.why)
        #expect(why.id == "sentry.environment-changed")
        #expect(
            why.summary
                == "sentry: this source reported environment '\(printable(stored))', not 'production'")
        #expect(why.hints.first?.contains("'until'") == true)
        #expect(why.hints.first?.contains("another 'id' for 'production'") == true)
    }

    /// Days of all environments together are those of a name that was wrong: the right one takes their place.
    @Test func anEnvironmentTakesThePlaceOfAllTogether() async throws {
        let outcome = try await fetch(in: nil).outcome
        #expect(outcome.failures.isEmpty && outcome.snapshots.first?.issues.count == 5)
    }

    // MARK: No sessions any more

    @Test(arguments: [
        // Days from November 1, a Sunday; the last is the newest.
        ([50, 50, 50, 50, 50, 50, 50, 50, 0], "2026-11-09"),
        ([50, 50, 50, 50, 50, 50, 50, 0, 0], "2026-11-08"),
        ([50, 50, 50, 50, 50, 50, 50, 0, 1], ""), ([50, 50, 50, 50, 50, 50, 50, 50], ""), ([0, 0], ""),
        ([], ""),
        // An app without users at the weekend.
        ([0, 50, 50, 50, 50, 50, 0, 0], ""), ([0, 50, 50, 50, 50, 50, 0, 0, 0], "2026-11-07"),
        // Few sessions may stay away by chance, for some days.
        ([9, 9, 9, 9, 9, 9, 9, 0, 0], ""), ([9, 9, 9, 9, 9, 9, 9, 0, 0, 0], "2026-11-08"),
    ])
    func silenceIsWhatUsualDaysAreNot(sessions: [Int], first: String) throws {
        let start = try #require(CivilDate("2026-11-01"))
        let days = sessions.enumerated().map {
            (start.advanced(by: $0.offset), SessionCounts(all: $0.element))
        }
        let found = silentDays(Dictionary(uniqueKeysWithValues: days))
        #expect(found.map(\.first.description) ?? "" == first)
    }

    /// Renamed in the app's SDK, an environment has no sessions from then on, and is still one.
    @Test(arguments: [
        (
            #"{"by":{"environment":"beta"},"series":{"sum(session)":[3,3]}},"#
                + #"{"by":{"environment":"prod"},"series":{"sum(session)":[500,510]}}"#,
            "with sessions since then: prod, beta"
        ),
        (
            #"{"by":{"environment":"production"},"series":{"sum(session)":[0,0]}}"#,
            "no environment has sessions since then"
        ),
    ])
    func anEnvironmentWithoutSessionsIsSaid(groups: String, detail: String) async throws {
        var sessions = StubSessions.usual
        for index in sessions.runs.indices {
            sessions.runs[index].last = try #require(CivilDate("2026-11-17"))
        }
        let (outcome, requests) = try await fetch(sessions: sessions) { request in
            guard request.parameter("groupBy") == "environment" else { return nil }
            return .json(
                #"{"end":"2026-11-20T00:00:00Z","intervals":["2026-11-18T00:00:00Z","2026-11-19T00:00:00Z"],"#
                    + #""groups":[\#(groups)]}"#)
        }
        let warning = try #require(outcome.diagnostics.first { $0.id == "sentry.no-sessions" })
        #expect(warning.summary == "sentry: no sessions in environment 'production' since 2026-11-18")
        #expect(warning.details == [detail])
        if detail.contains("prod,") { #expect(warning.hints.first?.contains("'until: 2026-11-17'") == true) }
        let asked = try #require(requests.first { $0.parameter("groupBy") == "environment" })
        #expect(asked.parameter("environment") == nil && asked.parameter("start") == "2026-11-18T00:00:00")
        // It is only said.
        #expect(outcome.failures.isEmpty && outcome.snapshots.first?.health.isEmpty == false)
    }

    // MARK: Issues

    private static let refused: StubSentry.Fault = { request in
        request.path.hasPrefix("\(StubSentry.root)/issues/") ? .json(#"{"detail":"no"}"#, status: 403) : nil
    }

    /// The list would go on as it was, as if it were new.
    @Test func issuesThatWereProvidedAndAreRefusedAreAFailure() async throws {
        let outcome = try await fetch(
            stored: KnownIssues(issues: [AppHealth.Issue(id: "5001", title: "a")]), fault: Self.refused
        ).outcome
        #expect(outcome.failures.map(\.why.id) == ["transport.status-403"])
        #expect(outcome.failures.first?.why.details.last == "couldn't fetch issues")
        // The rest is stored.
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.health.contains { $0.version == nil } && snapshot.issues.isEmpty)
        #expect(snapshot.source.capabilities.contains(.issues))
    }

    /// A token that never could read issues goes on as it is.
    @Test func issuesThatAreRefusedFromTheFirstFetchOnAreNotProvided() async throws {
        let first = try await fetch(providedBefore: nil, fault: Self.refused).outcome
        #expect(first.failures.isEmpty)
        let capabilities = try #require(first.snapshots.first?.source.capabilities)
        #expect(
            capabilities.isDisjoint(with: [.issues, .issueDays, .notes]) && capabilities.contains(.sessions))
        #expect(try await fetch(providedBefore: capabilities, fault: Self.refused).outcome.failures.isEmpty)
        // A source of an earlier version says that it has issues, and has none.
        #expect(try await fetch(fault: Self.refused).outcome.failures.isEmpty)
    }

    // MARK: The project

    @Test(arguments: [true, false]) func aProjectThatIsGoneMayHaveBeenDeleted(isKnown: Bool) async throws {
        let outcome = try await fetch("parrot", providedBefore: isKnown ? Self.all : nil).outcome
        let why = try #require(outcome.failures.first?.why)
        #expect(why.id == "sentry.not-found")
        let isHinted =
            why.hints.last == "if it was deleted, end the source with 'until': its stored days stay"
        #expect(isHinted == isKnown)
    }
}
