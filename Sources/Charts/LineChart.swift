import AppHealth
import Formatting
import Statistics

/// A line over days with its interval band, levels, release marks and the states of days without a value; under
/// the plot there may stand lanes of events and the adoption of releases.
package struct LineChart: Chart, Hashable {
    package var name: String
    package var title: String
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
    /// What happened, in any order.
    package let events: [EventMark]
    /// The shares of the newest releases, newest first; at most four are drawn.
    package let adoption: [AdoptionBand]

    /// Makes a chart; rules that the unit does not admit are left out.
    package init(
        name: String, title: String, unit: ChartUnit, domain: DateDomain, points: [ChartPoint],
        rules: [LevelRule] = [], releases: [ReleaseMark] = [], comparison: ComparisonLine? = nil,
        events: [EventMark] = [], adoption: [AdoptionBand] = []
    ) {
        self.name = name
        self.title = title
        self.unit = unit
        self.domain = domain
        self.points = points
        self.rules = rules.filter { unit.admits($0.value) }
        self.releases = releases
        self.comparison = comparison
        self.events = events.filter { domain.index(of: $0.date) != nil }
        self.adoption = Array(adoption.prefix(4))
    }

    package var description: String { description(of: series) }

    package func text() -> String {
        let series = series
        return glyphLine(series) + "\n" + description(of: series)
    }
}

extension LineChart {
    var series: DaySeries { DaySeries(points, domain: domain, unit: unit) }

    /// The decimals that the newest interval bears out.
    func precision(of series: DaySeries) -> PercentFormat {
        PercentFormat(interval: series.points.last { $0.interval != nil }?.interval)
    }

    func description(of series: DaySeries) -> String {
        let precision = precision(of: series)
        let levels = rules.map { "\(displayText($0.label, limit: 40)) \(unit.levelText($0.value))" }
        let parts = [
            sentence(for: series, unit: unit, precision: precision),
            levels.isEmpty ? nil : "Levels: " + levels.joined(separator: ", ") + ".",
            comparisonSentence(series, precision), eventSentence,
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }

    /// `Last week before: 5,120.`, so that the two last values stand together.
    private func comparisonSentence(_ series: DaySeries, _ precision: PercentFormat) -> String? {
        guard let comparison, let last = series.points.last(where: { $0.value != nil }) else { return nil }
        let other = DaySeries(comparison.points, domain: domain, unit: unit)
        let then = domain.index(of: last.date).flatMap { other.points[$0].value }
        return then.map {
            "\(displayText(comparison.label, limit: 40)) on \(last.date.shortText): \(unit.text($0, precision))."
        }
    }

    private var eventSentence: String? {
        let counts = EventMark.Kind.allCases.compactMap { kind in
            let count = events.count { $0.kind == kind }
            return count == 0 ? nil : kind.text(count)
        }
        return counts.isEmpty ? nil : "Marked: " + counts.joined(separator: ", ") + "."
    }
}
