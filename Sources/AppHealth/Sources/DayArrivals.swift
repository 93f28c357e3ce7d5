/// When the days of a source arrived: how long it usually takes until the next one is there.
package struct DayArrivals: Hashable, Sendable {
    /// The last day that arrived; nil when none did.
    package let lastDay: CivilDate?
    /// How many seconds after the end of its last day the next one arrived, in order.
    private let waits: [Int]

    /// How many arrivals say what is usual, and how few are too few.
    private static let (most, fewest) = (28, 7)
    /// How many hours past its usual time a day may be missing: nights are not all at one hour.
    private static let patience = 12

    /// - Parameters:
    ///   - first: the first capture that reported anything of each day after it was over.
    ///   - end: when a day is over for the source.
    package init(_ first: [CivilDate: Instant], end: (CivilDate) -> Instant) {
        var last: CivilDate?
        var waits: [Int] = []
        let captures = Dictionary(grouping: first.keys) { first[$0] ?? Instant(startOf: $0) }
        for (capture, days) in captures.sorted(by: { $0.key < $1.key }) {
            guard let newest = days.max() else { continue }
            if let last, newest > last { waits.append(end(last).seconds(to: capture)) }
            last = max(newest, last ?? newest)
        }
        self.lastDay = last
        self.waits = waits
    }

    /// How many hours old the last day may be when a fetch brings no newer one: as old as it became before, but for the
    /// longest of many waits, which may have been an outage; a month and a half where too little is known.
    package func patienceHours(_ source: Source) -> Int {
        let known = waits.suffix(Self.most).sorted()
        let usual = known.dropLast(known.count / 14).last.map { $0 / 3600 + Self.patience }
        let hours = known.count < Self.fewest ? Silence.usualHours : usual ?? Silence.usualHours
        return max(hours, Silence.dailyHours, source.maxAgeHours ?? 0)
    }
}

extension SourceHistory {
    /// When its days arrived.
    package var arrivals: DayArrivals { DayArrivals(captures.first, end: end) }

    /// The last day of which it has anything; nil when it has no day.
    package var lastKnownDay: CivilDate? {
        guard let capturedAt else { return nil }
        let newest = [captures.first.keys.max(), captures.days.keys.max()].compactMap(\.self).max()
        return newest.map { min($0, lastDayOver(at: capturedAt)) }
    }

    /// The last day, where the newest fetch brought no newer one although it should have; nil where all is as usual.
    package var idleSince: CivilDate? {
        guard let capturedAt, let lastDay = lastKnownDay,
            end(of: lastDay).seconds(to: capturedAt) > arrivals.patienceHours(source) * 3600
        else { return nil }
        return lastDay
    }
}
