/// Which source has the days of a fact: one after the other has a turn, and may have another one.
struct SourceTurns {
    private typealias Turn = (first: CivilDate?, source: Slug)

    private let capability: Capability
    /// The source that has all days that no other has.
    private let base: Slug
    private let daysOfBase: Set<CivilDate>
    /// The first day of each turn, ascending, the first one without.
    private var turns: [Turn]

    /// All days are those of one source.
    init(of source: SourceHistory, _ fact: JoinedFact) {
        (capability, base) = (fact.capability, source.source.id)
        daysOfBase = source.days(with: fact)
        turns = [(nil, base)]
    }

    /// Gives a source the days from one, or all before the last one, through that.
    mutating func give(_ source: Slug, _ first: CivilDate?, through last: CivilDate) {
        let next = last.advanced(by: 1)
        func begins(_ turn: Turn, before day: CivilDate?) -> Bool {
            guard let day else { return false }
            return turn.first.map { $0 < day } ?? true
        }
        let after = turns.filter { !begins($0, before: next.advanced(by: 1)) }
        let follower = turns.last { begins($0, before: next.advanced(by: 1)) }?.source ?? base
        turns = turns.filter { begins($0, before: first) } + [(first, source), (next, follower)] + after
    }

    /// The source that has a day.
    func source(on day: CivilDate) -> Slug {
        turns.last { turn in turn.first.map { $0 <= day } ?? true }?.source ?? base
    }

    /// The days with which another source begins.
    var changes: [SourceChange] {
        let ends = turns.dropFirst().map(\.first) + [nil]
        let real = zip(turns, ends).filter { turn, end in
            guard turn.source == base, let end else { return true }
            return daysOfBase.contains { day in day < end && turn.first.map { day >= $0 } ?? true }
        }.map(\.0)
        return zip(real, real.dropFirst()).compactMap { turn, next in
            guard let day = next.first, turn.source != next.source else { return nil }
            return SourceChange(day: day, capability: capability, from: turn.source, to: next.source)
        }
    }
}
