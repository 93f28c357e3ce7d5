import AppHealth
import Statistics

/// The numbers of a series of days, with a column for intervals and for a comparison only when there are any.
func seriesTable(
    _ series: DaySeries, unit: ChartUnit, precision: PercentText, comparison: ComparisonLine? = nil
) -> ChartTable {
    let hasIntervals = series.points.contains { $0.interval != nil }
    let other = comparison.map { DaySeries($0.points, domain: series.domain, unit: unit) }
    var columns = ["Day", unit == .rate ? "Rate" : "Count"]
    if hasIntervals { columns.append("95\u{A0}% interval") }
    if let comparison { columns.append(displayText(comparison.label, limit: 60)) }
    columns.append("State")
    let rows = series.points.enumerated().map { index, point in
        var row = [point.date.description, point.value.map { unit.text($0, precision) } ?? "–"]
        if hasIntervals { row.append(point.interval.map { intervalText($0, unit, precision) } ?? "–") }
        if let other { row.append(other.points[index].value.map { unit.text($0, precision) } ?? "–") }
        row.append(stateText(point))
        return row
    }
    return ChartTable(columns: columns, rows: rows)
}

private func intervalText(_ interval: Interval, _ unit: ChartUnit, _ precision: PercentText) -> String {
    guard unit == .count else { return precision.intervalText(interval) }
    return unit.text(interval.lower, precision) + "–" + unit.text(interval.upper, precision)
}

private func stateText(_ point: ChartPoint) -> String {
    let state = point.absence?.text ?? ""
    guard point.provisional else { return state }
    return state.isEmpty ? "provisional" : state + ", provisional"
}
