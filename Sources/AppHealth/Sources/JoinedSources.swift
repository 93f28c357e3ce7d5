/// The sources of an app by whether they go on.
struct SourceParts {
    /// Those that go on, in the order of the configuration.
    let live: [SourceHistory]
    /// Those that stopped before their last day and are followed, as they are.
    let stopped: [SourceHistory]
    /// Those and the ones whose last day is over, each with the last day that it has, by that day.
    let ended: [SourceHistory]
    /// The live and the ended ones in the order of the configuration.
    let configured: [SourceHistory]

    init(of history: AppHistory, asOf instant: Instant) {
        let goingOn = history.sources.filter { !$0.source.isEnded(at: instant) }
        let stopped = goingOn.filter { source in
            source.source.until != nil && !source.isAwaited(at: instant)
                && goingOn.contains { source.isFollowed(by: $0, at: instant) }
        }
        let names = Set(stopped.map(\.source.id))
        let over = history.sources.filter { $0.source.isEnded(at: instant) }.map { $0.ended(asOf: instant) }
        let ended = (over + stopped.map(\.endingWithItsDays)).sorted(by: endsEarlier)
        self.stopped = stopped
        self.ended = ended
        live = goingOn.filter { !names.contains($0.source.id) }
        configured = history.sources.map { source in
            ended.first { $0.source.id == source.source.id } ?? source
        }
    }

    func isLive(_ source: SourceHistory) -> Bool { live.contains { $0.source.id == source.source.id } }
}

/// Sources whose days are given to one of each kind of data, one kind after the other.
struct JoinedSources {
    /// The live sources, then the ended ones, the last one first; the first that provides a kind of data has all of it.
    private(set) var chain: [SourceHistory]
    /// The days from which on something is from another source than before.
    private(set) var changes: Set<SourceChange> = []
    /// The last days before something is from another source, or from none.
    private(set) var ends: Set<CivilDate> = []
    /// The ended sources that have days which one listed before them has as well.
    private(set) var first: Set<Slug> = []

    private let parts: SourceParts
    private let instant: Instant
    /// The last day that is shown of each kind of data, of each ended source of which any is.
    private var shown: [Slug: [JoinedFact: CivilDate]] = [:]
    /// Which source has which days of each kind.
    private var turns: [JoinedFact: SourceTurns] = [:]
    /// The last day of each kind that was taken from an ended source.
    private var taken: [JoinedFact: [Slug: CivilDate]] = [:]

    init(_ parts: SourceParts, asOf instant: Instant) {
        (self.parts, self.instant) = (parts, instant)
        chain = parts.live + parts.ended.reversed()
    }

    /// Gives the days of a kind of data to the source that goes on with it.
    mutating func join(_ fact: JoinedFact) {
        let later = fact.order(of: parts.live).first ?? fact.order(of: parts.ended.reversed()).first
        guard let later, let base = chain.firstIndex(where: { $0.source.id == later.source.id }) else {
            return
        }
        if !parts.isLive(later), let last = later.source.until { show(later, fact, through: last) }
        let order = SourceOrder(of: fact, in: parts.configured, asOf: instant)
        var turns = SourceTurns(of: later, fact)
        var others = [later]
        for ended in parts.ended.reversed()
        where fact.isProvided(by: ended) && ended.source.id != later.source.id {
            let days = days(fact, of: ended, from: others, order)
            for range in days {
                chain[base].take(fact, from: ended, on: range)
                turns.give(ended.source.id, fact.isOfDays ? range.lowerBound : nil, through: range.upperBound)
                if fact.isOfDays { ends.insert(range.upperBound) }
            }
            if let last = days.last?.upperBound {
                taken[fact, default: [:]][ended.source.id] = last
                show(ended, fact, through: last)
                if others.contains(where: { !order.places(ended, before: $0) }) {
                    first.insert(ended.source.id)
                }
            }
            others.append(ended)
        }
        changes.formUnion(turns.changes)
        self.turns[fact] = turns
        // Lists follow their days.
        if fact.isOfDays { ends.formUnion(turns.changes.map { $0.day.advanced(by: -1) }) }
    }

    /// The days that an ended source has; a list is needed where the days that it is about are.
    private func days(
        _ fact: JoinedFact, of ended: SourceHistory, from others: [SourceHistory], _ order: SourceOrder
    ) -> [ClosedRange<CivilDate>] {
        let isStopped = parts.stopped.contains { $0.source.id == ended.source.id }
        let days = order.days(
            of: ended, from: others, isOver: !isStopped,
            isAwaited: !isStopped && ended.isAwaited(at: instant))
        guard days.isEmpty, let last = fact.daysOfList.flatMap({ taken[$0]?[ended.source.id] }) else {
            return days
        }
        return [last...last]
    }

    private mutating func show(_ source: SourceHistory, _ fact: JoinedFact, through last: CivilDate) {
        shown[source.source.id, default: [:]][fact] = last
        if fact.daysOfList?.isProvided(by: source) != true { ends.insert(last) }
    }

    /// Where sessions ended with their source, those of a source of use go on.
    mutating func addSessionsOfUse() {
        guard let before = JoinedFact.sessions.order(of: chain).first, !parts.isLive(before),
            let last = before.source.until,
            let next = JoinedFact.usedSessions.order(of: parts.live).first,
            next.days(with: .usedSessions).contains(where: { $0 > last })
        else { return }
        changes.insert(
            SourceChange(
                day: last.advanced(by: 1), capability: .sessions, from: before.source.id, to: next.source.id))
    }

    /// Whether anything of a source is shown on a day or later.
    func isShown(_ source: SourceHistory, since day: CivilDate) -> Bool {
        parts.isLive(source) || shown[source.source.id]?.values.contains { $0 >= day } == true
    }

    /// A source with what it was shown for on a day: an ended one says nothing of what others had then.
    func speaking(_ source: SourceHistory, on day: CivilDate) -> SourceHistory {
        guard !parts.isLive(source) else { return source }
        let spoken = Set(JoinedFact.allCases.filter { isShown($0, of: source, on: day) })
        var silenced = source
        for fact in JoinedFact.allCases where !spoken.contains(fact) { silenced.removeUse(fact) }
        let kinds = Set(spoken.map(\.capability))
        for fact in JoinedFact.allCases where !kinds.contains(fact.capability) {
            silenced.source.capabilities.remove(fact.capability)
        }
        return silenced
    }

    /// Whether a kind of data was from a source on a day. The list of releases has those of all; that of the issues is from
    /// the source of their days.
    private func isShown(_ fact: JoinedFact, of source: SourceHistory, on day: CivilDate) -> Bool {
        let id = source.source.id
        if fact == .releases { return shown[id]?[fact].map { $0 >= day } == true }
        let days = fact.daysOfList.flatMap { $0.isProvided(by: source) ? $0 : nil } ?? fact
        return turns[days]?.source(on: day) == id
    }
}
