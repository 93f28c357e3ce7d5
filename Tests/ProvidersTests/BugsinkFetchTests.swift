import AppHealth
import Diagnostics
import LoopbackServer
import Testing
import Transport

@testable import Providers

struct BugsinkFetchTests {
    private func fetch(
        _ change: (inout BugsinkConfiguration) -> Void = { _ in }
    ) async throws -> (outcome: FetchOutcome, requests: [RecordedRequest]) {
        let server = try await StubBugsink.start()
        var configuration = try StubBugsink.configuration(server)
        change(&configuration)
        let outcome = try await BugsinkProvider(configuration, sender: client()).fetch(
            app("sketchbook"), at: runTime)
        await server.stop()
        return (outcome, server.requests)
    }

    @Test func fetchesEverythingOverAllPages() async throws {
        let (outcome, requests) = try await fetch()
        #expect(outcome.diagnostics.map(\.everything) == [])
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.source.capabilities == [.releases, .issues, .issueDays, .notes])
        #expect(snapshot.health.allSatisfy { $0.sessions == nil && $0.users == nil && $0.version == nil })
        #expect(snapshot.usage.isEmpty)
        #expect(snapshot.issues.map(\.id) == ["i1", "i2", "i3", "i4"])
        #expect(snapshot.issues.map(\.events) == [50, 40, 3, 2])
        #expect(requests.map(\.target).map { $0.replacing(StubBugsink.root, with: "") } == Self.targets)
        #expect(outcome.requests == requests.count)
    }

    /// The fourth issue was not seen in the window: no more of it is requested.
    private static let targets =
        [
            "/projects/", "/issues/?project=2&sort=digested_event_count&order=desc",
            "/issues/?cursor=cD0y&order=desc&project=2", "/releases/?project=2",
            "/projects/2/event-counts/?start=2026-10-24T00%3A00%3A00Z",
            "/issues/?project=2&q=handled%3Afalse&sort=digested_event_count&order=desc",
        ] + ["i1", "i2", "i3"].map { "/issues/\($0)/event-counts/?start=2026-10-24T00%3A00%3A00Z" }
        + ["i1", "i2", "i3"].flatMap { ["/events/?issue=\($0)&order=desc", "/events/event-of-\($0)/"] }
        + ["i1", "i2", "i3"].map { "/issues/\($0)/tags/?key=user" }
        + ["i1", "i2", "i3"].map { "/issue-history/?issue=\($0)" }

    @Test func issuesTakePlaceKindAndUsersFromEventsAndTags() async throws {
        let (outcome, requests) = try await fetch()
        let issues = try #require(outcome.snapshots.first).issues
        let origin = try #require(requests.first?.header("Host"))
        #expect(issues.map(\.kind) == [.crash, .hang, .error, .error])
        #expect(issues.map(\.state) == [.open, .closed, .muted, .open])
        #expect(
            issues.map(\.place) == [
                CodePlace(file: "Sources/Brush.swift", line: 88), CodePlace(file: "Looper.java", line: nil),
                nil, nil,
            ])
        #expect(issues.map(\.users) == [2, nil, nil, nil])
        #expect(issues.map(\.title) == Array(repeating: "RangeError: index 7", count: 4))
        #expect(issues[0].firstVersion == Version("4.2.0", build: "360"))
        #expect(issues[0].lastVersion == Version("4.10.0", build: "400"))
        #expect(issues.map(\.fixedIn) == [nil, Version("4.2.0", build: "360"), nil, nil])
        #expect(issues[0].url == "http://\(origin)/issues/issue/i1/event/last/")
        #expect(issues[0].lastSeen?.description == "2026-11-20T02:07:45Z")
    }

    @Test func hoursBecomeDaysAndCommentsNotes() async throws {
        let snapshot = try #require(try await fetch().outcome.snapshots.first)
        let days = snapshot.issueDays.filter { $0.issue == "i1" }
        #expect(days.map(\.date) == (0..<28).map { runTime.date.advanced(by: $0 - 27) })
        #expect(days.map(\.events) == Array(repeating: 0, count: 25) + [7, 5, 0])
        #expect(days.allSatisfy { $0.users == nil && $0.version == nil })
        #expect(snapshot.notes.map(\.text) == ["Seen on **two** devices", "should be gone"])
        #expect(snapshot.notes.map(\.author) == ["", "Team member"])
        #expect(snapshot.releases.map(\.version.description) == ["4.10.0 (400)", "4.2.0 (360)", "2f5c1e"])
        #expect(
            snapshot.releases.map { $0.releasedAt?.date.description } == ["2026-11-18", "2026-11-12", nil])
    }

    @Test(arguments: [("1", "1"), ("2", "2"), ("tidepool", "1"), ("Sketchbook iOS", "2")])
    func findsTheProjectByIDSlugOrName(name: String, id: String) async throws {
        let (_, requests) = try await fetch { $0.project = name }
        #expect(requests.contains { $0.path.hasSuffix("/releases/") && $0.parameter("project") == id })
    }

    @Test func aNameThatFitsNoneIsAFailureWithAHint() async throws {
        let outcome = try await fetch { $0.project = "sketchbok-ios" }.outcome
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.map(\.why.id) == ["bugsink.not-found"])
        #expect(outcome.failures.first?.why.hints == ["did you mean 'sketchbook-ios'?"])
        #expect(outcome.requests == 1)
    }

    @Test func theRequestsLastForTheBudgetAndTheRestIsSaid() async throws {
        let outcome = try await fetch { $0.mostRequests = 9 }.outcome
        #expect(outcome.requests == 9)
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.issueDays.count == 28)
        #expect(
            snapshot.warnings.map(\.summary) == [
                "bugsink: skipped counts by day of 2 issues",
                "bugsink: couldn't fetch place and kind of 2 issues",
                "bugsink: couldn't fetch users of 3 issues",
                "bugsink: couldn't fetch notes of 3 issues",
            ])
        #expect(snapshot.warnings.last?.details.first == "bugsink: limit of 9 requests per fetch reached")
        let few = try await fetch { ($0.mostIssues, $0.mostPages, $0.days) = (1, 1, 3) }
        #expect(few.outcome.snapshots.first?.issues.count == 2)
        #expect(few.requests.contains { $0.target.contains("start=2026-11-18T00") })
        #expect(
            few.outcome.diagnostics.map(\.summary) == ["bugsink: a list ends after page 1, with 2 elements"])
    }

    @Test func plansItsRequestsWithoutTheToken() async throws {
        let server = try await StubBugsink.start()
        var configuration = try StubBugsink.configuration(server)
        configuration.base = try Address("https://bugs.example.org/sub/")
        let plan = try BugsinkProvider(configuration, sender: client()).plan(for: app("sketchbook"))
        #expect(plan.first?.address == "https://bugs.example.org/sub/api/canonical/0/projects/")
        #expect(
            plan.last?.address == "https://bugs.example.org/sub/api/canonical/0/issue-history/?issue={issue}")
        #expect(plan.count == 13)
        #expect(!"\(plan) \(configuration)".contains(StubBugsink.token))
        await server.stop()
    }
}
