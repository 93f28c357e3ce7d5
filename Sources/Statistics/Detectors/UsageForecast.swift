/// What the days before a day let one expect of its use, in logarithms.
struct UsagePast {
    /// The level of each day so far; nil for a gap, and for a day of a change that is over.
    private var levels: [Double?] = []
    /// How far each was from the median of the same weekday of four weeks before it.
    private var drifts: [Double?] = []

    private static let driftDays = 14

    /// The week before the next day and the three before it.
    var weekly: WeeklyLevel? { WeeklyLevel(before: levels) }

    /// The level to expect of the next day: the median of its weekday and the median drift since, as far as the last week
    /// bears it out. The median takes in a lasting change after weeks, the drift within days: both have it for a time.
    ///
    /// - Parameter reach: How far the expected level may be from that of the last week, by the latter.
    func expected(_ weekly: WeeklyLevel?, within reach: (Double) -> Double) -> Double? {
        guard let usual, let drift = median(drifts.suffix(Self.driftDays).compactMap { $0 }) else {
            return nil
        }
        guard let level = weekly?.expected(after: 0) else { return usual + drift }
        let reach = reach(level)
        return min(max(usual + drift, level - reach), level + reach)
    }

    /// Adds the next day.
    mutating func add(_ level: Double?) {
        let usual = usual
        levels.append(level)
        drifts.append(level.flatMap { level in usual.map { level - $0 } })
    }

    /// Lets days count no more.
    mutating func remove(_ days: [Int]) {
        for day in days { (levels[day], drifts[day]) = (nil, nil) }
    }

    private var usual: Double? {
        let day = levels.count
        return median((1...WeeklyLevel.weeks).compactMap { day >= 7 * $0 ? levels[day - 7 * $0] : nil })
    }
}

/// The level of the last week, how each weekday differs from its week, and how much weeks grow: medians of the last four
/// weeks, so that a change within one of them, or in one or two of them as a whole, bends nothing but the level.
///
/// Median polish: J. W. Tukey, "Exploratory Data Analysis" (1977) chapter 11.
struct WeeklyLevel: Hashable, Sendable {
    /// That of the last seven days.
    private let level: Double
    /// From week to week.
    private let growth: Double
    /// That of each day of the week, from the one that is next on.
    private let weekdays: [Double]

    /// How many weeks it is made of.
    static let weeks = 4
    private static let rounds = 2

    /// Of the days before the next one; nil without any in the last seven.
    init?(before levels: [Double?]) {
        guard levels.count >= 7 * Self.weeks else { return nil }
        let start = levels.count - 7 * Self.weeks
        let table = (0..<Self.weeks).map { Array(levels[(start + 7 * $0)..<(start + 7 * $0 + 7)]) }
        var weeks = [Double?](repeating: 0, count: Self.weeks)
        var weekdays = [Double](repeating: 0, count: 7)
        func fitWeekdays() {
            for place in weekdays.indices {
                let rests = zip(table, weeks).compactMap { days, week in
                    week.flatMap { week in days[place].map { $0 - week } }
                }
                weekdays[place] = median(rests) ?? weekdays[place]
            }
        }
        // Weekdays first: in a week with gaps the days that are known may be its weekend.
        fitWeekdays()
        for round in 0...Self.rounds {
            weeks = table.map { week in
                median(week.enumerated().compactMap { place, level in level.map { $0 - weekdays[place] } })
            }
            if round < Self.rounds { fitWeekdays() }
        }
        guard let last = weeks.last, let level = last else { return nil }
        let steps = zip(weeks, weeks.dropFirst()).compactMap { before, after in
            before.flatMap { before in after.map { $0 - before } }
        }
        (self.level, growth, self.weekdays) = (level, median(steps) ?? 0, weekdays)
    }

    /// The level to expect so many days after the next one.
    func expected(after days: Int) -> Double {
        level + weekdays[days % 7] + growth * Double(days / 7 + 1)
    }
}

/// A change of use that was reported and is not known to be over, nor to be the usual.
///
/// For a week it is held against what was before it. Then a day may be as the last ones or as before: a return is no
/// change. Once use is back, the days of the change count no more in what is expected.
struct ReportedUsageChange {
    private let first: Int
    private let before: WeeklyLevel
    private var known = 0
    private var days: [Int] = []
    private var quiet = 0

    /// After so many known days it may be what is usual now, after so many it is no news, and after so many days it is
    /// the usual.
    private static let newDays = 7, reportedDays = 14, longest = 28
    /// How many days in a row use must be as before.
    private static let quietDays = 3

    init(from first: Int, before: WeeklyLevel) { (self.first, self.before) = (first, before) }

    /// Whether it is the usual by a day.
    func isUsual(by day: Int) -> Bool { day - first >= Self.longest }

    /// The level to expect of a day: the one before the change, or the recent one where that is nearer.
    func expected(on day: Int, recent: Double, of level: Double) -> Double {
        let past = past(on: day)
        return known < Self.newDays || abs(level - past) <= abs(level - recent) ? past : recent
    }

    /// The level before the change, while days that are as the last ones still belong to it.
    func reported(on day: Int) -> Double? { known < Self.reportedDays ? past(on: day) : nil }

    /// Takes in the next known day; the days of the change once use is back.
    ///
    /// - Parameter usual: The level that was expected of it.
    mutating func add(_ day: Int, usual: Double, isReported: Bool) -> [Int]? {
        known += 1
        quiet = !isReported && usual == past(on: day) ? quiet + 1 : 0
        if quiet == 0 { days.append(day) }
        return quiet >= Self.quietDays ? days : nil
    }

    private func past(on day: Int) -> Double { before.expected(after: day - first) }
}
