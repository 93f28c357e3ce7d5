/// How far the clocks of a zone are from UTC, from one change of them to the next.
package struct ZoneOffsets: Hashable, Sendable {
    /// A new offset from an instant on.
    package struct Change: Hashable, Sendable {
        /// The first instant with it.
        package let start: Instant
        /// Seconds ahead of UTC; negative in the west.
        package let seconds: Int

        /// Makes a change.
        package init(start: Instant, seconds: Int) {
            self.start = start
            self.seconds = seconds
        }
    }

    private let first: Int
    private let changes: [Change]

    /// Makes a zone.
    ///
    /// - Parameters:
    ///   - seconds: how far it is ahead of UTC before the first change.
    ///   - changes: ordered by their instants.
    package init(seconds: Int, changes: [Change] = []) {
        self.first = seconds
        self.changes = changes
    }

    /// The day of an instant in the zone.
    package func day(of instant: Instant) -> CivilDate {
        instant.advanced(bySeconds: seconds(at: instant)).date
    }

    /// The instant at which a day is over in the zone: where its clocks show the next one for the first time.
    package func end(of day: CivilDate) -> Instant {
        let end = Instant(startOf: day.advanced(by: 1))
        func midnight(_ seconds: Int) -> Instant { end.advanced(bySeconds: -seconds) }
        // No clock is further from UTC than a day: what changes earlier is over by then.
        let start = changes.lastIndex { $0.start <= end.advanced(bySeconds: -86_400) }
        var present = start.map { changes[$0].seconds } ?? first
        for change in changes[(start.map { $0 + 1 } ?? 0)...] {
            if midnight(present) < change.start { return midnight(present) }
            present = change.seconds
            // Clocks that are put forward over midnight have none: the day is over when they are.
            if midnight(present) <= change.start { return change.start }
        }
        return midnight(present)
    }

    /// The last day that is over at an instant, both in UTC and in the zone.
    package func lastDayOver(at instant: Instant) -> CivilDate {
        instant.advanced(bySeconds: -secondsBehind(at: instant)).date.advanced(by: -1)
    }

    /// The next instant at which one more day is over, both in UTC and in the zone.
    package func nextEnd(after instant: Instant) -> Instant {
        let day = lastDayOver(at: instant).advanced(by: 1)
        let next = Instant(startOf: day.advanced(by: 1))
        let end = max(next, end(of: day))
        // Where another zone turned the clocks back, the day was over once already.
        return end > instant ? end : next.advanced(bySeconds: secondsBehind(at: instant))
    }

    /// How much later than in UTC a day ends; 0 where it ends earlier.
    private func secondsBehind(at instant: Instant) -> Int { max(0, -seconds(at: instant)) }

    private func seconds(at instant: Instant) -> Int {
        changes.last { $0.start <= instant }?.seconds ?? first
    }
}
