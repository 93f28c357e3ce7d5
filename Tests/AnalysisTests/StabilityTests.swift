import Analysis
import AppHealth
import HistoryFixtures
import Statistics
import Testing

struct StabilityTests {
    /// The health of so many days, oldest first: users with a weekly cycle, crashes at a rate with a little
    /// noise that repeats; `change` makes another day of it, or none.
    private func history(
        _ length: Int = 120, users: Int = 10_000, rate: Double = 0.005, noise: Double = 0.05,
        basis: Basis = .users, _ change: (Int, HealthDay) -> HealthDay? = { $1 }
    ) -> SourceHistory {
        let health = (0..<length).compactMap { place -> HealthDay? in
            let back = length - 1 - place
            let total = Double(users) * (place % 7 < 5 ? 1 : 0.7)
            let share = rate * (1 + noise * (Double(place * 37 % 11) / 5 - 1))
            let crashed = Int((total * share).rounded())
            let day =
                basis == .users
                ? HealthDay.make(back, users: Int(total), crashedUsers: crashed)
                : HealthDay.make(back, sessions: Int(total), crashed: crashed)
            return change(back, day)
        }
        return .make(knows: basis == .users ? .all : [.sessions], health: health)
    }

    private func crashing(_ day: HealthDay, _ share: Double) -> HealthDay {
        var day = day
        day.crashedUsers = day.users.map { Int(Double($0) * share) }
        day.crashedSessions = day.sessions.map { Int(Double($0) * share) }
        return day
    }

    private func alert(in source: SourceHistory) throws -> StabilityAlert {
        let events = found(by: StabilityRule(), in: source)
        let alerts = events.compactMap { event -> StabilityAlert? in
            if case .stability(let alert) = event { alert } else { nil }
        }
        return try #require(alerts.first)
    }

    @Test(arguments: [Basis.users, .sessions], [300, 10_000, 1_000_000])
    func dropIsReportedOnItsFirstNightOnEitherBasis(basis: Basis, users: Int) throws {
        let source = history(users: users, basis: basis) { back, day in back < 4 ? crashing(day, 0.08) : day }
        let alert = try alert(in: source)
        #expect(found(by: StabilityRule(), in: source).map(\.back) == [3])
        #expect(alert.basis == basis && alert.episode.finding.window == 1)
        #expect(alert.episode.first == .back(3) && alert.episode.last == lastDay)
        #expect(alert.episode.state == .open(days: 3))
        #expect(alert.drop > 0.06 && alert.drop < 0.08)
        #expect(try #require(alert.episode.finding.rise).contains(alert.drop))
        #expect(alert.episode.finding.baselineDays == 56)
    }

    /// A rate that came back in part is not back: its alert goes on, everywhere alike.
    @Test(arguments: [0.02, 0.005]) func anAlertIsOpenWhileTheRateIsNotBack(after: Double) throws {
        let source = history { back, day in
            back > 44 ? day : crashing(day, (42...44).contains(back) ? 0.08 : after)
        }
        let isOpen = after > 0.01
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        let episode = try alert(in: source).episode
        #expect(episode.last == (isOpen ? lastDay : .back(42)))
        #expect((episode.knownOver == nil) == isOpen)
        #expect(report.activity.openAlerts == (isOpen ? 1 : 0))
        #expect(report.day(lastDay).lasting.map(\.since) == (isOpen ? [.back(44)] : []))
    }

    @Test(arguments: [20, 300, 10_000, 1_000_000], [0.0, 0.005, 0.05])
    func steadyAppIsSilentAtEverySize(users: Int, rate: Double) {
        #expect(found(by: StabilityRule(), in: history(200, users: users, rate: rate)).isEmpty)
    }

    @Test func weeklyCycleOfTheRateIsNoDrop() {
        let source = history(150) { back, day in
            (back + 3) % 7 < 2 ? crashing(day, 0.009) : day
        }
        #expect(found(by: StabilityRule(), in: source).isEmpty)
    }

    @Test(arguments: [0.97, 1.03]) func growthAndShrinkageAreNoDrop(factor: Double) {
        var size = 100_000.0
        let source = history(150) { _, day in
            size *= factor
            var day = day
            day.users = max(1, Int(size))
            day.crashedUsers = (day.users ?? 0) / 200
            return day
        }
        #expect(found(by: StabilityRule(), in: source).isEmpty)
    }

    @Test func gapsAndZeroDaysAreReadOver() {
        let quiet = history(150) { back, day in
            if back % 9 == 4 { return nil }
            return back % 31 == 7 ? .make(back, users: 0, crashedUsers: 0) : day
        }
        #expect(found(by: StabilityRule(), in: quiet).isEmpty)
        var loud = quiet
        loud.health = loud.health.map { $0.date == .back(1) ? crashing($0, 0.08) : $0 }
        #expect(found(by: StabilityRule(), in: loud).map(\.back) == [1])
    }

    @Test func appThatAlwaysCrashesOrNeverIsSilent() {
        #expect(found(by: StabilityRule(), in: history { crashing($1, 1).dated($0) }).isEmpty)
        #expect(found(by: StabilityRule(), in: history { crashing($1, 0).dated($0) }).isEmpty)
        let from = history { back, day in crashing(day, back < 2 ? 1 : 0) }
        #expect(found(by: StabilityRule(), in: from).map(\.back) == [1])
    }

    @Test func noAlertsInLearningPeriod() {
        #expect(found(by: StabilityRule(), in: history(21) { $0 == 0 ? crashing($1, 0.5) : $1 }).isEmpty)
        #expect(found(by: StabilityRule(), in: history(22) { $0 == 0 ? crashing($1, 0.5) : $1 }).count == 1)
        #expect(found(by: StabilityRule(), in: history(1)).isEmpty)
        #expect(found(by: StabilityRule(), in: .make(health: [])).isEmpty)
    }

    /// Days that a source reports as empty before a launch teach nothing, and a quiet day says how many are missing.
    @Test(arguments: [(21, 0), (22, 1)])
    func emptyDaysBeforeALaunchTeachNothing(used: Int, count: Int) {
        func launched(_ used: Int, rate: Double, last: Double) -> SourceHistory {
            history(61, rate: rate) { back, day in
                back >= used
                    ? .make(back, users: 0, crashedUsers: 0) : back == 0 ? crashing(day, last) : day
            }
        }
        let loud = launched(used, rate: 0.005, last: 0.5)
        #expect(found(by: StabilityRule(), in: loud).count == count)
        let index = HistoryIndex(.make(loud), asOf: reportTime)
        #expect((StabilityRule().judged(in: index) == .none) == (count == 0))
        for (days, missing) in [(10, 11), (21, 0), (22, nil)] as [(Int, Int?)] {
            let report = AppAnalysis(
                .make(launched(days, rate: 0, last: 0)), targets: .standard, asOf: reportTime)
            #expect(report.day(lastDay).quiet?.day == lastDay)
            #expect(report.day(lastDay).quiet?.daysUntilAlerts == missing, "\(days)")
        }
    }

    /// Days of a test with a few people before a launch count for none of it: quiet days say how many are missing.
    @Test(arguments: [(0, nil), (1, 20), (10, 11), (21, 0), (22, nil)] as [(Int, Int?)])
    func daysOfATestAreNoPastOfALaunch(launched: Int, missing: Int?) {
        // Too short for a usage anomaly of the launch.
        let source = history(45, rate: 0) { back, day in
            back < launched ? day : .make(back, users: 8, crashedUsers: 0)
        }
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        #expect(report.day(lastDay).quiet?.day == lastDay)
        #expect(report.day(lastDay).quiet?.daysUntilAlerts == missing)
    }

    @Test func impossibleAndVastCountsAreAnswered() {
        let vast = history { back, _ in .make(back, users: .max, crashedUsers: back == 0 ? .max : 0) }
        #expect(found(by: StabilityRule(), in: vast).isEmpty)
        let odd = history { back, day in back % 2 == 0 ? .make(back, users: 5, crashedUsers: 9) : day }
        #expect(found(by: StabilityRule(), in: odd).isEmpty)
    }

    @Test func dayThatIsNotOverHasNoVerdict() {
        var source = history { back, day in back == 0 ? crashing(day, 0.3) : day }
        #expect(found(by: StabilityRule(), in: source).map(\.back) == [0])
        #expect(found(by: StabilityRule(), in: source, asOf: Instant(startOf: .back(0))).isEmpty)
        // Fetched at noon of that day: the report is later, the figures are not.
        source.capturedAt = .noon(back: 0)
        #expect(found(by: StabilityRule(), in: source).isEmpty)
    }

    @Test(arguments: [
        ("UTC", 7, true), ("Europe/Paris", 7, true), ("Asia/Tokyo", 7, true),
        ("America/Los_Angeles", 7, false), ("America/Los_Angeles", 12, true), ("Somewhere/Else", 11, false),
    ])
    func dayEndsInItsOwnZone(zone: String, hours: Int, isJudged: Bool) {
        var source = history { back, day in back == 0 ? crashing(day, 0.3) : day }
        source.source.zone = zone
        source.capturedAt = Instant(startOf: .back(-1)).advanced(bySeconds: hours * 3600)
        let events = found(by: StabilityRule(), in: source, asOf: reportTime.advanced(bySeconds: 80_000))
        #expect(events.isEmpty != isJudged)
    }

    @Test(arguments: [(0.9, true), (0.55, true), (0.4, false), (0.02, false)])
    func dayThatHasHardlyComeInHasNoVerdict(part: Double, isJudged: Bool) {
        // Crash reports came in whole, use did not.
        let late = history { back, day in
            guard back == 0 else { return day }
            let users = Int(Double(day.users ?? 0) * part)
            return .make(0, users: users, crashedUsers: users / 10)
        }
        #expect(found(by: StabilityRule(), in: late).isEmpty != isJudged)
        var settled = late
        settled.capturedAt = Instant(startOf: .back(-4))
        #expect(found(by: StabilityRule(), in: settled).map(\.back) == [0])
    }

    @Test func nightsMergeIntoOneEpisode() throws {
        let bad: Set = [20, 19, 17, 14]
        let source = history { back, day in bad.contains(back) ? crashing(day, 0.05) : day }
        let events = found(by: StabilityRule(), in: source)
        #expect(events.map(\.back) == [20])
        #expect(events.map(\.occasion.id) == ["sketchbook/stability/2016-01-07"])
        #expect(try alert(in: source).episode.last == .back(14))
        let again = history { back, day in back == 40 || back == 4 ? crashing(day, 0.09) : day }
        #expect(found(by: StabilityRule(), in: again).map(\.back) == [40, 4])
    }

    /// A source that loses a week in the middle of a drop.
    @Test(arguments: [4...9, 8...15, 12...18])
    func daysWithoutFiguresAreNoDaysAsBefore(lost: ClosedRange<Int>) throws {
        let source = history(150) { back, day in
            if lost.contains(back) { return nil }
            return back <= 20 ? crashing(day, 0.05) : day
        }
        #expect(found(by: StabilityRule(), in: source).map(\.back) == [20])
        #expect(found(by: RecoveryRule(), in: source).isEmpty)
        #expect(try alert(in: source).episode.last == .back(0))
    }

    @Test func recoveryClosesAnEpisodeWithItsLength() throws {
        let source = history { back, day in (14...20).contains(back) ? crashing(day, 0.05) : day }
        let recoveries = found(by: RecoveryRule(), in: source)
        #expect(recoveries.map(\.back) == [13])
        guard case .recovery(let recovery)? = recoveries.first,
            case .rate(.users, let share, _) = recovery.level
        else {
            Testing.Issue.record("\(recoveries)")
            return
        }
        #expect(recovery.days == 7 && abs(share.value - 0.0051) < 0.00005)
        let episode = try alert(in: source).episode
        guard case .recovered(let day, _) = episode.state else {
            Testing.Issue.record("\(episode.state)")
            return
        }
        #expect(day == .back(13) && episode.first == .back(20) && episode.last == .back(14))
    }

    /// The days of some weeks before the last one on which so many users crash, in per mille, oldest first.
    private func nights(_ story: [Double]) -> SourceHistory {
        history { back, day in back < story.count ? crashing(day, story[story.count - 1 - back] / 1000) : day
        }
    }

    /// What is announced in one night is not taken back by the data of a later one.
    @Test(arguments: [
        // Three good days, down again, three good days, one good day between.
        [50, 50, 5, 5, 50, 50, 5, 5, 5, 5, 5, 50, 5, 5, 5, 5, 5],
        [50, 50, 50, 5, 5, 5, 50, 50, 5, 5, 5, 5, 5, 5, 5],
        [50, 5, 5, 5, 5, 5, 5, 5, 50, 5, 5, 5, 5, 5],
        [50, 5, 50, 5, 5, 50, 5, 5, 5, 12, 12, 12, 5, 5, 5, 5],
        [20, 22, 10, 8, 21, 9, 7, 8, 20, 18, 6, 5, 5, 5, 5, 5],
    ])
    func aRecoveryIsAnnouncedOnceItsThreeDaysAreThere(story: [Double]) {
        let source = nights(story)
        var announced: [String] = []
        for back in (0..<story.count).reversed() {
            let asOf = reportTime.advanced(bySeconds: -86_400 * back)
            let found = found(by: RecoveryRule(), in: source, asOf: asOf)
            #expect(found.allSatisfy { $0.back >= back + 2 }, "\(back): \(found.map(\.back))")
            let ids = found.map(\.occasion.id)
            #expect(Array(ids.prefix(announced.count)) == announced, "\(back)")
            announced = ids
        }
        #expect(!announced.isEmpty)
    }

    /// Days of an earlier drop among those before a drop make no rate usual that is none.
    @Test func aRateThatIsStillDownIsNoRecovery() throws {
        let source = history { back, day in
            (25...45).contains(back) ? crashing(day, 0.021) : back <= 10 ? crashing(day, 0.0205) : day
        }
        let recoveries = found(by: RecoveryRule(), in: source)
        #expect(recoveries.allSatisfy { $0.back > 10 }, "\(recoveries.map(\.back))")
        for case .recovery(let recovery) in recoveries {
            guard case .rate(_, let share, let expected) = recovery.level else { continue }
            #expect(share.value < (0.021 + expected) / 2)
        }
    }

    /// Three days as before end an alert for good: a drop after them is another one, and changes nothing of the first.
    @Test(arguments: 3...10, 1...3) func aDropAfterARecoveryIsAnAlertOfItsOwn(usual: Int, nights: Int) throws
    {
        let source = history { back, day in
            let isFirst = (nights + usual..<nights + usual + 4).contains(back)
            return isFirst || back < nights ? crashing(day, 0.025) : day
        }
        func alerts(_ source: SourceHistory) -> [StabilityAlert] {
            found(by: StabilityRule(), in: source).compactMap {
                if case .stability(let alert) = $0 { alert } else { nil }
            }
        }
        let both = alerts(source)
        #expect(both.map { $0.occasion.day.days(to: lastDay) } == [nights + usual + 3, nights - 1])
        #expect(both.last?.episode.state == .open(days: nights - 1))
        #expect(both.last?.episode.finding.window == 1)
        let first = try #require(
            alerts(history { nights + usual..<nights + usual + 4 ~= $0 ? crashing($1, 0.025) : $1 }).first)
        #expect(both.first?.episode == first.episode)
        #expect(first.episode.last == .back(nights + usual))
        #expect(first.episode.knownOver == .back(nights + usual - 3))
        #expect(found(by: RecoveryRule(), in: source).map(\.back) == [nights + usual - 1])
    }

    /// A smaller drop that lasts begins in the week after one that is over.
    @Test func aSmallDropSoonAfterALargeOneIsReported() {
        let source = history { back, day in
            if (20...23).contains(back) { return crashing(day, 0.05) }
            return back <= 14 ? crashing(day, 0.012) : day
        }
        #expect(found(by: StabilityRule(), in: source).map(\.back) == [23, 14])
    }

    @Test func withoutARecoveryTheEpisodeStaysOpen() throws {
        let source = history { back, day in back <= 20 ? crashing(day, 0.05) : day }
        #expect(found(by: RecoveryRule(), in: source).isEmpty)
        #expect(try alert(in: source).episode.state == .open(days: 20))
    }

    @Test func dayWithHardlyAnybodyIsNoRecovery() {
        let source = history { back, day in
            if back == 4 { return .make(4, users: 90, crashedUsers: 0) }
            return (3...7).contains(back) ? crashing(day, 0.05) : day
        }
        #expect(found(by: RecoveryRule(), in: source).map(\.back) == [2])
    }

    @Test(arguments: [(0.08, true), (0.005, false)])
    func otherBasisIsMentioned(sessionShare: Double, drops: Bool) throws {
        let source = history { back, day in
            var day = back < 3 ? crashing(day, 0.08) : day
            day.sessions = 20_000
            day.crashedSessions = back < 3 ? Int(20_000 * sessionShare) : 100
            return day
        }
        let other = try #require(try alert(in: source).other)
        #expect(other.basis == .sessions && (other.finding != nil) == drops)
        #expect(found(by: StabilityRule(), in: source).count == 1)
        #expect(try alert(in: history { $0 < 3 ? crashing($1, 0.08) : $1 }).other == nil)
    }

    @Test func slowDropIsFoundOverALongerWindow() throws {
        let source = history(140, users: 2000, noise: 0.2) { back, day in
            back < 14 ? crashing(day, 0.0098) : day
        }
        let alert = try alert(in: source)
        #expect(alert.episode.finding.window > 1)
    }

    @Test func doublingAllCountsNarrowsTheInterval() throws {
        var widths: [Double] = []
        for factor in [1, 2, 4, 8] {
            let source = history { back, day in
                var day = back < 2 ? crashing(day, 0.05) : day
                day.users = day.users.map { $0 * factor }
                day.crashedUsers = day.crashedUsers.map { $0 * factor }
                return day
            }
            widths.append(try #require(try alert(in: source).episode.finding.rise).width)
        }
        #expect(widths == widths.sorted(by: >) && Set(widths).count == 4)
    }

    @Test func anotherNightChangesNoIdOfTheNightsBefore() {
        let source = history { back, day in (14...20).contains(back) ? crashing(day, 0.05) : day }
        let whole = found(by: StabilityRule(), in: source).map(\.occasion.id)
        for back in 0...19 {
            let asOf = reportTime.advanced(bySeconds: -86_400 * back)
            #expect(found(by: StabilityRule(), in: source, asOf: asOf).map(\.occasion.id) == whole)
        }
    }
}

extension HealthDay {
    fileprivate func dated(_ back: Int) -> HealthDay {
        var day = self
        day.date = .back(back)
        return day
    }
}
