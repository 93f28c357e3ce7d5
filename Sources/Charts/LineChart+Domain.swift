import Statistics

extension LineChart {
    /// The ticks of the vertical axis: all values and levels lie within, intervals as far as they do not
    /// crush them.
    func ticks(_ series: DaySeries, _ other: DaySeries?) -> NiceTicks {
        var low = Double.infinity
        var high = -Double.infinity
        for value in rules.lazy.map(\.value) { (low, high) = (min(low, value), max(high, value)) }
        for points in [series.points, other?.points ?? []] {
            for point in points {
                if let value = point.value { (low, high) = (min(low, value), max(high, value)) }
            }
        }
        guard low <= high else { return niceTicks(0, 1) }
        let room = high > low ? (high - low) * 0.6 : unit == .rate ? 0.004 : max(abs(high) * 0.05, 0.5)
        let reach = reach(of: series, from: low, to: high)
        let lower = max(min(reach.lower, low), low - room)
        let upper = min(max(reach.upper, high), high + room)
        return niceTicks(lower == upper ? lower - room : lower, lower == upper ? upper + room : upper)
    }

    private func reach(of series: DaySeries, from low: Double, to high: Double) -> Interval {
        var (lower, upper) = (low, high)
        for case let interval? in series.points.lazy.map(\.interval) {
            (lower, upper) = (min(lower, interval.lower), max(upper, interval.upper))
        }
        return Interval(lower: lower, upper: upper)
    }

    private func niceTicks(_ low: Double, _ high: Double) -> NiceTicks {
        switch unit {
        case .rate: NiceTicks(low * 100, high * 100, wished: 4, limits: 0...100)
        case .count: NiceTicks(min(low, 0), max(high, 0), wished: 4)
        }
    }
}
