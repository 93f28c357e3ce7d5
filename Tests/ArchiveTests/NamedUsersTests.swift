import AppHealth
import Archive
import Testing

/// Archives hold counts of users that were 0 next to events, as no event named one: nothing that reads them has these.
struct NamedUsersTests {
    /// A night on which all name a user states no less than one on which some did not.
    @Test(arguments: [(Int?.some(80), 80), (nil, 1)])
    func usersWhoAllHaveANameReplaceThoseOfWhomSomeHadNone(crashed: Int?, known: Int) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        func night(_ users: Int?, _ crashed: Int?, _ named: Double?) -> (inout Snapshot) -> Void {
            {
                var all = HealthDay(
                    date: day, sessions: 1000, crashedSessions: 80, users: users, crashedUsers: crashed)
                all.namedShare = named
                var row = IssueDay(issue: "a", date: day, events: 80, users: crashed)
                row.namedShare = named
                var issue = Issue(id: "a", title: "A", events: 80, users: crashed)
                issue.namedShare = named
                ($0.health, $0.issueDays, $0.issues) = ([all], [row], [issue])
            }
        }
        try archive.record(.at(10, night(599, 1, 0.998)))
        try archive.record(.at(20, night(crashed.map { _ in 1000 }, crashed, nil)))
        let history = try archive.known()
        let share = crashed == nil ? 0.998 : nil
        #expect(history.health.map(\.crashedUsers) == [known] && history.health.map(\.namedShare) == [share])
        #expect(history.issueDays.map(\.users) == [known] && history.issueDays.map(\.namedShare) == [share])
        #expect(history.issues.map(\.users) == [known] && history.issues.map(\.namedShare) == [share])
    }

    @Test(
        arguments: [
            ("events that name no user", 3, 0, nil), ("events of which nothing is known", nil, 0, 0),
            ("no events", 0, 0, 0), ("some users", 3, 2, 2), ("users that are unknown", 3, nil, nil),
        ] as [(String, Int?, Int?, Int?)])
    func usersOfIssuesAreUnknownWhereTheirEventsNameNone(
        name: String, events: Int?, stored: Int?, known: Int?
    ) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(
            .at(10) {
                $0.issues = [Issue(id: "a", title: "A", events: events, users: stored)]
                $0.issueDays = [nil, "1"].map {
                    IssueDay(issue: "a", date: day, version: $0, events: events, users: stored)
                }
                $0.issueHours = [
                    IssueHour(
                        issue: "a", hour: UTCHour(of: Instant(startOf: day)), events: events, users: stored)
                ]
            })
        let history = try archive.known()
        #expect(history.issues.map(\.users) == [known], "\(name)")
        #expect(history.issueDays.map(\.users) == [known, known], "\(name)")
        #expect(history.issueHours.allSatisfy { $0.users == known }, "\(name)")
        #expect(history.issueDays.map(\.events) == [events, events], "\(name)")
    }

    @Test(
        arguments: [
            (HealthDay(date: day, sessions: 9, crashedSessions: 1, users: 0, crashedUsers: 0), nil, nil),
            (HealthDay(date: day, users: 0, crashedUsers: 0, crashes: 4), nil, nil),
            (HealthDay(date: day, sessions: 0, crashedSessions: 0, users: 0, crashedUsers: 0), 0, 0),
            (HealthDay(date: day, sessions: 9, crashedSessions: 1, users: 7, crashedUsers: 0), 7, 0),
        ] as [(HealthDay, Int?, Int?)])
    func usersOfADayAreUnknownWhereItsSessionsNameNone(stored: HealthDay, users: Int?, crashed: Int?) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        var release = stored
        release.version = "1"
        try archive.record(
            .at(10) {
                $0.health = [stored, release]
                $0.usage = [
                    UsageDay(
                        date: day, activeUsers: stored.users, newUsers: stored.users,
                        sessions: stored.sessions ?? stored.crashes)
                ]
            })
        let history = try archive.known()
        #expect(history.health.map(\.users) == [users, users])
        #expect(history.health.map(\.crashedUsers) == [crashed, crashed])
        #expect(history.healthAsReported[day]?.users == users)
        #expect(history.usage.map(\.activeUsers) == [users] && history.usage.map(\.newUsers) == [users])
        #expect(history.health.map(\.sessions) == [stored.sessions, stored.sessions])
    }
}
