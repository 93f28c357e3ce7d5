package import AppHealth
package import Formatting
package import Statistics

/// The data of a chart; every row has as many cells as there are columns.
package struct ChartTable: Hashable, Sendable {
    /// The headings.
    package let columns: [String]
    /// The cells, row by row.
    package let cells: [[ChartCell]]

    /// The cells as people read them.
    package var rows: [[String]] { cells.map { $0.map(\.shown) } }
}

/// One value of a chart's table.
package enum ChartCell: Hashable, Sendable {
    /// Words; foreign ones are cleaned.
    case text(String)
    /// A day.
    case day(CivilDate)
    /// A value of the chart, or nil when there is none.
    case value(Double?, ChartUnit, PercentFormat)
    /// The bounds of an interval, or nil when there is none; two fields in a file of data.
    case interval(Interval?, ChartUnit, PercentFormat)

    /// The value as people read it; a dash when there is none.
    package var shown: String {
        switch self {
        case .text(let text): text
        case .day(let day): day.description
        case .value(let value, let unit, let precision): value.map { unit.text($0, precision) } ?? "–"
        case .interval(let interval, let unit, let precision):
            interval.map { intervalText($0, unit, precision) } ?? "–"
        }
    }
}

func intervalText(_ interval: Interval, _ unit: ChartUnit, _ precision: PercentFormat) -> String {
    guard unit == .count else { return precision.intervalText(interval) }
    return unit.text(interval.lower, precision) + "–" + unit.text(interval.upper, precision)
}
