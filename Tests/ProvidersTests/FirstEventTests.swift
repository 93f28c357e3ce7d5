import AppHealth
import Testing

@testable import Providers

/// From which day on a source is known to have counted.
struct FirstEventTests {
    private func date(_ day: Int) -> CivilDate { CivilDate(daysSinceEpoch: 20_000 + day) }

    /// Crashes of four days, of which each is stated whole; the day on which an issue was first seen, that of the last fetch,
    /// that of a stored event, and the first day that is left.
    @Test(
        arguments: [
            ("the third day has the first crash", [0, 0, 4, 0], nil, nil, nil, 2),
            ("none has a crash", [0, 0, 0, 0], nil, nil, nil, 4),
            ("none has a crash, and it was read before", [0, 0, 0, 0], nil, 2, nil, 2),
            ("none has a crash, and one is stored", [0, 0, 0, 0], nil, nil, -9, 0),
            ("the first day has one", [3, 0, 0, 0], nil, nil, nil, 0),
            ("an issue was first seen before", [0, 0, 4, 0], 1, nil, nil, 1),
            ("an issue was first seen before the window", [0, 0, 4, 0], -30, nil, nil, 0),
            ("an issue was first seen, and had no event on these days", [0, 0, 0, 0], 3, nil, nil, 3),
            ("an earlier event is stored", [0, 0, 4, 0], nil, nil, 1, 1),
            ("one from before the window is stored", [0, 0, 4, 0], nil, nil, -30, 0),
            ("only later events are stored", [0, 0, 4, 0], nil, nil, 3, 2),
            ("it was read on the day before", [0, 0, 4, 0], nil, 1, nil, 1),
            ("it was read later", [0, 0, 4, 0], nil, 3, nil, 2),
        ] as [(String, [Int], Int?, Int?, Int?, Int)])
    func daysBeforeTheFirstEventAreRemoved(
        name: String, crashes: [Int], seen: Int?, read: Int?, stored: Int?, first: Int
    ) {
        var snapshot = snapshot(crashes)
        if let seen {
            snapshot.issues = [
                AppHealth.Issue(
                    id: "a", title: "A", kind: .crash, state: .open, firstSeen: Instant(startOf: date(seen)))
            ]
        }
        let days = [stored].compactMap(\.self).map {
            IssueDay(issue: "a", date: date($0), events: 1, users: nil)
        }
        snapshot.removeDaysBeforeFirstEvent(lastFetch: read.map(date)) { KnownIssues(days: days) }
        let left = (first..<4).map(date)
        #expect(snapshot.health.map(\.date) == left, "\(name)")
        #expect(snapshot.issueDays.map(\.date) == left, "\(name)")
        let span = first < 4 ? [date(first)...date(3)] : []
        #expect(snapshot.coverage.filter { $0.fact == .crashes }.map(\.days) == span, "\(name)")
        // A span that ends before is gone.
        let early = first == 0 ? [date(0)...date(0)] : []
        #expect(snapshot.coverage.filter { $0.fact == .issueUsers }.map(\.days) == early, "\(name)")
    }

    /// Users and sessions show that the app was there, and so do issues of any kind; a stored day without an event does not.
    @Test func whateverIsCountedIsAnEvent() {
        var used = snapshot([0, 0, 0, 2])
        used.health[1].users = 40
        used.removeDaysBeforeFirstEvent { KnownIssues() }
        #expect(used.health.map(\.date) == (1..<4).map(date))
        var failed = snapshot([0, 0, 0, 2])
        failed.issueDays[2].events = 1
        let none = IssueDay(issue: "a", date: date(0), events: 0, users: nil)
        failed.removeDaysBeforeFirstEvent { KnownIssues(days: [none]) }
        #expect(failed.health.map(\.date) == (2..<4).map(date))
    }

    private func snapshot(_ crashes: [Int]) -> Snapshot {
        var snapshot = Snapshot(
            app: app("ferry"), source: bugsinkSource(Slug(anyText: "bugsink")), capturedAt: runTime)
        snapshot.health = crashes.enumerated().map { HealthDay(date: date($0.offset), crashes: $0.element) }
        snapshot.issueDays = crashes.indices.map {
            IssueDay(issue: "a", date: date($0), events: 0, users: nil)
        }
        let last = crashes.count - 1
        snapshot.coverage = [
            CoverageSpan(.crashes, date(0)...date(last)), CoverageSpan(.issueDays, date(0)...date(last)),
            CoverageSpan(.issueUsers, date(0)...date(0)),
        ]
        return snapshot
    }
}
