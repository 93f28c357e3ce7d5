import AppHealth
import Archive
import Foundation
import Testing

/// Several files of one source may be of the same instant, each with a part of what is known then.
struct SameInstantTests {
    /// Health of the fixture day: sessions, crashed sessions, users, crashed users, crashes.
    private static func health(_ counts: Int?...) -> HealthDay {
        HealthDay(
            date: day, sessions: counts[0], crashedSessions: counts[1], users: counts[2],
            crashedUsers: counts[3], crashes: counts[4])
    }

    /// A night of three files; each later one corrects the day.
    private static func night(_ at: Int, _ sessions: Int, _ users: Int, _ crashes: Int) -> [Snapshot] {
        [
            health(sessions, 1, nil, nil, nil), health(nil, nil, users, 1, nil),
            health(nil, nil, nil, nil, crashes),
        ].map { day in .at(at) { $0.health = [day] } }
    }

    @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func filesOfOneInstantAreOneRowInAnyOrder(order: [Int]) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let nights = [Self.night(10, 100, 50, 3), Self.night(20, 110, 60, 4)]
        for night in nights {
            let summaries = try archive.record(order.map { night[$0] })
            #expect(summaries.map(\.health) == [1, 1, 1] && summaries.map(\.conflicts) == [0, 0, 0])
        }
        let again = try archive.record(Array(nights.joined()))
        #expect(
            again.map(\.revisions) == Array(repeating: 0, count: 6) && again.allSatisfy { $0.conflicts == 0 })
        #expect(try archive.known(at: 15).health == [Self.health(100, 1, 50, 1, 3)])
        #expect(try archive.known().health == [Self.health(110, 1, 60, 1, 4)])
    }

    /// What is stated first and second, what is known then, and whether they differ.
    @Test(
        arguments: [
            (
                "another rate fills", health(9, 1, nil, nil, nil), health(nil, nil, 5, 1, nil),
                health(9, 1, 5, 1, nil), 0
            ),
            (
                "a rate that differs stays", health(9, 1, nil, nil, nil), health(8, 1, nil, nil, nil),
                health(9, 1, nil, nil, nil), 1
            ),
            (
                "what does not differ fills", health(9, 1, nil, nil, nil), health(8, 1, 5, 1, 2),
                health(9, 1, 5, 1, 2), 1
            ),
            (
                "the rest of a rate fills", health(9, nil, nil, nil, nil), health(9, 1, nil, nil, nil),
                health(9, 1, nil, nil, nil), 0
            ),
            (
                "the rest of another rate does not", health(9, nil, nil, nil, nil),
                health(8, 1, nil, nil, nil), health(9, nil, nil, nil, nil), 1
            ),
            (
                "halves are no rate", health(9, nil, nil, nil, nil), health(nil, 1, nil, nil, nil),
                health(9, nil, nil, nil, nil), 1
            ),
            (
                "zero is known", health(nil, nil, nil, nil, 0), health(9, 1, nil, nil, 2),
                health(9, 1, nil, nil, 0), 1
            ),
        ] as [(String, HealthDay, HealthDay, HealthDay, Int)])
    func onlyKnownValuesDiffer(
        name: String, first: HealthDay, second: HealthDay, known: HealthDay, conflicts: Int
    ) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10) { $0.health = [first] })
        let summary = try archive.record(.at(10) { $0.health = [second] })
        #expect(summary.conflicts == conflicts, "\(name)")
        #expect(summary.health == (first == known ? 0 : 1), "\(name)")
        #expect(try archive.known().health == [known], "\(name)")
    }

    /// Use, issues, releases, hours and the words of the source, each in two parts.
    @Test(arguments: [false, true]) func everyKindOfRowIsFilled(isReversed: Bool) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let hour = UTCHour(of: Instant(startOf: day))
        var words = Source.files
        (words.sessionDefinition, words.delay) = ("", "")
        let first = Snapshot.at(10, source: words) {
            $0.usage = [UsageDay(date: day, activeUsers: 5)]
            $0.issues = [Issue(id: "a", title: "A", events: 7)]
            $0.issueDays = [IssueDay(issue: "a", date: day, version: nil, events: 7, users: nil)]
            $0.releases = [Release(version: Version("1"), releasedAt: Instant(startOf: day))]
            $0.issueHours = [IssueHour(issue: "a", hour: hour, events: 2, users: nil)]
        }
        let second = Snapshot.at(10) {
            $0.usage = [UsageDay(date: day, newUsers: 2)]
            $0.issues = [Issue(id: "a", title: "A", lastSeen: Instant(startOf: day), users: 3)]
            $0.issueDays = [IssueDay(issue: "a", date: day, version: nil, events: nil, users: 3)]
            $0.releases = [
                Release(
                    version: Version("1"), releasedAt: nil,
                    lifetime: ReleaseTotals(sessions: 9, crashedSessions: 1, sessionsLastDay: 4))
            ]
            $0.issueHours = [IssueHour(issue: "a", hour: hour, events: nil, users: 1)]
        }
        let summaries = try archive.record(isReversed ? [second, first] : [first, second])
        #expect(summaries.map(\.conflicts) == [0, 0])
        #expect(summaries[1].usage == 1 && summaries[1].issues == 1 && summaries[1].issueDays == 1)
        #expect(summaries[1].releases == 1 && summaries[1].hours == 1)
        let known = try archive.known()
        #expect(known.usage == [UsageDay(date: day, activeUsers: 5, newUsers: 2)])
        #expect(known.issues.map(\.events) == [7] && known.issues.map(\.users) == [3])
        #expect(known.issues.map(\.lastSeen) == [Instant(startOf: day)])
        #expect(known.issueDays.map(\.events) == [7] && known.issueDays.map(\.users) == [3])
        #expect(known.releases.map(\.releasedAt) == [Instant(startOf: day)])
        #expect(known.releases.map(\.lifetime?.sessions) == [9])
        #expect(known.issueHours.map(\.events) == [2] && known.issueHours.map(\.users) == [1])
        #expect(known.source.sessionDefinition == "one run" && known.source.delay == "one day")
    }

    /// Two tables may have the same kind of fact for days of which one has more.
    @Test(arguments: [false, true]) func theLongerCoverageCounts(isReversed: Bool) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let snapshots = [0, 2].map { more in
            Snapshot.at(Instant(startOf: day.advanced(by: 9)).secondsSinceEpoch) {
                $0.usage = [UsageDay(date: day, activeUsers: 5)]
                $0.coverage = [CoverageSpan(.usage, day...day.advanced(by: more))]
            }
        }
        try archive.record(isReversed ? snapshots.reversed() : snapshots)
        let known = try archive.known(at: 9_000_000_000)
        #expect(
            (0...3).map { known.coverage(.usage, on: day.advanced(by: $0)).isComplete } == [
                true, true, true, false,
            ])
    }

    /// Sessions of two nights here, users of the first one there: whichever is merged into the other.
    @Test(arguments: [false, true]) func archivesJoinInAnyOrder(isReversed: Bool) throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder()]
        let parts = [
            [10: Self.health(100, 1, nil, nil, nil), 20: Self.health(110, 2, nil, nil, nil)],
            [10: Self.health(nil, nil, 50, 1, nil)],
        ]
        for (folder, nights) in zip(folders, parts) {
            let archive = try folder.archive()
            for (at, health) in nights.sorted(by: { $0.key < $1.key }) {
                try archive.record(.at(at) { $0.health = [health] })
            }
            try archive.close()
        }
        let (mine, other) = isReversed ? (folders[1], folders[0]) : (folders[0], folders[1])
        let archive = try mine.archive()
        let now = Instant(secondsSinceEpoch: 1_000_000)
        let merged = try archive.merge(other.archivePath, now: now)
        #expect(merged.values > 0 && merged.conflicts == 0, "\(merged)")
        #expect(try archive.known(at: 15).health == [Self.health(100, 1, 50, 1, nil)])
        #expect(try archive.known().health == [Self.health(110, 2, 50, 1, nil)])
        #expect(try archive.merge(other.archivePath, now: now).values == 0)
    }
}
