/// A day of the proleptic Gregorian calendar, without a time and without a zone.
///
/// Arithmetic uses Howard Hinnant's `days_from_civil` algorithms. Years 1…9999 are admitted.
package struct CivilDate: Hashable, Codable, Sendable, Comparable, CustomStringConvertible {
    /// Days since 1970-01-01; negative before.
    package let daysSinceEpoch: Int

    /// The day that lies so many days after 1970-01-01, held within the years 1…9999.
    package init(daysSinceEpoch: Int) {
        self.daysSinceEpoch = min(max(daysSinceEpoch, -719_162), 2_932_896)
    }

    /// The day with this year, month (1…12) and day of the month, or nil when the calendar has none.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(ofMonth: month, year: year)
        else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        self.daysSinceEpoch = era * 146_097 + dayOfEra - 719_468
    }

    /// The day written as `YYYY-MM-DD`, or nil when the text is anything else.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else {
            return nil
        }
        guard let year = decimal(bytes[0..<4]), let month = decimal(bytes[5..<7]),
            let day = decimal(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Year, month (1…12) and day of the month (1…31).
    package var components: (year: Int, month: Int, day: Int) {
        let shifted = daysSinceEpoch + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    /// Monday is 1, Sunday is 7, as in ISO 8601.
    package var weekday: Int {
        let remainder = (daysSinceEpoch + 3) % 7
        return (remainder < 0 ? remainder + 7 : remainder) + 1
    }

    /// The day so many days later (earlier when negative).
    package func advanced(by days: Int) -> CivilDate {
        CivilDate(daysSinceEpoch: daysSinceEpoch + min(max(days, -4_000_000), 4_000_000))
    }

    /// How many days lie from this day to the other; negative when the other is earlier.
    package func days(to other: CivilDate) -> Int {
        other.daysSinceEpoch - daysSinceEpoch
    }

    /// `YYYY-MM-DD`.
    package var description: String {
        let (year, month, day) = components
        // Pages have thousands of dates: those of four digits are written as one text.
        if (1000...9999).contains(year) {
            var rest = year * 10_000 + month * 100 + day
            return String(unsafeUninitializedCapacity: 10) { text in
                for place in (0..<10).reversed() {
                    if place == 4 || place == 7 {
                        text[place] = UInt8(ascii: "-")
                    } else {
                        text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                        rest /= 10
                    }
                }
                return 10
            }
        }
        return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    }

    package static func < (lhs: CivilDate, rhs: CivilDate) -> Bool {
        lhs.daysSinceEpoch < rhs.daysSinceEpoch
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// The number written with only ASCII digits, or nil.
func decimal(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard !bytes.isEmpty, bytes.count < 18 else { return nil }
    var value = 0
    for byte in bytes {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
}

/// The number in decimal with zeros in front up to the width.
func padded(_ value: Int, to width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// A week of ISO 8601: it begins on a Monday and belongs to the year in which its Thursday lies.
package struct CivilWeek: Hashable, Codable, Sendable, Comparable, CustomStringConvertible {
    /// The Monday it begins on.
    package let first: CivilDate

    /// The week in which a day lies.
    package init(of day: CivilDate) {
        first = day.advanced(by: 1 - day.weekday)
    }

    /// Reads `2026-W47` (ISO 8601).
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-W", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 4, parts[1].utf8.count == 2,
            parts.joined().utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let year = Int(parts[0]), let number = Int(parts[1]), year > 0, number > 0,
            let fourth = CivilDate(year: year, month: 1, day: 4)
        else { return nil }
        // The first week is that of January 4.
        self.init(of: fourth.advanced(by: (number - 1) * 7))
        guard self.year == year else { return nil }
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
