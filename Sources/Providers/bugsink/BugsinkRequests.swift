import AppHealth
import Diagnostics

extension ServiceClient {
    /// The days of an issue from the instant on, the current one as far as it is counted.
    mutating func days(
        of issue: String, since start: Instant
    ) async throws(ServiceFault) -> ([IssueDay], [Diagnostic]) {
        let endpoint = BugsinkEndpoint.eventCounts(issue: issue, start: start.description)
        var (counts, losses) = try await value(BugsinkCounts.self, at: endpoint)
        let days = issueDays(counts, of: issue, losses: &losses)
        return (days, losses.warnings)
    }

    /// The newest event that is still stored; nil when none is.
    mutating func newestEvent(
        of issue: String
    ) async throws(ServiceFault) -> (BugsinkEvent?, [Diagnostic]) {
        let (page, _) = try await value(
            BugsinkPage<BugsinkEventEntry>.self, at: BugsinkEndpoint.events(issue: issue))
        guard let newest = page.elements.first else { return (nil, []) }
        let (event, losses) = try await value(
            BugsinkEvent.self, at: BugsinkEndpoint.event(newest.id.text))
        return (event, losses.warnings)
    }

    /// How many users met the issue; nil when no event names one, or when there are more than are read.
    mutating func users(
        of issue: String
    ) async throws(ServiceFault) -> (Int?, [Diagnostic]) {
        let pages = try await pages(
            from: BugsinkEndpoint.users(issue: issue), by: .linkInBody(BugsinkPage<BugsinkUser>.self),
            most: 4)
        let users = Set(pages.elements.compactMap(\.id.text)).count
        return (pages.isCut || users == 0 ? nil : users, pages.warnings)
    }

    /// The comments in an issue's history.
    mutating func notes(
        on issue: String
    ) async throws(ServiceFault) -> ([Note], [Diagnostic]) {
        let pages = try await pages(
            from: BugsinkEndpoint.history(issue: issue),
            by: .linkInBody(BugsinkPage<BugsinkHistoryEntry>.self), most: 1)
        return (pages.elements.compactMap { note($0, on: issue) }, pages.warnings)
    }
}
