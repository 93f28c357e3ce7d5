import AppHealth
import Formatting
import Statistics

/// Counts by day as bars from zero; a missing day is not a zero.
package struct BarChart: Chart, Hashable {
    package var name: String
    package var title: String
    /// The days shown; points outside are left out.
    package let domain: DateDomain
    /// The counts in any order; days without a point are missing, and so are negative counts.
    package let points: [ChartPoint]
    /// What the counts were expected to be, for days that have an expectation.
    package let expectation: [ExpectedRange]

    /// Makes a chart.
    package init(
        name: String, title: String, domain: DateDomain, points: [ChartPoint],
        expectation: [ExpectedRange] = []
    ) {
        self.name = name
        self.title = title
        self.domain = domain
        self.points = points
        self.expectation = expectation
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
            columns: plain.columns.dropLast() + ["Expected", "Expected range"] + plain.columns.suffix(1),
            cells: cells)
    }
}

extension BarChart {
    var series: DaySeries { DaySeries(points, domain: domain, unit: .count, minimum: 0) }

    func description(of series: DaySeries) -> String {
        let said = sentence(for: series, unit: .count, precision: PercentFormat(decimals: 0))
        let ranges = ranges
        guard ranges.contains(where: { $0 != nil }) else { return said }
        let above = excesses(series, ranges).map { series.points[$0].date.shortText }
        guard let last = above.last else { return said + " No day exceeds what its past let expect." }
        return above.count == 1
            ? said + " \(last) exceeds what its past let expect."
            : said + " \(above.count) days exceed what their past let expect, the last on \(last)."
    }
}
