import AppHealth
import Formatting
import Statistics

/// The numbers of a series of days, with a column for intervals and for a comparison only when there are any.
func seriesTable(
    _ series: DaySeries, unit: ChartUnit, precision: PercentFormat, comparison: ComparisonLine? = nil
) -> ChartTable {
    let hasIntervals = series.points.contains { $0.interval != nil }
    let other = comparison.map { DaySeries($0.points, domain: series.domain, unit: unit) }
    var columns = ["Day", unit == .rate ? "Rate" : "Count"]
    if hasIntervals { columns.append("95% interval") }
    if let comparison { columns.append(displayText(comparison.label, limit: 60)) }
    columns.append("State")
    let rows = series.points.enumerated().map { index, point in
        var row: [ChartCell] = [.day(point.date), .value(point.value, unit, precision)]
        if hasIntervals { row.append(.interval(point.interval, unit, precision)) }
        if let other { row.append(.value(other.points[index].value, unit, precision)) }
        row.append(.text(stateText(point)))
        return row
    }
    return ChartTable(columns: columns, cells: rows)
}

/// Why a point has no value and whether it may still change, in words; empty for a settled value.
func stateText(_ point: ChartPoint) -> String {
    let state = point.absence?.text ?? ""
    guard point.provisional else { return state }
    return state.isEmpty ? "provisional" : state + ", provisional"
}
