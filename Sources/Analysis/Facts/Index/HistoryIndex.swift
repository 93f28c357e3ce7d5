package import AppHealth

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
    /// Every source, in the order of the configuration.
    package let sources: [SourceHistory]
    /// The source that the days of the app are of: of its rates, else of its issues, else of its crashes.
    let leading: SourceHistory?
    /// The days from which on something is from another source than before.
    package let sourceChanges: [SourceChange]
    /// The times between the days on which a source replaced another one, the present last; empty where none did.
    let eras: [(last: CivilDate?, index: HistoryIndex)]
    /// The rates and what they are made from.
    package let rates: RateIndex
    /// The issues.
    package var issues: IssueIndex
    /// The crashes of each day.
    package let crashes: CrashDays
    /// The releases.
    package let releases: ReleaseIndex
    /// The notes of sources and files that were written before the report.
    package let notes: [KeptNote]
    /// The days from the first with any fact, of those of the report, to the last complete one; empty when there is none.
    package let days: [CivilDate]
    /// The days that the app has figures of.
    let figureDays: FigureDays
    /// When the newest figures were captured.
    let captures: CaptureTimes

    /// Indexes a history; series of two sources are never mixed, the first source that knows a thing reports it.
    package init(_ history: AppHistory, asOf: Instant, targets: Targets) {
        let succession = SourceSuccession(
            history.withPlausibleCounts.withSumsOfReleases.withCountedReleases.withDaysInZones, asOf: asOf)
        let changes = succession.changes
        // What came before a change of source says nothing of what the next one usually has.
        let history = succession.joined.withCrashesThatCameIn(since: changes.map(\.day).max())
        let known = history.sources.filter { $0.capturedAt != nil }
        let sourcesOfRates = RateSources(known)
        let use = known.ofActiveUsers ?? known.ofUsage.first
        let issues = IssueIndex(known, spans: IssueSpans(succession), asOf: asOf)
        let crashes = CrashDays(issues, rates: sourcesOfRates, others: known, asOf: asOf)
        let counting = eachOnce(sourcesOfRates.all + [issues.source, crashes.source])
        let ends = (counting + [use].compactMap(\.self)).map { $0.lastDayOver(at: asOf) }
        let lastDay = ends.max() ?? asOf.date.advanced(by: -1)
        let rates = RateIndex(sourcesOfRates, changes: changes, through: lastDay, asOf: asOf)
        let leading = rates.source ?? issues.source ?? crashes.source
        let figureDays = FigureDays(
            history.sources, rates, issues, crashes, lastWhole: lastDay, asOf: asOf)
        let releases = ReleaseIndex(
            history.sources, countedBy: sourcesOfRates.releases, asOf: asOf,
            today: max(asOf.date, (leading ?? known.first)?.day(of: asOf) ?? asOf.date), within: figureDays)
        self.app = history.app
        self.asOf = asOf
        self.lastDay = lastDay
        self.levels = TargetPeriods(history.targetChanges, current: targets, asOf: asOf)
        self.sources = history.sources
        self.leading = leading
        self.sourceChanges = changes
        self.eras = succession.eras.map { era in
            // Of the past what was known of it when it was over.
            let end = era.last.map { min(asOf, Instant(startOf: $0.advanced(by: 2))) } ?? asOf
            return (era.last, HistoryIndex(era.history, asOf: end, targets: targets))
        }
        self.rates = rates
        self.issues = issues
        self.crashes = crashes
        self.releases = releases
        self.notes = releases.naming(
            keptNotes(history, issues.byID, asOf: asOf)
                + notesOfChanges(changes, of: history.sources, asOf: asOf))
        self.days = successiveDays(
            Array(rates.health.keys) + Array(crashes.counts.keys) + (use?.usage ?? []).map(\.date),
            issues.source?.issueDays ?? [], through: lastDay)
        self.figureDays = figureDays
        self.captures = CaptureTimes(
            history.sources, counting: counting, releases: sourcesOfRates.releases, issues: issues.source)
    }

    /// The most days of a report.
    package static let longestSpan = ReportSpan.longest

    /// How many days the rate, or use, may be behind other figures before a report goes on without it.
    static let longestLag = 7

    /// How many days say what an app has lately.
    static let latelySpan = 28

    /// Whether any day has a figure.
    package var hasFigures: Bool { !days.isEmpty }

    /// Those of `days` that are before a day.
    func days(before day: CivilDate) -> ArraySlice<CivilDate> {
        days.prefix(max(0, days.first.map { $0.days(to: day) } ?? 0))
    }

    /// The day of an instant as the days of the app are: for the source of its rates, else of its issues, crashes or use.
    func day(of instant: Instant) -> CivilDate {
        let source = leading ?? sources.first { $0.capturedAt != nil }
        return source?.day(of: instant) ?? instant.date
    }

    /// The last day of a source that is whole in the zone of its days.
    func lastDay(of source: SourceHistory?) -> CivilDate { source?.lastWholeDay(at: asOf) ?? lastDay }
}
