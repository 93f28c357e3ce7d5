import Analysis
import AppHealth
import Charts
import Diagnostics
import Estimates
import HistoryFixtures
import Pages
import Testing

/// Alerts of apps whose sources give no sessions and no users, so that no rate is known.
struct CrashCountTests {
    private static let length = 90
    private static let part = Coverage.partial(counted: 2, of: 9)

    /// Crashes of so many days, about 20 a day, of one issue; `change` makes another count of a day, or none, and
    /// `coverage` says how much of it was reported.
    private func source(
        _ change: (Int, Int) -> Int? = { $1 }, coverage: (Int) -> Coverage = { _ in .complete }
    ) -> SourceHistory {
        let counts = (0..<Self.length).reversed().compactMap { back in
            change(back, 20 + back * 37 % 7 - 3).map { (back, $0) }
        }
        return .make(
            knows: [.issues, .issueDays],
            health: counts.map { HealthDay(date: .back($0), crashes: $1) },
            issues: [Issue(id: "a", title: "Atomic", firstSeen: .noon(back: 200))],
            issueDays: counts.map { .make("a", $0, events: $1, users: nil) },
            coverage: (0..<Self.length).flatMap { back in
                let day = CivilDate.back(back)
                return [.crashes, .issueDays].map { CoverageSpan($0, day...day, coverage(back)) }
            })
    }

    private func alerts(in source: SourceHistory) -> [CrashCountAlert] {
        found(by: CrashCountRule(), in: source).compactMap {
            if case .crashes(let alert) = $0 { alert } else { nil }
        }
    }

    @Test(
        arguments: [
            // From how many days back to how many crashes are threefold, the alerts and what became of them.
            (-1, -1, []), (0, 0, [(0, "open")]), (9, 9, [(9, "recovered 8")]), (9, 6, [(9, "recovered 5")]),
            // Two days that settled since are not three; the last two still settle.
            (4, 4, [(4, "open")]), (5, 5, [(5, "recovered 4")]),
        ] as [(Int, Int, [(Int, String)])])
    func aRiseIsReportedFromItsFirstDayToItsReturn(from: Int, to: Int, expected: [(Int, String)]) {
        let alerts = alerts(in: source { (to...max(from, to)).contains($0) && from >= 0 ? $1 * 3 : $1 })
        #expect(alerts.map(\.occasion.day) == expected.map { .back($0.0) })
        #expect(alerts.map { state($0) } == expected.map(\.1))
        #expect(alerts.allSatisfy { $0.occasion.id.hasPrefix("sketchbook/crash-count/2016-01-") })
    }

    /// The chart of crashes goes by the forecast of their alert, with a range that fewer days leave by chance.
    @Test(arguments: [0, 1, 8]) func theChartHasTheForecastOfTheAlert(back: Int) throws {
        let source = source { $0 == back ? $1 * 3 : $1 }
        let finding = try #require(alerts(in: source).first).episode.finding
        #expect(finding.window == 1)
        let page = AppPages(AppAnalysis.make(source), site: site).overview
        let chart = try #require(page.stability?.chart as? BarChart)
        let range = try #require(chart.expectation.first { $0.date == .back(back) })
        let usual = (
            low: finding.expected - Double(finding.range.lowerBound),
            high: Double(finding.range.upperBound) - finding.expected
        )
        // Of normal deviates, 99 of 100 are within 1.31 times of what holds 95.
        #expect((1.2...1.5).contains((range.mean - range.lower) / usual.low))
        #expect((1.2...1.5).contains((range.upper - range.mean) / usual.high))
        #expect(abs(range.mean - finding.expected) < 1e-6)
        // Three weeks of the past are learned from.
        #expect(chart.expectation.count == Self.length - 21)
    }

    /// Three days as before end an alert for good, also while late data may still add to them.
    @Test(arguments: 3...9, 1...4) func aRiseAfterARecoveryIsAnAlertOfItsOwn(usual: Int, days: Int) {
        let alerts = alerts(
            in: source { back, count in
                back < days || (days + usual..<days + usual + 4).contains(back) ? count * 5 : count
            })
        #expect(alerts.map { $0.occasion.day.days(to: lastDay) } == [days + usual + 3, days - 1])
        #expect(alerts.last.map { state($0) } == "open")
        // As soon as the days between are settled it has recovered on the first of them.
        let isSettled = days + usual >= 5
        #expect(
            alerts.first.map { state($0) }
                == (isSettled ? "recovered \(days + usual - 1)" : "followed \(days - 1)"))
    }

    /// Twice as many crashes as before are not as before, however many more they were.
    @Test func crashesThatOnlyDroppedAreNotBack() {
        let counts = [9: 205, 8: 192, 7: 190, 6: 100, 5: 60]
        let alerts = alerts(in: source { back, usual in counts[back] ?? usual })
        #expect(alerts.map { $0.occasion.day.days(to: lastDay) } == [9])
        #expect(alerts.map { state($0) } == ["recovered 4"])
    }

    /// A source that reports days without crashes from before the app came out, or of an app that had none until then.
    @Test(arguments: [(nil, []), (200, [9]), (30, [9]), (12, [])] as [(Int?, [Int])])
    func daysBeforeTheAppTeachNothing(firstSeen: Int?, expected: [Int]) {
        var source = source { back, usual in back > 9 ? 0 : usual }
        source.issues[0].firstSeen = firstSeen.map { .noon(back: $0) }
        #expect(alerts(in: source).map { $0.occasion.day.days(to: lastDay) } == expected)
    }

    private func state(_ alert: CrashCountAlert) -> String {
        switch alert.episode.state {
        case .open: "open"
        case .recovered(let day, _): "recovered \(day.days(to: lastDay))"
        case .followed(let day): "followed \(day.days(to: lastDay))"
        }
    }

    @Test(arguments: [part, .unknown])
    func daysThatAreNotWholeNeitherRaiseNorClose(coverage: Coverage) {
        let rise: (Int, Int) -> Int? = { back, usual in back == 9 ? 90 : usual }
        #expect(alerts(in: source(rise, coverage: { $0 == 9 ? coverage : .complete })).isEmpty)
        // The days after it are known in part: nothing says that crashes are back.
        let open = alerts(in: source(rise, coverage: { $0 < 9 ? coverage : .complete }))
        #expect(open.map { state($0) } == ["open"])
        #expect(open.first?.episode.last == .back(9))
        // Nothing at all is known of them, or they were never fetched.
        #expect(
            alerts(in: source({ $0 < 9 ? nil : rise($0, $1) }, coverage: { $0 < 9 ? coverage : .complete }))
                .map { state($0) } == ["open"])
        // Every second day is known, and each third one of those ends it.
        let some = alerts(in: source(rise, coverage: { $0 % 2 == 1 ? .complete : coverage }))
        #expect(some.map { state($0) } == ["recovered 7"])
    }

    @Test func aRateSaysMoreThanCounts() {
        var rated = source { back, usual in back == 9 || back == 50 ? 90 : usual }
        rated.source.capabilities.insert(.sessions)
        #expect(alerts(in: rated).map(\.occasion.day) == [.back(50), .back(9)])
        for place in rated.health.indices where rated.health[place].date >= .back(20) {
            (rated.health[place].sessions, rated.health[place].crashedSessions) = (1000, 5)
        }
        #expect(alerts(in: rated).map(\.occasion.day) == [.back(50)])
    }

    /// Those who share diagnostics: all days are parts, and as far as the source says, of the same share.
    @Test(
        arguments: [
            (true, Coverage.partial(counted: nil, of: nil), ["recovered 5"]),
            (false, Coverage.partial(counted: nil, of: nil), []),
            // So many of so many is another share each day.
            (true, part, []),
        ])
    func daysOfASteadyShareCompareWithEachOther(isSteady: Bool, coverage: Coverage, expected: [String]) throws
    {
        var source = source({ (6...9).contains($0) ? $1 * 3 : $1 }, coverage: { _ in coverage })
        source.source.countsSteadyShare = isSteady
        let alerts = alerts(in: source)
        #expect(alerts.map { state($0) } == expected)
        guard let alert = alerts.first else { return }
        #expect(alert.isOfShare && alert.sentence.contains("Crashes are those of a share of all users. "))
        let back = try #require(found(by: RecoveryRule(), in: source).first)
        #expect(back.sentence.hasPrefix("Reported crashes recovered to "))
        // No page shows them as all crashes.
        let analysis = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        #expect(!analysis.stability.isCounted && analysis.stability.crashes.isEmpty)
        // Whole days of any kind say more.
        let rest = CoverageSpan(.crashes, .back(80)...(.back(60)), .complete)
        source.coverage = CoverageHistory(source.coverage.spans + [rest])
        #expect(self.alerts(in: source) == [])
    }

    @Test func wordsSayThatNoRateIsKnown() throws {
        let source = source { back, usual in back == 9 ? 87 : usual }
        let event = try #require(found(by: CrashCountRule(), in: source).first)
        #expect(event.kind == .stability)
        #expect(event.title == "Stability Alert on crash counts")
        #expect(
            event.sentence
                == "Crashes rose to 4.2× the expected number in the past 24 hours. At 87 crashes, it is significantly "
                + "above the about 21 expected for a Monday. No crashed sessions are known, so there is no rate."
        )
        #expect(
            event.sentence(counts: .hidden)
                == "Crashes rose to 4.2× the expected number in the past 24 hours. No crashed sessions are known, so "
                + "there is no rate.")
        let back = try #require(found(by: RecoveryRule(), in: source).first)
        #expect(back.title == "Recovery on crash counts")
        #expect(back.sentence == "Crashes recovered to 19 a day after 1 day.")
        #expect(back.sentence(counts: .hidden) == "Crashes recovered to the expected level after 1 day.")
    }

    /// Fetched each morning, a recovery is known, and its alert over, once late data can no longer change its third day; a
    /// week that is over has no more alerts closed by then.
    @Test func aRecoveryIsKnownOnceItsDaysAreSettled() throws {
        func morning(after back: Int) -> Instant {
            Instant(startOf: .back(back - 1)).advanced(bySeconds: 6 * 3600)
        }
        // The third day is a Sunday; it settles with the end of the Tuesday.
        var source = source { (6...9).contains($0) ? $1 * 3 : $1 }
        source.captures = FactCaptures()
        for back in 0..<Self.length {
            source.captures.add(morning(after: back), days: CivilDate.back(back)...CivilDate.back(back))
        }
        let analysis = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        let events = analysis.activity.events
        let (recovery, alert) = (
            try #require(events.first { $0.kind == .recovery }),
            try #require(events.first { $0.kind == .stability })
        )
        #expect(recovery.occasion.day == .back(5))
        #expect(analysis.activity.known[recovery.occasion.id] == morning(after: 1))
        for event in [recovery, alert] {
            #expect(analysis.activity.changed[event.occasion.id] == Instant(startOf: .back(0)))
        }
        let week = try #require(analysis.weeks.first)
        #expect(week.week.last == .back(3) && week.opened > 0 && week.closed == 0)
    }

    @Test func ledgerLevelsAndMutesHoldForCounts() throws {
        let source = source { back, usual in back == 0 ? 87 : usual }
        let history = AppHistory(app: AppHistory.make().app, sources: [source])
        let index = HistoryIndex(history, asOf: reportTime)
        let all = events(in: index, rules: [CrashCountRule()])
        let ledger = reconcile([], with: all, in: index, rules: [CrashCountRule()]) { $0.sentence }
        #expect(ledger.appended.map(\.rule) == ["crash-count"])
        // 87 of about 21 are more than 300% above; the ledger keeps what levels above 100% are compared with.
        let rise = try #require(alerts(in: source).first?.rise)
        #expect(ledger.appended.first?.state == .open && ledger.appended.first?.reportedSize == rise)
        #expect(rise > 3 && rise < 4)
        func shown(_ least: AlertLevel, _ mutes: [Mute.Subject] = []) -> Int {
            let mutes = mutes.enumerated().map {
                Mute(
                    number: $0, $1, until: .init(date: .back(-9)), by: "Ana", why: "known",
                    at: .file(path: "mutes.yml", line: 1))
            }
            let settings = AlertSettings(kinds: [.stability: .init(least: least)])
            return Activity(
                of: all, in: index, under: AlertControl(mutes: mutes, settings: [index.app.id: settings])
            ).shown.count
        }
        #expect(shown(AlertLevel()) == 1)
        #expect(shown(AlertLevel(share: 300)) == 1 && shown(AlertLevel(share: 400)) == 0)
        // Points are of a rate; without one they keep nothing away.
        #expect(shown(AlertLevel(points: 5)) == 1)
        #expect(shown(AlertLevel(), [.init(kind: .stability)]) == 0)
    }

    // MARK: Issues

    private func velocity(in source: SourceHistory) -> [IssueVelocityAlert] {
        found(by: IssueVelocityRule(), in: source).compactMap {
            if case .velocity(let alert) = $0 { alert } else { nil }
        }
    }

    @Test func anIssueThatOutrunsItsCountsIsReported() throws {
        let source = source { back, usual in back == 1 ? 87 : usual }
        let alert = try #require(velocity(in: source).first)
        #expect(velocity(in: source).count == 1)
        #expect(alert.share == nil && alert.extent == .events(87))
        #expect(Event.velocity(alert).title == "Issue Velocity Alert on event counts")
        #expect(
            alert.sentence
                == "An issue in “Atomic” caused 87 events in the past 24 hours, where about 20 are expected (no sessions "
                + "are known, so no share). The issue was first seen July 11, 2015.")
        #expect(
            alert.sentence(counts: .hidden)
                == "An issue in “Atomic” caused 4.3× the expected number of events in the past 24 hours (no sessions are "
                + "known, so no share). The issue was first seen July 11, 2015.")
    }

    /// Of a list that was cut off, what is in it was counted as a whole.
    @Test(
        arguments: [
            (Coverage.complete, 1), (part, 1), (.partial(counted: 2, of: nil), 1),
            (.partial(counted: nil, of: nil), 0), (.unknown, 0),
        ])
    func anIssueIsHeldAgainstWholeCountsOnly(coverage: Coverage, count: Int) {
        let rise: (Int, Int) -> Int? = { back, usual in back == 1 ? 87 : usual }
        #expect(velocity(in: source(rise, coverage: { $0 == 1 ? coverage : .complete })).count == count)
        #expect(velocity(in: source(rise, coverage: { _ in coverage })).count == count)
    }

    /// An old issue that comes into a list: where the list was cut off, what it had before is not known, and no rise.
    @Test(arguments: [(Coverage.complete, 1), (part, 0)])
    func anIssueThatComesIntoACutListIsNoRise(coverage: Coverage, count: Int) {
        var source = source(coverage: { _ in coverage })
        source.issues.append(Issue(id: "b", title: "Bolt", firstSeen: .noon(back: 200)))
        source.issueDays += [1, 0].map { .make("b", $0, events: 87, users: nil) }
        #expect(velocity(in: source).count == count)
    }

    @Test(
        arguments: [
            // Events and users of the first day of a new issue, the alerts.
            (24, nil, 0), (25, nil, 1), (400, 24, 0), (400, 25, 1), (9, 9, 0),
        ] as [(Int, Int?, Int)])
    func aNewIssueNeedsAsManyUsersAsWithSessions(events: Int, users: Int?, count: Int) {
        var source = source()
        source.issues.append(Issue(id: "b", title: "Bolt", firstSeen: .noon(back: 2)))
        source.issueDays.append(.make("b", 2, events: events, users: users))
        #expect(velocity(in: source).count == count)
    }

    @Test func steadyCountsAreSilent() {
        #expect(alerts(in: source()).isEmpty && velocity(in: source()).isEmpty)
    }
}
