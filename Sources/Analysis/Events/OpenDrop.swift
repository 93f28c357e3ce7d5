package import AppHealth
import Statistics

extension HistoryIndex {
    /// Why the rate is down on a day, against the last days before its fall; nil when no Stability Alert is open
    /// on it. A fall before the rate came back from an earlier one goes on with that one.
    package func openDrop(on day: CivilDate, events: [Event]) -> DropBreakdown? {
        let falls = falls(of: events)
        guard let fall = falls.last(where: { $0.first <= day }), fall.isOpen(on: day) else { return nil }
        let window = fall.finding.window
        return DropBreakdown(
            self, before: comparableDays(before: fall.start, falls),
            after: day.advanced(by: 1 - window)...day)
    }

    /// What explains a fall on its first night, so that it stays as it was told; nil when it cannot be told.
    package func causes(of fall: StabilityEpisode, events: [Event]) -> DropBreakdown? {
        DropBreakdown(
            self, before: comparableDays(before: fall.start, falls(of: events)),
            after: fall.start...fall.first)
    }

    /// The falls of the crash-free rate, in order.
    private func falls(of events: [Event]) -> [StabilityEpisode] {
        events.compactMap { event -> StabilityEpisode? in
            guard case .stability(let alert) = event else { return nil }
            return alert.episode
        }.sorted { $0.first < $1.first }
    }

    /// The last days with sessions before a day on which no fall was open, in order: of most recent use, so
    /// that releases had nearly the same shares, and a week of them, so that each day of the week is among them.
    private func comparableDays(before day: CivilDate, _ falls: [StabilityEpisode]) -> [CivilDate] {
        let days = (1...DropBreakdown.lookBack).lazy.map { day.advanced(by: -$0) }.filter { day in
            health[day]?.sessionCount.map { $0.total > 0 } == true && !falls.contains { $0.isDown(on: day) }
        }
        return days.prefix(DropBreakdown.comparedDays).reversed()
    }
}

extension DropBreakdown {
    /// How many days before a fall it is held against.
    package static let comparedDays = 7
    /// How far back such days may lie.
    package static let lookBack = 28
}

extension StabilityEpisode {
    /// How many days a fall without a return counts as open.
    fileprivate static let longest = 28

    /// The first of the days that the first night was found in.
    fileprivate var start: CivilDate { first.advanced(by: 1 - finding.window) }

    /// Whether the rate was down on a day on or after the first night.
    fileprivate func isOpen(on day: CivilDate) -> Bool {
        if case .recovered(let back, _) = state, back <= day { return false }
        return first.days(to: day) < Self.longest
    }

    /// Whether a day belongs to the fall, until the rate was back or fell anew.
    fileprivate func isDown(on day: CivilDate) -> Bool {
        guard start <= day else { return false }
        switch state {
        case .open: return isOpen(on: day)
        case .recovered(let back, _): return day < back
        case .followed(let next): return day < next
        }
    }
}
