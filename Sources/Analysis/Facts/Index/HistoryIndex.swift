package import AppHealth
import Statistics

/// What the rules look at: one app's history, indexed, up to the last complete day.
package struct HistoryIndex: Sendable {
    /// The app.
    package let app: App
    /// The instant of the report; only days that ended before it count.
    package let asOf: Instant
    /// The last day that was complete at `asOf`, in UTC and in the zone of a source of figures.
    package let lastDay: CivilDate
    /// The levels that its team set, and those that it had set before.
    package let levels: TargetPeriods
    /// The sources of the rates.
    package let rates: RateSources
    /// The source of the issues; nil when no source has any.
    package let issues: SourceHistory?
    /// Every source, in the order of the configuration.
    package let sources: [SourceHistory]
    /// Health of all releases together by day: users and sessions each from their source.
    package let health: [CivilDate: HealthDay]
    /// The same as the source of the releases has it: the whole of which releases are parts.
    let releaseTotals: [CivilDate: HealthDay]
    /// Health of single releases by day and label, from the source of the releases.
    package let releaseHealth: [ReleaseDay: HealthDay]
    /// The same by day, the releases of a day in any order.
    let releasesByDay: [CivilDate: [HealthDay]]
    /// Issues by the source's id, from `issues`.
    package let issuesByID: KnownIssues
    /// Days of issues, all releases together, by issue; ordered by date.
    package let issueDays: [String: [IssueDay]]
    /// Days of issues in single releases, by issue; ordered by date, then by label.
    package let issueReleaseDays: [String: [IssueDay]]
    /// Crash events of all issues by day, where the total is known.
    package let crashes: [CivilDate: Int]
    /// The days of these that are known to be whole.
    let wholeCrashDays: Set<CivilDate>
    /// The source of these; nil when no source has any.
    package let crashSource: SourceHistory?
    /// Whether users of releases are counted and their sessions are not.
    let countsReleaseUsersAlone: Bool
    /// Crash events by day of a steady share of everybody, where no whole ones are known.
    let sharedCrashes: [CivilDate: Int]
    /// The days from the first with any fact, of those of the report, to the last complete one; empty when there is none.
    package let days: [CivilDate]
    /// The notes of sources and files that were written before the report.
    package private(set) var notes: [KeptNote]
    /// Issues by hours; nil when the source of the issues counts none.
    package var hours: IssueHours?
    /// The lives of all releases that have counts, in the order of their first days, then of their versions.
    package private(set) var releaseLives: [ReleaseHistory] = []
    /// The times between the days on which a source replaced another one, the present last; empty where none did.
    let eras: [(last: CivilDate?, evidence: HistoryIndex)]
    /// The days from which on something is from another source than before.
    package let sourceChanges: [SourceChange]
    /// The days on which the source of an issue knew it, where another one came before or after.
    let issueSpans: IssueSpans
    /// When the newest figure of each day was captured.
    private let captures: [CivilDate: Instant]
    /// Whether the figures of each day with stability are settled.
    let settlement: [CivilDate: DayFinality]
    /// The days with which releases end.
    private(set) var releaseEnds = ReleaseEnds()
    /// By what the counts of releases of each day were multiplied.
    private(set) var releaseSampling = DailySampling([], [])

    /// A release on a day.
    package struct ReleaseDay: Hashable, Codable, Sendable {
        /// The day.
        package let date: CivilDate
        /// The label of the release.
        package let version: String

        /// Makes a key.
        package init(date: CivilDate, version: String) {
            self.date = date
            self.version = version
        }
    }

    /// Indexes a history; series of two sources are never mixed, the first source that knows a thing reports it.
    package init(_ history: AppHistory, asOf: Instant, targets: Targets) {
        let succession = SourceSuccession(
            history.withPlausibleCounts.withSumsOfReleases.withCountedReleases.withDaysInZones, asOf: asOf)
        // What came before a change of source says nothing of what the next one usually has.
        let history = succession.joined.withCrashesThatCameIn(since: succession.changes.map(\.day).max())
        self.eras = succession.eras.map { era in
            // Of the past what was known of it when it was over.
            let end = era.last.map { min(asOf, Instant(startOf: $0.advanced(by: 2))) } ?? asOf
            return (era.last, HistoryIndex(era.history, asOf: end, targets: targets))
        }
        self.sourceChanges = succession.changes
        self.issueSpans = IssueSpans(succession)
        let known = history.sources.filter { $0.capturedAt != nil }
        let rates = RateSources(known)
        let issues = known.first { $0.source.capabilities.contains(.issues) }
        let use = known.ofActiveUsers ?? known.ofUsage.first
        let issuesByID = KnownIssues(issues?.issues ?? [])
        let rows = issues?.issueDays ?? []
        let lastRow = issues?.lastWholeDay(at: asOf)
        let issueDays = byIssue(rows) { row in
            lastRow.map { row.date <= $0 } == true && row.version == nil
        }
        let crashes = CrashDays(
            issues: issues, rates: rates, others: known, byID: issuesByID, rows: issueDays, asOf: asOf)
        let counting = eachOnce(rates.all + [issues, crashes.source])
        let ends = (counting + [use].compactMap(\.self)).map { $0.lastDayOver(at: asOf) }
        let lastDay = ends.max() ?? asOf.date.advanced(by: -1)
        self.app = history.app
        self.asOf = asOf
        self.lastDay = lastDay
        self.levels = TargetPeriods(history.targetChanges, current: targets, asOf: asOf)
        self.sources = history.sources
        self.rates = rates
        self.issues = issues
        let health = rates.joined { totals(of: $0, asOf: asOf) }
        let releaseHealth = rates.releases.map { byRelease($0, asOf: asOf) } ?? [:]
        self.basis = rates.basis(of: health)
        self.health = health
        self.releaseTotals = rates.releases.map { totals(of: $0, asOf: asOf) } ?? [:]
        self.releaseHealth = releaseHealth
        self.countsReleaseUsersAlone = Array(newestDays(of: releaseHealth)).basisOfRelease == .users
        self.releasesByDay = Dictionary(grouping: releaseHealth.values, by: \.date)
        self.issuesByID = issuesByID
        self.notes =
            keptNotes(history, issuesByID: issuesByID, asOf: asOf)
            + notesOfChanges(succession.changes, of: history.sources, asOf: asOf)
        self.issueDays = issueDays
        self.issueReleaseDays = byIssue(rows) { row in
            lastRow.map { row.date <= $0 } == true && row.version != nil
        }
        self.hours = issues.flatMap { IssueHours(of: $0, asOf: asOf) }
        self.crashes = crashes.counts
        self.wholeCrashDays = crashes.whole
        self.crashSource = crashes.source
        self.sharedCrashes = crashes.shared
        self.captures = newestCaptures(counting)
        self.settlement = rates.settlement
        let factDays = Array(health.keys) + Array(crashes.counts.keys) + (use?.usage ?? []).map(\.date)
        self.days = successiveDays(factDays, rows, through: lastDay)
        // What several rules and sections need.
        releaseEnds = ReleaseEnds(self)
        releaseSampling = samplingOfReleases
        releaseLives = livesOfReleases
        notes = namingReleases(notes)
    }

    /// The most days of a report.
    package static let longestSpan = ReportSpan.longest

    /// The first day of a report with a last one. It moves once a year: what moves each night would change every page.
    static func firstDay(until last: CivilDate) -> CivilDate {
        CivilDate(year: last.components.year - 5, month: 1, day: 1) ?? last.advanced(by: 1 - longestSpan)
    }

    /// The days of health from the first with a figure to the last complete one; empty when there is no figure.
    package var healthDays: [CivilDate] { successiveDays(Array(health.keys), [], through: lastDay) }

    /// Those of `days` that are before a day.
    func days(before day: CivilDate) -> ArraySlice<CivilDate> {
        days.prefix(max(0, days.first.map { $0.days(to: day) } ?? 0))
    }

    /// The instant at which a day is over, in UTC.
    package func end(of day: CivilDate) -> Instant {
        Instant(startOf: day.advanced(by: 1))
    }

    /// The instant at which a day of a source is over, in its zone where that is known.
    func end(of day: CivilDate, for source: SourceHistory?) -> Instant {
        source?.end(of: day) ?? end(of: day)
    }

    /// The day of an instant as the days of the app are: for the source of its rates, else of its issues, crashes or use.
    func day(of instant: Instant) -> CivilDate {
        let source = leading ?? sources.first { $0.capturedAt != nil }
        return source?.day(of: instant) ?? instant.date
    }

    /// The day of an instant for the source of the issues.
    func issueDay(of instant: Instant) -> CivilDate { issues?.day(of: instant) ?? instant.date }

    /// What the rates of this app are counted in: users where they are known lately, else sessions.
    ///
    /// A source may be able to know users and have none, when the app does not report who they are.
    package let basis: Basis

    /// The crashed share of a day on the app's basis; nil when it is not known.
    package func crashedShare(on day: CivilDate) -> Fraction? {
        health[day].flatMap { basis.crashedShare(of: $0) }
    }

    /// The source of the rates on the app's basis; nil when no source has any.
    package var stability: SourceHistory? { rates[basis] }

    /// The source that the days of the app are of: of its rates, else of its issues, else of its crashes.
    var leading: SourceHistory? { stability ?? issues ?? crashSource }

    /// The last day of a source that is whole in the zone of its days.
    func lastDay(of source: SourceHistory?) -> CivilDate { source?.lastWholeDay(at: asOf) ?? lastDay }
}

/// When the newest figure of each day was captured by one of some sources.
private func newestCaptures(_ sources: [SourceHistory]) -> [CivilDate: Instant] {
    sources.dropFirst().reduce(into: sources.first?.captures.days ?? [:]) { captures, source in
        captures.merge(source.captures.days) { max($0, $1) }
    }
}

/// Health of all releases together by day, up to the last whole one.
private func totals(of source: SourceHistory, asOf: Instant) -> [CivilDate: HealthDay] {
    let last = source.lastWholeDay(at: asOf)
    return Dictionary(
        source.health.lazy.filter { $0.version == nil && $0.date <= last }.map { ($0.date, $0) },
        uniquingKeysWith: { $1 })
}

/// Health of single releases, up to the last whole day.
private func byRelease(_ source: SourceHistory, asOf: Instant) -> [HistoryIndex.ReleaseDay: HealthDay] {
    let last = source.lastWholeDay(at: asOf)
    return Dictionary(
        source.health.lazy.filter { $0.date <= last }.compactMap { day in
            day.version.map { (HistoryIndex.ReleaseDay(date: day.date, version: $0), day) }
        }, uniquingKeysWith: { $1 })
}

/// The days from the first of the given ones and of the rows to the last complete one, at most as many as a report
/// looks back.
private func successiveDays(
    _ days: [CivilDate], _ rows: [IssueDay], through last: CivilDate
) -> [CivilDate] {
    let span = HistoryIndex.firstDay(until: last)...last
    let firsts = [
        days.lazy.filter { span.contains($0) }.min(),
        rows.lazy.map(\.date).filter { span.contains($0) }.min(),
    ]
    guard let first = firsts.compactMap(\.self).min() else { return [] }
    return (0...first.days(to: last)).map { first.advanced(by: $0) }
}

/// The wanted rows of each issue, by date, then by label. Rows of one issue nearly always follow each other in that
/// order; of many rows no second copy is held.
private func byIssue(
    _ rows: [IssueDay], where isWanted: (IssueDay) -> Bool
) -> [String: [IssueDay]] {
    var result: [String: [IssueDay]] = [:]
    var start = 0
    while start < rows.count {
        let issue = rows[start].issue
        let end = rows[start...].firstIndex { $0.issue != issue } ?? rows.count
        let all = rows[start..<end]
        var some: [IssueDay] = []
        // No more memory than the rows take: there may be hundreds of thousands.
        some.reserveCapacity(all.count(where: isWanted))
        for row in all where isWanted(row) { some.append(row) }
        if !some.isEmpty { result[issue] = result[issue].map { $0 + some } ?? some }
        start = end
    }
    for (issue, days) in result where !zip(days, days.dropFirst()).allSatisfy({ isBefore($0, $1) }) {
        result[issue] = days.sorted(by: isBefore)
    }
    return result
}

private func isBefore(_ first: IssueDay, _ second: IssueDay) -> Bool {
    first.date != second.date ? first.date < second.date : (first.version ?? "") < (second.version ?? "")
}

extension HistoryIndex {
    /// When the newest figure of a day was captured; nil when it has none.
    package func capture(of day: CivilDate) -> Instant? {
        captures[day]
    }

    /// When the newest figure of a release was captured; nil when it has none.
    ///
    /// - Parameter days: those of its shares of all sessions or users: a share of 0% is of a day without a row of it.
    func capture(ofRelease label: String, sharesOn days: [CivilDate?]) -> Instant? {
        let own = sources.compactMap { $0.captures.releases[label] }.max()
        let shared = own == nil ? [] : days.compactMap { $0.flatMap { rates.releases?.captures.days[$0] } }
        return (shared + [own].compactMap(\.self)).max()
    }

    /// When the newest was captured of what is known of some issues, whatever the release; nil when nothing is.
    func capture(ofIssues ids: some Sequence<String>) -> Instant? {
        ids.compactMap { issues?.captures.issues[$0] }.max()
    }

    /// When the newest figure of the app was captured; nil when it has none.
    var newestCapture: Instant? { sources.compactMap(\.captures.newest).max() }

    /// Whether the stability of a day is settled; nil when there is no figure of it.
    package func settlement(of day: CivilDate) -> DayFinality? { settlement[day] }
}

/// What releases had on the last days with any of them: what was counted long ago, or by a source that ended, says nothing
/// of what is counted now.
private func newestDays(
    of rows: [HistoryIndex.ReleaseDay: HealthDay]
) -> some Sequence<HealthDay> {
    let first = Set(rows.keys.map(\.date)).sorted().suffix(HistoryIndex.longestLag).first
    return rows.values.filter { row in first.map { row.date >= $0 } ?? false }
}
