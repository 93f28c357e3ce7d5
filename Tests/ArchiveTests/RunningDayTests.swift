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
            (
                "a date that was typed ahead", [night(-139, crashes: 42, events: 9, coverage: all)], nil, nil,
                .unknown, .unknown
            ),
            (
                "one of the day before", [night(-3, crashes: 42, events: 9, coverage: all)], nil, nil,
                .unknown, .unknown
            ),
            (
                "the numbers of the day, after a date that was typed ahead",
                [
                    night(-139, crashes: 42, events: 9, coverage: all),
                    night(29.3, crashes: 42, events: 9, coverage: all),
                ], 42, 9, .complete, .complete
            ),
            (
                "a file that is named by its day in the east",
                [night(-9, crashes: 42, coverage: all, zone: "Asia/Tokyo")], 42, nil, .complete, .complete
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

    /// Where the issues of a day are never all there, each row says by itself when it was captured: a count that is the same
    /// after the end is known, and one that no later fetch has is not.
    @Test(
        arguments: [
            ("the same after the end", [(20, 15), (44, 15)], "UTC", 15, 2),
            ("more after the end", [(20, 15), (44, 18)], "UTC", 18, 2),
            ("none after the end", [(20, 15), (23.5, nil)], "UTC", nil, 1),
            ("not named after the end", [(20, 15), (44, nil)], "UTC", nil, 1),
            ("the same, every night", [(20, 15), (44, 15), (68, 15), (92, 15)], "UTC", 15, 2),
            ("the same, twice while it ran", [(14, 15), (20, 15), (44, 15)], "UTC", 15, 2),
            ("as it was, after the end", [(14, 15), (20, 16), (44, 15)], "UTC", 15, 3),
            ("nothing, confirmed", [(20, 0), (44, 0)], "UTC", 0, 2),
            ("after its end alone", [(29, 15), (53, 15)], "UTC", 15, 1),
            ("a file that is named by its day", [(0, 15), (24, 15)], "UTC", 15, 1),
            ("the west", [(26, 15), (50, 15)], "America/New_York", 15, 2),
            ("the west, while it runs", [(20, 15), (26, 15)], "America/New_York", nil, 1),
            ("the east", [(10, 15), (16, 15)], "Asia/Tokyo", 15, 2),
            ("typed ahead", [(-139, 15)], "UTC", nil, 1),
            ("the same as was typed ahead", [(-139, 15), (29, 15)], "UTC", 15, 2),
        ] as [(String, [(Double, Int?)], String, Int?, Int)])
    func aCountThatIsConfirmedAfterItsDayIsKnown(
        name: String, nights: [(hours: Double, events: Int?)], zone: String, events: Int?, rows: Int
    ) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        let partial: [CoveredFact: Coverage] = [.issueDays: Self.part]
        let snapshots = nights.map {
            Self.night($0.hours, crashes: nil, events: $0.events, coverage: partial, zone: zone)
        }
        let stored = try snapshots.map { try archive.record($0).issueDays }
        #expect(stored.reduce(0, +) == rows, "\(name)")
        let source = snapshots.last?.source ?? .files
        let known = try archive.known(at: Self.end.secondsSinceEpoch + 200 * 3600, source: source)
        #expect(known.issueDays.first?.events == events, "\(name)")
        // What is read again is known already.
        let mark = try archive.revision(of: App.harbour.id, asOf: .latest)
        for snapshot in snapshots { try archive.record(snapshot) }
        #expect(try archive.revision(of: App.harbour.id, asOf: .latest) == mark, "\(name)")
        // Compacting leaves it known, and so does an archive that takes over this one.
        _ = try archive.compact(before: Self.end.advanced(bySeconds: 150 * 3600))
        let other = try TemporaryFolder()
        let joined = try other.archive()
        try archive.close()
        for _ in 1...2 {
            let now = Self.end.advanced(bySeconds: 200 * 3600)
            _ = try joined.merge(folder.archivePath, now: now)
            let known = try joined.known(at: now.secondsSinceEpoch, source: source)
            #expect(known.issueDays.first?.events == events, "\(name)")
        }
    }
}
