/// A time in which a source was fetched and brought no newer day, although one was due.
package struct IdleTime: Hashable, Codable, Sendable {
    /// The first fetch that brought none.
    package let first: Instant
    /// When a fetch brought one again; nil while none does.
    package let end: Instant?
    /// The last day that it had at its newest such fetch.
    package let since: CivilDate
    /// What stopped with that day, where others of its figures went on; nil where it was all of them.
    package let figure: DailyFigure?

    /// Makes a time.
    package init(first: Instant, end: Instant? = nil, since: CivilDate, figure: DailyFigure? = nil) {
        self.first = first
        self.end = end
        self.since = since
        self.figure = figure
    }

    /// One time for those that overlap, as a source is idle as long as anything of it is; oldest first. What stopped is what
    /// came back last: all figures before one kind.
    package static func joined(_ times: [IdleTime]) -> [IdleTime] {
        var joined: [IdleTime] = []
        for time in times.sorted(by: { $0.first < $1.first }) {
            guard let before = joined.last, before.end.map({ time.first <= $0 }) ?? true else {
                joined.append(time)
                continue
            }
            joined[joined.count - 1] = before.and(time)
        }
        return joined
    }

    private func and(_ other: IdleTime) -> IdleTime {
        let why = isOver(before: other) ? other : self
        return IdleTime(
            first: min(first, other.first), end: why.end, since: why.since, figure: why.figure)
    }

    private func isOver(before other: IdleTime) -> Bool {
        guard end != other.end else { return figure != nil && other.figure == nil }
        guard let end else { return false }
        return other.end.map { end < $0 } ?? true
    }
}

extension SourceHistory {
    /// A newer day of all its figures, or of one kind, that was due for a while.
    package struct OverdueDay: Hashable, Sendable {
        /// The last day that it had.
        package let since: CivilDate
        /// What was due; nil for all figures.
        package let figure: DailyFigure?
        /// From when on a fetch that did not bring it was one too many.
        package let from: Instant
        /// When it came; nil where it did not.
        package let end: Instant?
    }

    /// Every time in which a newer day was due and came later, or did not come yet, of all its figures and of each kind.
    package var overdueDays: [OverdueDay] {
        overdueDays(of: nil)
            + DailyFigure.allCases.lazy.filter { !source.capabilities.isDisjoint(with: $0.capabilities) }
            .flatMap(overdueDays(of:))
    }

    private func overdueDays(of figure: DailyFigure?) -> [OverdueDay] {
        let arrivals = arrivals(of: figure)
        let over = arrivals.late(source).map {
            OverdueDay(since: $0.since, figure: figure, from: $0.from, end: $0.came)
        }
        guard let since = idleSince(figure) else { return over }
        let from = arrivals.overdue(source, after: end(of: since))
        return over + [OverdueDay(since: since, figure: figure, from: from, end: nil)]
    }
}
