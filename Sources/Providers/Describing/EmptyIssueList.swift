import AppHealth
import Diagnostics

extension KnownIssues {
    /// The days on which an issue had events.
    var daysWithEvents: Set<CivilDate> { Set(days.lazy.filter { ($0.events ?? 0) > 0 }.map(\.date)) }
}

extension PartialFetch {
    /// Whether a list without any issue is not believed: issues with events on its days are stored. A service that holds
    /// everything back for a night sends such a list too, with status 200. Warns where it is none.
    ///
    /// - Parameter covers: Whether the list has all events of a day.
    mutating func doubtsEmptyList(
        _ stored: KnownIssues, at endpoint: some ServiceEndpoint, covers: (CivilDate) -> Bool
    ) -> Bool {
        guard let last = stored.daysWithEvents.filter(covers).max() else { return false }
        add(
            .warning(
                "\(provider).empty-list", "\(provider): the list of issues is empty",
                details: [
                    "stored issues had events on days of this list, the last on \(last)",
                    "stored issues and their days stay as they are",
                ], at: .address(endpoint.text(below: client.base)),
                hints: ["fetch again later, unless all issues were deleted"]))
        return true
    }
}
