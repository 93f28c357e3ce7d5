package import AppHealth

/// The days that a chart spans: at least one, at most 36,525, in order by construction.
package struct DateDomain: Hashable, Sendable {
    /// The first day.
    package let first: CivilDate
    /// How many days.
    package let count: Int

    /// So many days from a first one on, held within 1…36,525.
    package init(first: CivilDate, count: Int) {
        self.first = first
        self.count = min(max(count, 1), 36_525)
    }

    /// So many days up to a last one, held within 1…36,525.
    package init(last: CivilDate, count: Int) {
        let count = min(max(count, 1), 36_525)
        self.init(first: last.advanced(by: 1 - count), count: count)
    }

    /// Both days and all between them, in either order.
    package init(_ one: CivilDate, through other: CivilDate) {
        let (first, last) = (min(one, other), max(one, other))
        self.init(last: last, count: first.days(to: last) + 1)
    }

    /// The last day.
    package var last: CivilDate { first.advanced(by: count - 1) }

    /// The place of a day, counted from 0; nil outside the domain.
    package func index(of date: CivilDate) -> Int? {
        let index = first.days(to: date)
        return index >= 0 && index < count ? index : nil
    }
}
