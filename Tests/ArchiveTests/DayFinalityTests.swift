import AppHealth
import Archive
import GRDB
import Testing

/// Days by the snapshots that cover them, on a real file.
struct DayFinalityTests {
    /// What snapshots reported of the fixture day, by how many hours after its end they were captured.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let reported: [(hours: Double, sessions: Int?, crashed: Int?)]
        let settlement: DayFinality
        var age = SettlingAge.standard

        var testDescription: String { name }
    }

    private static let end = Instant(startOf: day.advanced(by: 1))
    private static let early = DayFinality.provisional(.early(settlesAfterHours: 48))
    private static let once = DayFinality.provisional(.seenOnce)

    @Test(arguments: [
        Case(name: "young", reported: [(6, 1000, 10)], settlement: early),
        Case(
            name: "a second less than two days", reported: [(24, 1000, 10), (47.9998, 1000, 10)],
            settlement: early),
        Case(name: "in its last hour", reported: [(-0.5, 500, 1)], settlement: early),
        Case(name: "one of two days", reported: [(48, 1000, 10)], settlement: once),
        Case(name: "two that agree", reported: [(24, 1000, 10), (48, 1000, 10)], settlement: .settled),
        Case(name: "agreed too early", reported: [(2, 1000, 10), (3, 1000, 10)], settlement: early),
        Case(
            name: "a rate that moved", reported: [(30, 1000, 10), (54, 1000, 13)],
            settlement: .provisional(.rateChanged(points: 0.3))),
        Case(
            name: "0.02 points are a move", reported: [(30, 10_000, 100), (54, 10_000, 102)],
            settlement: .provisional(.rateChanged(points: 0.02))),
        Case(
            name: "0.01 points are none", reported: [(30, 10_000, 100), (54, 10_000, 101)],
            settlement: .settled),
        Case(
            name: "agreed after a move", reported: [(30, 1000, 10), (54, 1000, 13), (78, 1000, 13)],
            settlement: .settled),
        Case(
            name: "moved after it agreed", reported: [(30, 1000, 10), (54, 1000, 10), (78, 1000, 13)],
            settlement: .provisional(.rateChanged(points: 0.3))),
        Case(
            name: "0.1% of the sessions", reported: [(30, 9_990, 0), (54, 10_000, 0)], settlement: .settled),
        Case(
            name: "more than 0.1%", reported: [(30, 9_989, 0), (54, 10_000, 0)],
            settlement: .provisional(.countChanged(from: 9_989, to: 10_000))),
        Case(
            name: "a count that came", reported: [(30, nil, nil), (54, 1000, nil)],
            settlement: .provisional(.countChanged(from: nil, to: 1000))),
        Case(
            name: "crashes without sessions", reported: [(30, nil, 5), (54, nil, 6)],
            settlement: .provisional(.countChanged(from: 5, to: 6))),
        Case(name: "fourteen days late", reported: [(336, 1000, 10)], settlement: .settled),
        Case(name: "an hour less", reported: [(335, 1000, 10)], settlement: once),
        Case(
            name: "a late one overrules", reported: [(54, 1000, 10), (336, 1000, 20)], settlement: .settled),
        Case(
            name: "two late ones that differ", reported: [(336, 1000, 10), (360, 1000, 20)],
            settlement: .provisional(.rateChanged(points: 1))),
        Case(
            name: "a source without delay", reported: [(1, 1000, 10)], settlement: once,
            age: SettlingAge(settlesAfterHours: 0, finalAfterHours: 24)),
        Case(
            name: "a slow source", reported: [(48, 1000, 10), (72, 1000, 10)],
            settlement: .provisional(.early(settlesAfterHours: 96)),
            age: SettlingAge(settlesAfterHours: 96, finalAfterHours: 96)),
    ])
    func dayIsDecidedByTheLastTwoSnapshots(_ one: Case) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        var source = Source.files
        source.settling = one.age
        // Snapshots may be recorded in any order and more than once.
        for reported in one.reported.reversed() + one.reported {
            try archive.record(Self.snapshot(reported, of: source))
        }
        let history = try archive.known(at: 9_000_000_000)
        #expect(history.source.settling == one.age)
        let found = try #require(history.healthSettlement[day])
        if case .provisional(.rateChanged(let points)) = one.settlement {
            guard case .provisional(.rateChanged(let measured)) = found else {
                Testing.Issue.record("\(found)")
                return
            }
            #expect(abs(measured - points) < 1e-9)
        } else {
            #expect(found == one.settlement)
        }
    }

    private static func snapshot(
        _ reported: (hours: Double, sessions: Int?, crashed: Int?), of source: Source = .files
    ) -> Snapshot {
        .at(end.secondsSinceEpoch + Int(reported.hours * 3600), source: source) {
            $0.health = [HealthDay(date: day, sessions: reported.sessions, crashedSessions: reported.crashed)]
        }
    }

    @Test func onlySnapshotsThatCoverTheDayCount() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(Self.snapshot((54, 1000, 10)))
        try archive.record(
            .at(Self.end.secondsSinceEpoch + 78 * 3600) {
                $0.health = [
                    HealthDay(date: day, version: "4.9", sessions: 1),
                    HealthDay(date: day.advanced(by: -1), sessions: 1),
                    HealthDay(date: day.advanced(by: 1), sessions: 1),
                ]
            })
        let settlement = try archive.known(at: 9_000_000_000).healthSettlement
        #expect(settlement[day] == Self.once)
        #expect(settlement[day.advanced(by: 1)] == Self.once)
        #expect(settlement.count == 3)
    }

    /// A source of issues alone: crashes are those of its issues that crash, on captures that reported all issues of the day.
    @Test(
        arguments: [
            ([(30, 7, 1, true), (54, 8, 1, true)], 8, .provisional(.countChanged(from: 8, to: 9))),
            ([(30, 7, 1, true), (54, 7, 1, true)], 8, .settled), ([(30, 7, 1, true)], 8, early),
            ([(54, 7, 1, true)], 8, once), ([(54, nil, 1, true), (78, 7, 1, true)], 8, once),
            ([(30, 5, 1, false), (54, 8, 2, true), (78, 8, 2, true)], 10, .settled),
            ([(30, 0, 0, true), (54, 8, 2, true)], 0, .provisional(.countChanged(from: 0, to: 10))),
            ([(54, 8, 2, false)], nil, nil),
        ] as [([(hours: Int, first: Int?, second: Int, isWhole: Bool)], Int?, DayFinality?)])
    func daysOfIssuesAloneAreDecidedByTheirCrashes(
        reported: [(hours: Int, first: Int?, second: Int, isWhole: Bool)], first: Int?,
        settlement: DayFinality?
    ) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        var source = Source.files
        source.capabilities = [.issues, .issueDays]
        for one in reported {
            try archive.record(
                .at(Self.end.secondsSinceEpoch + one.hours * 3600, source: source) {
                    $0.issues = ["a", "b", "c"].map {
                        AppHealth.Issue(id: $0, title: $0, kind: $0 == "c" ? .error : .crash)
                    }
                    $0.issueDays = [
                        IssueDay(issue: "a", date: day, events: one.first, users: nil),
                        IssueDay(issue: "b", date: day, events: one.second, users: nil),
                        IssueDay(issue: "b", date: day, version: "1.0", events: one.second, users: nil),
                        IssueDay(issue: "c", date: day, events: one.hours, users: nil),
                    ]
                    $0.coverage = [
                        CoverageSpan(
                            .issueDays, day...day, one.isWhole ? .complete : .partial(counted: 2, of: 9))
                    ]
                })
        }
        let history = try archive.known(at: 9_000_000_000, source: source)
        #expect(history.healthAsReported[day] == first.map { HealthDay(date: day, crashes: $0) })
        #expect(history.healthSettlement[day] == settlement)
    }

    /// A source of single releases alone: the day is settled when their sum is.
    @Test(
        arguments: [
            ([900, 900], .settled), ([900], once),
            ([900, 950], .provisional(.countChanged(from: 1_000, to: 1_050))),
        ] as [([Int], DayFinality)])
    func daysOfReleasesAloneAreDecidedByTheirSum(sessions: [Int], settlement: DayFinality) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        for (place, count) in sessions.enumerated() {
            try archive.record(
                .at(Self.end.secondsSinceEpoch + (54 + place * 24) * 3600) {
                    $0.health = [
                        HealthDay(date: day, version: "4.9", sessions: 100),
                        HealthDay(date: day, version: "5.0", sessions: count),
                    ]
                })
        }
        #expect(try archive.known(at: 9_000_000_000).healthSettlement == [day: settlement])
    }

    @Test func instantOfTheReportDecidesWhichSnapshotsCount() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        for hours in [24.0, 48] { try archive.record(Self.snapshot((hours, 1000, 10))) }
        let second = Self.end.secondsSinceEpoch + 48 * 3600
        #expect(try archive.known(at: second - 1).healthSettlement == [day: Self.early])
        #expect(try archive.known(at: second).healthSettlement == [day: .settled])
    }

    @Test func firstFetchOfNinetyDaysLeavesOnlyTheLastOnesProvisional() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let dates = (0..<90).map { day.advanced(by: -$0) }
        try archive.record(
            .at(Self.end.secondsSinceEpoch) {
                $0.health = dates.map { HealthDay(date: $0, sessions: 7) }
                $0.usage = dates.map { UsageDay(date: $0, activeUsers: 5) }
            })
        let history = try archive.known(at: 9_000_000_000)
        for settlement in [history.healthSettlement, history.usageSettlement] {
            #expect(dates.map { settlement[$0] == .settled } == (0..<90).map { $0 >= 14 })
            #expect(dates.map { settlement[$0] == Self.early } == (0..<90).map { $0 < 2 })
        }
    }

    @Test func useIsDecidedByItsOwnSnapshots() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        for (hours, users) in [(30, 10_000), (54, 10_020)] {
            try archive.record(
                .at(Self.end.secondsSinceEpoch + hours * 3600) {
                    $0.usage = [UsageDay(date: day, activeUsers: users)]
                    $0.health = [HealthDay(date: day, users: 5)]
                })
        }
        let history = try archive.known(at: 9_000_000_000)
        #expect(history.usageSettlement == [day: .provisional(.countChanged(from: 10_000, to: 10_020))])
        #expect(history.healthSettlement == [day: .settled])
    }
}
