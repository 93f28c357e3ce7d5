import AppHealth

/// What releases had over their lives.
struct ReleaseLives {
    private let index: HistoryIndex
    private let sources: SourcesSection
    private let byLabel: [String: [HealthDay]]
    /// The source whose list of releases is used.
    private let lister: SourceFacts?
    /// The labels that the source of the sessions has as its releases, or has ever counted. Of any other it does not say
    /// that nothing of it was used.
    private let ownLabels: Set<String>
    private let ends: ReleaseEnds
    /// What the source has of the whole life of a release, by its label.
    private let lifetimes: [String: ReleaseTotals]
    /// The sessions that it has of the last day of all releases together.
    private let sessionsLastDay: Int
    /// The days of which any release has figures; such a day leaves out those without sessions.
    private let reportedDays: Set<CivilDate>
    /// The newest day with data of any release, where it is of another source than other figures.
    private let newestDay: CivilDate?

    init(
        _ index: HistoryIndex, _ sources: SourcesSection, _ releases: [Release],
        _ byLabel: [String: [HealthDay]]
    ) {
        self.index = index
        self.sources = sources
        self.byLabel = byLabel
        self.lister = index.releases.lister.flatMap(sources.facts(of:))
        self.ownLabels = Set(index.rates.sources.releases?.releases.map(\.version.label) ?? []).union(
            byLabel.keys)
        self.ends = index.releases.ends
        let known = releases.compactMap { release in release.lifetime.map { (release.version.label, $0) } }
        self.lifetimes = Dictionary(known, uniquingKeysWith: { first, _ in first })
        self.sessionsLastDay = known.compactMap(\.1.sessionsLastDay).reduce(0, &+)
        let labels = Set(releases.map(\.version.label))
        self.reportedDays = Set(
            index.releases.counts.health.keys.lazy.filter { labels.contains($0.version) }.map(\.date))
        self.newestDay =
            index.rates.sources.areTwo ? index.releases.counts.health.keys.lazy.map(\.date).max() : nil
    }

    /// A figure of a release: of one that is no longer used nothing newer is to come, so that it cannot be stale.
    func standing(_ figure: Measured<Fraction>, of label: String) -> Measured<Fraction> {
        guard case .stale(let value, let asOf, _) = figure, ends.isOver(label) else {
            return figure
        }
        return .loaded(value, asOf: asOf)
    }

    /// The last day of the figures of a release.
    func lastDay(_ label: String) -> CivilDate { ends[label] }

    /// The day of its share of all sessions.
    func adoptionDay(_ label: String) -> CivilDate {
        newestDay.map { min($0, ends[label]) } ?? ends[label]
    }

    /// The source of the sessions of a release.
    func source(_ label: String) -> SourceFacts? {
        byLabel[label] == nil ? lister : sources.releaseHealth
    }

    /// All and crashed sessions.
    func totals(_ label: String) -> (sessions: Int?, crashed: Int?) {
        guard let days = byLabel[label] else {
            let lifetime = lifetimes[label]
            return (lifetime?.sessions, lifetime?.crashedSessions)
        }
        let counted = days.ofItsLife
        let (sessions, crashed) = (counted.compactMap(\.sessions), counted.compactMap(\.crashedSessions))
        let isRated = counted.allSatisfy { $0.sessions == 0 || $0.crashedSessions != nil }
        return (
            sessions.isEmpty ? nil : sessions.reduce(0, &+),
            isRated && !crashed.isEmpty ? crashed.reduce(0, &+) : nil
        )
    }

    /// The error of the crashed share that comes of counting sessions approximately.
    private func error(_ label: String) -> Double? {
        byLabel[label].flatMap { Fraction.error(of: $0.compactMap(\.crashedSessionShare)) }
    }

    /// The crashed share of the sessions.
    func crashed(_ label: String) -> Measured<Fraction> {
        guard let source = source(label) else { return .absent(.noReleaseSource) }
        let totals = totals(label)
        guard let sessions = totals.sessions else {
            return .absent(
                (sources.releaseHealth ?? source).knows(.releaseHealth)
                    ? .noSessionsOf(release: label)
                    : .unknowableOfReleases(provider: source.source.provider))
        }
        return source.measured(
            byLabel[label] == nil ? .releases : .releaseHealth,
            missing: sessions == 0 ? .noSessionsOf(release: label) : .noCrashCounts,
            totals.crashed.flatMap { Fraction($0, of: sessions)?.with(error: error(label)) })
    }

    /// The crashed share of its user-days: in these, who used it on two days counts twice.
    func crashedUserDays(_ label: String) -> Measured<Fraction> {
        guard let source = source(label) else { return .absent(.noReleaseSource) }
        let shares = (byLabel[label] ?? []).ofUsers.compactMap(\.crashedUserShare)
        let all = shares.reduce(0) { $0 &+ $1.denominator }
        return source.measured(
            .releaseHealth, missing: .noUsersByDay(release: label),
            Fraction(shares.reduce(0) { $0 &+ $1.numerator }, of: all)?.with(
                error: Fraction.error(of: shares)))
    }

    /// The share of all sessions of its day.
    func adoption(_ label: String) -> Measured<Fraction> {
        if let source = sources.releaseHealth, source.knows(.releaseHealth) {
            let missing = Absence.noSessionsOn(release: label, adoptionDay(label))
            return source.measured(.releaseHealth, missing: missing, shareOfDay(label))
        }
        guard let source = lister else { return .absent(.noReleaseSource) }
        let share = lifetimes[label]?.sessionsLastDay.flatMap { Fraction($0, of: sessionsLastDay) }
        return source.measured(
            .releases, missing: .unknowable(providers: [source.source.provider]), share)
    }

    private func shareOfDay(_ label: String) -> Fraction? {
        let lastDay = adoptionDay(label)
        guard reportedDays.contains(lastDay), let day = index.releases.counts.totals[lastDay],
            let all = day.sessions
        else { return nil }
        let row = index.releases.counts.health[.init(date: lastDay, version: label)]
        let absent = ownLabels.contains(label) && index.releases.counts.isWhole(on: lastDay) ? 0 : nil
        guard let part = row == nil ? absent : row?.sessions else { return nil }
        return Fraction(part: part, of: all, deviation: day.sessionDeviation)
    }
}

extension [HealthDay] {
    /// The days of a release that count for its life: sessions and crashed sessions of a rate are of the same days. Where
    /// crashed ones are not known on any day, those with sessions.
    var ofItsLife: [HealthDay] {
        let whole = filter { $0.sessions == 0 || ($0.sessions != nil && $0.crashedSessions != nil) }
        let hasRate = whole.contains { $0.sessions != 0 }
        return hasRate ? whole : filter { $0.sessions != nil }
    }

    /// Those of which users and affected users are known.
    var ofUsers: [HealthDay] { filter { $0.users == 0 || $0.crashedUserShare != nil } }
}
