package import Markup
import Statistics

/// Counts by day as bars from zero; a missing day is not a zero.
package struct BarChart: Chart, Hashable {
    package let name: String
    package let title: String
    /// The days shown; points outside are left out.
    package let domain: DateDomain
    /// The counts in any order; days without a point are missing, and so are negative counts.
    package let points: [ChartPoint]

    /// Makes a chart.
    package init(name: String, title: String, domain: DateDomain, points: [ChartPoint]) {
        self.name = name
        self.title = title
        self.domain = domain
        self.points = points
    }

    package var description: String { description(of: series) }

    package func svg() -> Markup { Markup(trusted: drawing(.inline), language: .html) }

    package func standaloneSVG() -> Markup { Markup(trusted: drawing(.standalone), language: .xml) }

    package func text() -> String {
        let series = series
        return glyphLine(series, fromZero: true) + "\n" + description(of: series)
    }

    package var table: ChartTable { seriesTable(series, unit: .count, precision: PercentText(decimals: 0)) }
}

extension BarChart {
    var series: DaySeries { DaySeries(points, domain: domain, unit: .count, minimum: 0) }

    func description(of series: DaySeries) -> String {
        sentence(for: series, unit: .count, precision: PercentText(decimals: 0))
    }
}
