import Analysis
import AppHealth
import HistoryFixtures
import Statistics
import Testing

struct UsageTests {
    /// Active users of so many days with a weekly cycle and a little noise that repeats.
    private func history(_ length: Int = 140, users: Int = 10_000, _ change: (Int, Int) -> Int? = { $1 })
        -> SourceHistory
    {
        let usage = (0..<length).compactMap { place -> UsageDay? in
            let back = length - 1 - place
            let usual = Double(users) * (place % 7 < 5 ? 1 : 0.7) * (1 + Double(place * 37 % 11 - 5) / 300)
            return change(back, Int(usual)).map { UsageDay(date: .back(back), activeUsers: $0) }
        }
        return .make(usage: usage)
    }

    private static func source(
        _ name: String, _ knows: Set<Capability>, users: Int? = nil, active: Int? = nil, new: Int? = nil
    ) -> SourceHistory {
        let days = (0..<30).reversed().map { CivilDate.back($0) }
        return .make(
            name, knows: knows,
            health: users.map { users in days.map { HealthDay(date: $0, users: users, crashedUsers: 1) } }
                ?? [],
            usage: days.map { UsageDay(date: $0, activeUsers: active, newUsers: new) })
    }

    /// Days without use before the launch teach nothing.
    @Test func zerosBeforeTheLaunchAreNoPast() {
        let launched = history(60, { $0 >= 40 ? 0 : $1 })
        #expect(
            UsageAnomalyRule().events(in: HistoryIndex(.make(launched), asOf: reportTime, targets: .standard))
                .isEmpty)
    }

    /// Of a source that takes days to count, a day that is counted in part is not shown yet, and what is lower is no alert.
    @Test(arguments: [
        (SettlingAge(settlesAfterHours: 120, finalAfterHours: 336), 0, 0.5, 1),
        (SettlingAge(settlesAfterHours: 120, finalAfterHours: 336), 2, 0.5, 3),
        (SettlingAge(settlesAfterHours: 120, finalAfterHours: 336), 0, 0.9, 0),
        (SettlingAge(settlesAfterHours: 48, finalAfterHours: 168), 0, 0.5, 1), (.standard, 0, 0.5, 0),
        (SettlingAge(settlesAfterHours: 0, finalAfterHours: 24), 0, 0.5, 0),
    ])
    func aDayThatIsCountedInPartWaits(age: SettlingAge, back: Int, share: Double, newest: Int) {
        var source = history(140) { $0 <= back ? Int(Double($1) * share) : $1 }
        source.source.settling = age
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        let day = report.usage.newestDay(of: \.activeUsers, through: lastDay)
        #expect(day == .back(newest))
        #expect(report.usage.count(on: day, \.activeUsers).value != nil)
        #expect(!report.activity.events.contains { $0.kind == .usage })
    }

    /// A source that states a day only once that is there to its end has low days; of another one such a day waits, and is
    /// not said to be whole.
    @Test(arguments: [true, false])
    func aLowDayThatIsThereToItsEndIsShown(isWhole: Bool) {
        var source = history(140) { $0 == 0 ? $1 / 2 : $1 }
        source.source.settling = SettlingAge(settlesAfterHours: 48, finalAfterHours: 312)
        source.source.statesWholeDays = isWhole
        let usage = AppAnalysis(.make(source), targets: .standard, asOf: reportTime).usage
        #expect(usage.newestDay(of: \.activeUsers, through: lastDay) == .back(isWhole ? 0 : 1))
        #expect(usage.coverage[lastDay]?.isComplete == isWhole)
        #expect(usage.coverage[lastDay]?.isPartial == !isWhole)
        #expect(usage.coverage[.back(1)]?.isComplete == true)
    }

    /// How late the day was captured counts, not how late the source was fetched without anything new.
    @Test(arguments: [
        (DayFinality.provisional(.early(settlesAfterHours: 48)), 4), (.provisional(.seenOnce), 3),
    ])
    func aDayThatWasCapturedEarlyWaitsForItsNextCapture(finality: DayFinality, newest: Int) {
        var source = history(140) { $0 <= 3 ? $1 / 2 : $1 }
        source.source.settling = SettlingAge(settlesAfterHours: 48, finalAfterHours: 168)
        source.usage.removeAll { $0.date > .back(3) }
        source.usageSettlement = [.back(3): finality]
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        #expect(report.usage.newestDay(of: \.activeUsers, through: lastDay) == .back(newest))
    }

    /// Each number of use is from the first source that has it: a store counts new users alone.
    @Test(
        arguments: [
            ([source("store", [.usage], new: 174), source("web", [.usage], active: 9000)], "web", "store"),
            ([source("web", [.usage], active: 9000), source("store", [.usage], new: 174)], "web", "store"),
            ([source("web", [.usage], active: 9000, new: 174)], "web", nil),
            ([source("all", [.usage, .users], users: 9000, new: 174)], "all", "all"),
            (
                [source("store", [.usage], new: 174), source("crashes", [.users], users: 9000)], "crashes",
                "store"
            ),
        ] as [([SourceHistory], String, String?)])
    func newUsersHideNoActiveUsers(sources: [SourceHistory], active: String, new: String?) {
        let report = AppAnalysis(
            AppHistory(app: App(id: Slug(anyText: "quay"), name: "Quay", platform: ""), sources: sources),
            targets: .standard, asOf: reportTime)
        #expect(report.usage.count(on: lastDay, \.activeUsers) == .loaded(9000, asOf: reportTime))
        #expect(report.usage.count(on: lastDay, \.newUsers) == .loaded(174, asOf: reportTime))
        #expect(report.usage.source?.source.id.text == active && report.usage.countsActiveUsers)
        #expect(report.usage.newUsersSource?.source.id.text == new)
        #expect(report.usage.days.count == 30)
    }

    /// Sessions are those of the rates, or where none of rates counts any, of the first source of use that has them.
    @Test(
        arguments: [
            ([sessions("all", [.usage, .users], ofUse: 5000)], 5000, "all"),
            ([sessions("crashes", [.users]), sessions("use", [.usage], ofUse: 5000)], 5000, "use"),
            ([source("first", [.usage], active: 9000), sessions("use", [.usage], ofUse: 5000)], 5000, "use"),
            (
                [sessions("rates", [.users, .sessions], of: 700), sessions("use", [.usage], ofUse: 5000)],
                700, nil
            ),
            ([sessions("crashes", [.users])], nil, nil),
        ] as [([SourceHistory], Int?, String?)])
    func sessionsOfUseAreShownWhereNoRateCountsAny(sources: [SourceHistory], count: Int?, use: String?) {
        let report = AppAnalysis(
            AppHistory(app: App(id: Slug(anyText: "quay"), name: "Quay", platform: ""), sources: sources),
            targets: .standard, asOf: reportTime)
        let (usage, stability) = (report.usage, report.stability)
        #expect(usage.sessions(on: lastDay, stability) == count)
        #expect(usage.reportsSessions(stability) == (use != nil))
        #expect(use == nil || usage.sessionsSource?.source.id.text == use)
        #expect(usage.sessions(on: [lastDay], stability).days.map(\.count) == [count])
        #expect(usage.dates(with: stability).count == 30)
    }

    /// New users of another source are shown of its own last day, and are a part where it has a part.
    @Test func newUsersHaveTheLastDayAndTheCoverageOfTheirSource() {
        let web = Self.source("web", [.usage], active: 9000)
        let store = SourceHistory.make(
            "store", knows: [.usage],
            usage: (2..<30).reversed().map { UsageDay(date: .back($0), newUsers: 174) },
            coverage: [CoverageSpan(.usage, .back(29) ... .back(2), .partial(counted: nil, of: nil))])
        let report = AppAnalysis(.make(web, store), targets: .standard, asOf: reportTime)
        let (usage, stability) = (report.usage, report.stability)
        #expect(usage.lastDay == lastDay && usage.lastDayOfNewUsers == .back(2))
        #expect(usage.count(on: usage.lastDayOfNewUsers, \.newUsers).value == 174)
        #expect(usage.coverage[.back(2)]?.isComplete == true)
        #expect(usage.coverage(of: .back(2), stability).isPartial)
        #expect(usage.coverage(of: lastDay, stability).isComplete)
    }

    /// A day that was fetched is not "not fetched", whatever is counted of it; after the last one the fetch may have failed.
    @Test(arguments: [false, true])
    func whyADayHasNoUseIsAMatterOfItsSource(fails: Bool) {
        let source = SourceHistory.make(
            "store", knows: [.usage, .issues], failure: fails ? timeout : nil,
            usage: (2..<12).reversed().map {
                UsageDay(date: .back($0), activeUsers: $0 == 9 ? 6 : nil, sessions: $0 == 5 ? nil : 1000)
            })
        let report = AppAnalysis(.make(source), targets: .standard, asOf: reportTime)
        let days = [12, 11, 5, 0].map { CivilDate.back($0) }
        let late: DayAbsence = fails ? .failed : .missing
        let sessions = report.usage.sessions(on: days, report.stability).days
        #expect(sessions.map(\.count) == [nil, 1000, nil, nil])
        #expect(sessions.filter { $0.count == nil }.map(\.absence) == [.notCollected, .missing, late])
        let users = report.usage.activeUsers(on: days, leading: 0, report.stability).days
        #expect(users.map(\.absence).prefix(2) == [.notCollected, .missing] && users.last?.absence == late)
    }

    private static func sessions(
        _ name: String, _ knows: Set<Capability>, of rates: Int? = nil, ofUse: Int? = nil
    ) -> SourceHistory {
        let days = (0..<30).reversed().map { CivilDate.back($0) }
        return .make(
            name, knows: knows,
            health: knows.contains(.users)
                ? days.map {
                    HealthDay(
                        date: $0, sessions: rates, crashedSessions: rates.map { _ in 1 }, users: 90,
                        crashedUsers: 1)
                } : [],
            usage: ofUse.map { count in
                days.map { UsageDay(date: $0, activeUsers: 80, sessions: count) }
            } ?? [])
    }

    /// What was counted of the day that still runs is no day.
    @Test func theRunningDayIsNoDay() {
        var source = Self.source("use", [.usage], active: 9000)
        source.usage.append(UsageDay(date: .back(-1), activeUsers: 90))
        let report = AppAnalysis(
            AppHistory(app: App(id: Slug(anyText: "quay"), name: "Quay", platform: ""), sources: [source]),
            targets: .standard, asOf: reportTime)
        #expect(report.usage.days.last?.date == lastDay && report.usage.byDate[.back(-1)] == nil)
        #expect(report.usage.lastDay == lastDay)
    }

    @Test(arguments: [20, 500, 10_000, 1_000_000]) func steadyAppIsSilent(users: Int) {
        #expect(found(by: UsageAnomalyRule(), in: history(users: users)).isEmpty)
    }

    @Test(arguments: [0.97, 1.03]) func growthAndShrinkageAreSilent(factor: Double) {
        var size = 100_000.0
        let source = history { _, usual in
            size *= factor
            return Int(size) * usual / 10_000
        }
        #expect(found(by: UsageAnomalyRule(), in: source).isEmpty)
    }

    @Test(arguments: [(0.0, -1.0), (0.5, -0.5), (1.6, 0.6)])
    func shiftIsReportedOnceOnItsFirstDay(factor: Double, change: Double) {
        let source = history { back, usual in (6...9).contains(back) ? Int(Double(usual) * factor) : usual }
        let events = found(by: UsageAnomalyRule(), in: source)
        #expect(events.map(\.back) == [9])
        #expect(events.first?.usage.map { abs($0.change - change) < 0.1 } == true)
        #expect(events.first?.occasion.id == "sketchbook/usage/2016-01-18")
    }

    /// A year of an app that is used more, or less, on one day of each month, and more on one of the last of them.
    @Test(arguments: [(1, 1.7), (1, 0.6), (31, 1.7)] as [(Int, Double)], [1.0, 3])
    func whatComesEveryMonthIsUsual(peak: (Int, Double), last: Double) {
        let (dayOfMonth, factor) = peak
        let source = history(420) { back, usual in
            let date = CivilDate.back(back)
            let isDay =
                date.components.day == dayOfMonth
                || (dayOfMonth == 31 && date.advanced(by: 1).components.day == 1)
            guard isDay else { return usual }
            let isLast = back < 31
            return Int(Double(usual) * (isLast && factor > 1 ? factor * last : factor))
        }
        let found = found(by: UsageAnomalyRule(), in: source).map(\.back)
        // The first ones could not be known to come again; one that is far larger is none of them.
        #expect(found.count { $0 >= 31 } <= 2, "\(found)")
        #expect(found.contains { $0 < 31 } == (last > 1 && factor > 1), "\(found)")
    }

    @Test func dropOfADayThatSettlesWaits() {
        let source = history { back, usual in back == 0 ? usual / 3 : usual }
        #expect(found(by: UsageAnomalyRule(), in: source).isEmpty)
        var settled = source
        settled.capturedAt = Instant(startOf: .back(-3))
        #expect(found(by: UsageAnomalyRule(), in: settled).map(\.back) == [0])
        // Late data only adds, so a rise needs no waiting.
        #expect(found(by: UsageAnomalyRule(), in: history { $0 == 0 ? $1 * 2 : $1 }).map(\.back) == [0])
    }

    /// A drop waits while what its day may come to is within what was expected, and is found at once where it is not: what may
    /// come is too little, or never was more than there is.
    @Test(
        arguments: [
            (share: 0.85, outlook: nil, isFound: true), (0.85, 1.0, false), (0.85, 0.85, true),
            (0.85, 0.8, true),
            (0.5, 1.0, false), (0.5, 0.65, true), (1.5, 3.0, true),
        ] as [(share: Double, outlook: Double?, isFound: Bool)])
    func dropThatLateDataMayUndoWaits(row: (share: Double, outlook: Double?, isFound: Bool)) {
        let usual = 10_000.0
        var source = history(users: Int(usual)) { back, usual in
            back == 3 ? Int(Double(usual) * row.share) : usual
        }
        let weekly = source.usage.first { $0.date == .back(10) }?.activeUsers.map(Double.init) ?? usual
        source.leastOutlooks[.usage] = row.outlook.map { [.back(3): $0 * weekly] }
        source.leastOutlooks[.users] = [.back(3): 2 * usual]
        let found = found(by: UsageAnomalyRule(), in: source)
        #expect(found.map(\.back) == (row.isFound ? [3] : []))
    }

    /// While a day of a drop waits, the drop is not over, though days as usual followed what is known of it.
    @Test(arguments: [true, false])
    func aDropWithADayThatWaitsIsNotOver(waits: Bool) throws {
        var source = history { back, usual in (7...9).contains(back) ? usual / 2 : usual }
        source.leastOutlooks[.usage] = waits ? [.back(7): 10_000] : [:]
        let events = found(by: UsageAnomalyRule(), in: source)
        let anomaly = try #require(events.first?.usage)
        #expect(events.map(\.back) == [9])
        #expect(anomaly.last == .back(waits ? 8 : 7))
        #expect(anomaly.knownOver == (waits ? nil : .back(4)))
    }

    /// Whatever the nights add to a day, each alert that was reported stays: an app whose days come within four nights, with
    /// and without a true drop, by what each night can know.
    @Test(arguments: [1.0, 0.4])
    func noNightTakesBackWhatLateDataImitated(true share: Double) throws {
        let arrived = [0.7, 0.8, 0.9, 1.0]
        var ledger: [LedgerEntry] = []
        for back in (0...14).reversed() {
            let newest = reportTime.advanced(bySeconds: -86_400 * back)
            var source = history { day, usual in
                guard day >= back else { return nil }
                let all = day == 12 ? Double(usual) * share : Double(usual)
                return Int(all * arrived[min(day - back, 3)])
            }
            source.capturedAt = newest
            source.leastOutlooks[.usage] = outlooks(of: source, at: newest, arrived)
            let now = HistoryIndex(.make(source), asOf: newest, targets: .standard)
            let revisions = reconcile(ledger, with: events(in: now), in: now, sentence: \.kind.rawValue)
            #expect(revisions.withdrawn.isEmpty, "\(back)")
            let changed = Dictionary(revisions.changed.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
            ledger = ledger.map { changed[$0.id] ?? $0 } + revisions.appended
        }
        let drops = ledger.filter { $0.rule == UsageAnomalyRule.id }
        #expect(drops.map(\.firstDay) == (share < 1 ? [.back(12)] : []))
        // A large drop is known with the first night after its day settled, though the day still grew.
        #expect(drops.allSatisfy { $0.raisedAt == reportTime.advanced(bySeconds: -86_400 * 10) })
    }

    /// What the archive makes of nights of which each had such a part of a day.
    private func outlooks(
        of source: SourceHistory, at newest: Instant, _ arrived: [Double]
    ) -> [CivilDate: Double] {
        let known = source.usage.suffix(14).compactMap { day -> (CivilDate, Double)? in
            let end = Instant(startOf: day.date.advanced(by: 1))
            let age = end.seconds(to: newest) / 86_400
            guard let count = day.activeUsers else { return nil }
            let whole = Double(count) / arrived[min(age, 3)]
            let nights = (0...age).map { night in
                (
                    at: newest.advanced(bySeconds: -86_400 * (age - night)),
                    count: Int(whole * arrived[min(night, 3)])
                )
            }
            return DayOutlook(revisions: nights, captures: [Instant]()).least(
                since: end.advanced(bySeconds: 172_800)
            )
            .map { (day.date, $0) }
        }
        return Dictionary(known, uniquingKeysWith: { $1 })
    }

    /// Days without figures in the middle of a drop are no days as usual.
    @Test(arguments: [0, 3, 6]) func gapPartsNoDrop(length: Int) {
        let source = history { back, usual in
            (8..<8 + length).contains(back) ? nil : (6...15).contains(back) ? usual / 2 : usual
        }
        let events = found(by: UsageAnomalyRule(), in: source)
        #expect(events.map(\.back) == [15], "\(length)")
    }

    /// An anomaly counts as an open alert for a week after its last day, and changes once more when it is known to be over:
    /// after three days as usual that are settled.
    @Test(
        arguments: [
            // How many days back it ended, and how many back it is known to be over.
            (0, 1, nil), (3, 1, nil), (4, 1, nil), (5, 1, 2), (6, 1, 3), (7, 0, 4),
        ] as [(Int, Int, Int?)])
    func anAnomalyIsOpenWhileItLasts(end: Int, open: Int, over: Int?) throws {
        let source = history { back, usual in (end...end + 5).contains(back) ? usual * 2 : usual }
        let activity = AppAnalysis(AppHistory.make(source), targets: .standard, asOf: reportTime).activity
        let event = try #require(activity.events.first { $0.kind == .usage })
        #expect(event.occasion.day == .back(end + 5) && event.usage?.last == .back(end))
        #expect(activity.openAlerts == open)
        #expect(event.usage?.knownOver == over.map { .back($0) })
        // Two days after the last of them was over it was settled.
        let changed = over.map { Instant(startOf: .back($0 - 3)) } ?? event.occasion.at
        #expect(activity.changed[event.occasion.id] == changed)
    }

    /// Days of both directions in a row are an alert each, and each is the same one in every night from its first on.
    @Test(arguments: [
        (story: [1.4, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5], alerts: [(20, 20), (19, 14)]),
        ([0.3, 1.7], [(20, 20), (19, 19)]), ([0.5, 0.5, 1.6, 0.5], [(20, 19), (18, 18), (17, 17)]),
        ([1.5, 1.5, 0.4, 1.5, 1.5], [(20, 19), (18, 18), (17, 16)]),
        ([0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25], [(20, 10)]),
    ])
    func directionsShareNoAlert(row: (story: [Double], alerts: [(Int, Int)])) {
        let source = history { back, usual in
            let place = 20 - back
            return row.story.indices.contains(place) ? Int(Double(usual) * row.story[place]) : usual
        }
        func isRise(_ back: Int) -> Bool { row.story[20 - back] > 1 }
        var announced: [String: (first: Int, isRise: Bool)] = [:]
        for back in (0...21).reversed() {
            var night = source
            night.capturedAt = reportTime.advanced(bySeconds: -86_400 * back)
            let events = found(by: UsageAnomalyRule(), in: night, asOf: night.capturedAt ?? reportTime)
            for event in events {
                guard let anomaly = event.usage else { continue }
                #expect((anomaly.change > 0) == isRise(event.back), "\(back)")
                #expect(anomaly.finding.expected > 6_000 && anomaly.finding.expected < 12_000)
                let known = announced[event.occasion.id]
                #expect(known == nil || known?.first == event.back && known?.isRise == (anomaly.change > 0))
                announced[event.occasion.id] = (event.back, anomaly.change > 0)
            }
            #expect(Set(events.map(\.occasion.id)) == Set(announced.keys), "\(back)")
        }
        let events = found(by: UsageAnomalyRule(), in: source)
        #expect(events.map(\.back) == row.alerts.map(\.0))
        #expect(events.compactMap { $0.usage?.last } == row.alerts.map { .back($0.1) })
    }

    @Test func gapsAreReadOver() {
        #expect(found(by: UsageAnomalyRule(), in: history { $0 % 9 == 4 ? nil : $1 }).isEmpty)
        #expect(found(by: UsageAnomalyRule(), in: .make()).isEmpty)
    }

    @Test func sessionsCountWhereUsersAreNotKnown() {
        let source = SourceHistory.make(
            knows: [.sessions],
            health: (0..<140).map { .make($0, sessions: $0 == 9 ? 2000 : 9000, crashed: 0) })
        let events = found(by: UsageAnomalyRule(), in: source)
        let anomaly = events.first?.usage
        #expect(events.count == 1 && anomaly?.measure == .sessions && anomaly?.finding.count == 2000)
        #expect(anomaly.map { abs($0.finding.expected - 9000) < 1 } == true)
    }
}

extension Event {
    /// The anomaly, when it is one.
    fileprivate var usage: UsageAnomaly? { if case .usage(let anomaly) = self { anomaly } else { nil } }
}
