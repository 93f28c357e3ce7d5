package import AppHealth
import Statistics

extension Evidence {
    /// Why the rate is down on a day, against the days that its fall was held against; nil when no Stability
    /// Alert is open on it. A fall before the rate came back from an earlier one goes on with that one.
    package func openDrop(on day: CivilDate, events: [Event]) -> DropCauses? {
        let falls = events.compactMap { event -> StabilityEpisode? in
            guard case .stability(let alert) = event, alert.episode.first <= day else { return nil }
            return alert.episode
        }.sorted { $0.first < $1.first }
        guard var fall = falls.last, fall.isOpen(on: day) else { return nil }
        for earlier in falls.dropLast().reversed() {
            guard case .followed = earlier.state else { break }
            fall = earlier
        }
        let window = fall.finding.window
        let end = fall.first.advanced(by: -window)
        return DropCauses(
            self, before: end.advanced(by: 1 - HonestDrop.baselineDays)...end,
            after: day.advanced(by: 1 - window)...day)
    }
}

extension StabilityEpisode {
    /// How many days a fall without a return counts as open.
    fileprivate static let longest = 28

    /// Whether the rate was down on a day on or after the first night.
    fileprivate func isOpen(on day: CivilDate) -> Bool {
        if case .recovered(let back, _) = state, back <= day { return false }
        return first.days(to: day) < Self.longest
    }
}
