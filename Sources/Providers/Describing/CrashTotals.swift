import AppHealth
import Diagnostics

extension Snapshot {
    /// Makes totals of all events those of crashes, for services that count errors and hangs with them.
    ///
    /// A service may go on counting the events of issues that it does not list any more: deleted ones, merged ones, those
    /// whose events it no longer keeps. Only where the issues that are listed make up the total of a day is it known
    /// which of its events are crashes. Where they make up less, the crashes of the day, and its issues, are a part.
    ///
    /// - Parameters:
    ///   - areKindsKnown: whether every listed issue that is no crash is known to be none.
    ///   - dates: the days for which the issues were requested.
    /// - Returns: the days of which the listed issues have a part of the events.
    @discardableResult
    mutating func countCrashesAlone(areKindsKnown: Bool, on dates: [CivilDate]) -> [OpenDay] {
        let crashes = Set(issues.lazy.filter { $0.kind == .crash }.map(\.id))
        var listed: [CivilDate: ListedEvents] = [:]
        for day in issueDays where day.version == nil {
            listed[day.date, default: ListedEvents()].add(day, isCrash: crashes.contains(day.issue))
        }
        var proven: Set<CivilDate> = []
        var parts: [OpenDay] = []
        var unknown: Set<CivilDate> = []
        for index in health.indices {
            guard let total = health[index].crashes else { continue }
            let (date, known) = (health[index].date, listed[health[index].date] ?? ListedEvents())
            if known.all == total { proven.insert(date) }
            if known.all < total { parts.append(OpenDay(date: date, listed: known.all, events: total)) }
            // A day without any event has no crash, whatever kinds its issues are of.
            let isKnown = known.all == total && (areKindsKnown || total == 0)
            health[index].crashes = isKnown ? known.crashes : nil
            if !isKnown { unknown.insert(date) }
        }
        health.removeAll { $0 == HealthDay(date: $0.date, version: $0.version) }
        stateCrashes(unknown: unknown, open: Set(parts.filter { $0.listed > 0 }.map(\.date)))
        stateIssues(proven: proven.intersection(dates), open: Set(parts.map(\.date)), listed)
        return parts
    }

    private mutating func stateCrashes(unknown: Set<CivilDate>, open: Set<CivilDate>) {
        let totals = coverage.filter { $0.fact == .crashes }
        let gone = coverageSpans(.crashes, unknown, .unknown)
        let parts = coverageSpans(.crashes, open, .partial(counted: nil, of: nil))
        coverage.removeAll { $0.fact == .crashes }
        coverage += CoverageHistory(totals + gone + parts).spans.filter(\.coverage.isKnown)
    }

    /// Where the issues make up a day's events there are no others; where they make up less there are.
    private mutating func stateIssues(
        proven: Set<CivilDate>, open: Set<CivilDate>, _ listed: [CivilDate: ListedEvents]
    ) {
        let stated = CoverageHistory(coverage)
        var days = Dictionary(stated.days(of: .issueDays).map { ($0, stated(.issueDays, on: $0)) }) {
            first, _ in
            first
        }
        for date in proven { days[date] = .complete }
        for date in open where days[date]?.isComplete == true {
            let counted = listed[date]?.issues ?? 0
            days[date] = Providers.coverage(counted: counted, of: counted, isWhole: false)
        }
        coverage.removeAll { $0.fact == .issueDays }
        coverage += coverageSpans(.issueDays, days.known)
    }

    /// States that the crashes of the days of issues are known in part: which issues are crashes is not, so that those which
    /// are do not add up to a day's. A day that has a total keeps it.
    mutating func stateThatCrashesAreOpen() {
        let stated = CoverageHistory(coverage)
        let open = stated.days(of: .issueDays).filter { !stated(.crashes, on: $0).isKnown }
        let crashes = coverage.filter { $0.fact == .crashes }
        coverage.removeAll { $0.fact == .crashes }
        coverage +=
            CoverageHistory(crashes + coverageSpans(.crashes, open, .partial(counted: nil, of: nil))).spans
    }

    /// Gives issues on a day of which a service keeps a part the events that were stored of them, where these are more.
    mutating func keepMost(of stored: [IssueDay], on day: CivilDate) {
        var most: [String: Int] = [:]
        for row in stored where row.date == day && row.version == nil {
            if let events = row.events { most[row.issue] = max(most[row.issue] ?? 0, events) }
        }
        for place in issueDays.indices where issueDays[place].date == day && issueDays[place].version == nil {
            guard let events = issueDays[place].events, let most = most[issueDays[place].issue] else {
                continue
            }
            issueDays[place].events = max(events, most)
        }
    }
}

/// A day with events that belong to no listed issue.
struct OpenDay: Equatable {
    let date: CivilDate
    /// The events of the issues that are listed.
    let listed: Int
    /// All events.
    let events: Int
}

extension PartialFetch {
    /// How many days are named.
    private static let namedDays = 3

    /// Says why the crashes of days are unknown although every listed issue was read: some of their events belong to none.
    /// It is no warning, as nothing brings them back.
    ///
    /// - Parameter days: Days that are over.
    mutating func noteOpenDays(_ days: [OpenDay], at endpoint: some ServiceEndpoint) {
        guard !days.isEmpty else { return }
        let named = days.sorted { $0.date > $1.date }.prefix(Self.namedDays).map { day in
            "\(day.date): \(day.events - day.listed) of \(day.events) events belong to no listed issue"
        }
        let others = days.count - named.count
        add(
            Diagnostic(
                .note, id: "\(provider).open-days",
                "\(provider): crashes are unknown on \(days.count == 1 ? "1 day" : "\(days.count) days")",
                details: named + (others > 0 ? ["\(others) more before"] : [])
                    + ["issues may have been deleted or merged; stored crashes of these days stay"],
                location: .address(endpoint.text(below: client.base))))
    }
}

/// What the issues of a list had on a day.
private struct ListedEvents {
    var all = 0
    var crashes = 0
    /// How many issues had any.
    var issues = 0

    mutating func add(_ day: IssueDay, isCrash: Bool) {
        guard let events = day.events, events > 0 else { return }
        all = all.addingCapped(events)
        if isCrash { crashes = crashes.addingCapped(events) }
        issues += 1
    }
}
