import AppHealth
import Diagnostics
import Foundation
import Testing
import Transport

@testable import Providers

/// What Sentry's own SDK sent to a real server comes out of the provider.
@Suite(
    .enabled(
        if: RealBugsink.isWanted,
        "set PLIMSOLL_REAL_SERVERS=1 to start a real Bugsink server (PyPI, Python 3)"))
struct BugsinkRealServerTests {
    @Test func fetchesWhatTheSDKSent() async throws {
        let server = try RealBugsink()
        defer { server.stop() }
        if let reason = server.facts.skip { try Test.cancel("\(reason)") }
        let token = try #require(server.facts.token)
        let configuration = try BugsinkConfiguration(
            project: try #require(server.facts.project), token: try #require(Secret(token)),
            base: try #require(server.facts.origin))
        let now = Instant(secondsSinceEpoch: Int(Date().timeIntervalSince1970))
        let outcome = try await BugsinkProvider(configuration, sender: client()).fetch(
            app("sketchbook"), at: now)
        #expect(outcome.diagnostics.map(\.everything) == [])
        let snapshot = try #require(outcome.snapshots.first)
        check(snapshot, now)
        // Project, issues, releases, days of the project, unhandled issues; then days, list of events, event, users and
        // notes of four issues.
        #expect(outcome.requests == 5 + 5 * 4)
        let wrong = try BugsinkConfiguration(
            project: "sketchbook-ios", token: try #require(Secret(String(repeating: "0", count: 40))),
            base: try #require(server.facts.origin))
        let refused = try await BugsinkProvider(wrong, sender: client()).fetch(app("sketchbook"), at: now)
        #expect(refused.failures.map(\.why.id) == ["transport.status-401"])
    }

    private func check(_ snapshot: Snapshot, _ now: Instant) {
        let issues = snapshot.issues
        #expect(
            issues.map(\.title) == [
                "IndexError: list index out of range", "ConnectionError: the request timed out",
                "ApplicationNotResponding: blocked for 5 s", "Log Message: Low on <b>space</b>",
            ])
        #expect(issues.map(\.events) == [9, 4, 2, 1])
        #expect(issues.map(\.kind) == [.crash, .error, .hang, .error])
        #expect(issues.map(\.state) == [.open, .closed, .muted, .open])
        #expect(issues.prefix(3).map(\.users) == [4, nil, 1])
        #expect(issues.map(\.place?.fileName) == ["events.py", "events.py", "events.py", nil])
        #expect(issues.map(\.place?.line) == [8, 9, 10, nil])
        #expect(issues[0].firstVersion == Version("4.1.0", build: "350"))
        #expect(issues[0].lastVersion == Version("4.2.0", build: "360"))
        #expect(issues[1].fixedIn == Version("4.2.0", build: "360"))
        #expect(snapshot.releases.map(\.version.description) == ["4.2.0 (360)", "4.1.0 (350)"])
        #expect(snapshot.notes.map(\.text) == ["Seen when the <b>last</b> stroke is undone."])
        #expect(snapshot.notes.map(\.subject) == [.issue(issues[0].id)])
        // Midnight may pass between the events and the fetch: the days are added.
        for issue in issues {
            let days = snapshot.issueDays.filter { $0.issue == issue.id }
            #expect(days.count == 28)
            #expect(days.compactMap(\.events).reduce(0, +) == issue.events)
        }
        // The days of the project are those of its issues.
        #expect(snapshot.health.count == 90)
        #expect(snapshot.health.compactMap(\.crashes).reduce(0, +) == 16)
        for day in snapshot.health.suffix(28) {
            let events = snapshot.issueDays.filter { $0.date == day.date }.compactMap(\.events).reduce(0, +)
            #expect(day.crashes == events)
        }
        #expect(Set(snapshot.coverage.map(\.fact)) == [.crashes, .issueDays])
        #expect(snapshot.coverage.allSatisfy { $0.coverage == .complete })
    }
}
