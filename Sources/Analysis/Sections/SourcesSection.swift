package import AppHealth
package import Diagnostics

/// What a source of an app is, and how its newest fetch went.
package struct SourceFacts: Hashable, Codable, Sendable {
    /// How a source is at the instant of the report.
    package enum State: Hashable, Codable, Sendable, CaseIterable {
        /// The newest fetch succeeded.
        case loaded
        /// The newest fetch failed, or nothing new came in time; an earlier fetch did not fail.
        case stale
        /// No fetch ever succeeded.
        case failed
        /// It was never queried.
        case neverFetched
        /// It was replaced, or its service is gone: its data are used up to its last day.
        case ended
    }

    /// The source as its last good snapshot described it.
    package internal(set) var source: Source
    /// When the last good snapshot was captured; nil when there never was one.
    package internal(set) var capturedAt: Instant?
    /// The newest attempt; nil when the source was never queried.
    package internal(set) var lastAttempt: FetchAttempt?
    /// Whether nothing new came in time, although no fetch failed: no fetch, no newer day, or none after the source ended.
    package internal(set) var isOverdue: Bool
    /// The last day of which it has anything; nil when it has no day.
    package internal(set) var lastDay: CivilDate?
    /// How many days after one of its days the next one usually is there.
    var usualDelay: Int
    /// The last day of what it brought no newer day of although it should have; nil where all is as usual.
    package internal(set) var idleSince: CivilDate?
    /// What stopped with that day, where others of its figures go on; nil where it is all of them.
    package internal(set) var idleFigure: DailyFigure?
    /// That nothing of it is shown, as another one provides the same; nil when something is.
    package internal(set) var unused: UnusedSource?
    /// That its versions are written otherwise than the releases of another source; nil when they are not.
    package internal(set) var unmatched: UnmatchedVersions?
    /// Whether its last day is over.
    package internal(set) var isEnded: Bool

    /// A source at an instant.
    ///
    /// - Parameter figures: what may stop while others of its figures go on.
    init(_ history: SourceHistory, asOf: Instant, _ figures: [DailyFigure] = []) {
        source = history.source
        capturedAt = history.capturedAt
        lastAttempt = history.lastAttempt
        isOverdue = history.isOverdue(at: asOf, figures)
        lastDay = history.lastKnownDay
        usualDelay = history.arrivals().awaitedHours / 24
        if isOverdue, !history.isSilent(at: asOf), let idle = history.idleness(of: figures) {
            (idleSince, idleFigure) = (idle.since, idle.figure)
        }
        isEnded = history.source.isEnded(at: asOf)
    }

    /// Why the newest figures are not current: the newest fetch failed, nothing came since, or the source ended and no other
    /// follows it; nil when they are.
    package var trouble: SourceProblem? {
        if isEnded { return isOverdue ? source.until.map { .ended(source.id, on: $0) } : nil }
        if let failure = lastAttempt?.failure { return .failed(failure) }
        guard isOverdue, let capturedAt else { return nil }
        if let idleSince { return .idle(idleFigure, since: idleSince, fetchedAt: capturedAt) }
        return .overdue(since: capturedAt)
    }

    /// When its newest figures are of: the end of their last day where a fetch brought no newer one.
    private var newestAt: Instant? {
        let last = idleSince ?? (isEnded ? lastDay : nil)
        return last.map { Instant(startOf: $0.advanced(by: 1)) } ?? (isEnded ? nil : capturedAt)
    }

    /// Why it has no figures of a day.
    ///
    /// - Parameter last: the last day that it has figures of.
    func absence(of day: CivilDate, through last: CivilDate) -> Absence {
        guard day > last else { return .noFigures(day) }
        let fails = lastAttempt?.failure != nil
        return trouble == nil
            ? .noFiguresYet(day) : .unreached(day, source: source.id, isOverdue: !fails)
    }

    /// How it is.
    package var state: State {
        if isEnded { return .ended }
        return switch (capturedAt, trouble) {
        case (nil, nil): .neverFetched
        case (nil, .some): .failed
        case (.some, .some): .stale
        case (.some, nil): .loaded
        }
    }

    /// Whether a day is further behind its newest one than its days usually are late: what is of it is not its newest.
    package func hasNewer(than day: CivilDate) -> Bool {
        lastDay.map { day.days(to: $0) > usualDelay } ?? false
    }

    /// What was skipped by the newest good fetch.
    package var warnings: [Diagnostic] {
        if case .succeeded(let warnings)? = lastAttempt?.outcome { warnings } else { [] }
    }

    /// Whether it can know something.
    package func knows(_ capability: Capability) -> Bool { source.capabilities.contains(capability) }

    /// A value that this source may know, with its state.
    package func measured<Value>(
        _ capability: Capability, missing: @autoclosure () -> Absence, _ value: Value?
    ) -> Measured<Value> {
        guard capturedAt == nil || knows(capability) else {
            return .absent(.unknowable(providers: [source.provider]))
        }
        return measured(
            goesOn: idleFigure.map { !$0.capabilities.contains(capability) } ?? false,
            missing: missing(), value)
    }

    /// The crashes of a day, with their state. No capability says that a source counts them: it does where it has any.
    func measuredCrashes(missing: @autoclosure () -> Absence, _ crashes: Int?) -> Measured<Int> {
        measured(goesOn: idleFigure != nil, missing: missing(), crashes)
    }

    /// - Parameter goesOn: whether what stopped is something else.
    private func measured<Value>(
        goesOn: Bool, missing: @autoclosure () -> Absence, _ value: Value?
    ) -> Measured<Value> {
        guard let capturedAt else {
            return lastAttempt?.failure.map { .failed(why: $0) } ?? .absent(.neverFetched)
        }
        guard let value else { return .absent(missing()) }
        if let trouble, !goesOn { return .stale(value, asOf: newestAt ?? capturedAt, why: trouble) }
        return .loaded(value, asOf: capturedAt)
    }
}

extension SourceHistory {
    /// Whether nothing new came in time, although no fetch failed: no fetch, or no newer day.
    ///
    /// A source that ended is when it is no longer asked: its last days are as new as any then.
    ///
    /// - Parameter figures: what may stop while others of its figures go on.
    package func isOverdue(at instant: Instant, _ figures: [DailyFigure] = []) -> Bool {
        guard !source.isEnded(at: instant) else { return !source.isAsked(at: instant) }
        return lastAttempt?.failure == nil && (isSilent(at: instant) || idleness(of: figures) != nil)
    }

    /// What stopped, and its last day: all that it brings, or the first of some figures.
    fileprivate func idleness(of figures: [DailyFigure]) -> (since: CivilDate, figure: DailyFigure?)? {
        if let since = idleSince() { return (since, nil) }
        return figures.lazy.compactMap { figure in idleSince(figure).map { ($0, figure) } }.first
    }

    /// Whether nothing was fetched in time.
    func isSilent(at instant: Instant) -> Bool { staleAt.map { $0 <= instant } == true }

    /// When its newest figures are of, where nothing new came in time.
    func overdueSince(at instant: Instant, _ figures: [DailyFigure] = []) -> Instant? {
        if let last = source.until, source.isEnded(at: instant) { return end(of: last) }
        return isSilent(at: instant) ? capturedAt : (idleness(of: figures)?.since).map(end) ?? capturedAt
    }
}

/// The sources of an app, in the order of the configuration.
package struct SourcesSection: Hashable, Codable, Sendable {
    /// Every source.
    package internal(set) var all: [SourceFacts]
    /// The source of users and affected users; where no source provides them, that of sessions.
    package internal(set) var users: SourceFacts?
    /// The source of sessions and crashed sessions; where no source provides them, that of users.
    package internal(set) var sessions: SourceFacts?
    /// The source of releases by day; where no source provides them, that of sessions.
    package internal(set) var releaseHealth: SourceFacts?
    /// The source of the issues; nil when no source has any.
    package internal(set) var issues: SourceFacts?

    init(_ index: HistoryIndex) {
        let known = index.sources.filter { $0.capturedAt != nil }
        let unused = Dictionary(
            UnusedSource.all(in: known).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let unmatched = UnmatchedVersions(index)
        all = index.sources.map { history in
            var facts = SourceFacts(history, asOf: index.asOf, DailyFigure.allCases)
            facts.unused = unused[history.source.id]
            facts.unmatched = unmatched.flatMap { $0.id == history.source.id ? $0 : nil }
            return facts
        }
        users = index.rates.sources.users.map { SourceFacts($0, asOf: index.asOf, [.rates]) }
        sessions = index.rates.sources.sessions.map { SourceFacts($0, asOf: index.asOf, [.rates]) }
        releaseHealth = index.rates.sources.releases.map { SourceFacts($0, asOf: index.asOf, [.rates]) }
        issues = index.issues.source.map { SourceFacts($0, asOf: index.asOf) }
    }

    /// The first source that knows something, of those that ever responded.
    package func knowing(_ capability: Capability) -> SourceFacts? {
        all.first { $0.capturedAt != nil && $0.knows(capability) }
    }

    /// What a source is.
    func facts(of history: SourceHistory) -> SourceFacts? { all.first { $0.source.id == history.source.id } }

    /// The providers that ever responded, each once: what the others know is not known yet.
    package var answered: [String] {
        eachOnce(all.lazy.filter { $0.capturedAt != nil }.map(\.source.provider))
    }

    /// Why something cannot be shown at all; nil when some source knows it.
    package func lack(of capability: Capability) -> Nothing? { knowing(capability) == nil ? nothing : nil }

    /// Why there is no value when no source of it has ever responded.
    package var nothing: Nothing {
        let failed = all.first { $0.capturedAt == nil && $0.lastAttempt?.failure != nil }
        if let why = failed?.lastAttempt?.failure { return .failed(why) }
        guard !all.isEmpty else { return .absent(.noSource) }
        return .absent(answered.isEmpty ? .neverFetched : .unknowable(providers: answered))
    }
}

/// Why no source has a value.
package enum Nothing: Hashable, Codable, Sendable {
    /// A fetch failed before any succeeded.
    case failed(Diagnostic)
    /// None can know it, or none was queried.
    case absent(Absence)

    /// The same as the state of a value.
    package func measured<Value>() -> Measured<Value> {
        switch self {
        case .failed(let why): .failed(why: why)
        case .absent(let why): .absent(why)
        }
    }
}
