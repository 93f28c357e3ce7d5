import AppHealth
import Formatting
import Statistics

/// The sentences that say what a chart of days shows.
func sentence(for series: DaySeries, unit: ChartUnit, precision: PercentFormat) -> String {
    let summary = SeriesSummary(series)
    let domain = series.domain
    let days = domain.count == 1 ? "1 day" : "\(countText(domain.count)) days"
    let span =
        domain.count == 1
        ? domain.first.longText : "\(domain.first.longText) to \(domain.last.longText) (\(days))"
    let parts = [
        span + ": " + extremes(series, summary, unit, precision),
        direction(series.points.map(\.value)),
        absenceSentence(summary),
        provisionalSentence(summary.provisional),
    ]
    return parts.compactMap(\.self).joined(separator: " ")
}

private func extremes(
    _ series: DaySeries, _ summary: SeriesSummary, _ unit: ChartUnit, _ precision: PercentFormat
) -> String {
    guard let first = summary.first, let last = summary.last, let low = summary.lowest,
        let high = summary.highest
    else { return "no values." }
    func value(_ index: Int) -> String { unit.text(series.points[index].value ?? 0, precision) }
    func day(_ index: Int) -> String {
        let date = series.points[index].date
        return series.domain.count > 360 ? date.longText : date.shortText
    }
    if first == last { return "one value, \(value(first)) on \(day(first))." }
    return
        "first \(value(first)), lowest \(value(low)) on \(day(low)), highest \(value(high)) on \(day(high)), "
        + "last \(value(last)) on \(day(last))."
}

/// What a chart of days says of the way its newest values go.
package enum ChartTrend {
    /// How many days are looked at, the newest ones.
    package static let span = 28
    /// The fewest of them that must have a value.
    package static let fewest = 8
    /// The p-value of the Mann–Kendall test below which they rise or fall.
    package static let level = 0.01
}

/// Which way the newest values go, by a test that noise seldom deceives; nil when too few are known.
func direction(_ values: [Double?]) -> String? {
    let newest = values.suffix(ChartTrend.span)
    let known = newest.compactMap { $0 }
    guard known.count >= ChartTrend.fewest, let test = MannKendall(known) else { return nil }
    let days = "The last \(newest.count) days"
    guard test.pValue < ChartTrend.level else { return "\(days) show no trend." }
    return "\(days) \(test.score > 0 ? "rise" : "fall")."
}

private func absenceSentence(_ summary: SeriesSummary) -> String? {
    let total = summary.absences.reduce(0, +)
    guard total > 0 else { return nil }
    let kinds = ChartPoint.Absence.allCases.filter { summary.absences[$0.rank] > 0 }
    let list = kinds.map { "\(countText(summary.absences[$0.rank])) \($0.text)" }.joined(separator: ", ")
    return "\(total == 1 ? "1 day has" : "\(countText(total)) days have") no value (\(list))."
}

private func provisionalSentence(_ count: Int) -> String? {
    guard count > 0 else { return nil }
    return count == 1 ? "1 day is provisional." : "\(countText(count)) days are provisional."
}
