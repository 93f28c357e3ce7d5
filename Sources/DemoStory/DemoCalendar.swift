package import AppHealth

/// The days that the demo tells of and the mornings on which it was captured.
package enum DemoCalendar {
    /// The seed of all figures.
    package static let seed: UInt64 = 2026_1120
    /// The first day with figures.
    package static let firstDay = day("2026-07-23")
    /// The last day with figures.
    package static let lastDay = day("2026-11-19")
    /// The first day for which ordinary issues are counted by release too.
    package static let firstDetailedDay = day("2026-10-06")
    /// How many days a nightly capture carries.
    package static let nightlyDays = 3

    /// All days, oldest first.
    package static var days: [CivilDate] {
        (0...firstDay.days(to: lastDay)).map { firstDay.advanced(by: $0) }
    }

    /// The captures, oldest first: a long one, then one a night.
    package static var captures: [Instant] {
        let first = day("2026-11-13")
        return (0...7).map { Instant(startOf: first.advanced(by: $0)).advanced(bySeconds: 6 * 3600) }
    }

    /// The days that the capture carries: all up to the day before for the first one, then the last few.
    static func days(in capture: Instant) -> ClosedRange<CivilDate> {
        let last = capture.date.advanced(by: -1)
        return (capture == captures.first ? firstDay : last.advanced(by: 1 - nightlyDays))...last
    }
}

/// The day that a plan writes as `YYYY-MM-DD`; the epoch when it is misspelt, which a test looks for.
func day(_ text: String) -> CivilDate {
    CivilDate(text) ?? CivilDate(daysSinceEpoch: 0)
}

/// The time that a plan writes in RFC 3339; the epoch when it is misspelt, which a test looks for.
func moment(_ text: String) -> Instant {
    Instant(text) ?? Instant(secondsSinceEpoch: 0)
}
