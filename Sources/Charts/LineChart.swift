package import Markup
import Statistics

/// A line over days with its interval band, levels, release marks and the states of days without a value.
package struct LineChart: Chart, Hashable {
    package let name: String
    package let title: String
    /// What the values measure.
    package let unit: ChartUnit
    /// The days shown; points outside are left out.
    package let domain: DateDomain
    /// The series in any order; days without a point are missing.
    package let points: [ChartPoint]
    /// Levels that the values are held against.
    package let rules: [LevelRule]
    /// Releases in any order.
    package let releases: [ReleaseMark]
    /// A second series, drawn behind.
    package let comparison: ComparisonLine?

    /// Makes a chart; rules that the unit does not admit are left out.
    package init(
        name: String, title: String, unit: ChartUnit, domain: DateDomain, points: [ChartPoint],
        rules: [LevelRule] = [], releases: [ReleaseMark] = [], comparison: ComparisonLine? = nil
    ) {
        self.name = name
        self.title = title
        self.unit = unit
        self.domain = domain
        self.points = points
        self.rules = rules.filter { unit.admits($0.value) }
        self.releases = releases
        self.comparison = comparison
    }

    package var description: String { description(of: series) }

    package func svg() -> Markup { Markup(trusted: drawing(.inline), language: .html) }

    package func standaloneSVG() -> Markup { Markup(trusted: drawing(.standalone), language: .xml) }

    package func text() -> String {
        let series = series
        return glyphLine(series) + "\n" + description(of: series)
    }

    package var table: ChartTable {
        seriesTable(series, unit: unit, precision: precision(of: series), comparison: comparison)
    }
}

extension LineChart {
    var series: DaySeries { DaySeries(points, domain: domain, unit: unit) }

    /// The decimals that the newest interval bears out.
    func precision(of series: DaySeries) -> PercentText {
        PercentText(interval: series.points.last { $0.interval != nil }?.interval)
    }

    func description(of series: DaySeries) -> String {
        let levels = rules.map { "\(displayText($0.label, limit: 40)) \(unit.levelText($0.value))" }
        let sentence = sentence(for: series, unit: unit, precision: precision(of: series))
        return levels.isEmpty ? sentence : sentence + " " + levels.joined(separator: ", ") + "."
    }
}
