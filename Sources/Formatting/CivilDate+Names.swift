package import AppHealth

/// English names, fixed so that the locale of a machine never changes a page.
private let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
]
private let weekdayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

extension CivilDate {
    /// `Wednesday`.
    package var weekdayName: String { weekdayNames[weekday - 1] }

    /// `January`.
    package var monthName: String { monthNames[components.month - 1] }

    /// `Jan 27`.
    package var shortText: String { "\(monthName.prefix(3)) \(components.day)" }

    /// `Wednesday, Jan 27`.
    package var weekdayText: String { "\(weekdayName), \(shortText)" }

    /// `January 27, 2016`.
    package var longText: String { "\(monthName) \(components.day), \(components.year)" }

    /// `Thu 19 Nov 2026`.
    package var compactText: String {
        "\(weekdayName.prefix(3)) \(components.day) \(monthName.prefix(3)) \(components.year)"
    }
}
