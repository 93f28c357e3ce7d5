/// A week of ISO 8601: it begins on a Monday and belongs to the year in which its Thursday lies.
package struct CivilWeek: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The Monday it begins on.
    package let first: CivilDate

    /// The week in which a day lies.
    package init(of day: CivilDate) {
        first = day.advanced(by: 1 - day.weekday)
    }

    /// The Sunday it ends on.
    package var last: CivilDate { first.advanced(by: 6) }

    /// The year that the week belongs to.
    package var year: Int { first.advanced(by: 3).components.year }

    /// Its number in its year, 1…53.
    package var number: Int {
        let thursday = first.advanced(by: 3)
        // The first of January exists in every year.
        let newYear = CivilDate(year: thursday.components.year, month: 1, day: 1) ?? thursday
        return newYear.days(to: thursday) / 7 + 1
    }

    /// `2026-W47`.
    package var description: String { "\(padded(year, to: 4))-W\(padded(number, to: 2))" }

    package static func < (lhs: CivilWeek, rhs: CivilWeek) -> Bool { lhs.first < rhs.first }
}
