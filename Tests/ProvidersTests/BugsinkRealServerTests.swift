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
        try await checkThePast(of: server, token, now)
    }

    /// Each number of the project with four weeks of events is that of its truth file: with requests for all issues,
    /// and with requests for a few of them, where what is missing is not there or is said to be a part.
    private func checkThePast(of server: RealBugsink, _ token: String, _ now: Instant) async throws {
        let truth = BugsinkTruth(try server.truth(), until: now)
        var configuration = try BugsinkConfiguration(
            project: try #require(server.facts.past), token: try #require(Secret(token)),
            base: try #require(server.facts.origin))
        let whole = try #require(
            try await BugsinkProvider(configuration, sender: client()).fetch(app("tidepool"), at: now)
                .snapshots.first)
        #expect(whole.warnings.map(\.everything) == [])
        #expect(whole.coverage.allSatisfy { $0.coverage == .complete })
        #expect(truth.faults(of: whole) == [])
        #expect(whole.issues.count == truth.titles.count)
        #expect(whole.issueDays.count == 28 * truth.titles.count)
        #expect(whole.health.count == 28 && whole.health.allSatisfy { $0.crashes != nil })
        #expect(whole.issues.prefix(30).allSatisfy { $0.users != nil && $0.place != nil })

        (configuration.mostRequests, configuration.mostIssues) = (30, 3)
        let part = try #require(
            try await BugsinkProvider(configuration, sender: client()).fetch(app("tidepool"), at: now)
                .snapshots.first)
        #expect(truth.faults(of: part) == [])
        let asked = Set(part.issueDays.map(\.issue))
        #expect(!asked.isEmpty && asked.count < truth.titles.count)
        let coverage = CoverageHistory(part.coverage)
        for back in 0..<28 {
            let day = now.date.advanced(by: -back)
            let counted = part.issueDays.filter { $0.date == day }.reduce(0) { $0 + ($1.events ?? 0) }
            #expect(coverage(.issueDays, on: day).isComplete == (counted == truth.events(on: day)), "\(day)")
        }
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
        // Midnight may pass between the events and the fetch: the days are added. Nothing is known of those before.
        let first = issues.compactMap(\.firstSeen).min() ?? now
        let span = first.date.days(to: now.date) + 1
        for issue in issues {
            let days = snapshot.issueDays.filter { $0.issue == issue.id }
            #expect(days.count == span)
            #expect(days.compactMap(\.events).reduce(0, +) == issue.events)
        }
        // The crashes of the project are those of its one issue that is a crash.
        #expect(snapshot.health.count == span)
        #expect(snapshot.health.compactMap(\.crashes).reduce(0, +) == 9)
        for day in snapshot.health {
            let crashes = snapshot.issueDays.first { $0.date == day.date && $0.issue == issues[0].id }
            #expect(day.crashes == crashes?.events)
        }
        #expect(Set(snapshot.coverage.map(\.fact)) == [.crashes, .issueDays])
        #expect(snapshot.coverage.allSatisfy { $0.coverage == .complete })
    }
}
