import AppHealth
import Diagnostics
import HistoryFixtures
import Testing

@testable import Analysis

/// A source that is fetched and brings no newer day.
struct IdleSourceTests {
    /// A source of which each night brought the day before, where that is one of its days, until so many nights ago.
    ///
    /// - Parameters:
    ///   - nights: how many nights brought a day.
    ///   - delay: how many days late they came.
    ///   - figure: the kind of figure that came.
    private func source(
        _ nights: Int, idle: Int, late delay: Int = 0, _ figure: DailyFigure? = nil,
        has: (CivilDate) -> Bool = { _ in true }
    ) -> SourceHistory {
        var source = SourceHistory.make(capturedAt: reportTime, health: [])
        for back in (idle..<(idle + nights)).reversed() where has(.back(back + delay)) {
            let night = Instant(startOf: .back(back - 1)).advanced(bySeconds: 5 * 3600)
            let day = CivilDate.back(back + delay)
            source.captures.add(night, days: day...day, of: figure)
        }
        return source
    }

    /// How many nights brought a day, how many days late, for how many nights none came, and whether that is unusual.
    @Test(
        arguments: [
            (30, 0, 0, false), (30, 0, 1, false), (30, 0, 2, true), (30, 0, 20, true),
            (30, 3, 0, false), (30, 3, 1, false), (30, 3, 2, true),
            // Of too few nights nothing is known of what is usual.
            (4, 0, 30, false), (4, 0, 46, true),
        ])
    func aNightIsMissedAndNotTwo(nights: Int, late: Int, idle: Int, isIdle: Bool) throws {
        let source = source(nights, idle: idle, late: late)
        #expect(source.idleSince() == (isIdle ? .back(idle + late) : nil))
        let facts = SourceFacts(source, asOf: reportTime)
        #expect(facts.state == (isIdle ? .stale : .loaded))
        #expect(facts.lastDay == .back(idle + late))
        guard isIdle else { return }
        #expect(
            facts.trouble == .idle(nil, since: .back(idle + late), fetchedAt: reportTime))
        let value = facts.measured(.sessions, missing: .noSource, 1)
        guard case .stale(1, let asOf, _) = value else {
            Testing.Issue.record("\(value)")
            return
        }
        #expect(asOf == Instant(startOf: .back(idle + late - 1)))
    }

    /// With `maxAge` two arrivals are enough: the last day may be as old as that, and as such days became.
    @Test(
        arguments: [
            (4, 0, 1, 36, false), (4, 0, 2, 36, true), (4, 0, 2, 72, false), (4, 0, 3, 72, true),
            (2, 0, 2, 36, true), (4, 3, 1, 36, false), (4, 3, 2, 36, true),
            // How late days come is not known yet.
            (1, 0, 30, 36, false), (1, 3, 1, 36, false), (1, 0, 46, 36, true),
            // Many arrivals say more.
            (30, 3, 1, 36, false), (30, 0, 2, 36, true),
        ])
    func theOwnersAgeNeedsFewNights(nights: Int, late: Int, idle: Int, age: Int, isIdle: Bool) {
        var source = source(nights, idle: idle, late: late)
        source.source.maxAgeHours = age
        #expect(source.idleSince() == (isIdle ? .back(idle + late) : nil))
    }

    /// Where days of the weekend never come, Monday is no reason to worry.
    @Test(arguments: [(0, false), (1, false), (2, false), (3, true)])
    func weekendsAreUsual(idle: Int, isIdle: Bool) {
        // January 27, 2016 is a Wednesday.
        let source = source(42, idle: idle) { day in ![2, 3].contains(day.daysSinceEpoch % 7) }
        #expect((source.idleSince() != nil) == isIdle, "\(String(describing: source.lastKnownDay))")
    }

    /// Rates that stopped are stale, and what goes on is not; a source that does not provide them misses none.
    @Test(arguments: [
        (0, true, false), (1, true, false), (2, true, true), (20, true, true), (20, false, false),
    ])
    func oneKindOfFigureStops(idle: Int, knowsRates: Bool, isIdle: Bool) {
        var source = source(30, idle: idle, .rates)
        source.captures.add(reportTime, days: .back(0)...(.back(0)))
        source.source.capabilities = knowsRates ? [.sessions, .issues] : [.issues]
        let (all, rates) = (
            SourceFacts(source, asOf: reportTime, DailyFigure.allCases),
            SourceFacts(source, asOf: reportTime, [.rates])
        )
        for facts in [all, rates] {
            #expect(facts.state == (isIdle ? .stale : .loaded))
            #expect(facts.idleSince == (isIdle ? .back(idle) : nil))
            #expect(facts.lastDay == .back(0))
            #expect(facts.measured(.issues, missing: .noSource, 1) == .loaded(1, asOf: reportTime))
        }
        #expect(SourceFacts(source, asOf: reportTime).state == .loaded)
        #expect(source.isOverdue(at: reportTime, [.rates]) == isIdle)
        guard isIdle else { return }
        #expect(
            all.trouble == .idle(.rates, since: .back(idle), fetchedAt: reportTime))
        guard case .stale(1, let asOf, _) = rates.measured(.sessions, missing: .noSource, 1) else {
            Testing.Issue.record("not stale")
            return
        }
        #expect(asOf == Instant(startOf: .back(idle - 1)))
    }

    /// Sessions of which nothing is known to have crashed are no rate.
    @Test func sessionsAloneAreNoRate() {
        var source = source(30, idle: 0, .rates)
        source.health = (0..<30).reversed().map { back in
            var day = HealthDay.make(back, sessions: 20_000, crashed: 40)
            if back < 6 { day.crashedSessions = nil }
            return day
        }
        source.source.capabilities = [.sessions]
        #expect(source.idleSince() == nil && source.idleSince(.rates) == .back(6))
    }

    /// A row of the day that is not over, such as a bucket of zeros, makes old rates no newer.
    @Test(arguments: [false, true]) func theDayThatIsNotOverSaysNothing(hasToday: Bool) {
        var source = source(30, idle: 6, .rates)
        source.captures.add(reportTime, days: .back(0)...(.back(0)))
        source.health = (6..<36).reversed().map { .make($0, sessions: 20_000, crashed: 40) }
        if hasToday { source.health.append(.make(-1, sessions: 0, crashed: 0)) }
        source.source.capabilities = [.sessions]
        #expect(source.newestDay(with: .rates) == .back(6) && source.idleSince(.rates) == .back(6))
    }

    /// A month without the service is one of many arrivals, and no reason to wait a month from then on.
    @Test func anOutageIsNotUsual() {
        var source = source(20, idle: 3)
        for back in 50..<70 {
            let day = CivilDate.back(back)
            source.captures.add(
                Instant(startOf: .back(back - 1)).advanced(bySeconds: 18_000), days: day...day)
        }
        #expect(source.idleSince() == .back(3))
    }

    /// What was not fetched in time is silent, and one that fails has failed, whatever their days.
    @Test func oneReasonIsNamed() {
        var source = source(30, idle: 4)
        source.previousCapture = reportTime.advanced(bySeconds: -86_400)
        let later = SourceFacts(source, asOf: reportTime.advanced(bySeconds: 3 * 86_400))
        #expect(later.trouble == .overdue(since: reportTime))
        source.lastAttempt = FetchAttempt(at: reportTime, outcome: .failed(timeout))
        #expect(SourceFacts(source, asOf: reportTime).trouble == .failed(timeout))
        #expect(SourceFacts(source, asOf: reportTime).idleSince == nil)
    }

    /// The last of 30 days that came in time, then which later day came on which day, all so many days back: the last day
    /// before each time in which a newer one was due, how many hours after its end a fetch was one too many, and on which day
    /// a newer one came.
    @Test(
        arguments: [
            (0, [], []), (1, [], []), (2, [], ["2 41 –"]),
            (10, [(5, 6), (4, 5), (3, 4), (2, 3), (1, 2), (0, 1), (-1, 0)], ["10 41 5"]),
            // The wait of an outage is not usual from then on.
            (18, [(11, 12), (10, 11), (3, 4), (2, 3), (1, 2), (0, 1), (-1, 0)], ["18 41 11", "11 41 3"]),
            (10, [(5, 6)], ["10 41 5", "6 41 –"]),
            // Days that come one by one, too late: each is due as soon as the one before it came.
            (10, [(5, 9), (4, 8), (-1, 0)], ["10 41 5", "9 76 4", "8 76 -1"]),
        ] as [(Int, [(Int, Int)], [String])])
    func timesWithoutNewDaysAreKnown(idle: Int, later: [(Int, Int)], times: [String]) {
        var source = source(30, idle: idle)
        for (night, day) in later {
            source.captures.add(
                Instant(startOf: .back(night)).advanced(bySeconds: 5 * 3600), days: .back(day)...(.back(day)))
        }
        let last = CivilDate.back(0).daysSinceEpoch
        #expect(
            source.overdueDays.map { day in
                let hours = (source.end(of: day.since).seconds(to: day.from) - 1) / 3600
                let end = day.end.map { "\(last - $0.date.daysSinceEpoch)" } ?? "–"
                return "\(last - day.since.daysSinceEpoch) \(hours) \(end)"
            } == times)
    }

    /// What of a source was idle from which hour until which one: one time for those that overlap.
    @Test(
        arguments: [
            ([], []),
            (["all 10 20"], ["all 10 20"]),
            (["all 30 40", "all 10 20"], ["all 10 20", "all 30 40"]),
            (["all 10 20", "all 20 30"], ["all 10 30"]),
            (["rates 10 –", "use 20 30"], ["rates 10 –"]),
            (["rates 10 20", "use 15 30"], ["use 10 30"]),
            (["rates 10 –", "all 20 –"], ["all 10 –"]),
            (["all 10 –", "rates 20 –"], ["all 10 –"]),
            (["all 10 20", "rates 10 40", "use 50 –"], ["rates 10 40", "use 50 –"]),
        ] as [([String], [String])])
    func timesThatOverlapAreOne(times: [String], joined: [String]) {
        func time(_ text: String) -> IdleTime {
            let parts = text.split(separator: " ")
            func instant(_ part: Substring) -> Instant? { Int(part).map { Instant(secondsSinceEpoch: $0) } }
            let first = instant(parts[1]) ?? reportTime
            return IdleTime(
                first: first, end: instant(parts[2]), since: .back(0),
                figure: DailyFigure(rawValue: String(parts[0])))
        }
        #expect(
            IdleTime.joined(times.map(time)).map { time in
                let end = time.end.map { "\($0.secondsSinceEpoch)" } ?? "–"
                return "\(time.figure?.rawValue ?? "all") \(time.first.secondsSinceEpoch) \(end)"
            } == joined)
    }

    /// The last day of a source that was idle since the night seven days ago, and how its failure ends: with its last day.
    @Test(arguments: [(nil, "open"), (4, "over"), (6, "over"), (8, "none")] as [(Int?, String)])
    func aTimeEndsWithItsSource(until: Int?, state: String) {
        var source = source(30, idle: 10)
        source.source.until = until.map { .back($0) }
        let begin = Instant(startOf: .back(7)).advanced(bySeconds: 5 * 3600)
        source.idleTimes = [IdleTime(first: begin, since: .back(10))]
        let found = SourceIdleRule().events(in: HistoryIndex(.make(source), asOf: reportTime))
        guard case .sourceTrouble(let trouble)? = found.first else { return #expect(state == "none") }
        #expect(trouble.occasion.at == begin && state == (trouble.end == nil ? "open" : "over"))
        #expect(trouble.why == .idle(nil, since: .back(10), fetchedAt: begin))
    }
}
