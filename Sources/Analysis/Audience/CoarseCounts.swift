package import AppHealth
import Statistics

/// Counts as readers see them who must not find them out: whatever is worked out from them, rates and intervals, is
/// the same for every whole between two bounds that are 5/3 apart, so that no whole is known to better than
/// ±20%, and at least 18 pairs of a part and a whole fit.
///
/// Bounds so near would leave too few pairs for wholes below 30. Those differ by their rate alone, and their
/// whole is about the smallest that has such a rate: the interval is then as wide as it may have to be.
enum CoarseCounts {
    /// All wholes below this one look alike.
    private static let smallest = 30

    /// What they are written as, by the fifteenth that is nearest to the rate. None is as surprising in 1 as it may be.
    /// The others have a whole not more than 5/3 of the least one with such a rate, by as much as the other kinds are wide.
    private static let few = [
        (0, 1), (1, 14), (1, 8), (1, 5), (1, 4), (1, 3), (2, 5), (5, 11), (1, 2), (3, 5), (2, 3), (3, 4),
        (4, 5),
        (6, 7), (11, 12), (1, 1),
    ]

    /// A part and a whole as they are written; nil unless the part is one of the whole.
    static func pair(_ part: Int, of count: Int) -> (part: Int, whole: Int)? {
        summand(part, of: count).map { count < smallest ? few[$0.part] : $0 }
    }

    /// The same to be added up with others: each few weigh alike, whatever their rate.
    static func summand(_ part: Int, of count: Int) -> (part: Int, whole: Int)? {
        guard count > 0, (0...count).contains(part) else { return nil }
        let whole = whole(count)
        return (Self.part(part, of: count, in: whole), whole)
    }

    /// A share that is not one of two counts, as that of a part of so many.
    static func share(_ share: Double, ofAbout count: Double) -> Double {
        guard share > 0, share < 1 else { return share }
        let count = Int(min(max(count, 1), 1e15))
        let steps = whole(count)
        let part = min(max(Int((share * Double(steps)).rounded()), 1), steps - 1)
        let shown = count < smallest ? few[part] : (part, steps)
        return Double(shown.0) / Double(shown.1)
    }

    /// The whole that all those that look like it are written as.
    static func whole(_ count: Int) -> Int {
        guard count > 0 else { return count }
        var (lower, upper) = (1, smallest)
        while count >= upper {
            let (next, overflow) = upper.multipliedReportingOverflow(by: 5)
            (lower, upper) = (upper, overflow ? .max : next / 3)
            if overflow { break }
        }
        return lower == 1 ? smallest / 2 : Int((Double(lower) * Double(upper - 1)).squareRoot().rounded())
    }

    /// The part of the coarse whole that is nearest to the rate; none and all stay what they are, and nothing else
    /// becomes one of them.
    private static func part(_ part: Int, of count: Int, in whole: Int) -> Int {
        guard part > 0 else { return 0 }
        guard part < count else { return whole }
        let scaled = (Double(part) / Double(count) * Double(whole)).rounded()
        return min(max(Int(scaled), 1), whole - 1)
    }

    /// A bound as far from its rate as the nearest power of 1.2: the width of an interval falls with the root of the
    /// count, so the count is known to a factor of 1.44.
    static func bound(_ bound: Double, of rate: Double) -> Double {
        guard bound > 0, bound < 1, bound != rate else { return bound }
        var step = 1.0
        while step > abs(bound - rate) * 1.095 { step /= 1.2 }
        return min(max(bound < rate ? rate - step : rate + step, 0), 1)
    }
}

extension Fraction {
    /// The share as readers see it, from whom counts may be hidden.
    package func shown(hidingCounts hides: Bool) -> Fraction { hides ? coarse : self }

    /// The share as those see it from whom counts are hidden.
    package var coarse: Fraction {
        let share = CoarseCounts.pair(numerator, of: denominator).flatMap { Fraction($0.part, of: $0.whole) }
        return share?.with(error: error) ?? self
    }
}

extension Fraction {
    /// The share to be added up with others, as those see it from whom counts are hidden.
    var coarseSummand: Fraction {
        let share = CoarseCounts.summand(numerator, of: denominator).flatMap {
            Fraction($0.part, of: $0.whole)
        }
        return share?.with(error: error) ?? self
    }
}

extension DayCount {
    /// The counts to be added up with others, as those see them from whom counts are hidden.
    var coarseSummand: DayCount {
        share.flatMap {
            let share = $0.coarseSummand
            return DayCount(
                total: share.denominator, crashed: share.numerator, deviation: deviation, sampling: sampling)
        } ?? self
    }

    /// The counts as those see them from whom counts are hidden.
    var coarse: DayCount {
        share.flatMap {
            DayCount(
                total: $0.coarse.denominator, crashed: $0.coarse.numerator, deviation: deviation,
                sampling: sampling)
        } ?? self
    }
}

extension HealthDay {
    /// The day as those see it from whom counts are hidden: good for its rates alone.
    var coarse: HealthDay {
        var day = self
        if let share = crashedSessionShare?.coarse {
            (day.sessions, day.crashedSessions) = (share.denominator, share.numerator)
        }
        if let share = crashedUserShare?.coarse {
            (day.users, day.crashedUsers) = (share.denominator, share.numerator)
        }
        return day
    }
}

extension DropFinding {
    /// The finding as those see it from whom counts are hidden.
    var coarse: DropFinding {
        guard let share = Fraction(crashed, of: total)?.coarse else { return self }
        return DropFinding(
            day: day, window: window, score: score, crashed: share.numerator, total: share.denominator,
            expected: expected, dispersion: dispersion, baselineTotal: CoarseCounts.whole(baselineTotal),
            baselineDays: baselineDays, deviations: deviations, sampling: sampling)
    }
}
