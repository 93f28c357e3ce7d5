import AppHealth
import Archive
import Testing

/// What a snapshot does not state, as a part of a fetch failed or was not requested, erases no number that is stored.
struct StatedPartTests {
    /// Health of the fixture day: sessions, crashed sessions, users, crashed users, crashes.
    private static func health(_ counts: Int?...) -> HealthDay {
        HealthDay(
            date: day, sessions: counts[0], crashedSessions: counts[1], users: counts[2],
            crashedUsers: counts[3], crashes: counts[4])
    }

    @Test(
        arguments: [
            (
                "users that are not stated stay", [health(10, 1, 8, 1, nil), health(12, 2, nil, nil, nil)],
                health(12, 2, 8, 1, nil), 2
            ),
            (
                "crashes alone leave the rates", [health(10, 1, 8, 1, 3), health(nil, nil, nil, nil, 4)],
                health(10, 1, 8, 1, 4), 2
            ),
            (
                "nothing at all is no news", [health(10, 1, 8, 1, 3), health(nil, nil, nil, nil, nil)],
                health(10, 1, 8, 1, 3), 1
            ),
            (
                "all sessions without the crashed ones are no rate",
                [health(10, 1, nil, nil, nil), health(20, nil, nil, nil, nil)],
                health(10, 1, nil, nil, nil), 1
            ),
            (
                "what was never known stays unknown",
                [health(10, nil, nil, nil, nil), health(11, nil, nil, nil, nil)],
                health(11, nil, nil, nil, nil), 2
            ),
            (
                "what comes later is added", [health(nil, nil, nil, nil, 3), health(10, 1, nil, nil, nil)],
                health(10, 1, nil, nil, 3), 2
            ),
            ("zero is stated", [health(10, 1, 8, 1, 3), health(0, 0, 0, 0, 0)], health(0, 0, 0, 0, 0), 2),
        ] as [(String, [HealthDay], HealthDay, Int)])
    func partsOfADayStay(name: String, stated: [HealthDay], known: HealthDay, revisions: Int) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let count = try stated.enumerated().reduce(0) { count, night in
            try count + archive.record(.at(10 * (night.offset + 1)) { $0.health = [night.element] }).health
        }
        #expect(try archive.known().health == [known], "\(name)")
        #expect(count == revisions, "\(name)")
    }

    /// What an issue had as a whole stays as well, and its kind where a source does not say it.
    @Test func anIssueKeepsItsCountsAndItsKind() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        var issue = Issue(id: "a", title: "A", kind: .crash, events: 7, users: 2)
        try archive.record(.at(10) { $0.issues = [issue] })
        (issue.kind, issue.events, issue.users) = (.error, nil, nil)
        let other = Issue(id: "b", title: "B", kind: .hang)
        for _ in 1...2 {
            try archive.record(
                .at(20) {
                    $0.issues = [issue, other]
                    $0.unstatedKinds = ["a", "b"]
                })
            let known = try archive.known().issues
            #expect(known.map(\.kind) == [.crash, .hang])
            #expect(known.map(\.events) == [7, nil] && known.map(\.users) == [2, nil])
        }
        try archive.record(.at(30) { $0.issues = [issue] })
        #expect(try archive.known().issues.map(\.kind) == [.error, .hang])
        #expect(try archive.known(at: 20).issues.map(\.kind) == [.crash, .hang])
    }

    @Test func useAndIssuesKeepWhatIsNotStated() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        var issue = Issue(id: "a", title: "A", place: CodePlace(file: "a.swift", line: 3))
        (issue.firstVersion, issue.fixedIn) = (Version("1"), Version("2"))
        try archive.record(
            .at(10) {
                $0.usage = [UsageDay(date: day, activeUsers: 5, weeklyActiveUsers: 20)]
                $0.issues = [issue]
                $0.issueDays = [IssueDay(issue: "a", date: day, events: 7, users: 2)]
            })
        (issue.place, issue.firstVersion, issue.fixedIn, issue.title) = (nil, nil, nil, "B")
        try archive.record(
            .at(20) {
                $0.usage = [UsageDay(date: day, activeUsers: 6)]
                $0.issues = [issue]
                $0.issueDays = [IssueDay(issue: "a", date: day, events: 9, users: nil)]
            })
        let known = try archive.known()
        #expect(known.usage == [UsageDay(date: day, activeUsers: 6, weeklyActiveUsers: 20)])
        #expect(known.issueDays == [IssueDay(issue: "a", date: day, events: 9, users: 2)])
        let found = try #require(known.issues.first)
        #expect(found.title == "B" && found.place?.line == 3 && found.firstVersion == Version("1"))
        // An issue that is open again is fixed in no version.
        #expect(found.fixedIn == nil)
        #expect(try archive.known(at: 15).issues.first?.title == "A")
    }
}
