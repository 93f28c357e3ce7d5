import AppHealth
import Diagnostics
import Foundation
import Transport

/// What the service counts over events as a table or a series. Both are features that an organization or a server of
/// one's own may lack: then nothing is said of them.
extension SentryRun {
    // MARK: Crashes by day

    /// Adds the crashes of each day, all issues together: those of the table where the issues are a part, otherwise the
    /// sum of the issues. The sum says nothing new, but takes the place of the table's number from a night on which the
    /// issues did not come: that one would stay, and events come late.
    mutating func addCrashTotals(of scope: SentryScope, to snapshot: inout Snapshot) async {
        let days = DaySpan(days: sentryListDays, endingOn: now.date.advanced(by: -1))
        let known = CoverageHistory(snapshot.coverage)
        let isWhole = { day in known(.issueDays, on: day).isComplete }
        let asked = days.days.filter(reach.holds)
        // Four weeks without a crash may as well be a table that holds everything back.
        guard !asked.isEmpty, let totals = await crashTotals(on: days, of: scope),
            totals.values.contains(where: { $0 > 0 })
        else { return }
        let counted = crashes(of: snapshot)
        var stated: [CivilDate] = []
        // A total below what its issues had counts something else.
        for day in asked where totals[day, default: 0] >= counted[day, default: 0] {
            let crashes = (isWhole(day) ? counted : totals)[day, default: 0]
            let place = snapshot.health.firstIndex { $0.date == day && $0.version == nil }
            if let place {
                snapshot.health[place].crashes = crashes
            } else {
                snapshot.health.append(HealthDay(date: day, crashes: crashes))
            }
            stated.append(day)
        }
        snapshot.coverage += coverageSpans(.crashes, stated)
    }

    /// The events of crash issues by day.
    private mutating func crashes(of snapshot: Snapshot) -> [CivilDate: Int] {
        // A kept day may have issues that this run's list does not reach.
        let issues = storedIssues().issues + snapshot.issues
        let kinds = Dictionary(issues.map { ($0.id, $0.kind) }) { _, newer in newer }
        var counted: [CivilDate: Int] = [:]
        for day in snapshot.issueDays where day.version == nil && kinds[day.issue] == .crash {
            counted[day.date, default: 0] = counted[day.date, default: 0].addingCapped(day.events ?? 0)
        }
        return counted
    }

    /// The crashes of each day that had any; nil when the service does not report them.
    private mutating func crashTotals(on days: DaySpan, of scope: SentryScope) async -> [CivilDate: Int]? {
        let table = SentryEndpoint.crashTable(days, scope)
        if let refusal = parts.client.refusal {
            parts.addMissing(table.part, refusal)
            return nil
        }
        if let (answer, losses) = await answer(SentryTable.self, at: table) {
            parts.add(losses.warnings)
            // A row that cannot be read would make its day one without crashes.
            guard !losses.hasLostElements else { return nil }
            var totals: [CivilDate: Int] = [:]
            for row in answer.data.values {
                guard let day = row.day?.instant.date, let events = row.events?.value else { return nil }
                totals[day, default: 0] = totals[day, default: 0].addingCapped(events)
            }
            return totals
        }
        guard let (answer, losses) = await answer(SentrySeries.self, at: .crashSeries(days, scope)) else {
            return nil
        }
        parts.add(losses.warnings)
        return dayCounts(answer, on: days)
    }

    /// The response of a part that may not be there; nil without it, with a warning unless it is only not offered.
    private mutating func answer<Value: Decodable>(
        _ type: Value.Type, at endpoint: SentryEndpoint
    ) async -> (value: Value, losses: SkippedValues)? {
        guard parts.client.allows(endpoint) else { return nil }
        do throws(ServiceFault) {
            return try await parts.client.value(type, at: endpoint)
        } catch {
            if let status = error.status, [400, 403, 404].contains(status) { return nil }
            parts.addMissing(endpoint.part, error)
            return nil
        }
    }

    // MARK: Releases of issues

    /// Adds the events and users of issues in each release, one request a day; a day that was settled when an earlier
    /// run requested it is not requested again, unless an issue of it is gone. Of a day with events of which the table has no
    /// row nothing is said, nor where the list of issues is not believed.
    mutating func addReleasesOfIssues(of scope: SentryScope, to snapshot: inout Snapshot) async {
        var tables: [CivilDate: SentryReleaseCounts] = [:]
        let active = daysWithEvents(snapshot)
        var mayRequest = true
        var notRequested = 0
        for back in stride(from: 1, through: configuration.userDays, by: 1) {
            let day = now.date.advanced(by: -back)
            let name = "sentry releases of issues of \(scope.keptName), \(day)"
            if let known: SentryReleaseCounts = keptCounts(
                name, of: day, issues: { $0.entries.map(\.issue) })
            {
                tables[day] = known
            } else if reach.lacks(day) {
                mayRequest = false
            } else if mayRequest, parts.client.left == 0 {
                notRequested += 1
            } else if mayRequest {
                let answer = await releaseTable(of: day, in: scope)
                // What is refused for one day is refused for those before it.
                mayRequest = answer != nil
                let isHeld = reach.holds(day)
                guard let answer, !answer.rows.isEmpty || (isHeld && !doubtsIssues && !active.contains(day))
                else { continue }
                let counts = SentryReleaseCounts(rows: answer.rows, isWhole: answer.isWhole && isHeld) {
                    issue in
                    listed?.lacks([issue], on: day) != true
                }
                tables[day] = counts
                if isHeld, SentryDayCounts.isSettled(day, at: now) { keep(counts, as: name) }
            }
        }
        parts.addSkipped("releases of issues", days: notRequested)
        for (day, counts) in tables.sorted(by: { $0.key < $1.key }) {
            snapshot.issueDays += counts.days(on: day)
        }
        snapshot.coverage += coverageSpans(.issueReleases, tables.mapValues(\.coverage))
    }

    private mutating func releaseTable(
        of day: CivilDate, in scope: SentryScope
    ) async -> (rows: [SentryTable.Row], isWhole: Bool)? {
        guard let (answer, losses) = await answer(SentryTable.self, at: .releaseTable(day, scope)) else {
            return nil
        }
        parts.add(losses.warnings)
        let isWhole = answer.data.items.count < SentryEndpoint.mostIssues && !losses.hasLostElements
        return (answer.data.values, isWhole)
    }

    // MARK: Kept values

    /// What was kept of a day; nil where the list of all issues lacks one of its issues. That one was merged or deleted,
    /// and what was kept is of no use from then on, also on the day on which the list does not reach it any more.
    func keptCounts<Value: Decodable>(
        _ name: String, of day: CivilDate, issues: (Value) -> [String]
    ) -> Value? {
        guard let bytes = kept?[name], !bytes.isEmpty,
            let value = try? JSONDecoder().decode(Value.self, from: Data(bytes))
        else { return nil }
        guard listed?.lacks(issues(value), on: day) == true else { return value }
        kept?.keep([], as: name)
        return nil
    }

    func keep(_ value: some Encodable, as name: String) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let kept, let bytes = try? encoder.encode(value) else { return }
        kept.keep(Array(bytes), as: name)
    }
}

/// The counts of each day of a series; nil where a day is missing, is still filling or is no day.
private func dayCounts(_ answer: SentrySeries, on days: DaySpan) -> [CivilDate: Int]? {
    guard let line = answer.series.values.first(where: { $0.axis?.text == "count()" }) else { return nil }
    var counts: [CivilDate: Int] = [:]
    for point in line.values.values where point.incomplete != true {
        let time = Instant(secondsSinceEpoch: point.timestamp / 1000)
        guard time == Instant(startOf: time.date), let value = point.value,
            let count = Int(exactly: value.rounded()), count >= 0
        else { return nil }
        counts[time.date] = count
    }
    return days.days.allSatisfy { counts[$0] != nil } ? counts : nil
}

/// What a table reported of one day: events and users of issues in releases.
struct SentryReleaseCounts: Codable, Equatable, Sendable {
    /// The counts of one issue in the builds of one version; users are known where a single build had events.
    struct Entry: Codable, Equatable, Sendable {
        var issue: String
        var version: String
        var events: Int
        var users: Int?
    }

    var entries: [Entry]
    /// Whether an issue and version that is not among them had nothing: a full page may lack some.
    var isWhole: Bool

    /// Adds up the rows of the issues that are still there; events without a release belong to no version.
    init(rows: [SentryTable.Row], isWhole: Bool, isThere: (String) -> Bool) {
        self.isWhole = isWhole && rows.allSatisfy { $0.issue?.text != nil && $0.events != nil }
        var sums: [[String]: Entry] = [:]
        var order: [[String]] = []
        for row in rows {
            guard let issue = row.issue?.text, let events = row.events?.value, isThere(issue),
                let release = row.release?.value?.nonEmpty
            else { continue }
            let version = sentryVersion(release).label
            // Where an app reports no users, the service counts 0 of them.
            let users = row.users.flatMap { $0.value > 0 || events == 0 ? $0.value : nil }
            let key = [issue, version]
            guard var sum = sums[key] else {
                sums[key] = Entry(issue: issue, version: version, events: events, users: users)
                order.append(key)
                continue
            }
            (sum.events, sum.users) = (sum.events.addingCapped(events), nil)
            sums[key] = sum
        }
        entries = order.compactMap { sums[$0] }
    }

    var coverage: Coverage { isWhole ? .complete : .partial(counted: entries.count, of: nil) }

    /// The rows of the day.
    func days(on day: CivilDate) -> [IssueDay] {
        entries.map {
            IssueDay(issue: $0.issue, date: day, version: $0.version, events: $0.events, users: $0.users)
        }
    }
}

extension SentryScope {
    /// What kept days are of.
    var keptName: String {
        let environment = environment.map { "environment \($0)" } ?? "all environments"
        return "\(organization)/\(project), \(environment)"
    }
}
