package import AppHealth

/// English names, fixed so that the locale of a machine never changes a page.
private let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
]
private let weekdayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

/// Days as text. Tables, files, URLs and the terminal write `description`, `2026-11-19`; prose writes
/// `compactText`, and a span of days as `spanText`.
extension CivilDate {
    /// In prose: `Thu, Nov 19, 2026`.
    package var compactText: String { "\(weekdayName.prefix(3)), \(mediumText)" }

    /// `Nov 19, 2026`, where the day of the week says nothing.
    package var mediumText: String { "\(shortText), \(components.year)" }

    /// `Jan 27`, where the year is plain.
    package var shortText: String { "\(monthName.prefix(3)) \(components.day)" }

    /// In the sentences of events: `Wednesday, Jan 27`.
    package var weekdayText: String { "\(weekdayName), \(shortText)" }

    /// In the sentences of events: `January 27, 2016`.
    package var longText: String { "\(monthName) \(components.day), \(components.year)" }

    /// `Wednesday`.
    package var weekdayName: String { weekdayNames[weekday - 1] }

    /// `January`.
    package var monthName: String { monthNames[components.month - 1] }
}

/// A span of days in prose: `Oct 23 – Nov 19, 2026`, `Nov 17–19, 2026`, `Dec 20, 2025 – Jan 16, 2026`; a single
/// day is `Nov 19, 2026`.
package func spanText(_ first: CivilDate, _ last: CivilDate) -> String {
    let (from, to) = (first.components, last.components)
    if first == last { return first.mediumText }
    if from.year != to.year { return "\(first.mediumText) – \(last.mediumText)" }
    if from.month != to.month { return "\(first.shortText) – \(last.mediumText)" }
    return "\(first.shortText)–\(to.day), \(to.year)"
}

extension Instant {
    /// In prose: `Thu, Nov 19, 2026, 06:30 UTC`.
    package var proseText: String { "\(date.compactText), \(timeText) UTC" }

    /// In tables and on the terminal: `2026-11-19 06:30 UTC`.
    package var tableText: String { "\(date) \(timeText) UTC" }
}
