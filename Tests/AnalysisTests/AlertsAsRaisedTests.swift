import Analysis
import AppHealth
import HistoryFixtures
import Testing

/// What becomes of alerts that were raised when the past that they were judged by is gone.
struct AlertsAsRaisedTests {
    /// So many days to the last one; more users crash from 14 days ago on, for good.
    private func dropped(_ days: Int, from source: String = "files", crashed: Int = 200) -> HistoryIndex {
        let health = (0..<days).reversed().map { back in
            HealthDay.make(
                back, sessions: 20_000, users: 10_000,
                crashedUsers: back <= 14 ? crashed + back % 3 : 50 + back % 5)
        }
        return HistoryIndex(.make(.make(source, health: health)), asOf: reportTime)
    }

    private func ledger(of index: HistoryIndex) -> [LedgerEntry] {
        reconcile([], with: events(in: index), in: index, sentence: \.kind.rawValue).revisions
    }

    /// A source that was replaced has 28 days, of which 21 only teach: nothing of the alert was revised.
    @Test(arguments: [28, 20, 7])
    func anAlertInTheTimeFromWhichARuleLearnsStaysAsItWasRaised(days: Int) throws {
        let raised = ledger(of: dropped(90))
        let alert = try #require(raised.first { $0.rule == StabilityRule.id })
        #expect(alert.state == .open && alert.firstDay == .back(14))
        let now = dropped(days, from: "renamed")
        let revisions = reconcile(raised, with: events(in: now), in: now, sentence: \.kind.rawValue)
        #expect(revisions.withdrawn == [])
        let shown = events(in: now, ledger: raised)
        #expect(!shown.contains { $0.kind == .withdrawn || $0.kind == .recovery })
        #expect(shown.filter { $0.kind == .stability }.map(\.occasion.id) == [alert.id])
        guard case .raised(let kept)? = shown.first(where: { $0.kind == .stability }) else {
            Testing.Issue.record("\(shown.map(\.occasion.id))")
            return
        }
        #expect(kept.entry.sentence == alert.sentence && kept.entry.firstDay == alert.firstDay)
        #expect(kept.isOpen)
        #expect(shown.first { $0.kind == .stability }?.isOnCrashCounts == false)
        #expect(kept.occasion.at == Instant(startOf: .back(13)))
    }

    @Test func whatCanBeJudgedIsWithdrawn() throws {
        let raised = ledger(of: dropped(90))
        let now = dropped(90, crashed: 51)
        #expect(events(in: now, ledger: raised).contains { $0.kind == .withdrawn })
    }

    /// An anomaly of use that is over is closed by the same day while it is judged and as it was raised, in each zone.
    @Test(arguments: [0, 9, -8]) func anAlertIsOverOnTheSameDayAsItWasRaised(hours: Int) throws {
        func index(_ days: Int) -> HistoryIndex {
            let usage = (0..<days).reversed().map { back -> UsageDay in
                let usual = Double(back % 7 < 5 ? 10_000 : 7000) * (1 + Double(back * 37 % 11 - 5) / 300)
                return UsageDay(
                    date: .back(back), activeUsers: Int(usual * ((17...18).contains(back) ? 1.6 : 1)))
            }
            var source = SourceHistory.make(usage: usage)
            source.zoneOffsets = ZoneOffsets(seconds: hours * 3600)
            return HistoryIndex(.make(source), asOf: reportTime)
        }
        let before = index(140)
        let found = events(in: before).compactMap { event in
            if case .usage(let anomaly) = event { anomaly } else { nil }
        }
        let over = try #require(found.first?.reportedOver)
        var entry = try #require(ledger(of: before).first { $0.rule == UsageAnomalyRule.id })
        entry.state = .closed
        let kept = events(in: index(20), ledger: [entry]).compactMap { event in
            if case .raised(let alert) = event { alert } else { nil }
        }
        #expect(kept.map(\.reportedOver) == [over])
        #expect(kept.map(\.knownOver) == [found.first?.knownOver])
    }

    /// Hours of a month to the report, each day fetched on the night after it: an issue rises in one hour of two days.
    private func hours(_ count: Int, rises: [Int]) -> HistoryIndex {
        let now = UTCHour(of: reportTime)
        let all = (1...count).reversed().map { now.advanced(by: -$0) }
        var source = SourceHistory.make(issues: ["a", "b"].map { AppHealth.Issue(id: $0, title: $0) })
        source.healthHours = all.map { HealthHour(hour: $0, sessions: 2_000, crashedSessions: 8) }
        source.hoursOfIssues = Set(all)
        let rising = Set(rises.map { UTCHour(of: .noon(back: $0)) })
        source.issueHours = all.enumerated().map { place, hour in
            IssueHour(issue: "a", hour: hour, events: rising.contains(hour) ? 300 : 3 + place % 3)
        }
        for back in 0..<60 {
            let day = CivilDate.back(back)
            source.captures.add(
                Instant(startOf: day.advanced(by: 1)).advanced(bySeconds: 6 * 3600), days: day...day)
        }
        return HistoryIndex(.make(source), asOf: reportTime)
    }

    private func entry(_ back: Int, _ subject: String = "a") -> LedgerEntry {
        LedgerEntry(
            id: "sketchbook/velocity/\(CivilDate.back(back))/\(subject)", app: Slug(anyText: "sketchbook"),
            rule: IssueVelocityRule.id, subject: subject, firstDay: .back(back), lastDay: .back(back),
            raisedAt: .noon(back: back - 1), state: .closed,
            sentence: "An issue is affecting 5% of sessions.",
            reportedSize: 0.05)
    }

    private func velocity(_ index: HistoryIndex, _ ledger: [LedgerEntry]) -> [Int] {
        events(in: index, ledger: ledger).filter { $0.kind == .velocity }.map(\.back)
    }

    /// The first hours of a month only teach, so a day that was judged once is judged no more.
    @Test(arguments: [20, 40, 9])
    func anAlertOfHoursThatOnlyTeachNowIsShownAsItWasRaised(back: Int) throws {
        let now = hours(720, rises: [])
        let shown = events(in: now, ledger: [entry(back)])
        let event = try #require(shown.first { $0.kind == .velocity })
        #expect(event.occasion.id == entry(back).id && event.issueID == "a" && event.back == back)
        #expect(!shown.contains { $0.kind == .withdrawn })
        let section = AppAnalysis(
            {
                var history = AppHistory.make(.make(issues: [AppHealth.Issue(id: "a", title: "a")]))
                history.ledger = [entry(back)]
                return history
            }(), targets: .standard, asOf: reportTime)
        #expect(section.activity.byDay[.back(back)]?.map(\.occasion.id) == [entry(back).id])
    }

    /// By a shorter past an hour may look as it never did; what no run has judged yet is news, however old.
    @Test(arguments: [
        (hours: 720, rise: 10, isKnown: true, shown: [9]), (720, 10, false, [10]), (720, 2, true, [2, 9]),
        (500, 5, true, [5, 9]), (500, 5, false, [5]),
    ])
    func hoursThatWereJudgedOnceAreNotJudgedByAShorterPast(
        row: (hours: Int, rise: Int, isKnown: Bool, shown: [Int])
    ) {
        let now = hours(row.hours, rises: [row.rise])
        let ledger = row.isKnown ? [entry(9, "b")] : []
        #expect(velocity(now, ledger) == row.shown)
        // The ledger and the pages agree.
        let written = reconcile(ledger, with: events(in: now), in: now, sentence: \.kind.rawValue)
        #expect(written.appended.count == row.shown.count { $0 == row.rise })
    }

    /// A night so many nights before the last one, of a source that keeps hours for a month: from 25 days before the last one
    /// on an issue crashes a new release, for five days.
    private func night(_ back: Int, inOneHour: Bool) -> HistoryIndex {
        let now = reportTime.advanced(bySeconds: -back * 86_400)
        let issue = AppHealth.Issue(id: "new", title: "new", firstSeen: .noon(back: 25))
        var health: [HealthDay] = (back...(back + 80)).map {
            .make($0, sessions: 48_000, crashed: 192, users: 20_000, crashedUsers: 160)
        }
        let days = (max(back, 21)...max(back, 25)).filter { $0 <= 25 }
        health += (back...max(back, 25)).map { .make($0, of: "2.0", sessions: 2_000, crashed: 60) }
        let rows = days.flatMap { day -> [IssueDay] in
            [.make("new", day, events: 60, users: 50), .make("new", day, of: "2.0", events: 60, users: 50)]
        }
        var source = SourceHistory.make(capturedAt: now, health: health, issues: [issue], issueDays: rows)
        let end = UTCHour(of: now)
        let all = (1...720).reversed().map { end.advanced(by: -$0) }
        source.healthHours = all.map { HealthHour(hour: $0, sessions: 2_000, crashedSessions: 8) }
        source.hoursOfIssues = Set(all)
        source.issueHours = all.compactMap { hour in
            guard days.contains(hour.start.date.days(to: lastDay)) else { return nil }
            let isNoon = (hour.start.secondsSinceEpoch / 3_600) % 24 == 12
            return IssueHour(
                issue: "new", hour: hour, events: inOneHour ? (isNoon ? 60 : 0) : 2 + (isNoon ? 12 : 0))
        }
        for day in back..<(back + 80) {
            source.captures.add(
                Instant(startOf: CivilDate.back(day).advanced(by: 1)).advanced(bySeconds: 6 * 3600),
                days: .back(day) ... .back(day))
        }
        return HistoryIndex(.make(source), asOf: now)
    }

    /// Hours go one by one: what they and days found of an issue in one version is reported no second time.
    @Test(arguments: [true, false])
    func anIssueOfAVersionIsReportedOnceThoughItsHoursGo(inOneHour: Bool) throws {
        var ledger: [LedgerEntry] = []
        var raised: [[String]] = []
        for back in (0...25).reversed() {
            let index = night(back, inOneHour: inOneHour)
            let revisions = reconcile(
                ledger, with: events(in: index), in: index, sentence: \.kind.rawValue)
            let velocity = revisions.appended.filter { $0.rule == IssueVelocityRule.id }
            raised.append(velocity.map { "\($0.firstDay.days(to: lastDay)) \($0.subject)" })
            #expect(revisions.withdrawn == [], "\(back)")
            let changed = Dictionary(
                (revisions.changed + revisions.withdrawn).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
            ledger = ledger.map { changed[$0.id] ?? $0 } + revisions.appended
            let shown = events(in: index, ledger: ledger).filter { $0.kind == .velocity }
            #expect(shown.count == ledger.count { $0.rule == IssueVelocityRule.id }, "\(back)")
        }
        #expect(raised.flatMap(\.self).count == 1, "\(raised)")
    }

    /// A release is announced once: its verdict keeps the name and the day of its first announcement.
    @Test func aVerdictThatMovesKeepsItsNameAndDay() throws {
        let now = bad()
        let found = try #require(events(in: now).last { $0.kind == .releaseVerdict })
        let day = found.occasion.day.advanced(by: 1)
        var entry = try #require(ledger(of: now).first { $0.id == found.occasion.id })
        entry.id = "sketchbook/release-verdict/first"
        entry.firstDay = day
        entry.lastDay = day
        let shown = events(in: now, ledger: [entry]).filter { $0.occasion.subject == entry.subject }
        #expect(shown.map(\.occasion.id) == [entry.id] && shown.map(\.occasion.day) == [day])
        #expect(shown.map(\.occasion.at) == [Instant(startOf: day.advanced(by: 1))])
        #expect(reconcile([entry], with: events(in: now), in: now, sentence: \.kind.rawValue).changed == [])
    }

    /// What was announced and is no longer so stays as withdrawn; where a release cannot be judged any more, as it was.
    @Test(arguments: [
        ("2.0 go", EventKind.withdrawn), ("0.9 go", .releaseVerdict),
    ])
    func aVerdictThatIsNoLongerSoStays(row: (subject: String, kind: EventKind)) throws {
        let now = bad()
        var entry = try #require(ledger(of: now).first { $0.rule == ReleaseVerdictRule.id })
        (entry.id, entry.subject) = ("sketchbook/release-verdict/x", row.subject)
        let event = try #require(
            events(in: now, ledger: [entry]).first { $0.occasion.id == entry.id })
        #expect(event.kind == row.kind && event.releaseOfVerdict == String(row.subject.dropLast(3)))
    }

    /// 1.0 for a month, then 2.0, which crashes much more.
    private func bad() -> HistoryIndex {
        let health = (0...40).flatMap { back -> [HealthDay] in
            let new = back < 10 ? 8_000 : 0
            let days = [
                HealthDay.make(back, of: "1.0", sessions: 10_000 - new, crashed: (10_000 - new) / 500)
            ]
            let later = [HealthDay.make(back, of: "2.0", sessions: new, crashed: new / 10)]
            let crashed = (10_000 - new) / 500 + new / 10
            return (new > 0 ? days + later : days)
                + [HealthDay.make(back, sessions: 10_000, crashed: crashed)]
        }
        return HistoryIndex(.make(.make(health: health)), asOf: reportTime)
    }

    /// A recovery that late data take back stays as withdrawn, and its alert is newer than that.
    @Test func aRecoveryThatIsTakenBackStays() throws {
        func history(_ last: Int) -> AppHistory {
            let health = (0..<90).reversed().map { back in
                HealthDay.make(
                    back, users: 10_000,
                    crashedUsers: (3...6).contains(back) || back <= last ? 300 : 50 + back % 5)
            }
            return .make(.make(health: health))
        }
        let before = HistoryIndex(history(-1), asOf: reportTime)
        let raised = ledger(of: before)
        let recovery = try #require(raised.first { $0.rule == RecoveryRule.id })
        #expect(recovery.id == "sketchbook/recovery/\(CivilDate.back(2))")
        var after = history(1)
        after.ledger = raised
        let activity = AppAnalysis(after, targets: .standard, asOf: reportTime).activity
        let taken = try #require(activity.events.first { $0.occasion.id == recovery.id })
        #expect(taken.kind == .withdrawn && taken.occasion.rule == RecoveryRule.id)
        let alert = try #require(activity.events.first { $0.kind == .stability })
        #expect(activity.changed[alert.occasion.id] == activity.changed[taken.occasion.id])
        #expect(activity.changed[alert.occasion.id] == reportTime)
    }
}
