package import AppHealth
import Formatting

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

/// Maps the days of a domain to horizontal positions in tenths of a unit; every day has a column of equal
/// width.
struct DateScale: Hashable, Sendable {
    let domain: DateDomain
    let left: Int
    let right: Int
    private let step: Double

    init(domain: DateDomain, left: Int, right: Int) {
        self.domain = domain
        self.left = left
        self.right = right
        self.step = Double(right - left) / Double(domain.count)
    }

    /// The width of one day.
    var columnWidth: Double { step }

    /// The middle of a day's column.
    @inline(__always)
    func center(_ index: Int) -> Int { left + Int(((Double(index) + 0.5) * step).rounded()) }

    /// Where a day's column begins; the index after the last day gives the right end.
    @inline(__always)
    func edge(_ index: Int) -> Int { left + Int((Double(index) * step).rounded()) }
}

/// A labeled day on an axis.
struct DateTick: Hashable, Sendable {
    let index: Int
    let label: String
}

/// The ticks of a date axis: days, Mondays, first days of months or of years, the finest whose labels have
/// room.
func dateTicks(_ scale: DateScale) -> [DateTick] {
    let domain = scale.domain
    for days in [1, 2] where scale.columnWidth * Double(days) >= dayLabelWidth {
        return labeled(Array(stride(from: 0, to: domain.count, by: days)), scale, .day)
    }
    let monday = (8 - domain.first.weekday) % 7
    for weeks in [1, 2] where scale.columnWidth * 7 * Double(weeks) >= dayLabelWidth {
        let mondays = Array(stride(from: monday, to: domain.count, by: 7 * weeks))
        return labeled(mondays.isEmpty ? [0] : mondays, scale, .day)
    }
    for months in [1, 2, 3, 6] where scale.columnWidth * 28 * Double(months) >= monthLabelWidth {
        return labeled(starts(domain, everyMonths: months), scale, .month)
    }
    for years in [1, 2, 5, 10, 20, 50] where scale.columnWidth * 365 * Double(years) >= yearLabelWidth {
        return labeled(starts(domain, everyMonths: 12 * years), scale, .year)
    }
    return labeled([0], scale, .year)
}

private let dayLabelWidth = 560.0
private let monthLabelWidth = 420.0
private let yearLabelWidth = 420.0

private enum TickKind { case day, month, year }

/// The first days of every n-th month of the calendar within the domain.
private func starts(_ domain: DateDomain, everyMonths step: Int) -> [Int] {
    let begin = domain.first.components
    var month = begin.year * 12 + begin.month - 1
    month -= month % step
    var indexes: [Int] = []
    while let date = CivilDate(year: max(month / 12, 1), month: month % 12 + 1, day: 1), date <= domain.last {
        if let index = domain.index(of: date) { indexes.append(index) }
        month += step
    }
    return indexes.isEmpty ? [0] : indexes
}

/// The labels; the year is at the first tick of each year where there is room for it.
private func labeled(_ indexes: [Int], _ scale: DateScale, _ kind: TickKind) -> [DateTick] {
    let spacing = indexes.count > 1 ? scale.columnWidth * Double(indexes[1] - indexes[0]) : 1e6
    var lastYear: Int?
    return indexes.map { index in
        let date = scale.domain.first.advanced(by: index)
        let parts = date.components
        defer { lastYear = parts.year }
        let isNewYear = parts.year != lastYear
        let month = date.monthName.prefix(3)
        return switch kind {
        case .day:
            DateTick(
                index: index, label: date.shortText + (isNewYear && spacing >= 900 ? ", \(parts.year)" : ""))
        case .month where isNewYear && spacing >= 640: DateTick(index: index, label: "\(month) \(parts.year)")
        case .month:
            DateTick(index: index, label: isNewYear && parts.month == 1 ? "\(parts.year)" : String(month))
        case .year: DateTick(index: index, label: "\(parts.year)")
        }
    }
}
