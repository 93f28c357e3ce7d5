import Statistics

/// Ranks of two spans and which changes between them the counts bear out.
struct RankMoves {
    /// Ranks by issue, from 1.
    let now: [String: Int]
    let before: [String: Int]
    private let counts: Span
    private let earlier: Span
    private let order: [String]
    private let least: Int

    /// Ranks from the counts of two spans; an issue without a count has no rank.
    init(now: [String: Int], before: [String: Int], least: Int) {
        order = ranked(now)
        counts = Span(now)
        earlier = Span(before)
        self.now = places(order)
        self.before = places(ranked(before))
        self.least = least
    }

    /// The places that an issue rose (more than zero) or fell; nil when it did not, was not seen in both spans,
    /// or the change may be chance.
    ///
    /// Among issues of a few events places change by chance, however many: from `least` places on, its own share must
    /// have moved from one span to the other; below that, its share must differ from that of the issue that now has
    /// its former rank.
    func move(of id: String) -> Int? {
        guard let rank = now[id], let former = before[id], rank != former else { return nil }
        let move = former - rank
        let own = counts.interval(id)
        if abs(move) >= least { return areApart(own, earlier.interval(id)) ? move : nil }
        guard former <= order.count else { return nil }
        return areApart(own, counts.interval(order[former - 1])) ? move : nil
    }

    /// The counts of a span, of which shares have intervals.
    private struct Span {
        private let counts: [String: Int]
        private let total: Int

        init(_ counts: [String: Int]) {
            self.counts = counts
            total = counts.values.reduce(0, &+)
        }

        func interval(_ id: String) -> Interval? {
            wilsonInterval(successes: counts[id] ?? 0, of: total)
        }
    }
}

/// Whether both are known and do not overlap.
private func areApart(_ one: Interval?, _ other: Interval?) -> Bool {
    guard let one, let other else { return false }
    return one.lower > other.upper || other.lower > one.upper
}

private func ranked(_ counts: [String: Int]) -> [String] {
    counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }.map(\.key)
}

private func places(_ order: [String]) -> [String: Int] {
    Dictionary(order.enumerated().map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
}
