import AppHealth
import Estimates
import Formatting

/// Counts by day as bars from zero; a missing day is not a zero.
package struct BarChart: Chart, Hashable {
    package var name: String
    package var title: String
    /// The days shown; points outside are skipped.
    package let domain: DateDomain
    /// The counts in any order; days without a point are missing, and so are negative counts.
    package let points: [ChartPoint]
    /// What the counts were expected to be, for days that have an expectation.
    package let expectation: [ExpectedRange]
    /// The trend of the newest days; nil when too few are known.
    package let trend: SeriesTrend?

    /// Makes a chart.
    package init(
        name: String, title: String, domain: DateDomain, points: [ChartPoint],
        expectation: [ExpectedRange] = [], trend: SeriesTrend? = nil
    ) {
        self.name = name
        self.title = title
        self.domain = domain
        self.points = points
        self.expectation = expectation
        self.trend = trend
    }

    package var description: String { description(of: series) }

    package func text() -> String {
        let series = series
        return glyphLine(series, fromZero: true) + "\n" + description(of: series)
    }

    package var table: ChartTable {
        let series = series
        let plain = seriesTable(series, unit: .count, precision: .init(decimals: 0))
        let ranges = ranges
        guard ranges.contains(where: { $0 != nil }) else { return plain }
        let cells = zip(plain.cells, ranges).map { row, range -> [ChartCell] in
            let interval = range.map { Interval(lower: $0.lower, upper: $0.upper) }
            let expected: [ChartCell] = [
                .value(range?.mean, .count, .init(decimals: 1)),
                .interval(interval, .count, .init(decimals: 0)),
            ]
            return row.dropLast() + expected + row.suffix(1)
        }
        return ChartTable(
            columns: plain.heads.dropLast() + [.expected, .expectedRange] + plain.heads.suffix(1),
            cells: cells)
    }
}

extension BarChart {
    var series: DaySeries { DaySeries(points, domain: domain, unit: .count, minimum: 0) }

    func description(of series: DaySeries) -> String {
        let said = sentence(for: series, unit: .count, precision: PercentFormat(decimals: 0), trend: trend)
        let ranges = ranges
        guard ranges.contains(where: { $0 != nil }) else { return said }
        let above = excesses(series, ranges).map { series.points[$0].date.shortText }
        guard let last = above.last else { return said + " No day above the expected range." }
        return said + " \(daysText(above.count)) above the expected range, latest \(last)."
    }
}

extension BarChart {
    /// The drawing from the back to the front.
    package func drawing(_ size: DrawingSize) -> Drawing {
        let series = series
        var summary = SeriesSummary(series)
        summary.hasIntervals = false
        let ranges = ranges
        let ticks = ticks(summary.highest.flatMap { series.points[$0].value } ?? 0, ranges)
        let shown = tickLabels(ticks, .count)
        let margins = Plot.Margins(
            size: size, left: max((shown.map(estimatedWidth).max() ?? 0) + 130, 400), right: 160, top: 120,
            plotHeight: 1400, hasGlyphs: summary.hasAbsences, legend: legend(summary, series, ranges))
        let (plot, wide) = Plot.nextToWide(domain: domain, ticks: ticks, margins: margins)
        let canvas = Canvas(name: name, title: title, size, height: plot.height)
        return draw(on: canvas, description: description(of: series), capacity: 2000 + domain.count * 24) {
            out in
            if summary.provisional > 0 { drawHatch(series, plot, on: canvas, &out) }
            drawShapes(on: canvas, plot, usingThoseOf: wide, &out) { out in
                drawGridLines(plot, &out)
                drawExpectation(ranges, plot, &out)
                drawBars(series, plot, &out)
                drawZeros(series, plot, &out)
            }
            drawTickLabels(on: canvas, plot, usingThoseOf: wide, shown, &out)
            drawExcess(series, ranges, plot, &out)
            if summary.first == nil { drawEmptiness(plot, summary.soleAbsence, &out) }
            drawDateAxis(plot, &out)
            if summary.hasAbsences { drawAbsences(series, plot.x, line: plot.glyphLine, &out) }
            drawLegend(on: canvas, plot, usingThatOf: wide, &out)
        }
    }

    private func ticks(_ greatest: Double, _ ranges: [ExpectedRange?]) -> NiceTicks {
        // A range that reaches far beyond all bars does not crush them.
        let reach = ranges.compactMap { $0?.upper }.max().map { min($0, max(greatest * 1.6, 4)) } ?? 0
        let top = max(greatest, reach, 1)
        // Things that are counted have no ticks between whole numbers.
        return NiceTicks(0, top, wished: top < 4 ? max(Int(top), 1) : 4)
    }

    private func legend(
        _ summary: SeriesSummary, _ series: DaySeries, _ ranges: [ExpectedRange?]
    ) -> [Legend.Entry] {
        var entries = legendEntries(summary)
        guard ranges.contains(where: { $0 != nil }) else { return entries }
        entries.insert(Legend.Entry(.expectation, "Expected range"), at: 0)
        if !excesses(series, ranges).isEmpty {
            entries.insert(Legend.Entry(.above, "Above expected"), at: 1)
        }
        return entries
    }
}

/// Bars from the base line, one for each day with a count above zero.
func drawBars(_ series: DaySeries, _ plot: Plot, _ out: inout SVGWriter) {
    out.raw("<path class=\"chart-bar\" fill-opacity=\".75\" d=\"")
    let gap = plot.x.columnWidth >= 30 ? max(Int(plot.x.columnWidth * 0.2), 10) : 0
    let inset = max(gap, Int(plot.x.columnWidth) - 280)
    var pen = PathPen()
    for (index, point) in series.points.enumerated() {
        guard let value = point.value, value > 0 else { continue }
        let begin = plot.x.edge(index) + inset / 2
        let end = max(plot.x.edge(index + 1) - (inset - inset / 2), begin + 1)
        // A count above zero is always seen.
        let height = max(plot.y.bottom - plot.y(value), 15)
        pen.move(begin, plot.y.bottom, &out)
        pen.vertical(plot.y.bottom - height, &out)
        pen.horizontal(end, &out)
        pen.vertical(plot.y.bottom, &out)
        pen.close(&out)
    }
    out.raw("\"/>")
}

/// A line in the color of the text on the base line under days whose count is zero: not a gap.
func drawZeros(_ series: DaySeries, _ plot: Plot, _ out: inout SVGWriter) {
    let days = series.points
    guard days.contains(where: { $0.value == 0 }) else { return }
    out.raw("<path class=\"chart-zero\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"3\" d=\"")
    let half = min(Int(plot.x.columnWidth * 0.35), 60)
    var pen = PathPen()
    for index in days.indices where days[index].value == 0 {
        if index == 0 || days[index - 1].value != 0 {
            pen.move(plot.x.center(index) - half, plot.y.bottom - 10, &out)
        }
        if index + 1 == days.count || days[index + 1].value != 0 {
            pen.horizontal(plot.x.center(index) + half, &out)
        }
    }
    out.raw("\"/>")
}
