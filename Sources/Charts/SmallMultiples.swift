import AppHealth
import Formatting
import Statistics

/// Several series on the same days and one scale, each in a panel of its own.
package struct SmallMultiples: Chart, Hashable {
    /// One panel.
    package struct Panel: Hashable, Sendable {
        /// Whose series it is; foreign text.
        package let label: String
        /// The series in any order.
        package let points: [ChartPoint]
        /// The level that should be kept, when there is one.
        package let target: Double?
        /// The shape at the last value.
        package let endMark: Sparkline.EndMark

        /// Makes a panel.
        package init(
            label: String, points: [ChartPoint], target: Double? = nil, endMark: Sparkline.EndMark = .plain
        ) {
            self.label = label
            self.points = points
            self.target = target
            self.endMark = endMark
        }
    }

    package var name: String
    package var title: String
    /// What the values measure.
    package let unit: ChartUnit
    /// The days of all panels.
    package let domain: DateDomain
    /// The panels in their order, at most twenty-four.
    package let panels: [Panel]
    /// How many more there were.
    package let omitted: Int

    /// Makes a chart.
    package init(name: String, title: String, unit: ChartUnit, domain: DateDomain, panels: [Panel]) {
        self.name = name
        self.title = title
        self.unit = unit
        self.domain = domain
        self.panels = Array(panels.prefix(24))
        self.omitted = max(panels.count - 24, 0)
    }

    package var description: String {
        let lasts = panels.map { panel -> String in
            let series = DaySeries(panel.points, domain: domain, unit: unit)
            let label = displayText(panel.label, limit: 40)
            guard let last = series.points.last(where: { $0.value != nil }), let value = last.value else {
                return "\(label) has no values"
            }
            let lowest = series.points.compactMap(\.value).min() ?? value
            let precision = precision(series)
            return "\(label) last \(unit.text(value, precision)), lowest \(unit.text(lowest, precision))"
        }
        guard !lasts.isEmpty else { return "No panels." }
        let more = omitted == 0 ? "" : " \(omitted) more are not drawn."
        return "\(domain.first.longText) to \(domain.last.longText), on one scale: "
            + lasts.joined(separator: "; ") + "." + more
    }

    package func text() -> String {
        let glyphs = panels.map { panel in
            glyphLine(DaySeries(panel.points, domain: domain, unit: unit))
        }
        return glyphs.joined(separator: " ") + "\n" + description
    }

    package var table: ChartTable {
        let all = panels.map { DaySeries($0.points, domain: domain, unit: unit) }
        let precisions = all.map(precision)
        return ChartTable(
            columns: ["Day"] + panels.map { displayText($0.label, limit: 60) },
            cells: (0..<domain.count).map { index in
                [.day(domain.first.advanced(by: index))]
                    + zip(all, precisions).map { .value($0.points[index].value, unit, $1) }
            })
    }
}

extension SmallMultiples {
    func precision(_ series: DaySeries) -> PercentFormat {
        PercentFormat(interval: series.points.last { $0.interval != nil }?.interval)
    }
}
