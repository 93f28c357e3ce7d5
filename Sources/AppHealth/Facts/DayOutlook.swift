/// What a count of a day may come to, as it grew from one snapshot to the next.
package struct DayOutlook {
    /// What snapshots after the end of the day had that differs from the one before, oldest first.
    private let revisions: [(at: Instant, count: Int)]
    /// When snapshots covered the day, oldest first.
    private let captures: [Instant]

    /// So many more days may bring as much as the last one did.
    package static let days = 3.0
    /// Snapshots that are closer than that are of the same night.
    private static let leastSeconds = 18 * 3600

    /// The outlook of a count with these revisions, of a day with these snapshots, in any order.
    package init(revisions: [(at: Instant, count: Int)], captures: some Sequence<Instant>) {
        self.revisions = revisions.sorted { $0.at < $1.at }
        self.captures = Set(captures).union(revisions.map(\.at)).sorted()
    }

    /// The least that any snapshot from an instant on showed: once it is that low, no later snapshot takes it back. Nil
    /// where none showed the day.
    package func least(since first: Instant) -> Double? {
        captures.lazy.filter { $0 >= first }.compactMap(count).min()
    }

    /// What it may come to as of one snapshot: a day that was seen on one night alone, or shrank, to what it has.
    private func count(asOf capture: Instant) -> Double? {
        guard let now = known(at: capture) else { return nil }
        let night = capture.advanced(bySeconds: -Self.leastSeconds)
        guard let before = captures.last(where: { $0 <= night }), let earlier = known(at: before) else {
            return now
        }
        let nights = max(1, Double(before.seconds(to: capture)) / 86_400)
        return now + Self.days * max(0, now - earlier) / nights
    }

    private func known(at capture: Instant) -> Double? {
        revisions.last { $0.at <= capture }.map { Double($0.count) }
    }
}
