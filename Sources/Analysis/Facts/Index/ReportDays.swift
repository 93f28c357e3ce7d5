import AppHealth

/// The first day of a report with a last one. It moves once a year: what moves each night would change every page.
func firstReportDay(until last: CivilDate) -> CivilDate {
    CivilDate(year: last.components.year - 5, month: 1, day: 1)
        ?? last.advanced(by: 1 - HistoryIndex.longestSpan)
}

/// The days from the first of the given ones and of the rows to the last complete one, at most as many as a report
/// looks back.
func successiveDays(
    _ days: [CivilDate], _ rows: [IssueDay], through last: CivilDate
) -> [CivilDate] {
    let span = firstReportDay(until: last)...last
    let firsts = [
        days.lazy.filter { span.contains($0) }.min(),
        rows.lazy.map(\.date).filter { span.contains($0) }.min(),
    ]
    guard let first = firsts.compactMap(\.self).min() else { return [] }
    return (0...first.days(to: last)).map { first.advanced(by: $0) }
}
