import AppHealth
import Diagnostics

/// Which comes first in a date such as 03/04/2026.
package enum CSVDateOrder: String, CaseIterable, Sendable {
    case dayFirst = "day-first"
    case monthFirst = "month-first"
}

/// The dates of a column. Whether the day or the month comes first is decided by the whole column.
struct CSVDates: Equatable, Sendable {
    /// What was stated, or what the column shows; nil when it shows nothing, or both.
    let order: CSVDateOrder?
    /// Whether any date of the column needs the order.
    let needsOrder: Bool
    /// The day from which days are numbered; nil where they are dates.
    private let start: CivilDate?
    /// The zone in which the days begin.
    private let zone: FileZone

    init(
        _ cells: some Sequence<String>, stated: CSVDateOrder?, from start: CivilDate? = nil,
        in zone: FileZone = FileZone("UTC")
    ) {
        self.start = start
        self.zone = zone
        var found: Set<CSVDateOrder> = []
        var needsOrder = false
        for cell in cells {
            guard case .open(let first, let second, _) = CSVDateText(cell) else { continue }
            needsOrder = true
            if first > 12 { found.insert(.dayFirst) }
            if second > 12 { found.insert(.monthFirst) }
        }
        order = stated ?? (found.count == 1 ? found.first : nil)
        self.needsOrder = needsOrder
    }

    /// The day that a cell names.
    func date(_ cell: String) -> CivilDate? {
        if let start, cell.utf8.count == 4, let days = wholeNumber(cell), days < 4000 {
            return start.advanced(by: days)
        }
        return switch CSVDateText(cell) {
        case .date(let date)?: date
        case .time(let instant, let stated)?:
            zone.day(at: instant).flatMap { $0.isBegin || $0.date == stated ? $0.date : nil }
        case .open(let first, let second, let year)?:
            switch order {
            case .dayFirst?: CivilDate(year: year, month: second, day: first)
            case .monthFirst?: CivilDate(year: year, month: first, day: second)
            case nil: first == second ? CivilDate(year: year, month: first, day: second) : nil
            }
        case nil: nil
        }
    }

    /// Whether a cell would name a day if it were known which number is the day.
    func lacksOrder(for cell: String) -> Bool {
        if case .open? = CSVDateText(cell) { order == nil } else { false }
    }

    /// Whether a cell is a time that is on one day where it is written and on another in the zone of the table.
    func isTimeOfOtherZone(_ cell: String) -> Bool {
        if case .time? = CSVDateText(cell) { date(cell) == nil } else { false }
    }

    /// What a cell that names no day should have been.
    func expected(for cell: String) -> String {
        if isTimeOfOtherZone(cell) {
            return "a date, or the time at which a day begins in \(printable(String(zone.name.prefix(60))))"
        }
        return lacksOrder(for: cell)
            ? "a date whose day and month can be distinguished" : "a date such as 2026-11-19"
    }
}

/// A date as people and programs write it.
private enum CSVDateText {
    case date(CivilDate)
    /// A time other than midnight, of a zone that is stated, and the day there.
    case time(Instant, CivilDate)
    /// Two numbers of which one is the day, then the year.
    case open(Int, Int, year: Int)

    /// `2026-11-19`, with a time behind it too, `20261119`, `2026/11/19`, `19.11.2026`, `Nov 19, 2026`,
    /// `19 November 2026`, and `11/19/2026` or `19/11/2026`, which are open. A time may be behind each of them.
    init?(_ cell: String) {
        guard cell.utf8.count <= 40 else { return nil }
        if let date = Self.iso(cell), let time = CSVTimeOfDay(cell.dropFirst(11)), time.seconds != 0 {
            self = .time(Instant(startOf: date).advanced(bySeconds: time.seconds - time.offset), date)
            return
        }
        let cell = Self.withoutTime(cell)
        let parts = cell.split { " /.-,".contains($0) }.map(String.init)
        if let date = Self.iso(cell) ?? Self.compact(cell) ?? Self.named(parts) {
            self = .date(date)
            return
        }
        guard parts.count == 3, let first = wholeNumber(parts[0]), let second = wholeNumber(parts[1]),
            let third = wholeNumber(parts[2])
        else { return nil }
        switch (parts[0].count, parts[2].count) {
        case (4, 1...2):
            guard let date = CivilDate(year: first, month: second, day: third) else { return nil }
            self = .date(date)
        case (1...2, 4) where cell.contains("."):
            guard let date = CivilDate(year: third, month: second, day: first) else { return nil }
            self = .date(date)
        case (1...2, 4): self = .open(first, second, year: third)
        default: return nil
        }
    }

    /// The date before a time, as Excel writes it: `19.11.2026 00:00`, `11/19/2026 12:00:00 AM`.
    private static func withoutTime(_ cell: String) -> String {
        var words = cell.split(separator: " ")
        if words.count > 2, ["AM", "PM"].contains(words.last?.uppercased()) { words.removeLast() }
        let isTime = { (word: Substring) in
            word.contains(":")
                && word.utf8.allSatisfy { $0 == 0x3A || $0 == 0x2E || (0x30...0x39).contains($0) }
        }
        guard words.count > 1, let last = words.last, isTime(last) else { return cell }
        return words.dropLast().joined(separator: " ")
    }

    private static func iso(_ cell: String) -> CivilDate? {
        let rest = cell.dropFirst(10)
        guard rest.isEmpty || rest.first == "T" || rest.first == " " else { return nil }
        return CivilDate(cell.prefix(10))
    }

    private static func compact(_ cell: String) -> CivilDate? {
        guard cell.count == 8, wholeNumber(cell) != nil else { return nil }
        return CivilDate("\(cell.prefix(4))-\(cell.dropFirst(4).prefix(2))-\(cell.suffix(2))")
    }

    /// With the English name of the month; the name of the day of the week does not matter.
    private static func named(_ parts: [String]) -> CivilDate? {
        let months = parts.compactMap(month)
        let numbers = parts.compactMap { wholeNumber($0) }
        guard (3...4).contains(parts.count), months.count == 1, numbers.count == 2,
            let year = numbers.first(where: { $0 > 31 }), let day = numbers.first(where: { $0 <= 31 })
        else { return nil }
        return CivilDate(year: year, month: months[0], day: day)
    }

    private static func month(_ part: String) -> Int? {
        let name = part.lowercased()
        guard name.count >= 3 else { return nil }
        return monthNames.firstIndex {
            $0 == name || $0.prefix(3) == name || name == "sept" && $0 == "september"
        }
        .map { $0 + 1 }
    }
}

private let monthNames = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
]
