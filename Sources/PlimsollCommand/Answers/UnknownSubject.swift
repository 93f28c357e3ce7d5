import Analysis
import AppHealth
import Diagnostics

/// Reports that there is no such app, release, page or number, with the nearest name or those that are known.
func unknownName(_ command: String, _ what: String, _ name: String, among names: [String]) -> Diagnostics {
    Diagnostics([
        .usage(
            "\(command).unknown-\(what)", "Unknown \(what) '\(name)'",
            hints: [nameHint(for: name, among: names)])
    ])
}

/// Reports that a day has no page.
///
/// - Parameter days: the first and the last day with data, of each app in question.
func unknownDay(_ command: String, _ day: CivilDate, among days: [CivilDate]) -> Diagnostics {
    let hint = days.min().map { "use a day from \($0) to \(days.max() ?? $0)" }
    return Diagnostics([
        .usage("\(command).unknown-day", "Unknown day '\(day)'", hints: [hint ?? "none available"])
    ])
}

/// Reports that a week has no page: it is not over at the instant of the report, or nothing is known of it.
func unknownWeek(
    _ command: String, _ week: CivilWeek, among known: [CivilWeek], asOf: Instant
) -> Diagnostics {
    let isOver = known.contains { $0 > week } || week.last < asOf.date
    let hint =
        known.max().map { newest in
            let oldest = known.min() ?? newest
            return isOver && oldest < newest
                ? "use a week from \(oldest) to \(newest)" : "the newest one is \(newest)"
        } ?? "none available"
    return Diagnostics([
        isOver
            ? .usage("\(command).unknown-week", "Unknown week '\(week)'", hints: [hint])
            : .usage("\(command).week-not-over", "Week '\(week)' is not over", hints: [hint])
    ])
}

extension AppFacts {
    /// The first and the last day with data; none where there is none.
    var daySpan: [CivilDate] { [days.first, days.last].compactMap(\.self) }
}
