private import Platform

/// What the days before a night let one expect of it: a rate with more weight on late days, and how each day
/// of the week differs.
struct CrashBaseline {
    /// The crashed share, in 0…1.
    let rate: Double
    /// Sessions of the days, as they were.
    let total: Double
    /// How many of the days had sessions.
    let counted: Int
    /// The relative standard error of the rate that comes of counting approximately, as if all days missed in one
    /// direction; nil when all are exact.
    let deviation: Double?
    private let factors: [Double]

    /// The days it looks back: eight of each day of the week.
    static let days = 56
    /// On how many of them there must have been sessions, or in how many of its weeks, as an app may be used once a week: one
    /// or two days, as after a gap, do not say what is usual.
    static let (leastDays, leastWeeks) = (14, 7)

    /// The baseline of the days before `end`; nil where too few of them have sessions. Days without counts are gaps.
    ///
    /// - Parameters:
    ///   - most: What a day counts for at most, in sessions, at its own rate: one day with many times the usual
    ///     sessions, such as those of bots, does not say what is usual.
    ///   - least: On how many days there must have been sessions.
    init?(_ series: [DayCount?], before end: Int, most: Double, least: Int = leastDays) {
        var (recent, recentTotal, total, missed, counted) = (0.0, 0.0, 0.0, 0.0, 0)
        var (weighed, crashed) = (0.0, 0.0)
        // The days come in order, so that a week is counted with its first one.
        var (weeks, newest) = (0, Int.max)
        var byWeekday = [(total: Double, crashed: Double)](repeating: (0, 0), count: 7)
        for place in max(0, end - Self.days)..<max(0, end) {
            guard let day = series[place], day.total > 0 else { continue }
            let part = Double(day.total) > most ? most / Double(day.total) : 1
            let (dayTotal, dayCrashed) = (part * Double(day.total), part * Double(day.crashed))
            let weight = exp2(-Double(end - 1 - place) / 14)
            counted += 1
            let week = (end - 1 - place) / 7
            if week < newest { (weeks, newest) = (weeks + 1, week) }
            total += Double(day.total)
            recent += weight * dayCrashed
            recentTotal += weight * dayTotal
            missed += weight * dayTotal * (day.deviation ?? 0)
            weighed += dayTotal
            crashed += dayCrashed
            byWeekday[place % 7].total += dayTotal
            byWeekday[place % 7].crashed += dayCrashed
        }
        guard counted >= least || weeks >= Self.leastWeeks else { return nil }
        let plain = (crashed + 0.5) / (weighed + 50)
        rate = (recent + 0.5) / (recentTotal + 50)
        factors = byWeekday.map { ($0.crashed + 100) / ($0.total * plain + 100) }
        self.deviation = missed > 0 ? missed / recentTotal : nil
        self.total = total
        self.counted = counted
    }

    /// The crashed sessions to expect of a day with so many sessions.
    func expected(on day: DayCount, at place: Int) -> Double {
        Double(day.total) * rate * factors[place % 7]
    }
}

/// The sessions that at least eight of the days reach which a baseline looks back, and half of them where they are fewer, for
/// each of its ends; days without sessions are none. So a launch is usual after a week, and so is an app that is used on
/// some days of the week alone.
struct UsualTotals {
    private let totals: [Double]

    /// How many days must have been like it for a use to be usual.
    static let usualDays = 8

    init(_ series: [DayCount?]) {
        totals = (0...series.count).map { end in
            let totals = series[max(0, end - CrashBaseline.days)..<end].compactMap { $0?.total }
                .filter { $0 > 0 }.sorted()
            return totals.isEmpty ? 0 : Double(totals[max(totals.count / 2, totals.count - Self.usualDays)])
        }
    }

    /// That of the days before `end`.
    subscript(before end: Int) -> Double { totals[max(0, end)] }
}

/// A drop that was reported and has not come back yet.
///
/// While it lasts its nights count like any other, so that a drop that stays becomes the usual; once the rate is
/// back they no longer count, so that a drop that is over does not hide the next one.
struct ReportedDrop {
    /// The nights that belong to it, the last one being the newest.
    private var nights: [Int] = []
    /// The crashed share above which a night belongs to it.
    private let limit: Double
    private let first: Int
    private var quiet = 0

    /// How many nights in a row the rate must be back.
    private static let quietNights = 3
    /// After so many nights it is the usual.
    private static let longest = 28

    init(_ finding: DropFinding) {
        first = finding.day - finding.window + 1
        limit = finding.expected + finding.size / 2
    }

    /// Takes in the next night; whether the rate is back, or never will be.
    mutating func isOver(on night: Int, in series: [DayCount?]) -> Bool {
        for place in max(first, (nights.last ?? first - 1) + 1)...max(first, night)
        where isDown(series, place) {
            nights.append(place)
        }
        quiet = nights.last == night || series[night] == nil ? 0 : quiet + 1
        if night - first >= Self.longest { nights = [] }
        return quiet >= Self.quietNights || nights.isEmpty
    }

    /// Removes its nights from the past that is expected to go on.
    func removeNights(from past: inout [DayCount?]) {
        for night in nights { past[night] = nil }
    }

    private func isDown(_ series: [DayCount?], _ place: Int) -> Bool {
        guard let day = series[place], day.total > 0 else { return false }
        return Double(day.crashed) > limit * Double(day.total)
    }
}
