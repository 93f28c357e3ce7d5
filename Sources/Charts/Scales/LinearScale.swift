import Estimates

/// Maps numbers of a domain to vertical positions in tenths of a unit; greater numbers lie higher.
struct LinearScale: Hashable, Sendable {
    let lower: Double
    let upper: Double
    /// The position of the upper end.
    let top: Int
    /// The position of the lower end.
    let bottom: Int
    private let factor: Double

    init(lower: Double, upper: Double, top: Int, bottom: Int) {
        self.lower = lower
        self.upper = upper
        self.top = top
        self.bottom = bottom
        self.factor = upper > lower ? Double(bottom - top) / (upper - lower) : 0
    }

    /// The position of a number; at most one height beyond the ends.
    @inline(__always)
    func callAsFunction(_ value: Double) -> Int {
        let height = Double(bottom - top)
        let offset = ((value - lower) * factor).rounded()
        return bottom - Int(min(max(offset, -height), 2 * height))
    }
}

/// A domain widened to round numbers, with the ticks that divide it: steps of 1, 2 or 5 times a power of ten.
struct NiceTicks: Hashable, Sendable {
    let lower: Double
    let upper: Double
    let ticks: [Double]
    /// Decimals that distinguish neighboring ticks.
    let decimals: Int

    /// The ticks of a domain: about as many as wished for, never beyond the limits.
    init(_ low: Double, _ high: Double, wished: Int, limits: ClosedRange<Double> = -1e19...1e19) {
        let span = max(high - low, max(abs(low), abs(high)) * 1e-9, 1e-9)
        let (step, exponent) = niceStep(span / Double(max(wished, 1)))
        let first = (low / step).rounded(.down)
        let last = max((high / step).rounded(.up), first + 1)
        let count = min(Int(last - first), 20)
        // Steps below one are divided by their whole inverse: 3 / 10 is nearer to 0.3 than 3 × 0.1.
        let inverse = exponent < 0 ? (1 / step).rounded() : 0
        let all = (0...count).map { index in
            let position = first + Double(index)
            return inverse > 0 ? position / inverse : position * step
        }
        self.ticks = all.filter(limits.contains)
        self.lower = max(all[0], limits.lowerBound)
        self.upper = min(all[count], limits.upperBound)
        self.decimals = max(0, -exponent)
    }
}

/// The smallest step of 1, 2 or 5 times a power of ten that is not below a number, and its power.
private func niceStep(_ raw: Double) -> (step: Double, exponent: Int) {
    var (power, exponent) = (1.0, 0)
    while power * 10 <= raw, exponent < 20 { (power, exponent) = (power * 10, exponent + 1) }
    while power > raw, exponent > -12 { (power, exponent) = (power / 10, exponent - 1) }
    for factor in [1.0, 2, 5] where raw <= factor * power * (1 + 1e-9) { return (factor * power, exponent) }
    return (power * 10, exponent + 1)
}

extension LineChart {
    /// The ticks of the vertical axis: all values and levels lie within, intervals as far as they do not
    /// crush them.
    func ticks(_ series: DaySeries, _ other: DaySeries?, wished: Int) -> NiceTicks {
        var values = rules.map(\.value)
        for points in [series.points, other?.points ?? []] {
            for point in points { if let value = point.value { values.append(value) } }
        }
        return valueTicks(
            unit, values: values, intervals: series.points.compactMap(\.interval), wished: wished)
    }
}

/// The ticks of an axis that holds all values, and intervals as far as they do not crush them; counts stand on
/// zero.
func valueTicks(_ unit: ChartUnit, values: [Double], intervals: [Interval], wished: Int) -> NiceTicks {
    guard let low = values.min(), let high = values.max() else { return niceTicks(unit, 0, 1, wished) }
    let room = high > low ? (high - low) * 0.6 : unit == .rate ? 0.004 : max(abs(high) * 0.05, 0.5)
    let reach = intervals.reduce(Interval(lower: low, upper: high)) { all, one in
        Interval(lower: min(all.lower, one.lower), upper: max(all.upper, one.upper))
    }
    let lower = max(min(reach.lower, low), low - room)
    let upper = min(max(reach.upper, high), high + room)
    guard lower == upper else { return niceTicks(unit, lower, upper, wished) }
    // Counts are not below zero.
    let least = unit == .count && low >= 0 ? max(lower - room, 0) : lower - room
    return niceTicks(unit, least, upper + room, wished)
}

private func niceTicks(_ unit: ChartUnit, _ low: Double, _ high: Double, _ wished: Int) -> NiceTicks {
    switch unit {
    case .rate: NiceTicks(low * 100, high * 100, wished: wished, limits: 0...100)
    case .count: countTicks(min(low, 0), max(high, 0), wished: wished)
    }
}

/// The ticks of an axis of counts, which has none between whole numbers.
func countTicks(_ low: Double, _ high: Double, wished: Int) -> NiceTicks {
    let high = low < 0 ? high : max(high, 1)
    let span = high - low
    return NiceTicks(low, high, wished: span < Double(wished) ? max(Int(span.rounded(.up)), 1) : wished)
}
