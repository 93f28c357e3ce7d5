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

    /// The instant at which a day is over in the zone.
    package func end(of day: CivilDate) -> Instant {
        let end = Instant(startOf: day.advanced(by: 1))
        let guess = end.advanced(bySeconds: -seconds(at: end))
        let midnight = end.advanced(bySeconds: -seconds(at: guess))
        guard self.day(of: midnight) <= day else { return midnight }
        // Clocks that are put forward at midnight have none: the day is over when they are.
        return changes.first { $0.start > midnight }?.start ?? midnight
    }

    /// The last day that is over at an instant, both in UTC and in the zone.
    package func lastDayOver(at instant: Instant) -> CivilDate {
        instant.advanced(bySeconds: -secondsBehind(at: instant)).date.advanced(by: -1)
    }

    /// The next instant at which one more day is over, both in UTC and in the zone.
    package func nextEnd(after instant: Instant) -> Instant {
        let day = lastDayOver(at: instant).advanced(by: 1)
        return max(Instant(startOf: day.advanced(by: 1)), end(of: day))
    }

    /// How much later than in UTC a day ends; 0 where it ends earlier.
    private func secondsBehind(at instant: Instant) -> Int { max(0, -seconds(at: instant)) }

    private func seconds(at instant: Instant) -> Int {
        changes.last { $0.start <= instant }?.seconds ?? first
    }
}
