import AppHealth
import Archive
import Testing

/// What was captured of a day while it ran is no number of the day.
struct RunningDayTests {
    private static let start = Instant(startOf: day)
    private static let end = Instant(startOf: day.advanced(by: 1))

    /// A fetch, by how many hours after the beginning of the fixture day it was.
    private static func night(
        _ hours: Double, crashes: Int?, events: Int? = nil, coverage: [CoveredFact: Coverage] = [:],
        zone: String = "UTC"
    ) -> Snapshot {
        var source = Source.files
        source.zone = zone
        return .at(start.secondsSinceEpoch + Int(hours * 3600), source: source) {
            $0.health = crashes.map { [HealthDay(date: day, sessions: 100, crashes: $0)] } ?? []
            if let events {
                $0.issues = [Issue(id: "a", title: "A")]
                $0.issueDays = [IssueDay(issue: "a", date: day, events: events, users: nil)]
            }
            $0.coverage = coverage.sorted { $0.key.rawValue < $1.key.rawValue }
                .map { CoverageSpan($0.key, day...day, $0.value) }
        }
    }

    private static let all: [CoveredFact: Coverage] = [.crashes: .complete, .issueDays: .complete]
    private static let part = Coverage.partial(counted: nil, of: nil)
    private static let cut = Coverage.partial(counted: 1, of: 2)

    @Test(
        arguments: [
            (
                "a night after which none came", [night(5.3, crashes: 42, events: 9, coverage: all)], nil,
                nil, .unknown, .unknown
            ),
            (
                "a night after which none knew of the day",
                [
                    night(5.3, crashes: 42, events: 9, coverage: all),
                    night(29.3, crashes: nil, coverage: [:]),
                ], nil, nil, .unknown, .unknown
            ),
            (
                "the same numbers after its end",
                [
                    night(5.3, crashes: 42, events: 9, coverage: all),
                    night(29.3, crashes: 42, events: 9, coverage: all),
                ],
                42, 9, .complete, .complete
            ),
            (
                "issues alone after its end",
                [
                    night(5.3, crashes: 42, events: 9, coverage: all),
                    night(29.3, crashes: nil, events: 30, coverage: [.issueDays: .complete]),
                ], 42, 30, part, .complete
            ),
            (
                "other issues after its end",
                [
                    night(5.3, crashes: 42, events: 9, coverage: all),
                    night(29.3, crashes: 99, coverage: [.crashes: .complete, .issueDays: cut]),
                ], 99, nil, .complete, cut
            ),
            ("an hour before its end", [night(23.5, crashes: 42, coverage: all)], 42, nil, part, part),
            (
                "a file that is named by its day", [night(0, crashes: 42, coverage: all)], 42, nil, .complete,
                .complete
            ),
            ("after its end", [night(24, crashes: 42, coverage: all)], 42, nil, .complete, .complete),
            (
                "before its end in the west",
                [night(26, crashes: 42, coverage: all, zone: "America/New_York")],
                nil, nil, .unknown, .unknown
            ),
            (
                "after its end in the east", [night(16, crashes: 42, coverage: all, zone: "Asia/Tokyo")],
                42, nil, .complete, .complete
            ),
        ] as [(String, [Snapshot], Int?, Int?, Coverage, Coverage)])
    func whatWasCapturedWhileADayRanIsNotOfTheDay(
        name: String, nights: [Snapshot], crashes: Int?, events: Int?, ofCrashes: Coverage, ofIssues: Coverage
    ) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        for night in nights { try archive.record(night) }
        let source = nights.last?.source ?? .files
        let known = try archive.known(at: Self.end.secondsSinceEpoch + 12 * 3600, source: source)
        #expect(known.health.first?.crashes == crashes, "\(name)")
        #expect(known.issueDays.first?.events == events, "\(name)")
        #expect(known.coverage(.crashes, on: day) == ofCrashes, "\(name)")
        #expect(known.coverage(.issueDays, on: day) == ofIssues, "\(name)")
        #expect((known.healthAsReported[day] == nil) == (crashes == nil), "\(name)")
    }

    /// What was counted of a kind of fact while a day ran is not of the day, though others were reported after it.
    @Test(
        arguments: [
            ([.issueDays: .complete], nil, 40), ([.issueDays: .complete, .sessions: .complete], 100, 40),
            ([.sessions: .complete], 100, nil), ([.sessions: part], 100, nil),
        ] as [([CoveredFact: Coverage], Int?, Int?)])
    func eachKindOfFactIsOfTheDayByItself(
        later: [CoveredFact: Coverage], sessions: Int?, events: Int?
    ) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let first: [CoveredFact: Coverage] = [.sessions: .complete, .issueDays: .complete]
        try archive.record(Self.night(5.3, crashes: 42, events: 9, coverage: first))
        try archive.record(
            Self.night(
                29.3, crashes: later[.sessions] == nil ? nil : 42,
                events: later[.issueDays] == nil ? nil : 40, coverage: later))
        let known = try archive.known(at: Self.end.secondsSinceEpoch + 12 * 3600)
        #expect(known.health.first?.sessions == sessions)
        #expect(known.healthAsReported[day]?.sessions == sessions)
        #expect(known.issueDays.first?.events == events)
        #expect(known.coverage(.sessions, on: day) == later[.sessions] ?? .unknown)
    }

    /// What was first reported of a day is what the first fetch after its end had of it, also where it had nothing new.
    @Test(
        arguments: [
            ("the first hours", [(5.3, 600), (29.3, 2400), (53.3, 2900)], "UTC", 2400),
            ("the same number after the end", [(5.3, 600), (29.3, 600), (53.3, 900)], "UTC", 600),
            ("twice while it ran", [(5.3, 600), (17.3, 1800), (29.3, 2400)], "UTC", 2400),
            ("the west", [(26, 400), (50, 1000), (74, 1100)], "America/New_York", 1000),
            ("the last hour", [(23.5, 2300), (29.3, 2400)], "UTC", 2300),
            ("a file that is named by its day", [(0, 600), (29.3, 2400)], "UTC", 600),
            ("after the end alone", [(29.3, 2400), (53.3, 2900)], "UTC", 2400),
        ] as [(String, [(Double, Int)], String, Int)])
    func whatWasFirstReportedIsOfAWholeDay(
        name: String, nights: [(hours: Double, crashes: Int)], zone: String, first: Int
    ) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        for night in nights {
            try archive.record(
                Self.night(night.hours, crashes: night.crashes, coverage: Self.all, zone: zone))
        }
        var source = Source.files
        source.zone = zone
        let known = try archive.known(at: Self.end.secondsSinceEpoch + 90 * 3600, source: source)
        #expect(known.healthAsReported[day]?.crashes == first, "\(name)")
        #expect(known.health.first?.crashes == nights.last?.crashes, "\(name)")
    }

    /// While a day runs, what is known of it is what is known.
    @Test func aDayThatStillRunsIsAsItIs() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(Self.night(5, crashes: 42, coverage: Self.all))
        let known = try archive.known(at: Self.start.secondsSinceEpoch + 6 * 3600)
        #expect(known.health.first?.crashes == 42)
        #expect(known.coverage(.crashes, on: day) == .complete)
    }
}
