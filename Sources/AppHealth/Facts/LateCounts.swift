/// Which shares of its counts a source has of a day by now, as earlier days had at the same age: crashes that are sent when
/// an app is opened again come days after the sessions.
package struct LateCounts: Hashable, Codable, Sendable {
    /// How many nights ago the day ended: the night after it is the first.
    package let nights: Int
    /// The share of all of them, crashed or not; more than 1 where counts shrink.
    package let total: Double
    /// The share of the crashed ones.
    package let crashed: Double

    /// How many earlier days must have a snapshot of the same age.
    package static let leastDays = 7
    /// How many crashes these days must have together: the part of a few says nothing.
    package static let leastCrashes = 20
    /// How many days are learned from, those that are not final included.
    package static let learnedDays = 42
    /// Up to how many nights after its end counts are late.
    package static let mostNights = 14
    /// Parts from here on are whole: what is missing is less than chance.
    private static let whole = 0.99

    /// Makes shares.
    package init(nights: Int, total: Double, crashed: Double) {
        (self.nights, self.total, self.crashed) = (nights, total, crashed)
    }

    /// How many of the crashes of the counted ones are there: below 1 the rate is too good so far, above 1 too bad.
    package var crashedPart: Double { crashed / total }

    /// The part of crashes that are there, where some are still coming in; nil where they are as many as they will be.
    package var part: Double? { crashedPart < Self.whole ? crashedPart : nil }

    /// By how many times as many the counted ones will be for the crashes that are there, where they come later; nil where
    /// they do not.
    package var growth: Double? { crashedPart > 1 / Self.whole ? crashedPart : nil }
}

/// A count of one day as snapshots had it.
package struct CountedDay: Sendable {
    /// When the day was over.
    package let end: Instant
    private let revisions: [(at: Instant, total: Int, crashed: Int)]
    private let captures: [Instant]

    /// A night may begin so much later than the one it is compared with.
    private static let slackSeconds = 3 * 3600
    private static let daySeconds = 86_400

    /// - Parameters:
    ///   - revisions: what snapshots after the end of the day had that differs from the one before, in any order.
    ///   - captures: when snapshots covered the day, in any order.
    package init(
        end: Instant, revisions: [(at: Instant, total: Int, crashed: Int)],
        captures: some Sequence<Instant>
    ) {
        self.end = end
        self.revisions = revisions.sorted { $0.at < $1.at }
        self.captures = captures + revisions.map(\.at)
    }

    /// What the snapshot of one night had, so many seconds after the end of the day; nil where there was none.
    fileprivate func counts(after seconds: Int) -> (total: Double, crashed: Double)? {
        let last = end.advanced(bySeconds: seconds + Self.slackSeconds)
        let first = last.advanced(bySeconds: -Self.daySeconds)
        guard captures.contains(where: { $0 > first && $0 <= last }) else { return nil }
        return revisions.last { $0.at <= last }.map { (Double($0.total), Double($0.crashed)) }
    }

    fileprivate var newest: (total: Double, crashed: Double)? {
        revisions.last.map { (Double($0.total), Double($0.crashed)) }
    }
}

extension LateCounts {
    /// What days that are final had so many seconds after their end; nil where too few had a snapshot then, and where too few
    /// crashed on them.
    package init?(after seconds: Int, among days: [CountedDay]) {
        let known = days.compactMap { day in
            day.counts(after: seconds).flatMap { then in day.newest.map { (then: then, now: $0) } }
        }
        guard known.count >= Self.leastDays,
            known.reduce(0, { $0 + $1.now.crashed }) >= Double(Self.leastCrashes)
        else { return nil }
        func share(_ count: ((total: Double, crashed: Double)) -> Double) -> Double? {
            let now = known.reduce(0) { $0 + count($1.now) }
            return now > 0 ? known.reduce(0) { $0 + count($1.then) } / now : nil
        }
        guard let total = share({ $0.total }), let crashed = share({ $0.crashed }), total > 0 else {
            return nil
        }
        self.init(nights: seconds / 86_400 + 1, total: total, crashed: crashed)
    }
}
