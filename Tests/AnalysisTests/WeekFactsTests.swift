import AppHealth
import HistoryFixtures
import Statistics
import Testing

@testable import Analysis

/// Weeks that are over: the last day of the fixtures is a Wednesday, so the newest such week ends three days before.
struct WeekFactsTests {
    private func weeks(
        _ history: SourceHistory, audience: Audience = .team, control: AlertControl = AlertControl()
    ) -> [WeekFacts] {
        let app = AppHistory.make(named: "Lamp").app
        return AppAnalysis(
            AppHistory(app: app, sources: [history]), targets: .standard, asOf: reportTime, control: control,
            audience: audience
        ).weeks
    }

    private func health(_ crashed: (Int) -> Int?) -> [HealthDay] {
        (0...20).compactMap { back in crashed(back).map { .make(back, sessions: 10_000, crashed: $0) } }
    }

    @Test func onlyWeeksThatAreOver() throws {
        let all = weeks(.make(health: health { _ in 10 }))
        #expect(all.map(\.week.description) == ["2016-W03", "2016-W02", "2016-W01"])
        #expect(all.allSatisfy { $0.week.last < lastDay })
        #expect(all.map(\.countedDays) == [7, 7, 4])
        #expect(weeks(.make()).isEmpty)
    }

    @Test func sumsDaysAndComparesWithTheWeekBefore() throws {
        let newest = try #require(weeks(.make(health: health { $0 <= 9 ? 200 : 20 })).first)
        #expect(newest.crashed == Fraction(1400, of: 70_000) && newest.verdict == .misses)
        let change = try #require(newest.change)
        #expect(abs(change.value + 0.018) < 1e-12)
        #expect(change.interval.lower < change.value && change.interval.upper > change.value)
        #expect(change.interval.upper < 0, "the drop is beyond chance")
        let interval = try #require(newest.interval)
        #expect(interval.lower < 0.98 && interval.upper > 0.98)
        let partial = weeks(
            .make(health: health { (3...9).contains($0) || (14...16).contains($0) ? 20 : nil }))
        #expect(partial.first?.change?.daysBefore == 3 && change.daysBefore == 7)
    }

    /// What readers see from whom counts are hidden is on the side of the levels that the status says.
    @Test(arguments: [0.002, 0.0035, 0.0045, 0.0055, 0.0065, 0.0165, 0.0175, 0.02, 0.0225, 0.0235])
    func aStatusAgreesWithTheCoarseRateNextToIt(rate: Double) throws {
        for size in stride(from: 400, to: 60_000, by: 1337) {
            let days = (0...20).map { back in
                // Days of different sizes, each coarse in its own way, one of them worse.
                let sessions = size * (3 + back % 5) / 3
                let crashed = (Double(sessions) * rate * (back % 7 == 4 ? 1.6 : 0.9)).rounded()
                return HealthDay.make(back, sessions: sessions, crashed: Int(crashed))
            }
            let team = try #require(weeks(.make(health: days)).first)
            let shown = try #require(weeks(.make(health: days), audience: Audience(.public)).first)
            let (crashed, interval) = (try #require(shown.crashed), try #require(shown.interval))
            #expect(shown.verdict == team.verdict)
            #expect(interval.contains(1 - crashed.value))
            let (target, critical) = (Targets.standard.target, Targets.standard.critical)
            let agrees =
                switch shown.verdict {
                case .meets: interval.lower >= target
                case .misses: interval.upper < target && interval.upper >= critical
                case .critical: interval.upper < critical
                case .notEnoughData: interval.lower < target && interval.upper >= target
                case .unknown: false
                }
            #expect(agrees, "\(size): \(shown.verdict), \(interval)")
        }
    }

    /// Days that vary more than chance make intervals wider, and a verdict harder.
    @Test func daysThatVaryWidenTheInterval() throws {
        let even = try #require(weeks(.make(health: health { _ in 100 })).first?.interval)
        let uneven = try #require(
            weeks(.make(health: health { $0.isMultiple(of: 2) ? 20 : 180 })).first?.interval)
        #expect(uneven.width > even.width * 2)
    }

    /// What is missing is no zero: a week without days has no rate, one without a week before no change.
    @Test func missingIsNotZero() throws {
        let some = weeks(.make(health: health { (3...9).contains($0) && $0 != 5 ? 10 : nil }))
        #expect(some.map(\.countedDays) == [6] && some[0].change == nil && some[0].mover == nil)
        let counted = try #require(
            weeks(.make(health: [.make(4)], issueDays: [.make("knot", 4, events: 9)])).first)
        #expect(counted.crashed == nil && counted.verdict == .unknown && counted.interval == nil)
    }

    @Test func biggestMoverIsThatOfBothWeeksKnownInFull() throws {
        let days = (0...20).flatMap { back -> [IssueDay] in
            [.make("steady", back, events: 50), .make("knot", back, events: back <= 9 ? 9 : 2)]
        }
        let issues = ["steady", "knot"].map { Issue(id: $0, title: $0) }
        func mover(without gap: Int?) -> WeekFacts.Mover? {
            weeks(
                .make(
                    health: health { $0 == gap ? nil : 10 }, issues: issues,
                    issueDays: days.filter { day in gap.map { day.date != .back($0) } ?? true })
            ).first?.mover
        }
        let found = try #require(mover(without: nil))
        #expect(found.id == "knot" && found.events == 63 && found.eventsBefore == 14)
        #expect(mover(without: 12) == nil, "a day of the week before is not known")
    }

    /// Of issues that changed as much it is the first by the id of the source, whoever reads and whatever the key is.
    @Test(arguments: 0..<6)
    func biggestMoverIsTheSameForEveryAudience(key: Int) {
        let days = (0...20).flatMap { back in
            ["a", "b"].map { IssueDay.make($0, back, events: back <= 9 ? 9 : 2) }
        }
        let issues = ["a", "b"].map { Issue(id: $0, title: "Title of " + $0) }
        let history = SourceHistory.make(health: health { _ in 10 }, issues: issues, issueDays: days)
        var audience = Audience(.public, titles: .shown)
        audience.key = AudienceKey([UInt8(key)])
        let (own, shown) = (weeks(history).first?.mover, weeks(history, audience: audience).first?.mover)
        #expect(own?.title == "Title of a" && shown?.title == own?.title)
        #expect(own?.id == "a" && shown?.id != "a" && shown?.id.count == 12)
    }

    /// What an audience may not see is in no week.
    @Test func nothingHiddenIsInAWeek() throws {
        let issue = Issue(
            id: "secret-id", title: "Secret title", place: CodePlace(file: "Secret.swift", line: 7))
        let days = (0...20).map { IssueDay.make("secret-id", $0, events: $0 <= 9 ? 9 : 2) }
        let history = SourceHistory.make(health: health { _ in 10 }, issues: [issue], issueDays: days)
        #expect(weeks(history).first?.mover?.title == "Secret title")
        let shown = weeks(history, audience: Audience(.public))
        #expect(shown.first?.mover != nil && !"\(shown)".contains("ecret"), "\(shown)")
    }

    @Test func alertsAndReleasesOfTheWeekAreCounted() throws {
        let health =
            [HealthDay].quietPast(before: 9, sessions: 20_000, crashed: 40)
            + (0...9).map { .make($0, sessions: 20_000, crashed: $0 >= 4 && $0 <= 6 ? 1200 : 40) }
        let release = Release(
            version: Version("2.0"), releasedAt: Instant.noon(back: 8))
        let all = weeks(.make(health: health, releases: [release]))
        #expect(all[0].opened == 1 && all[1].opened == 0)
        #expect(all[0].releases.map(\.label) == ["2.0"] && all[0].releases[0].isNew)
        #expect(all[1].releases.isEmpty && all[0].budget != nil)
    }

    /// An alert is closed in the week in which it was known to be over: a page of a week that is over stays as it is.
    @Test(arguments: [
        // Use rises on the Friday and Saturday before the newest week, or the rate drops then.
        (usage: true, [(0, 1), (1, 0)]), (usage: false, [(0, 1), (1, 0)]),
    ])
    func alertsAreClosedWhenTheyWereKnownToBeOver(isOfUse: Bool, counts: [(opened: Int, closed: Int)]) {
        func isDisturbed(_ back: Int) -> Bool { (11...12).contains(back) }
        let usage = (0..<140).reversed().map { back -> UsageDay in
            let usual = Double(back % 7 < 5 ? 10_000 : 7000) * (1 + Double(back * 37 % 11 - 5) / 300)
            return UsageDay(
                date: .back(back), activeUsers: Int(usual * (isOfUse && isDisturbed(back) ? 1.6 : 1)))
        }
        let health = (0..<140).map { back in
            HealthDay.make(back, sessions: 20_000, crashed: !isOfUse && isDisturbed(back) ? 1200 : 40)
        }
        let all = weeks(.make(health: health, usage: usage))
        #expect(all.prefix(2).map(\.opened) == counts.map(\.opened))
        #expect(all.prefix(2).map(\.closed) == counts.map(\.closed))
        // The one that was closed is in the activity of the week before.
        #expect(all.prefix(2).map(\.alertsWeek) == [all[1].week, all[1].week])
        // When the week before was over, not enough was known.
        let then = AppAnalysis(
            .make(.make(health: health, usage: usage)), targets: .standard,
            asOf: reportTime.advanced(bySeconds: -9 * 86_400)
        ).weeks
        #expect(then.first?.week == all[1].week)
        #expect(then.first?.opened == all[1].opened && then.first?.closed == all[1].closed)
    }

    /// What was in use before data began did not come out in the first week, nor one that a few testers had in the week of
    /// theirs.
    @Test func releasesAreNewInTheWeekInWhichTheyCameOut() {
        let health = (0...30).flatMap { back -> [HealthDay] in
            let new = back <= 5 ? 5000 : back == 19 ? 1 : 0
            let rows = [("1.0", 20_000 - new), ("2.0", new)].filter { $0.1 > 0 }.map { label, sessions in
                HealthDay.make(back, of: label, sessions: sessions, crashed: 1)
            }
            return rows + [.make(back, sessions: 20_000, crashed: 2)]
        }
        let releases = ["2.0", "1.0"].map { Release(version: Version($0), releasedAt: nil) }
        let all = weeks(.make(health: health, releases: releases))
        #expect(all.map { $0.releases.filter(\.isNew).map(\.label) } == [["2.0"], [], [], []])
    }

    /// A release that got two verdicts in a week has the last of them; in the week before and after it has none.
    @Test func theLastVerdictOfTheWeekIsThatOfTheRelease() throws {
        var health: [HealthDay] = []
        // Four releases in turn; the newest came on the Tuesday, and crashes on Friday as none did before.
        let starts = ["1": 100, "2": 60, "3": 30, "4": 8]
        for back in 0...100 {
            let label = starts.filter { $0.value >= back }.max { $0.key < $1.key }?.key ?? ""
            let crashed = label == "4" ? (back > 5 ? 400 : 6000) : 40
            health += [
                .make(back, of: label, sessions: 20_000, crashed: crashed),
                .make(back, sessions: 20_000, crashed: crashed),
            ]
        }
        let releases = starts.keys.sorted(by: >).map { Release(version: Version($0), releasedAt: nil) }
        let app = AppHistory.make(named: "Lamp").app
        let analysis = AppAnalysis(
            AppHistory(app: app, sources: [.make(health: health, releases: releases)]), targets: .standard,
            asOf: reportTime)
        let reached = analysis.activity.events.compactMap { event in
            if case .releaseVerdict(let reached) = event { reached } else { nil }
        }.filter { $0.evaluation.label == "4" }
        #expect(reached.map(\.evaluation.verdict) == [.rollBack, .hold], "\(reached.map(\.occasion.id))")
        let verdicts = analysis.weeks.prefix(2).map { week in
            week.releases.first { $0.label == "4" }?.verdict
        }
        #expect(verdicts == [.rollBack, nil])
    }
}
