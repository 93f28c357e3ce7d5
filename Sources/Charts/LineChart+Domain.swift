import Statistics

extension LineChart {
    /// The ticks of the vertical axis: all values and levels lie within, intervals as far as they do not
    /// crush them.
    func ticks(_ series: DaySeries, _ other: DaySeries?) -> NiceTicks {
        var values = rules.map(\.value)
        for points in [series.points, other?.points ?? []] {
            for point in points { if let value = point.value { values.append(value) } }
        }
        return valueTicks(unit, values: values, intervals: series.points.compactMap(\.interval))
    }
}

/// The ticks of an axis that holds all values, and intervals as far as they do not crush them; counts stand on
/// zero.
func valueTicks(_ unit: ChartUnit, values: [Double], intervals: [Interval], wished: Int = 4) -> NiceTicks {
    guard let low = values.min(), let high = values.max() else { return niceTicks(unit, 0, 1, wished) }
    let room = high > low ? (high - low) * 0.6 : unit == .rate ? 0.004 : max(abs(high) * 0.05, 0.5)
    let reach = intervals.reduce(Interval(lower: low, upper: high)) { all, one in
        Interval(lower: min(all.lower, one.lower), upper: max(all.upper, one.upper))
    }
    let lower = max(min(reach.lower, low), low - room)
    let upper = min(max(reach.upper, high), high + room)
    return niceTicks(
        unit, lower == upper ? lower - room : lower, lower == upper ? upper + room : upper, wished)
}

private func niceTicks(_ unit: ChartUnit, _ low: Double, _ high: Double, _ wished: Int) -> NiceTicks {
    switch unit {
    case .rate: NiceTicks(low * 100, high * 100, wished: wished, limits: 0...100)
    case .count: NiceTicks(min(low, 0), max(high, 0), wished: wished)
    }
}
