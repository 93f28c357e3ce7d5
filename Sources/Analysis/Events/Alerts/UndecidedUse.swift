import AppHealth

extension UsageSeries {
    /// The last day on which a finding may still go on: its own, or the last of those after it that have no figures yet, as
    /// long as late data may bring some.
    ///
    /// - Parameter place: the day of the finding, as a place in the series.
    func lastDay(goingOnAfter place: Int, _ index: HistoryIndex) -> CivilDate {
        let end = min(
            first.days(to: index.lastDay), place + SettlingAge.standard.finalAfterHours / 24)
        let known = counts.indices.first { $0 > place && counts[$0] != nil }
        return first.advanced(by: max(place, min(end, known.map { $0 - 1 } ?? end)))
    }
}
