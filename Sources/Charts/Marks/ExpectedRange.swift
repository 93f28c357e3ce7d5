package import AppHealth

/// What a day's count was expected to be before it was known.
package struct ExpectedRange: Hashable, Sendable {
    /// The day.
    package let date: CivilDate
    /// The lowest count that would not surprise.
    package let lower: Double
    /// The expected count.
    package let mean: Double
    /// The highest count that would not surprise.
    package let upper: Double

    /// Makes a range; nil unless 0 ≤ lower ≤ mean ≤ upper ≤ 10^18.
    package init?(_ date: CivilDate, lower: Double, mean: Double, upper: Double) {
        guard lower >= 0, lower <= mean, mean <= upper, upper <= 1e18 else { return nil }
        self.date = date
        self.lower = lower
        self.mean = mean
        self.upper = upper
    }
}

extension BarChart {
    /// The ranges by the days of the domain; empty when there is none.
    var ranges: [ExpectedRange?] {
        guard !expectation.isEmpty else { return [] }
        var ranges = [ExpectedRange?](repeating: nil, count: domain.count)
        for range in expectation {
            if let index = domain.index(of: range.date) { ranges[index] = range }
        }
        return ranges
    }

    /// The days whose count exceeds its range.
    func excesses(_ series: DaySeries, _ ranges: [ExpectedRange?]) -> [Int] {
        ranges.indices.filter { index in
            guard let range = ranges[index], let value = series.points[index].value else { return false }
            return value > range.upper
        }
    }

    /// A triangle above each bar that exceeds its range.
    func drawExcess(
        _ series: DaySeries, _ ranges: [ExpectedRange?], _ plot: Plot, _ out: inout SVGWriter
    ) {
        for index in excesses(series, ranges) {
            let top = plot.y(series.points[index].value ?? 0)
            drawEventShape(.alert, x: plot.x.center(index), y: max(top, plot.y.top) - 75, &out)
        }
    }
}

/// The band of ranges as steps of whole days, with a dashed line at the expected counts.
func drawExpectation(_ ranges: [ExpectedRange?], _ plot: Plot, _ out: inout SVGWriter) {
    let found = runs(ranges) { $0 != nil }
    guard !found.isEmpty else { return }
    func y(_ value: Double?) -> Int { max(plot.y(value ?? 0), plot.y.top) }
    out.raw("<path class=\"chart-expectation\" fill-opacity=\".14\" d=\"")
    var pen = PathPen()
    for run in found {
        let first = y(ranges[run.lowerBound]?.upper)
        pen.move(plot.x.edge(run.lowerBound), first, &out)
        let upper = run.map { (y(ranges[$0]?.upper), plot.x.edge($0 + 1)) }
        let lower = run.reversed().map { (y(ranges[$0]?.lower), plot.x.edge($0)) }
        drawSteps(upper, from: first, &pen, &out)
        drawSteps(lower, from: upper.last?.0 ?? first, &pen, &out)
        pen.close(&out)
    }
    out.raw("\"/><path class=\"chart-expected\" fill=\"none\" stroke=\"currentColor\"")
    out.raw(" stroke-dasharray=\"3 2\" d=\"")
    for run in found {
        let first = y(ranges[run.lowerBound]?.mean)
        pen.move(plot.x.edge(run.lowerBound), first, &out)
        drawSteps(run.map { (y(ranges[$0]?.mean), plot.x.edge($0 + 1)) }, from: first, &pen, &out)
    }
    out.raw("\"/>")
}

/// Goes to each height and then level to an end; successive days of one height are one line.
private func drawSteps(
    _ steps: [(y: Int, end: Int)], from first: Int, _ pen: inout PathPen, _ out: inout SVGWriter
) {
    var y = first
    for (place, step) in steps.enumerated() {
        if step.y != y { pen.vertical(step.y, &out) }
        y = step.y
        let next = place + 1
        if next == steps.count || steps[next].y != y { pen.horizontal(step.end, &out) }
    }
}
