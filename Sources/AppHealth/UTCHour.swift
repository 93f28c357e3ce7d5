/// An hour in UTC.
package struct UTCHour: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Whole hours from 1970-01-01T00:00:00Z to its beginning; negative before.
    package let hoursSinceEpoch: Int

    /// The hour that begins so many hours after the epoch, held within the years 1…9999.
    package init(hoursSinceEpoch: Int) {
        self.hoursSinceEpoch = min(max(hoursSinceEpoch, -17_259_888), 70_389_527)
    }

    /// The hour in which an instant lies.
    package init(of instant: Instant) {
        let seconds = instant.secondsSinceEpoch
        self.init(hoursSinceEpoch: (seconds - (seconds % 3600 + 3600) % 3600) / 3600)
    }

    /// Its first second.
    package var start: Instant { Instant(secondsSinceEpoch: hoursSinceEpoch * 3600) }

    /// The hour so many hours later (earlier when negative).
    package func advanced(by hours: Int) -> UTCHour {
        UTCHour(hoursSinceEpoch: hoursSinceEpoch + min(max(hours, -100_000_000), 100_000_000))
    }

    /// Its first second in RFC 3339 form: `2026-11-20T06:00:00Z`.
    package var description: String { start.description }

    package static func < (lhs: UTCHour, rhs: UTCHour) -> Bool {
        lhs.hoursSinceEpoch < rhs.hoursSinceEpoch
    }
}
