private import Platform

/// Finds nights on which the crash-free rate dropped, over one, three or seven days.
///
/// Counts of crashed sessions against a negative binomial forecast: the rate of the 56 days before with its
/// weekly cycle, the dispersion from the app's own past misses, the tail as of Student's t with 20 degrees. The
/// bar is the record of the app's own nights, and until half a year of them is known, that of as many quiet nights as are
/// missing. Where all are counted approximately, the relative variance of what is
/// expected grows by that of both totals (the delta method): their error alone makes no finding.
package struct CrashRateDropDetector: Hashable, Sendable {
    /// The least score that is reported, whatever the record.
    package var floor: Double
    /// By what factor the record must be beaten.
    package var margin: Double

    /// What a rise must amount to.
    private let least: LeastRise
    /// About the record of half a year of quiet nights.
    ///
    /// With a record of their own alone, apps had four times as many false reports in the first nine weeks as later on; most of
    /// those of the first week came of a variance of which nothing was known yet.
    private let usualRecord: Double

    /// The standard bar, or another.
    package init(floor: Double = 2, margin: Double = 1.1) {
        self.init(floor: floor, margin: margin, least: .ofRates, usualRecord: 2.2)
    }

    init(floor: Double, margin: Double, least: LeastRise, usualRecord: Double) {
        self.floor = floor
        self.margin = margin
        self.least = least
        self.usualRecord = usualRecord
    }

    /// False reports in a year of one app with the standard bar, as measured on made-up series in which
    /// nothing harmful happens.
    package static let falseReportsPerYear = 0.9

    /// The windows in days, and what share of the false alarms each is granted.
    private static let windows: [(days: Int, share: Double)] = [(1, 0.5), (3, 0.3), (7, 0.2)]
    /// The lengths of the windows in days.
    package static var windowDays: [Int] { windows.map(\.days) }
    /// The days with sessions before the first forecast.
    package static let warmUp = 21
    /// Which part of the sessions of a day each of them must have had, in 0…1: testers before a launch, and so few of them,
    /// say little about the users of it.
    package static let leastUse = 0.05
    /// The days that a baseline looks back.
    package static let baselineDays = CrashBaseline.days

    /// The first day that has `warmUp` counted days before it, whatever lies between them; nil while there are fewer. It
    /// may be the one after the last.
    package static func firstNight(counted: [Bool]) -> Int? {
        let days = counted.indices.filter { counted[$0] }
        return days.count < warmUp ? nil : days[warmUp - 1] + 1
    }

    /// How many days up to each one had at least `leastUse` of its sessions, itself among them, but no more than `warmUp` and
    /// one; a day without sessions is held to be like the last one before it that had any.
    package static func daysOfUse(_ totals: [Int?]) -> [Int] {
        // Only the largest of the days before count, in ascending order.
        var (largest, latest): ([Int], Int) = ([], 0)
        return totals.map { total in
            if let total, total > 0 {
                latest = total
                largest.insert(total, at: largest.firstIndex { $0 >= total } ?? largest.count)
                if largest.count > warmUp + 1 { largest.removeFirst() }
            }
            return largest.count { Double($0) >= leastUse * Double(latest) }
        }
    }

    /// Which days have enough days of use before them to be judged by.
    package static func hasPast(_ totals: [Int?]) -> [Bool] { hasPast(totals, of: warmUp) }

    private static func hasPast(_ totals: [Int?], of least: Int) -> [Bool] {
        zip(totals, daysOfUse(totals)).map { total, days in days - ((total ?? 0) > 0 ? 1 : 0) >= least }
    }

    /// The nights that are reported, in order; nights of a drop that is over count neither in what is
    /// expected later nor in a later window. Days that are nil are gaps; days without sessions report nothing.
    ///
    /// - Parameter sampling: By what the counts of each day were multiplied, where they are of a sample; 1 where they are
    ///   not. Empty where nothing is known: counts that are all multiples of one number show it themselves.
    package func findings(in series: [DayCount?], sampling: [Double] = []) -> [DropFinding] {
        let samples = SampledCounts(series, factors: sampling)
        let hasPast = Self.hasPast(series.map { $0?.total })
        return findings(inSamples: samples.days, hasPast: hasPast).map(samples.stated)
    }

    /// What each day was expected to have by itself, as its findings have it; of days without sessions and without enough
    /// of a past nothing is.
    ///
    /// - Parameter first: The first of the days.
    func forecasts(in series: [DayCount?], from first: Int) -> [Int: CountDistribution] {
        var forecasts: [Int: CountDistribution] = [:]
        _ = findings(inSamples: series, hasPast: Self.hasPast(series.map { $0?.total })) { day, counts in
            if day >= first { forecasts[day] = counts }
        }
        return forecasts
    }

    /// - Parameter forecast: is given each day with what was expected of it by itself.
    private func findings(
        inSamples series: [DayCount?], hasPast: [Bool],
        forecast: (_ day: Int, CountDistribution) -> Void = { _, _ in }
    ) -> [DropFinding] {
        var record = AdaptiveThreshold(
            floor: floor, margin: margin, span: 182, lag: 7, alarmSteps: 10, alarmCut: 1.1,
            startingRecord: StartingRecord(score: usualRecord, isOfUnknownSteps: true))
        var dispersions = Self.windows.map { _ in OwnDispersion() }
        var findings: [DropFinding] = []
        var past = series
        var drop: ReportedDrop?
        let usual = UsualTotals(series)
        let lessons = Lessons(series, hasPast: hasPast, usual)
        for night in series.indices {
            let outlooks = Self.windows.map { window in
                let start = night - window.days + 1
                return start < 0 || hasPast[start...night].contains(false)
                    ? nil : Outlook(past, night: night, days: window.days, usual)
            }
            if let counts = outlooks[0]?.expected(dispersions[0]) { forecast(night, counts) }
            let best = best(of: outlooks, dispersions)
            let reported = best.flatMap { $0.score > record.bar ? $0 : nil }
            if let reported {
                findings.append(reported)
                drop = drop ?? ReportedDrop(reported)
            }
            if drop?.isOver(on: night, in: series) == true {
                drop?.removeNights(from: &past)
                drop = nil
            }
            record.add(
                best?.score ?? (outlooks.allSatisfy { $0 == nil } ? nil : 0), reported: reported != nil,
                isHigh: outlooks[0].map { isHigh($0, dispersions[0]) } ?? false)
            for (index, outlook) in outlooks.enumerated() {
                guard
                    let outlook = outlook
                        ?? lessons.outlook(on: night, days: Self.windows[index].days, of: past)
                else { continue }
                dispersions[index].learn(
                    count: outlook.seen, forecast: outlook.forecast,
                    isExplained: reported != nil || drop != nil)
            }
        }
        return findings
    }

    /// Whether a finding would be one as well, by the least score, if such a crashed share had been expected of its days.
    package func finds(_ finding: DropFinding, expecting share: Double) -> Bool {
        let (crashed, total) = finding.sampled
        let forecast = share * Double(total)
        guard least.isReached(by: Double(crashed), of: Double(total), forecast: forecast),
            let counts = CountDistribution(mean: forecast, dispersion: finding.dispersion),
            let part = Self.windows.first(where: { $0.days == finding.window })?.share,
            let score = Self.score(of: crashed, in: counts, share: part)
        else { return false }
        return score > floor
    }

    /// How surprising a count is; `share` is what its window is granted of the false alarms.
    private static func score(of count: Int, in counts: CountDistribution, share: Double) -> Double? {
        guard let deviate = normalQuantile(upperLog: counts.logMidP(above: count)) else { return nil }
        let tail = studentTails(min(deviate, 37), freedom: 20).logUpper
        return -(tail - log(share)) / log(10)
    }

    /// The most surprising window of a night.
    private func best(of outlooks: [Outlook?], _ dispersions: [OwnDispersion]) -> DropFinding? {
        var best: DropFinding?
        for (index, window) in Self.windows.enumerated() {
            if let finding = outlooks[index]?.finding(dispersions[index], share: window.share, least: least),
                finding.score > best?.score ?? 0
            {
                best = finding
            }
        }
        return best
    }

    /// Whether one day by itself has more crashes than any bar allows, without the days before it.
    private func isHigh(_ day: Outlook, _ dispersion: OwnDispersion) -> Bool {
        day.finding(dispersion, share: Self.windows[0].share, least: least).map { $0.score > floor } ?? false
    }

    /// The nights that have too little of a past to be judged, but show how the app varies: the first one that is judged must
    /// know it.
    private struct Lessons {
        private let hasPast: [Bool]
        private let hasLittle: [Bool]
        private let usual: UsualTotals

        init(_ series: [DayCount?], hasPast: [Bool], _ usual: UsualTotals) {
            self.hasPast = hasPast
            self.usual = usual
            hasLittle = CrashRateDropDetector.hasPast(
                series.map { $0?.total }, of: UsualTotals.usualDays)
        }

        func outlook(on night: Int, days: Int, of past: [DayCount?]) -> Outlook? {
            let start = night - days + 1
            guard start >= 0, hasPast[start...night].contains(false),
                !hasLittle[start...night].contains(false)
            else { return nil }
            return Outlook(past, night: night, days: days, usual, least: UsualTotals.usualDays)
        }
    }

    /// A window and what was to be expected of it.
    private struct Outlook {
        let night: Int
        let days: Int
        let baseline: CrashBaseline
        let total: Double
        let seen: Double
        let forecast: Double
        private let deviations: DropFinding.Deviations?

        init?(
            _ past: [DayCount?], night: Int, days: Int, _ usual: UsualTotals,
            least: Int = CrashBaseline.leastDays
        ) {
            let start = night - days + 1
            guard let today = past[night], today.total > 0,
                let baseline = CrashBaseline(
                    past, before: start, most: usual[before: start], least: least),
                baseline.total < Self.most
            else { return nil }
            self.night = night
            self.days = days
            self.baseline = baseline
            var (total, seen, forecast, missed) = (0.0, 0.0, 0.0, 0.0)
            for place in start...night {
                guard let day = past[place] else { continue }
                total += Double(day.total)
                seen += Double(day.crashed)
                forecast += baseline.expected(on: day, at: place)
                missed += (day.deviation ?? 0) * Double(day.total)
            }
            (self.total, self.seen, self.forecast) = (total, seen, forecast)
            deviations = DropFinding.Deviations(
                window: missed > 0 ? missed / total : nil, baseline: baseline.deviation)
            guard total < Self.most else { return nil }
        }

        /// Beyond so many sessions a Double no longer counts one by one.
        private static let most = 1e15

        /// The counts that were to be expected.
        func expected(_ dispersion: OwnDispersion) -> CountDistribution? {
            CountDistribution(
                mean: forecast,
                dispersion: dispersion.value(forecast: forecast) + (deviations?.variance ?? 0))
        }

        func finding(_ dispersion: OwnDispersion, share: Double, least: LeastRise) -> DropFinding? {
            guard least.isReached(by: seen, of: total, forecast: forecast),
                let counts = expected(dispersion),
                let score = CrashRateDropDetector.score(of: Int(seen), in: counts, share: share)
            else { return nil }
            return DropFinding(
                day: night, window: days, score: score, crashed: Int(seen), total: Int(total),
                expected: forecast / total, dispersion: counts.dispersion,
                baselineTotal: Int(baseline.total), baselineDays: baseline.counted, deviations: deviations)
        }
    }
}

/// What a rise of crashes must amount to at least, however certain it is.
struct LeastRise: Hashable, Sendable {
    /// How many more crashes than expected.
    let count: Double
    /// The rise as a part of what was expected.
    let part: Double
    /// The rise as a share of all sessions.
    let share: Double

    /// Three sessions, a tenth of the rate, 0.05 points.
    static let ofRates = LeastRise(count: 3, part: 0.1, share: 0.0005)
    /// Ten crashes and half of those expected: one user in a loop is no alert.
    static let ofCounts = LeastRise(count: 10, part: 0.5, share: 0)

    /// Whether so many crashes are enough more than expected.
    func isReached(by crashed: Double, of total: Double, forecast: Double) -> Bool {
        let rise = crashed - forecast
        return rise >= count && rise >= part * forecast && rise >= share * total
    }
}

extension DropFinding {
    /// The 95% Newcombe interval of the rise against a baseline that has the expected share.
    package var rise: Interval? {
        let (crashed, total) = sampled
        let baselineTotal = Int((Double(baselineTotal) / (sampling ?? 1)).rounded())
        let crashedBefore = Int((expected * Double(baselineTotal)).rounded())
        let errors = (
            later: share * (deviations?.window ?? 0), earlier: expected * (deviations?.baseline ?? 0)
        )
        return ProportionPair(
            later: (crashed, total), earlier: (min(crashedBefore, baselineTotal), baselineTotal)
        ).flatMap { newcombeInterval(of: $0, errors: errors) }
    }
}

/// Findings in order, put together into episodes: an episode ends when so many days brought no finding, or with one that
/// does not continue it.
package func episodes<Finding>(
    of findings: [Finding], quietDays: Int, day: (Finding) -> Int,
    continues: (_ last: Finding, _ next: Finding) -> Bool = { _, _ in true }
) -> [[Finding]] {
    var episodes: [[Finding]] = []
    for finding in findings {
        if let last = episodes.last?.last, day(finding) - day(last) <= quietDays, continues(last, finding) {
            episodes[episodes.count - 1].append(finding)
        } else {
            episodes.append([finding])
        }
    }
    return episodes
}
