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
    /// The last day that is shown of each ended source of which any is.
    private(set) var lastDays: [Slug: CivilDate] = [:]
    /// The ended sources that have days which one listed before them has as well.
    private(set) var first: Set<Slug> = []

    private let parts: SourceParts
    private let instant: Instant
    /// The kinds of data of which anything is shown, of each ended source.
    private var shown: [Slug: Set<JoinedFact>] = [:]
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
        let id = source.source.id
        shown[id, default: []].insert(fact)
        lastDays[id] = max(last, lastDays[id] ?? last)
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

    /// An ended source that comes before those whose days it has, without what is shown of others alone.
    func speaking(_ source: SourceHistory) -> SourceHistory {
        guard first.contains(source.source.id) else { return source }
        let silent = JoinedFact.allCases.filter { $0.isProvided(by: source) && !isShown($0, of: source) }
        var source = source
        for fact in silent
        where !JoinedFact.allCases.contains(where: { other in
            other.capability == fact.capability && isShown(other, of: source)
        }) {
            source.source.capabilities.remove(fact.capability)
        }
        return source
    }

    private func isShown(_ fact: JoinedFact, of source: SourceHistory) -> Bool {
        shown[source.source.id]?.contains(fact) == true
    }
}
