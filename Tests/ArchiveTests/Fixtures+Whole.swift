import AppHealth
import Diagnostics

extension Snapshot {
    /// A snapshot with something of every kind, each list in the opposite of the order of a history.
    static func whole(at seconds: Int) -> Snapshot {
        .at(seconds) {
            $0.health = [
                HealthDay(date: day, version: "4.10", sessions: 2, users: 3, crashedUsers: 1),
                HealthDay(date: day, version: "4.9", sessions: 2),
                HealthDay(date: day, version: "", sessions: 9),
                HealthDay(date: day, sessions: 1, crashedSessions: 0),
            ]
            $0.usage = [
                UsageDay(date: day.advanced(by: 1), activeUsers: 1, weeklyActiveUsers: 2),
                UsageDay(date: day, monthlyActiveUsers: 3, newUsers: 4, sessions: 5),
            ]
            $0.releases = wholeReleases
            $0.issues = wholeIssues
            $0.issueDays = [
                IssueDay(issue: "é", date: day, events: nil, users: nil),
                IssueDay(issue: "b", date: day.advanced(by: 1), events: 0, users: 0),
                IssueDay(issue: "b", date: day, version: "4.10", events: 1, users: 1),
                IssueDay(issue: "b", date: day, version: "4.9", events: 1, users: nil),
                IssueDay(issue: "b", date: day, events: 2, users: 1),
            ]
            $0.deviceDays = [
                DeviceDay(date: day.advanced(by: 1), device: "iPhone", crashes: nil),
                DeviceDay(date: day, device: "iPhone", crashes: 3),
                DeviceDay(date: day, device: "iPad", crashes: 0),
            ]
            $0.healthHours = [
                HealthHour(hour: firstHour.advanced(by: 1), sessions: 0, crashedSessions: nil),
                HealthHour(hour: firstHour, sessions: 3, crashedSessions: 1),
            ]
            $0.issueHours = [
                IssueHour(issue: "b", hour: firstHour.advanced(by: 1), events: 2, users: nil),
                IssueHour(issue: "b", hour: firstHour, events: 1, users: 1),
                IssueHour(issue: "a/1", hour: firstHour, events: 0, users: 0),
            ]
            $0.health[0].namedShare = 0.25
            $0.issues[1].namedShare = 0.75
            $0.issueDays[2].namedShare = 0.5
            $0.notes = wholeNotes
            $0.warnings = [
                .warning("files.skipped", "one row was skipped", at: .file(path: "a.csv", line: 3))
            ]
        }
    }

    /// The first hour of the fixture day.
    static var firstHour: UTCHour { UTCHour(of: Instant(startOf: day)) }

    private static var wholeReleases: [Release] {
        let instant = Instant(startOf: day)
        return [
            Release(version: Version("4.9", build: "7"), releasedAt: nil),
            Release(
                version: Version("4.9", build: "12"), releasedAt: instant,
                lifetime: ReleaseTotals(sessions: nil, crashedSessions: nil, sessionsLastDay: nil)),
            Release(
                version: Version("4.10"), releasedAt: instant,
                lifetime: ReleaseTotals(sessions: 7, crashedSessions: 1, sessionsLastDay: 0)),
        ]
    }

    private static var wholeIssues: [Issue] {
        let instant = Instant(startOf: day)
        return [
            Issue(id: "b", title: "boat"),
            Issue(
                id: "a/1", title: "anchor", kind: .hang, state: .muted,
                place: CodePlace(file: "Anchor.swift", line: 4), firstSeen: instant,
                lastSeen: instant.advanced(bySeconds: 9), firstVersion: Version("4.8", build: "1"),
                lastVersion: Version("4.8", build: "2"), fixedIn: Version("4.9"), events: 3, users: 2,
                url: "https://example.org/1"),
        ]
    }

    private static var wholeNotes: [Note] {
        let instant = Instant(startOf: day)
        return [
            Note(id: "a", at: instant, author: "", text: "one", subject: .app),
            Note(id: "b", at: instant, author: "crew", text: "two", subject: .issue("b")),
            Note(
                id: "c", at: instant.advanced(bySeconds: 1), author: "", text: "three",
                subject: .release("4.9")),
        ]
    }
}
