import Statistics

/// Ranks of two spans and which changes between them the counts bear out.
struct RankMoves {
    /// Ranks by issue, from 1.
    let now: [String: Int]
    let before: [String: Int]
    private let counts: [String: Int]
    private let order: [String]
    private let total: Int
    private let least: Int

    /// Ranks from the counts of two spans; an issue without a count has no rank.
    init(now: [String: Int], before: [String: Int], least: Int) {
        order = ranked(now)
        counts = now
        total = now.values.reduce(0, &+)
        self.now = places(order)
        self.before = places(ranked(before))
        self.least = least
    }

    /// The places that an issue rose (more than zero) or fell; nil when it did not, was not seen in both spans,
    /// or the change may be chance: it is less than `least` places, and its interval overlaps with that of the
    /// issue that now has its former rank.
    func move(of id: String) -> Int? {
        guard let rank = now[id], let former = before[id], rank != former else { return nil }
        let move = former - rank
        if abs(move) >= least { return move }
        guard former <= order.count, let own = interval(id), let other = interval(order[former - 1]) else {
            return nil
        }
        return own.lower > other.upper || other.lower > own.upper ? move : nil
    }

    private func interval(_ id: String) -> Interval? {
        wilsonInterval(successes: counts[id] ?? 0, of: total)
    }
}

private func ranked(_ counts: [String: Int]) -> [String] {
    counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }.map(\.key)
}

private func places(_ order: [String]) -> [String: Int] {
    Dictionary(order.enumerated().map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
}
