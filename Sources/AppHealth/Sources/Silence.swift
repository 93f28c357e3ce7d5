/// How long a source may be silent before its newest figures are stale, where the configuration does not say.
package enum Silence {
    /// In hours, where its last two captures were no further apart.
    package static let dailyHours = 36
    /// In hours, where it comes more seldom, or came once.
    package static let usualHours = 45 * 24

    /// The hours for a source by its last two captures.
    package static func hours(after earlier: Instant?, _ last: Instant) -> Int {
        guard let earlier, earlier.seconds(to: last) <= dailyHours * 3600 else { return usualHours }
        return dailyHours
    }
}

extension SourceHistory {
    /// When its newest figures become stale if nothing newer comes; nil when it has none.
    package var staleAt: Instant? {
        capturedAt.map { last in
            let hours = source.maxAgeHours ?? Silence.hours(after: previousCapture, last)
            return Instant(secondsSinceEpoch: last.secondsSinceEpoch + hours * 3600)
        }
    }
}
