package import Estimates

/// How the rates of one place are written, in every output: pages, charts, files, feeds, the terminal.
///
/// All rates of a place have the same number of decimals, as many as the width of an interval bears out. A rate
/// that is not exactly one is never written as 100%, and one that is not exactly zero never as 0%: where rounding
/// would make it so, the nearest value that the decimals can show follows a sign, `<0.01%` and `>99.99%`. An
/// interval that begins or ends there has one bound, `at most 0.04%` and `at least 99.96%`. Where nothing was
/// counted there is no rate, and words say so.
package struct PercentFormat: Hashable, Sendable {
    /// Decimals of the percentage, 0…4.
    package let decimals: Int

    /// So many decimals, held within 0…4.
    package init(decimals: Int) {
        self.decimals = min(max(decimals, 0), 4)
    }

    /// The widths of intervals, in percentage points, from which on a rate has one and two decimals; narrower
    /// ones bear out three.
    package static let decimalSteps = (one: 2.0, two: 0.1)

    /// As many decimals as the interval of a rate bears out, by `decimalSteps`; two when there is no interval.
    package init(interval: Interval?) {
        guard let interval, interval.width.isFinite else {
            self.init(decimals: 2)
            return
        }
        let points = interval.width * 100
        self.init(decimals: points >= Self.decimalSteps.one ? 1 : points >= Self.decimalSteps.two ? 2 : 3)
    }

    /// A rate in 0…1 with its unit: `99.12%`, `<0.01%`; a dash when it is no rate.
    package func text(_ rate: Double) -> String {
        let number = number(rate)
        return number == "–" ? number : number + Self.unit
    }

    /// A rate of counts with its unit, rounded from the counts themselves; a dash when there is no such rate.
    package func text(_ part: Int, of whole: Int) -> String {
        guard whole > 0, part >= 0, part <= whole else { return "–" }
        return signed(units(of: part, in: whole), isZero: part == 0, isAll: part == whole) + Self.unit
    }

    /// A rate in 0…1 as a bare number of percent: `99.12`, `>99.99`; a dash when it is no rate.
    package func number(_ rate: Double) -> String {
        guard rate >= 0, rate <= 1, let units = scaledMagnitude(rate, decimals: decimals + 2) else {
            return "–"
        }
        return signed(units, isZero: rate == 0, isAll: rate == 1)
    }

    /// An interval of a rate: both bounds as bare numbers of percent, `98.98–99.24`; of a rate that is all, or
    /// nearer to it than the decimals can show, `at least 99.62%`, and of one that is none, or so near to it,
    /// `at most 0.38%`.
    package func intervalText(_ interval: Interval) -> String {
        let bounds = [interval.lower, interval.upper].map {
            scaledMagnitude(min(max($0, 0), 1), decimals: decimals + 2) ?? 0
        }
        let (beginsAtNone, endsAtAll) = (bounds[0] == 0, bounds[1] >= full)
        if beginsAtNone, endsAtAll { return "0–100" }
        // What the decimals cannot show is within the bound.
        if endsAtAll {
            return "at least " + fixedPoint(min(bounds[0], full - 1), decimals: decimals) + Self.unit
        }
        if beginsAtNone { return "at most " + fixedPoint(max(bounds[1], 1), decimals: decimals) + Self.unit }
        return bounds.map { fixedPoint($0, decimals: decimals) }.joined(separator: "–")
    }

    /// An interval that follows no rate, and so has the unit: `98.39–98.70%`.
    package func rangeText(_ interval: Interval) -> String {
        let text = intervalText(interval)
        return text.hasSuffix(Self.unit) ? text : text + Self.unit
    }

    /// A difference of two rates in percentage points with its sign: `−0.21 pp`, `+1.40 pp`, `0.00 pp`.
    package func changeText(_ difference: Double) -> String {
        guard difference.isFinite, difference.magnitude < 1e9,
            let units = scaledMagnitude(difference, decimals: decimals + 2)
        else { return "–" }
        let sign = units == 0 ? "" : difference < 0 ? "−" : "+"
        return sign + fixedPoint(units, decimals: decimals) + pointsUnit
    }

    /// The bounds of a difference in percentage points with their signs, without the unit: `−2.16 to −1.52`.
    package func changeBounds(_ interval: Interval) -> String {
        [interval.lower, interval.upper].map { change in
            let text = changeText(change)
            return text.hasSuffix(pointsUnit) ? String(text.dropLast(pointsUnit.count)) : text
        }.joined(separator: " to ")
    }

    static let unit = "%"

    /// 100% in units of the last decimal.
    private var full: UInt128 { powerOfTen(decimals + 2) }

    /// A part of a whole in units of the last decimal, rounded half up from the counts themselves.
    private func units(of part: Int, in whole: Int) -> UInt128 {
        let (quotient, remainder) = (UInt128(part) * full).quotientAndRemainder(dividingBy: UInt128(whole))
        return quotient + (remainder * 2 >= UInt128(whole) ? 1 : 0)
    }

    private func signed(_ units: UInt128, isZero: Bool, isAll: Bool) -> String {
        if isZero { return "0" }
        if isAll { return "100" }
        if units == 0 { return "<" + fixedPoint(1, decimals: decimals) }
        if units >= full { return ">" + fixedPoint(full - 1, decimals: decimals) }
        return fixedPoint(units, decimals: decimals)
    }
}
