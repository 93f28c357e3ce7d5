import AppHealth
import Diagnostics
import Foundation
import LoopbackServer
import Testing

@testable import Providers

/// Sentry returns at most 10,000 points and leaves out the smallest groups without a word.
struct SentryCapTests {
    private func fetch(
        releases: Int, points: Int = 1_000, healthy: (Int) -> Int = { 10 + $0 },
        _ change: (inout SentryConfiguration) -> Void
    ) async throws -> (snapshot: Snapshot, spans: [(isUsers: Bool, days: Int)]) {
        var sessions = StubSessions(runs: [])
        let first = runTime.date.advanced(by: -100)
        sessions.runs = (0..<releases).map { index in
            StubSessions.Run(
                release: "app@1.\(index)", first: first, last: runTime.date,
                statuses: [healthy(index), 1, index % 2, 0, 0], users: 5, crashedUsers: 1)
        }
        sessions.points = points
        let stub = try await StubSentry.start(sessions: sessions)
        var configuration = try stub.configuration()
        configuration.mostDetailedIssues = 0
        // A tenth of the service's, so that there is less to send.
        configuration.mostPoints = 1_000
        change(&configuration)
        let outcome = try await stub.fetch(configuration)
        let asked = stub.server.requests.filter { $0.query.contains { $0.value == "release" } }
        return (try #require(outcome.snapshots.first), asked.map(span))
    }

    private func span(_ request: RecordedRequest) -> (isUsers: Bool, days: Int) {
        let days = ["start", "end"].compactMap { request.parameter($0).flatMap { CivilDate($0.prefix(10)) } }
        return (request.target.contains("count_unique"), days[0].days(to: days[1]) + 1)
    }

    private func sessions(_ snapshot: Snapshot) -> [CivilDate: Int] {
        snapshot.health.filter { $0.version != nil }.reduce(into: [:]) {
            $0[$1.date, default: 0] += $1.sessions ?? 0
        }
    }

    @Test func questionsAreCutUntilNothingIsLost() async throws {
        let (snapshot, spans) = try await fetch(releases: 40) { $0.days = 20 }
        // The list covers 5 releases, so that users are requested at once, and 1000 / 21 groups are returned:
        // all 40. Statuses take 5 groups for each, 4 days at a time.
        #expect(spans.filter(\.isUsers).map(\.days) == [20])
        #expect(spans.filter { !$0.isUsers }.map(\.days) == [4, 4, 4, 4, 4])
        #expect(snapshot.health.count == 20 + 20 * 40)
    }

    @Test func anAnswerThatLacksSessionsIsRequestedAgainInHalves() async throws {
        let (snapshot, spans) = try await fetch(releases: 40) { $0.days = 30 }
        #expect(spans.filter(\.isUsers).map(\.days) == [30, 15, 15])
        let totals = snapshot.health.filter { $0.version == nil }
        let byRelease = sessions(snapshot)
        #expect(totals.allSatisfy { byRelease[$0.date] == $0.sessions })
        #expect(!snapshot.warnings.contains { $0.id == "sentry.releases-cut" })
    }

    @Test func whatDoesNotFitInOneDayIsSaid() async throws {
        let (snapshot, spans) = try await fetch(releases: 60, points: 104) { $0.days = 2 }
        #expect(spans.map(\.days) == [2, 1, 1, 2, 1, 1])
        let cuts = snapshot.warnings.filter { $0.id == "sentry.releases-cut" }
        #expect(
            cuts.map(\.summary) == [
                "sentry: skipped users of releases with the fewest sessions",
                "sentry: skipped sessions of releases with the fewest sessions",
            ])
        let all = (0..<60).reduce(0) { $0 + 11 + $1 + $1 % 2 }
        #expect(cuts.first?.details.count == 2)
        // 52 groups are 10 releases and two statuses of the next, which is not taken for stable.
        let newest = snapshot.health.filter { $0.date.description == "2026-11-19" && $0.version != nil }
        #expect(newest.count { $0.crashedSessions != nil } == 10)
        #expect(newest.count == 52)
        #expect(cuts.first?.details.allSatisfy { $0.hasSuffix(" of \(all) sessions") } == true)
        #expect(snapshot.health.contains { $0.version == "1.59" })
        #expect(!snapshot.health.contains { $0.version == "1.0" })
    }

    /// However few sessions they have: a release that is missing had some.
    @Test func releasesThatDoNotFitMakeTheirDayAPart() async throws {
        let (snapshot, _) = try await fetch(
            releases: 60, points: 104, healthy: { $0 < 2 ? 200_000 : 1 },
            { ($0.days, $0.mostPoints) = (2, 104) })
        #expect(snapshot.warnings.contains { $0.id == "sentry.releases-cut" })
        #expect(spans(snapshot, .releaseHealth) == ["2026-11-18…2026-11-19 partial ?/?"])
    }

    @Test func theRequestsForReleasesHaveALimitOfTheirOwn() async throws {
        let (snapshot, spans) = try await fetch(releases: 40) { ($0.days, $0.mostSessionRequests) = (20, 3) }
        #expect(spans.count == 3)
        let warning = snapshot.warnings.first { $0.id == "sentry.budget" }
        #expect(warning?.summary == "sentry: skipped sessions of releases on 12 days")
        #expect(warning?.details.last == "3 of at most 3 requests for releases were made")
        #expect(snapshot.issues.count == 5)
    }
}
