package import AppHealth
import Estimates
import Formatting

/// Which way the newest values of a series go, as whoever made the series found.
package enum SeriesTrend: Hashable, Sendable {
    case rising, falling
    /// Neither is significant.
    case flat
    /// An alert on it is open since a day: what its newest days do is known better than by a trend.
    case alert(since: CivilDate)

    /// How many days it is about, the newest ones.
    package static let span = 28

    /// `Rising over the last 28 days.`
    func sentence(of days: Int) -> String {
        let days = "the last \(min(days, Self.span)) days"
        return switch self {
        case .rising: "Rising over \(days)."
        case .falling: "Falling over \(days)."
        case .flat: "No significant trend in \(days)."
        case .alert(let since): "An alert is open since \(since.shortText)."
        }
    }
}

/// What a chart of days shows: span, latest value, range, trend, gaps.
///
/// - Parameter trend: the trend; nil when too few days are known.
func sentence(
    for series: DaySeries, unit: ChartUnit, precision: PercentFormat, trend: SeriesTrend? = nil
) -> String {
    let summary = SeriesSummary(series)
    let domain = series.domain
    let parts = [
        spanText(domain.first, domain.last) + ": " + extremes(series, summary, unit, precision),
        trend?.sentence(of: domain.count),
        gapSentence(summary),
        summary.provisional > 0 ? "\(daysText(summary.provisional)) provisional." : nil,
    ]
    return parts.compactMap(\.self).joined(separator: " ")
}

/// `latest 98.55%, first 99.48%, lowest 96.42% (Oct 17), highest 99.56% (Sep 26).`
private func extremes(
    _ series: DaySeries, _ summary: SeriesSummary, _ unit: ChartUnit, _ precision: PercentFormat
) -> String {
    guard let first = summary.first, let last = summary.last, let low = summary.lowest,
        let high = summary.highest
    else { return "no data." }
    /// The day is skipped where the span has said it.
    func value(_ index: Int, besides end: Int? = nil) -> String {
        let text = unit.text(series.points[index].value ?? 0, precision)
        let date = series.points[index].date
        let day = series.domain.count > 360 ? date.mediumText : date.shortText
        return index == end ? text : "\(text) (\(day))"
    }
    if first == last { return "one value, \(value(first))." }
    return "latest \(value(last, besides: series.points.count - 1)), first \(value(first, besides: 0)), "
        + "lowest \(value(low)), highest \(value(high))."
}

/// `9 days without data (5 missing, 1 fetch failed, 3 no sessions).`
func gapSentence(_ summary: SeriesSummary) -> String? {
    let total = summary.absences.reduce(0, +)
    guard total > 0 else { return nil }
    let kinds = ChartPoint.Absence.allCases.filter { summary.absences[$0.rank] > 0 }
    let list = kinds.map { "\(countText(summary.absences[$0.rank])) \($0.word)" }.joined(separator: ", ")
    return "\(daysText(total)) without data (\(list))."
}

/// `1 day`, `1,204 days`.
func daysText(_ count: Int) -> String { count == 1 ? "1 day" : "\(countText(count)) days" }

/// `Target 99%, critical 97%.`
func levelSentence(_ rules: [LevelRule], _ unit: ChartUnit) -> String? {
    guard !rules.isEmpty else { return nil }
    let levels = rules.enumerated().map { place, rule in
        // Words of the program are a part of the sentence, those of an owner stay as they are.
        let isOwn = ["target", "critical"].contains(rule.label.lowercased())
        let label =
            !isOwn
            ? displayText(rule.label, limit: 40)
            : place > 0 ? rule.label.lowercased() : rule.kind == .target ? "Target" : "Critical"
        return "\(label) \(unit.levelText(rule.value))"
    }
    return levels.joined(separator: ", ") + "."
}
