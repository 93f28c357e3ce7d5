import AppHealth
import Archive
import Testing

/// What a snapshot covers completely and does not name had nothing: merged issues are not counted twice.
struct VanishedRowTests {
    private let next = day.advanced(by: 1)
    private static let part = Coverage.partial(counted: nil, of: nil)

    private func issue(_ id: String, _ date: CivilDate, _ events: Int?, in version: String? = nil) -> IssueDay
    {
        IssueDay(issue: id, date: date, version: version, events: events, users: events)
    }

    private func snapshot(
        at seconds: Int, _ rows: [IssueDay], _ coverage: [CoverageSpan] = [], releases: [HealthDay] = []
    ) -> Snapshot {
        .at(seconds) {
            $0.issues = Set(rows.map(\.issue)).sorted().map { Issue(id: $0, title: $0) }
            ($0.issueDays, $0.health, $0.coverage) = (rows, releases, coverage)
        }
    }

    /// Records the nights, and returns the events that are known of the issue that goes on the fixture day.
    private func events(_ nights: [Snapshot], version: String? = nil) throws -> Int? {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        for night in nights { try archive.record(night) }
        // The same again is known.
        if let last = nights.last { #expect(try archive.record(last) == RecordSummary()) }
        return try archive.known().issueDays.first {
            $0.issue == "b" && $0.date == day && $0.version == version
        }?
        .events
    }

    @Test func aMergedIssueHasNothingOnDaysThatAreCovered() throws {
        let before = snapshot(at: 10, [issue("a", day, 60), issue("b", day, 40), issue("b", next, 5)])
        let merged = [issue("a", day, 100), issue("a", next, 3)]
        let whole = CoverageSpan(.issueDays, day...day)
        let part = CoverageSpan(.issueDays, day...day, .partial(counted: 1, of: 2))
        for (coverage, expected) in [([whole], 0), ([part], 40), ([], 40)] as [([CoverageSpan], Int)] {
            #expect(try events([before, snapshot(at: 20, merged, coverage)]) == expected)
        }
        // What is named stays as it is named, also without events; and nothing at all is no proof.
        let named = merged + [issue("b", day, nil)]
        #expect(try events([before, snapshot(at: 20, named, [whole])]) == 40)
        #expect(try events([before, snapshot(at: 20, [], [whole])]) == 40)
        let inOneRelease = merged + [issue("b", day, 7, in: "1")]
        #expect(try events([before, snapshot(at: 20, inOneRelease, [whole])]) == 40)
        // It may come back, and an older snapshot does not know of the end.
        let back = snapshot(at: 30, [issue("b", day, 9)], [whole])
        #expect(try events([before, snapshot(at: 20, merged, [whole]), back]) == 9)
        #expect(try events([snapshot(at: 20, merged, [whole]), before]) == 40)
    }

    /// What the newest snapshot says of a day, the coverage of its issues, and what is known of the only one then.
    @Test(
        arguments: [
            ("sessions without a crash", HealthDay(date: day, sessions: 9, crashedSessions: 0), .complete, 0),
            ("users and no crash", HealthDay(date: day, users: 9, crashes: 0), .complete, 0),
            ("no more than a part", HealthDay(date: day, sessions: 9, crashes: 0), part, 40),
            ("sessions that crashed", HealthDay(date: day, sessions: 9, crashedSessions: 1), .complete, 40),
            (
                "numbers that differ",
                HealthDay(date: day, sessions: 9, crashedSessions: 1, crashes: 0), .complete, 40
            ),
            ("sessions alone", HealthDay(date: day, sessions: 9), .complete, 40),
            ("zeros everywhere", HealthDay(date: day, sessions: 0, crashedSessions: 0), .complete, 40),
            ("no crashes alone", HealthDay(date: day, crashes: 0), .complete, 40),
            (
                "another day", HealthDay(date: day.advanced(by: 1), sessions: 9, crashedSessions: 0),
                .complete, 40
            ),
            (
                "a release", HealthDay(date: day, version: "1", sessions: 9, crashedSessions: 0), .complete,
                40
            ),
        ] as [(String, HealthDay, Coverage, Int)])
    func anEmptyListIsBelievedOnDaysWithoutACrash(
        name: String, health: HealthDay, coverage: Coverage, known: Int
    ) throws {
        let before = snapshot(at: 10, [issue("b", day, 40)])
        let days = min(day, health.date)...max(day, health.date)
        let empty = snapshot(at: 20, [], [CoverageSpan(.issueDays, days, coverage)], releases: [health])
        #expect(try events([before, empty]) == known, "\(name)")
    }

    @Test(arguments: [(AppHealth.Issue.Kind.crash, 0), (.hang, 40), (.error, 40)])
    func aDayWithoutACrashMayHaveOtherEvents(kind: AppHealth.Issue.Kind, known: Int) throws {
        var before = snapshot(at: 10, [issue("b", day, 40)])
        before.issues[0].kind = .error
        var after = before
        after.capturedAt = Instant(secondsSinceEpoch: 15)
        after.issues[0].kind = kind
        let quiet = HealthDay(date: day, sessions: 9, crashedSessions: 0)
        let empty = snapshot(at: 20, [], [CoverageSpan(.issueDays, day...day)], releases: [quiet])
        #expect(try events([before, after, empty]) == known)
    }

    @Test func theDaysBeforeAndReleasesHaveACoverageOfTheirOwn() throws {
        let before = snapshot(
            at: 10, [issue("b", day, 40), issue("b", next, 5), issue("b", day, 30, in: "1")])
        let rest = [issue("a", day, 100)]
        let all = CoverageSpan(.issueDays, day...day)
        let single = CoverageSpan(.issueReleases, day...day)
        #expect(try events([before, snapshot(at: 20, rest, [all])], version: "1") == 30)
        #expect(try events([before, snapshot(at: 20, rest, [single])], version: "1") == 0)
        #expect(try events([before, snapshot(at: 20, rest, [single])]) == 40)
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(before)
        #expect(try archive.record(snapshot(at: 20, rest, [all, single])).issueDays == 3)
        #expect(try archive.known().issueDays.last { $0.date == next }?.events == 5)
        #expect(try archive.known(at: 19).issueDays.first?.events == 40)
    }

    @Test func aRenamedReleaseHasNothing() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let whole = CoverageSpan(.releaseHealth, day...day)
        let candidate = HealthDay(date: day, version: "1-rc", sessions: 8, crashedSessions: 1)
        let first = [HealthDay(date: day, version: "1", sessions: 12, crashedSessions: 0), candidate]
        try archive.record(snapshot(at: 10, [], [whole], releases: first))
        let all = [HealthDay(date: day, version: "1", sessions: 20, crashedSessions: 1)]
        #expect(try archive.record(snapshot(at: 20, [], [whole], releases: all)).health == 2)
        let known = try archive.known().health
        #expect(known.map(\.sessions) == [0, 20] && known.map(\.crashedSessions) == [0, 1])
        #expect(known.map(\.users) == [nil, nil])
        #expect(try archive.known(at: 10).health.contains(candidate))
    }
}
