import AppHealth
import Diagnostics
import Transport

extension ServiceRequests {
    /// The days of an issue from the instant on, the current one as far as it is counted.
    mutating func days(
        of issue: String, since start: Instant, below base: Address
    ) async throws(ServiceFault) -> ([IssueDay], [Diagnostic]) {
        let endpoint = BugsinkEndpoint.eventCounts(issue: issue, start: start.description)
        var (counts, losses) = try await value(BugsinkCounts.self, at: try address(endpoint, base))
        let days = issueDays(counts, of: issue, losses: &losses)
        return (days, losses.warnings)
    }

    /// The newest event that is still stored; nil when none is.
    mutating func newestEvent(
        of issue: String, below base: Address
    ) async throws(ServiceFault) -> (BugsinkEvent?, [Diagnostic]) {
        let (page, _) = try await value(
            BugsinkPage<BugsinkEventEntry>.self, at: try address(.events(issue: issue), base))
        guard let newest = page.elements.first else { return (nil, []) }
        let (event, losses) = try await value(
            BugsinkEvent.self, at: try address(.event(newest.id.text), base))
        return (event, losses.warnings)
    }

    /// How many users met the issue; nil when no event names one, or when there are more than are read.
    mutating func users(
        of issue: String, below base: Address
    ) async throws(ServiceFault) -> (Int?, [Diagnostic]) {
        let pages = try await pages(
            BugsinkPage<BugsinkUser>.self, from: try address(.users(issue: issue), base), most: 4)
        let users = Set(pages.elements.compactMap(\.id.text)).count
        return (pages.isCut || users == 0 ? nil : users, pages.warnings)
    }

    /// The comments in an issue's history.
    mutating func notes(
        on issue: String, below base: Address
    ) async throws(ServiceFault) -> ([Note], [Diagnostic]) {
        let pages = try await pages(
            BugsinkPage<BugsinkTurn>.self, from: try address(.history(issue: issue), base), most: 1)
        return (pages.elements.compactMap { note($0, on: issue) }, pages.warnings)
    }

    private func address(_ endpoint: BugsinkEndpoint, _ base: Address) throws(ServiceFault) -> Address {
        do throws(AddressError) {
            return try endpoint.address(below: base)
        } catch {
            throw fault(.address(error))
        }
    }
}
