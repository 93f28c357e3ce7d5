import AppHealth
import Formatting
import Statistics

/// Releases compared at the same age: day k of one against day k of the others.
package struct AgeChart: Chart, Hashable {
    /// One release from the day it came out.
    package struct Line: Hashable, Sendable {
        /// The version label.
        package let label: String
        /// The values from day 0 on.
        package let values: [ChartPoint.Content]

        /// Makes a line.
        package init(label: String, values: [ChartPoint.Content]) {
            self.label = label
            self.values = values
        }
    }

    package var name: String
    package var title: String
    /// What the values measure.
    package let unit: ChartUnit
    /// The releases, newest first; at most four are drawn.
    package let lines: [Line]
    /// Levels that the values are held against.
    package let rules: [LevelRule]
    /// How many of the newest release's last days late data may still change.
    package let provisional: Int

    /// The most days of age that are drawn.
    package static let longestAge = 400

    /// Makes a chart; rules that the unit does not admit are left out.
    package init(
        name: String, title: String, unit: ChartUnit, lines: [Line], rules: [LevelRule] = [],
        provisional: Int = 0
    ) {
        self.name = name
        self.title = title
        self.unit = unit
        self.lines = Array(lines.prefix(4))
        self.rules = rules.filter { unit.admits($0.value) }
        self.provisional = max(provisional, 0)
    }

    package func text() -> String {
        let newest = series.first.map { glyphLine($0) } ?? ""
        return newest + "\n" + description
    }

    package var table: ChartTable {
        let series = series
        var columns = ["Days after release"]
        for (index, line) in lines.enumerated() {
            columns.append(displayText(line.label, limit: 40))
            if index == 0 { columns.append("95% interval") }
        }
        if let newest = lines.first { columns.append("State of \(displayText(newest.label, limit: 40))") }
        let rows = (0..<domain.count).map { age in
            var row: [ChartCell] = [.value(Double(age), .count, precision)]
            for (index, one) in series.enumerated() {
                row.append(.value(one.points[age].value, unit, precision))
                if index == 0 { row.append(.interval(one.points[age].interval, unit, precision)) }
            }
            if let newest = series.first {
                let isFuture = age >= lines[0].values.count
                row.append(.text(isFuture ? "not yet" : stateText(newest.points[age])))
            }
            return row
        }
        return ChartTable(columns: columns, cells: rows)
    }
}

extension AgeChart {
    /// The ages as days of a calendar that begins with day 0, so that all marks of days serve them too.
    var domain: DateDomain {
        let longest = lines.map(\.values.count).max() ?? 1
        return DateDomain(first: CivilDate(daysSinceEpoch: 0), count: min(max(longest, 2), Self.longestAge))
    }

    /// The lines on the ages; what a line has not reached yet is missing.
    var series: [DaySeries] {
        let domain = domain
        return lines.enumerated().map { place, line in
            let settled = place == 0 ? line.values.count - provisional : .max
            let points = line.values.prefix(domain.count).enumerated().map { age, content in
                let date = domain.first.advanced(by: age)
                return switch content {
                case .value(let value, let interval):
                    ChartPoint(date, value, interval: interval, provisional: age >= settled)
                case .absent(let absence): ChartPoint(date, absent: absence, provisional: age >= settled)
                }
            }
            return DaySeries(points, domain: domain, unit: unit)
        }
    }

    /// The decimals that the newest interval of the newest release bears out.
    var precision: PercentFormat {
        let intervals = lines.first?.values.compactMap { content in
            if case .value(_, let interval) = content { interval } else { nil }
        }
        return PercentFormat(interval: intervals?.last)
    }
}
