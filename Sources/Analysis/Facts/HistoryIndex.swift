package import AppHealth
package import Statistics

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
    package let notes: [KeptNote]
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
            history.withSumsOfReleases.withCountedReleases.withDaysInZones, asOf: asOf)
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
    }

    /// Counts above this are held to be impossible.
    static let largestCount = 1_000_000_000_000

    /// The most days of a report: its year and the five before, so that one wrong date costs no endless site.
    package static let longestSpan = 2_192

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
    func capture(ofRelease label: String) -> Instant? {
        sources.compactMap { $0.captures.releases[label] }.max()
    }

    /// When the newest figure of the app was captured; nil when it has none.
    var newestCapture: Instant? { sources.compactMap(\.captures.newest).max() }

    /// Whether the stability of a day is settled; nil when there is no figure of it.
    package func settlement(of day: CivilDate) -> DayFinality? { settlement[day] }
}

/// Hours of an app with the issues it met in them.
package struct IssueHours: Hashable, Sendable {
    /// The first hour; the others follow without a hole.
    package let first: UTCHour
    /// The issues by the source's id, in the order of the rows.
    package let issues: [String]
    /// The sessions of the hours, and for each issue those that met it.
    package let counts: HourlyIssues
    /// Whether these are users of the hour wherever any issue has some; else they are events where users are not known.
    package private(set) var areUsers = false
    /// How far the zone of the source's days is from UTC; nil where that is not known.
    private var zoneOffsets: ZoneOffsets?

    /// The hours; nil when the ids do not fit the rows.
    package init?(first: UTCHour, issues: [String], counts: HourlyIssues) {
        guard issues.count == counts.rows.count else { return nil }
        self.first = first
        self.issues = issues
        self.counts = counts
    }

    /// The hour at a place of the series.
    package func hour(at place: Int) -> UTCHour { first.advanced(by: place) }

    /// The day of an instant for their source.
    func day(of instant: Instant) -> CivilDate { zoneOffsets?.day(of: instant) ?? instant.date }

    /// Whether these are about as many as are kept, so that the hours before them are gone: the first one moves each night
    /// and says nothing of when the app's hours began.
    var areCutOff: Bool { counts.sessions.count > HourKeeping.hours - 24 }

    /// The day of the last hour.
    var lastDay: CivilDate { day(of: hour(at: counts.sessions.count - 1).start) }

    /// The days that hours tell all of: from the one after that of a place on, those without a gap. The last one only
    /// where its last hour is over.
    func wholeDays(after place: Int) -> Set<CivilDate> {
        let sessions = counts.sessions
        guard sessions.indices.contains(place) else { return [] }
        let next = day(of: hour(at: sessions.count).start)
        let first = day(of: hour(at: place).start)
        var days: Set<CivilDate> = []
        var gaps: Set<CivilDate> = []
        for place in place..<sessions.count {
            let day = day(of: hour(at: place).start)
            if sessions[place] == nil { gaps.insert(day) } else { days.insert(day) }
        }
        return days.subtracting(gaps).filter { $0 > first && $0 < next }
    }

    /// What part of each day its known hours from a place on are: a whole day is one whole, however many hours it has.
    func knownParts(after place: Int) -> [CivilDate: Double] {
        let sessions = counts.sessions
        guard sessions.indices.contains(place) else { return [:] }
        let known = (place..<sessions.count).filter { sessions[$0] != nil }
        let parts = Dictionary(grouping: known) { day(of: hour(at: $0).start) }
            .mapValues { min(1, Double($0.count) / Self.hoursOfADay) }
        return parts.merging(wholeDays(after: place).map { ($0, 1) }) { $1 }
    }

    private static let hoursOfADay = 24.0
}

extension IssueHours {
    /// The hours of a source up to the instant of the report that are over; nil when it does not report both sessions
    /// and issues by hour.
    ///
    /// An hour is a gap unless its sessions and its issues are both known. The sessions that met an issue are
    /// its users of the hour, or its events where the source reports no users: then an upper bound, as one
    /// session may hold several events; never more than the sessions of the hour.
    init?(of source: SourceHistory, asOf: Instant) {
        guard tellsHours(source) else { return nil }
        let end = UTCHour(of: asOf)
        let sessions = Dictionary(
            source.healthHours.lazy.filter { $0.hour < end && source.hoursOfIssues.contains($0.hour) }
                .compactMap { hour in hour.sessions.map { (hour.hour, $0) } },
            uniquingKeysWith: { $1 })
        guard let last = sessions.keys.max(), let earliest = sessions.keys.min() else { return nil }
        let first = max(earliest, last.advanced(by: 1 - HourKeeping.hours))
        let count = last.hoursSinceEpoch - first.hoursSinceEpoch + 1
        var rows: [String: [(place: Int, count: Int)]] = [:]
        var areUsers = true
        for hour in source.issueHours where hour.hour >= first && hour.hour <= last {
            guard let known = sessions[hour.hour], let met = hour.users ?? hour.events, met > 0 else {
                continue
            }
            if hour.users == nil { areUsers = false }
            let place = hour.hour.hoursSinceEpoch - first.hoursSinceEpoch
            rows[hour.issue, default: []].append((place, min(met, known)))
        }
        let issues = rows.keys.sorted()
        let steps = (0..<count).map { sessions[first.advanced(by: $0)] }
        let met = issues.map { id in
            var counts = [Int?](repeating: 0, count: count)
            for (place, count) in rows[id] ?? [] { counts[place] = count }
            return IssueSeries.Row(counts, sessions: steps)
        }
        guard let counts = HourlyIssues(sessions: steps, rows: met) else { return nil }
        self.init(first: first, issues: issues, counts: counts)
        self.areUsers = areUsers
        zoneOffsets = source.zoneOffsets
    }
}

private func tellsHours(_ source: SourceHistory) -> Bool {
    source.source.capabilities.contains(.hours) && !source.healthHours.isEmpty
        && !source.hoursOfIssues.isEmpty
}

/// A note wherever it came from: a source, or a file of the site's owner.
package struct KeptNote: Hashable, Codable, Sendable {
    /// The id of its source; empty for a file. With the note's own id it is unique in the app.
    package let origin: String
    /// The note.
    package let note: Note
    /// The issue it is about, when it is about one that is known.
    package let issue: Issue?
}

/// What releases had on the last days with any of them: what was counted long ago, or by a source that ended, says nothing
/// of what is counted now.
private func newestDays(
    of rows: [HistoryIndex.ReleaseDay: HealthDay]
) -> some Sequence<HealthDay> {
    let first = Set(rows.keys.map(\.date)).sorted().suffix(HistoryIndex.longestLag).first
    return rows.values.filter { row in first.map { row.date >= $0 } ?? false }
}

/// The notes of an app that were written before the report: those of its sources in their order, then the files.
func keptNotes(_ history: AppHistory, issuesByID: KnownIssues, asOf: Instant) -> [KeptNote] {
    func kept(_ notes: [Note], origin: String, _ issue: (String) -> Issue?) -> [KeptNote] {
        notes.filter { $0.at <= asOf }.map { note in
            guard case .issue(let id) = note.subject else {
                return KeptNote(origin: origin, note: note, issue: nil)
            }
            return KeptNote(origin: origin, note: note, issue: issue(id))
        }
    }
    let ofSources = history.sources.flatMap { source in
        let issues = Dictionary(
            source.notes.isEmpty ? [] : source.issues.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })
        return kept(source.notes, origin: source.source.id.text) { issues[$0] }
    }
    return ofSources + kept(history.notes, origin: "") { issuesByID[$0] }
}

/// What a stability rate is counted in.
package enum Basis: String, Codable, Sendable, CaseIterable {
    /// Distinct users of one day; never added up over days.
    case users
    /// Runs of the app.
    case sessions

    /// The crashed share, on this basis.
    package func crashedShare(of day: HealthDay) -> Fraction? {
        switch self {
        case .users: day.crashedUserShare
        case .sessions: day.crashedSessionShare
        }
    }

    /// All and crashed of a day on this basis; zero where the app had no users, nil when a count is missing or
    /// impossible.
    func count(of day: HealthDay) -> DayCount? {
        switch self {
        case .users: dayCount(day.users, day.crashedUsers, day.userDeviation)
        case .sessions: dayCount(day.sessions, day.crashedSessions, day.sessionDeviation)
        }
    }

    /// Whether all and crashed of a day are known, also where both are 0.
    func isRated(_ day: HealthDay) -> Bool {
        switch self {
        case .users: day.users != nil && day.crashedUsers != nil
        case .sessions: day.sessions != nil && day.crashedSessions != nil
        }
    }

    /// All of a day, on this basis.
    package func total(of day: HealthDay) -> Int? { self == .users ? day.users : day.sessions }

    /// The relative standard error of all of a day; nil when it is exact.
    func deviation(of day: HealthDay) -> Double? {
        self == .users ? day.userDeviation : day.sessionDeviation
    }

    /// What a source must be able to know for it.
    var capability: Capability { self == .users ? .users : .sessions }

    /// The other one.
    var other: Basis { self == .users ? .sessions : .users }
}

private func dayCount(_ total: Int?, _ crashed: Int?, _ deviation: Double?) -> DayCount? {
    guard let total, let crashed else { return nil }
    return DayCount(total: total, crashed: crashed, deviation: deviation)
}
