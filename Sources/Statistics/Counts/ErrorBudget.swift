/// How many crashes a target allows over a window of days, how many there were, and what is left.
///
/// Where all are counted approximately, what is allowed misses by as much as they do, at most as if all days missed in
/// one direction. What crashed is counted exactly.
package struct ErrorBudget: Hashable, Codable, Sendable {
    /// The days of the window, oldest first; nil is a day without figures.
    package let days: [DayCount?]
    /// The share that may crash: 1 − target, in 0…1.
    package let allowance: Double
    /// How many times wider the days vary than chance alone has it; 1 or more.
    package let dispersion: Double

    /// The budget of a window; nil when no day of it has figures or the target is not in 0…1.
    package init?(_ days: [DayCount?], target: Double, dispersion: Double = 1) {
        guard target >= 0, target <= 1, dispersion >= 1, days.contains(where: { ($0?.total ?? 0) > 0 })
        else { return nil }
        self.days = days
        self.allowance = 1 - target
        self.dispersion = dispersion
    }

    /// All of the window, added up over its days.
    package var total: Double { sum(days, \.total) }
    /// Those that crashed.
    package var spent: Double { sum(days, \.crashed) }
    /// How many may crash.
    package var allowed: Double { allowance * total }
    /// How many more may crash; negative when more crashed than may. Nothing but what a product may miss is nothing.
    package var left: Double { abs(allowed - spent) <= inexactness ? 0 : allowed - spent }
    /// By how much what is allowed may miss, as 1 − target is no exact number.
    private var inexactness: Double { max(1, allowed) * 1e-9 }
    /// The relative standard error of `total`, and with it of `allowed`; nil when it is exact.
    package var deviation: Double? { wholeDeviation(days) }
    /// The interval of the expected crashed count of the window, widened by the dispersion.
    package var spending: Interval? { countInterval(of: spent, dispersion: dispersion) }
}

extension ErrorBudget {
    /// How many of the last days set the pace.
    package static let paceDays = 7
    /// How far a forecast looks.
    package static let horizon = 90

    /// The crashed share of the last days, with its interval; nil without figures in them.
    package var pace: Interval? {
        let late = Array(days.suffix(Self.paceDays))
        let all = sum(late, \.total)
        guard all > 0, let bounds = countInterval(of: sum(late, \.crashed), dispersion: dispersion) else {
            return nil
        }
        let rate = Interval(lower: min(bounds.lower / all, 1), upper: min(bounds.upper / all, 1))
        guard let deviation = wholeDeviation(late) else { return rate }
        let share = sum(late, \.crashed) / all
        return widened(rate, around: share, by: share * deviation)
    }

    /// Whether the pace is for certain on one side of what is allowed, or without figures.
    package var isPaceClear: Bool { pace.map { $0.lower > allowance || $0.upper < allowance } ?? true }

    /// How far `left` may miss in 95 of 100 cases as all are counted approximately; 0 when they are not.
    private var reach: Double {
        guard let deviation, let quantile = normalQuantile((1 + standardConfidence) / 2) else { return 0 }
        return quantile * deviation * allowed
    }

    /// When the window that moves on day by day will have nothing left, from the bounds of the pace.
    ///
    /// Each coming day brings as much use as a mean day of the window, and lets the oldest day go with what it
    /// spent. The earliest end is that of the upper bound of the pace and of the least that may be left, the latest
    /// that of the lower bound and of the most. More is spent than there was only where no error of what is allowed
    /// explains it.
    package var forecast: BudgetForecast {
        if left + reach < 0 { return .spent }
        guard let pace else { return .unknown }
        guard let earliest = end(at: pace.upper, left: left - reach) else {
            return .notWithin(days: Self.horizon)
        }
        return .ends(earliest: earliest, latest: end(at: pace.lower, left: left + reach))
    }

    private func end(at rate: Double, left: Double) -> Int? {
        let counted = days.compactMap(\.self)
        let use = total / Double(max(1, counted.count))
        var left = left
        for ahead in 1...Self.horizon {
            left += use * (allowance - rate)
            if ahead <= days.count {
                if let gone = days[ahead - 1] {
                    left -= allowance * Double(gone.total) - Double(gone.crashed)
                }
            } else {
                left -= use * (allowance - rate)
            }
            if left < -inexactness { return ahead }
        }
        return nil
    }
}

/// The relative standard error of all of them; nil when they are exact.
private func wholeDeviation(_ days: [DayCount?]) -> Double? {
    let missed = days.reduce(0.0) { $0 + ($1?.deviation ?? 0) * Double($1?.total ?? 0) }
    return missed > 0 ? missed / sum(days, \.total) : nil
}

private func sum(_ days: [DayCount?], _ count: KeyPath<DayCount, Int>) -> Double {
    days.reduce(0) { $0 + Double($1?[keyPath: count] ?? 0) }
}
