import AppHealth
import HistoryFixtures
import Testing

@testable import Analysis

/// An app is judged by what it has lately, whatever it had long ago.
struct LatelyTests {
    private static let length = 148

    private func analysis(_ source: SourceHistory...) -> AppAnalysis {
        AppAnalysis(
            AppHistory(app: AppHistory.make().app, sources: source), targets: .standard, asOf: reportTime)
    }

    /// The crashed part of a day: eight times as many on some.
    private func crashed(_ total: Int, _ back: Int, rise: Range<Int>) -> Int {
        total * (4_000 + back * 37 % 11 * 40) / 1_000_000 * (rise.contains(back) ? 8 : 1)
    }

    /// Sessions of all days, and users of some: none of them means that no user is named.
    private func source(_ name: String = "files", rise: Range<Int> = 0..<6, users: (Int) -> Int?)
        -> SourceHistory
    {
        .make(
            name,
            health: (0..<Self.length).reversed().map { back in
                let users = users(back)
                return .make(
                    back, sessions: 30_000, crashed: crashed(30_000, back, rise: rise), users: users,
                    crashedUsers: users.map { crashed($0, back, rise: rise) })
            })
    }

    @Test(
        arguments: [
            // From how many days back to how many there are users.
            (147...147, Basis.sessions, 0), (56...147, .sessions, 0), (8...147, .sessions, 0),
            (7...147, .users, 7), (0...147, .users, 0), (0...13, .users, 0), (0...12, .sessions, 0),
        ] as [(ClosedRange<Int>, Basis, Int)], [nil, 0])
    func theRateIsOfWhatIsCountedLately(row: (users: ClosedRange<Int>, basis: Basis, last: Int), none: Int?) {
        let source = source { row.users.contains($0) ? 10_000 : none }
        let report = analysis(source)
        #expect(report.facts.basis == row.basis)
        // Where there are no users, the rate is known: no user came.
        #expect(report.facts.lastDay == .back(none == 0 ? 0 : row.last))
        #expect(report.stability.crashedShare(on: .back(row.last)) != nil)
        // Users of two weeks teach too little for an alert.
        guard row.last == 0, row.basis == .sessions || row.users.count > 14 else { return }
        #expect(found(by: StabilityRule(), in: source).map(\.back) == [5])
    }

    /// Users of one source that end, next to sessions of another: the report goes on with these.
    @Test(arguments: [(6, Basis.users, 6), (7, .users, 7), (8, .sessions, 0), (20, .sessions, 0)])
    func usersThatEndKeepNoReportBack(row: (end: Int, basis: Basis, last: Int)) {
        var users = source("users") { $0 >= row.end ? 10_000 : nil }
        users.source.capabilities = [.users]
        users.health = users.health.filter { $0.users != nil }
        var sessions = source("sessions") { _ in nil }
        sessions.source.capabilities = [.sessions]
        let report = analysis(users, sessions)
        #expect(report.facts.basis == row.basis && report.facts.lastDay == .back(row.last))
        let shown = report.stability.newestDay(of: .users, through: report.facts.lastDay)
        #expect(shown == .back(row.last))
        #expect((report.stability.crashed(on: shown, .users).value != nil) == (row.last > 0))
        #expect(report.lastDay.sessions.value != nil)
    }

    /// Rates of one source that end, next to crashes of another: after four weeks the report goes on with these.
    @Test(arguments: [(27, true, 27), (40, false, 0)])
    func ratesThatEndKeepNoReportBack(row: (end: Int, hasRates: Bool, last: Int)) {
        var rates = source("rates", rise: 0..<0) { _ in nil }
        rates.source.capabilities = [.sessions]
        rates.health = rates.health.filter { $0.date <= .back(row.end) }
        let days = (0..<Self.length).map { CivilDate.back($0) }
        let crashes = SourceHistory.make(
            "crashes", knows: [.issues, .issueDays], health: days.map { HealthDay(date: $0, crashes: 3) },
            coverage: [CoverageSpan(.crashes, .back(Self.length - 1) ... .back(0))])
        let report = analysis(rates, crashes)
        #expect(report.stability.hasRates == row.hasRates && report.facts.lastDay == .back(row.last))
    }

    /// What was raised by users stays when they end: sessions say nothing of it.
    @Test func alertsOfTheTimeOfUsersStay() throws {
        let day = source(rise: 0..<0) { $0 > 20 ? 10_000 : nil }
        var dropped = day
        for place in dropped.health.indices
        where (36...40).contains(dropped.health[place].date.days(to: lastDay)) {
            dropped.health[place].crashedUsers = 400
        }
        let then = HistoryIndex(.make(dropped), asOf: reportTime.advanced(bySeconds: -25 * 86_400))
        let now = HistoryIndex(.make(dropped), asOf: reportTime)
        #expect(then.rates.basis == .users && now.rates.basis == .sessions)
        let raised = reconcile([], with: events(in: then), in: then, sentence: \.kind.rawValue).appended
        let alert = try #require(raised.first { $0.rule == StabilityRule.id })
        let shown = events(in: now, ledger: raised)
        #expect(shown.filter { $0.kind == .stability }.map(\.occasion.id) == [alert.id])
        #expect(!shown.contains { $0.kind == .withdrawn })
    }

    /// Crashes are judged by their number before a rate is known, and again once none has been known for four weeks.
    @Test(
        arguments: [
            // From how many days back to how many there are sessions.
            (nil, [9]), (145...147, [9]), (40...147, [9]), (20...147, []), (0...147, []), (0...5, [9]),
        ] as [(ClosedRange<Int>?, [Int])])
    func crashesAreCountedWhereNoRateIsKnownLately(sessions: ClosedRange<Int>?, expected: [Int]) {
        let source = SourceHistory.make(
            knows: [.sessions, .issues, .issueDays],
            health: (0..<Self.length).reversed().map { back in
                let crashes = (20 + back * 37 % 7) * (back <= 9 ? 4 : 1)
                var day = HealthDay(date: .back(back), crashes: crashes)
                if sessions?.contains(back) == true {
                    (day.sessions, day.crashedSessions) = (10_000, crashes)
                }
                return day
            })
        #expect(found(by: CrashCountRule(), in: source).map(\.back) == expected)
        let report = analysis(source)
        let isLate = sessions.map { $0.lowerBound >= 28 } ?? true
        #expect(report.stability.isCounted == isLate)
        #expect(report.day(lastDay).isCounted == isLate)
        #expect(report.day(.back(146)).isCounted == (sessions?.contains(146) != true && isLate))
        #expect(report.facts.lastDay == .back(0))
    }

    /// Users or sessions without those that crashed are use: what is known of crashes is shown as it was without them.
    @Test(arguments: [true, false], [true, false])
    func useTakesNoCrashesAway(isOneSource: Bool, areUsers: Bool) throws {
        let days = (0..<Self.length).reversed()
        func used(_ back: Int) -> HealthDay {
            areUsers ? .make(back, users: 9_000) : .make(back, sessions: 10_000)
        }
        func source(_ name: String, _ knows: Set<Capability>, _ day: (Int) -> HealthDay) -> SourceHistory {
            .make(name, knows: knows, health: days.map(day))
        }
        let counted = source("crashes", [.issues, .issueDays]) { back in
            var day = isOneSource ? used(back) : HealthDay(date: .back(back))
            day.crashes = (20 + back * 37 % 7) * (back <= 9 ? 4 : 1)
            return day
        }
        var sources = [counted]
        if isOneSource {
            sources[0].source.capabilities.insert(areUsers ? .users : .sessions)
        } else {
            sources.append(source("use", [areUsers ? .users : .sessions], used))
        }
        let report = AppAnalysis(
            AppHistory(app: AppHistory.make().app, sources: sources), targets: .standard, asOf: reportTime)
        #expect(report.stability.isCounted && report.day(lastDay).isCounted)
        #expect(report.day(lastDay).crashes == 80)
        #expect(report.activity.events.contains { $0.kind == .stability })
    }

    @Test(
        arguments: [
            (nil, nil, UsageAnomaly.Measure.sessions), (137...147, nil, .sessions),
            (nil, 137...147, .sessions),
            (0...147, nil, .activeUsers), (nil, 0...147, .activeUsers), (0...147, 137...147, .activeUsers),
        ] as [(ClosedRange<Int>?, ClosedRange<Int>?, UsageAnomaly.Measure)])
    func useIsOfWhatIsCountedLately(
        users: ClosedRange<Int>?, active: ClosedRange<Int>?, measure: UsageAnomaly.Measure
    ) throws {
        let backs = (0..<Self.length).reversed()
        func count(_ back: Int) -> Int { (10_000 + back * 37 % 11 * 30) * (back == 5 ? 3 : 1) }
        let source = SourceHistory.make(
            health: backs.map { back in
                .make(
                    back, sessions: count(back), crashed: 20,
                    users: users?.contains(back) == true ? count(back) : nil,
                    crashedUsers: users?.contains(back) == true ? 20 : nil)
            },
            usage: backs.filter { active?.contains($0) == true }.map {
                UsageDay(date: .back($0), activeUsers: count($0))
            })
        let events = found(by: UsageAnomalyRule(), in: source)
        #expect(events.map(\.back) == [5])
        guard case .usage(let anomaly)? = events.first else { return }
        #expect(anomaly.measure == measure)
    }

    /// Use that ended long before the other figures is missing on the last day.
    @Test(arguments: [(0, 0), (7, 7), (8, 0), (100, 0)])
    func useOfLongAgoIsNotTheLastDay(end: Int, last: Int) {
        var source = source(rise: 0..<0) { _ in nil }
        source.usage = (end..<Self.length).reversed().map { UsageDay(date: .back($0), activeUsers: 9_000) }
        let usage = analysis(source).usage
        #expect(usage.lastDay == .back(last))
        #expect((usage.count(on: usage.lastDay, \.activeUsers).value != nil) == (last == end))
    }
}
