import AppHealth
import Diagnostics
import Transport

/// What one day's list of issues reported: events and users of that day.
struct SentryDayCounts: Codable, Equatable, Sendable {
    /// The counts of one issue; users are nil where the app reports none.
    struct Entry: Codable, Equatable, Sendable {
        var issue: String
        var events: Int?
        var users: Int?
    }

    /// In the order of the service, most users first.
    var entries: [Entry]
    /// Whether an issue that is not among them had nothing: a full page may lack some.
    var isWhole: Bool

    /// The same with the events that the list of all issues has of the day: once the day is before that list, these are the
    /// newest that are known of it.
    func updated(by listed: ListedDays, on day: CivilDate) -> SentryDayCounts {
        var counts = self
        var left = listed.events[day] ?? [:]
        for place in counts.entries.indices {
            guard let events = left.removeValue(forKey: entries[place].issue) else { continue }
            counts.entries[place].events = events
        }
        counts.entries += left.filter { $0.value > 0 }.sorted { $0.key < $1.key }
            .map { Entry(issue: $0.key, events: $0.value, users: nil) }
        // A list of the day that lacks an issue with events lacks others as well.
        counts.isWhole = listed.whole.contains(day) || (isWhole && counts.entries.count == entries.count)
        return counts
    }
}

/// What the list of all issues has of the days that it reaches.
struct ListedDays {
    /// Events by day and issue.
    private(set) var events: [CivilDate: [String: Int]] = [:]
    /// The days of which no other issue had any.
    let whole: Set<CivilDate>

    /// - Parameter isHeld: Whether the service still has all of a day.
    init(_ snapshot: Snapshot, isHeld: (CivilDate) -> Bool = { _ in true }) {
        let coverage = CoverageHistory(snapshot.coverage)
        whole = Set(coverage.days(of: .issueDays).filter { coverage(.issueDays, on: $0).isComplete })
        for day in snapshot.issueDays where day.version == nil && isHeld(day.date) {
            if let count = day.events { events[day.date, default: [:]][day.issue] = count }
        }
    }
}

extension SentryDayCounts {
    /// Whole hours after the end of a day from which on its counts are taken for good.
    static let settledAfterHours = 72

    /// Whether nothing of the day is expected to change any more.
    static func isSettled(_ day: CivilDate, at now: Instant) -> Bool {
        Instant(startOf: day.advanced(by: 1)).seconds(to: now) >= settledAfterHours * 3600
    }
}

extension SentryRun {
    /// Adds the users of the issues of each day, one request a day; a day that was settled when an earlier run requested it
    /// is not requested again, unless an issue of it is gone. An empty list of a day with events is not believed. Issues
    /// that are older than the list are added with what a day's list reports.
    mutating func addUsersOfIssues(of scope: SentryScope, to snapshot: inout Snapshot) async {
        var counts: [CivilDate: SentryDayCounts] = [:]
        var requested: Set<CivilDate> = []
        var mayRequest = !doubtsIssues
        var notRequested = 0
        var emptied: [CivilDate] = []
        let active = daysWithEvents(snapshot)
        let listedDays = ListedDays(snapshot, isHeld: reach.holds)
        for back in stride(from: 1, through: configuration.userDays, by: 1) {
            let day = now.date.advanced(by: -back)
            let name = name(of: day, in: scope)
            if let known: SentryDayCounts = keptCounts(name, of: day, issues: { $0.entries.map(\.issue) }),
                !(known.entries.isEmpty && active.contains(day))
            {
                counts[day] = known
                let updated = known.updated(by: listedDays, on: day)
                if updated != known { keep(updated, as: name) }
            } else if reach.lacks(day) {
                mayRequest = false
            } else if mayRequest, parts.client.left == 0 {
                notRequested += 1
            } else if mayRequest {
                counts[day] = await dayCounts(of: day, in: scope, to: &snapshot)
                requested.insert(day)
                // What is refused for one day is refused for those before it.
                mayRequest = counts[day] != nil
                if counts[day]?.entries.isEmpty == true, active.contains(day) {
                    counts[day] = nil
                    emptied.append(day)
                }
            }
        }
        parts.addSkipped("users of issues", days: notRequested)
        settle(&counts, requested: requested, in: scope)
        addEmpty(emptied.filter(reach.holds), of: scope)
        snapshot.issueDays = merged(counts, into: snapshot.issueDays)
        snapshot.coverage = covered(by: counts, snapshot)
    }

    /// The days on which an issue had events: by this run's list, and by what is stored where that list is not whole, for
    /// of a whole one merged and deleted issues are gone.
    mutating func daysWithEvents(_ snapshot: Snapshot) -> Set<CivilDate> {
        let days = snapshot.issueDays.lazy.filter { ($0.events ?? 0) > 0 }.map(\.date)
        let stored = storedIssues().days.lazy.filter { [listed] day in
            (day.events ?? 0) > 0 && listed?.gone.contains(day.issue) != true
                && listed?.isWhole(on: day.date) != true
        }
        return Set(stored.map(\.date)).union(days)
    }

    /// Names the days whose list was empty although they had events.
    private mutating func addEmpty(_ days: [CivilDate], of scope: SentryScope) {
        guard let newest = days.first else { return }
        let count = days.count == 1 ? "1 day" : "\(days.count) days"
        parts.add(
            .warning(
                "sentry.empty-list", "sentry: the list of issues of \(count) with events is empty",
                details: ["the newest is \(newest)", "users of issues of these days are as they were"],
                at: .address(SentryEndpoint.issuesOfDay(newest, scope).text(below: configuration.base)),
                hints: ["fetch again later"]))
    }

    /// The counts of a day; nil when they are not to be had. A day before the service's reach is no fault.
    private mutating func dayCounts(
        of day: CivilDate, in scope: SentryScope, to snapshot: inout Snapshot
    ) async -> SentryDayCounts? {
        let endpoint = SentryEndpoint.issuesOfDay(day, scope)
        guard parts.client.allows(endpoint) else { return nil }
        do throws(ServiceFault) {
            var (answer, losses) = try await parts.client.value(LossyArray<SentryIssue>.self, at: endpoint)
            let isWhole = answer.items.count < SentryEndpoint.mostIssues && !losses.hasLostElements
            let counts = Providers.dayCounts(
                answer.values, isWhole: isWhole, issues: &snapshot.issues, losses: &losses)
            parts.add(losses.warnings)
            return counts
        } catch {
            if error.status != 400 || !error.excerpt.contains("date range") {
                parts.addMissing(endpoint.part, error)
            }
            return nil
        }
    }

    /// Drops requested days that the service may not have any more, and keeps those that are settled. Of a day that is gone
    /// the list is empty, as of one without events; of the one before the days that are there it lacks some hours.
    private mutating func settle(
        _ counts: inout [CivilDate: SentryDayCounts], requested: Set<CivilDate>, in scope: SentryScope
    ) {
        for (day, counts) in counts where counts.entries.contains(where: { ($0.events ?? 0) > 0 }) {
            reach.sawEvent(on: day)
        }
        for day in requested where counts[day] != nil {
            if reach.cuts(day) {
                counts[day]?.isWhole = false
            } else if !reach.holds(day) {
                counts[day] = nil
            } else if SentryDayCounts.isSettled(day, at: now), let counts = counts[day] {
                keep(counts, as: name(of: day, in: scope))
            }
        }
    }

    // MARK: Kept days

    /// Days that an older version kept under another name lack events and users.
    private func name(of day: CivilDate, in scope: SentryScope) -> String {
        "sentry users of issues of \(scope.keptName), \(day)"
    }
}

/// The counts of a day's list; nil where it counts no events, which says nothing of the day. Issues that were not listed
/// before are added without counts, for those of one day are none of their own.
private func dayCounts(
    _ items: [SentryIssue], isWhole: Bool, issues: inout [Issue], losses: inout SkippedValues
) -> SentryDayCounts? {
    var known = Set(issues.map(\.id))
    var seen: Set<String> = []
    var uncounted = 0
    var result = SentryDayCounts(entries: [], isWhole: isWhole)
    for item in items {
        guard var issue = issue(item, losses: &losses), seen.insert(issue.id).inserted else { continue }
        guard let events = issue.events else {
            uncounted += 1
            continue
        }
        result.entries.append(SentryDayCounts.Entry(issue: issue.id, events: events, users: issue.users))
        (issue.events, issue.users) = (nil, nil)
        if known.insert(issue.id).inserted { issues.append(issue) }
    }
    guard uncounted > 0 else { return result }
    losses.refuse(
        "[…].count", expected: "the events of each issue",
        found: "none for \(uncounted) of \(seen.count) issues")
    result.isWhole = false
    return result.entries.isEmpty ? nil : result
}

/// The days with the users that were reported of them; a day of an issue that had none gets its events too.
private func merged(_ counts: [CivilDate: SentryDayCounts], into days: [IssueDay]) -> [IssueDay] {
    var left = counts.mapValues { counts in
        Dictionary(counts.entries.map { ($0.issue, $0) }) { first, _ in first }
    }
    var result = days.map { day in
        guard let listed = left[day.date]?.removeValue(forKey: day.issue) else { return day }
        var day = day
        day.users = listed.users
        return day
    }
    for (date, entries) in left.sorted(by: { $0.key < $1.key }) {
        result += entries.values.sorted { $0.issue < $1.issue }
            .map { IssueDay(issue: $0.issue, date: date, events: $0.events, users: $0.users) }
    }
    return result
}

/// The coverage with that of the days that were requested one by one.
private func covered(by counts: [CivilDate: SentryDayCounts], _ snapshot: Snapshot) -> [CoverageSpan] {
    let known = CoverageHistory(snapshot.coverage)
    var (events, users): ([CivilDate: Coverage], [CivilDate: Coverage]) = ([:], [:])
    for day in known.days(of: .issueDays) { events[day] = known(.issueDays, on: day) }
    let active = Dictionary(grouping: snapshot.issueDays.filter { ($0.events ?? 0) > 0 }, by: \.date)
    for (day, counts) in counts {
        let known = counts.entries.count { $0.users != nil }
        // An issue that had events and is not in the day's list has users that are not known.
        let all = max(counts.entries.count, active[day]?.count ?? 0)
        users[day] = coverage(counted: known, of: all, isWhole: counts.isWhole)
        if events[day]?.isComplete != true {
            // A list that lacks an issue with events lacks others as well.
            let named = Set(counts.entries.map(\.issue))
            let isWhole = counts.isWhole && active[day, default: []].allSatisfy { named.contains($0.issue) }
            events[day] = coverage(counted: all, of: all, isWhole: isWhole)
        }
    }
    return snapshot.coverage.filter { $0.fact != .issueDays } + coverageSpans(.issueDays, events.known)
        + coverageSpans(.issueUsers, users.known)
}
