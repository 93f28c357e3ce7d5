import AppHealth
import Transport

/// How far back a service keeps events, as far as its responses say it.
///
/// Of what is older the list of issues has zeros and a day's list is empty, as of days without events. What tells
/// them apart: an event, after whose day every day is there as a whole, and the tables of events, which refuse a day that is
/// gone.
struct SentryReach: Equatable, Sendable {
    /// The first day that is certain to be there as a whole.
    private(set) var firstWhole: CivilDate?
    /// The oldest day of which an event was seen; a part of it may be gone.
    private(set) var oldestEvent: CivilDate?
    /// The newest day that was refused as gone.
    private(set) var lastGone: CivilDate?

    /// Whether all of a day is there.
    func holds(_ day: CivilDate) -> Bool { firstWhole.map { day >= $0 } ?? false }

    /// Whether a part of a day is there, and the rest may be gone.
    func cuts(_ day: CivilDate) -> Bool { !holds(day) && day == oldestEvent }

    /// Whether a day is certain to be gone.
    func lacks(_ day: CivilDate) -> Bool { lastGone.map { day <= $0 } ?? false }

    /// Whether a day may be there as a whole: it is not known to be gone, or to be older than what is there.
    func mayHold(_ day: CivilDate) -> Bool { firstWhole.map { day >= $0 } ?? !lacks(day) }

    /// A day has an event.
    mutating func sawEvent(on day: CivilDate) {
        oldestEvent = min(oldestEvent ?? day, day)
        isWhole(after: day)
    }

    /// At least the end of a day is there.
    mutating func isWhole(after day: CivilDate) {
        let next = day.advanced(by: 1)
        firstWhole = min(firstWhole ?? next, next)
    }

    /// A day is gone.
    mutating func isGone(_ day: CivilDate) { lastGone = max(lastGone ?? day, day) }
}

extension SentryRun {
    /// How many days before today are requested, one after the other, until one is there.
    private static let shortReaches = [15, 8, 4]

    /// Asks how far back events are kept, of the days before the oldest ones that are reported of. A service without tables
    /// keeps what the list of issues reports of, unless an issue was seen on days on which nothing has an event any more.
    mutating func addReach(
        of scope: SentryScope, list: DaySpan, issues: [Issue], days: [IssueDay]
    ) async {
        for day in days where day.version == nil && (day.events ?? 0) > 0 { reach.sawEvent(on: day.date) }
        let backs = Set([max(list.count, configuration.userDays) + 1, list.count + 1] + Self.shortReaches)
        for back in backs.sorted(by: >) {
            let day = now.date.advanced(by: -back)
            guard !reach.holds(day) else { return }
            let endpoint = SentryEndpoint.eventsOfDay(day, scope)
            guard parts.client.allows(endpoint) else { return }
            do throws(ServiceFault) {
                _ = try await parts.client.value(SentryTable.self, at: endpoint)
                return reach.isWhole(after: day)
            } catch {
                guard let status = error.status, [400, 403, 404].contains(status) else {
                    return parts.addMissing(endpoint.part, error)
                }
                guard status == 400, error.excerpt.contains("date range") else {
                    return presumeReach(of: list, issues: issues)
                }
                reach.isGone(day)
            }
        }
    }

    private mutating func presumeReach(of list: DaySpan, issues: [Issue]) {
        let oldest = reach.oldestEvent ?? list.last
        let isCut = issues.contains { issue in issue.firstSeen.map { $0.date < oldest } ?? false }
        if !isCut { reach.isWhole(after: list.first.advanced(by: -1)) }
    }
}
