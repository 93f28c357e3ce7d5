import AppHealth
import GRDB

/// A column holds what this version of the program does not understand.
struct UnreadableColumn: Error {}

/// Days that a snapshot can name: those of the years 1 to 9999, and more. A number beyond is a byte that changed.
private let plausibleDays = -1_000_000...4_000_000

/// Reads the columns of one row from the left to the right, each as exactly the type that is requested:
/// SQLite's own conversions would turn a stray text into zero.
struct ColumnReader {
    private let row: Row
    private let versions: [Int64: Version]
    private var index = 0

    init(row: Row, versions: [Int64: Version] = [:]) {
        self.row = row
        self.versions = versions
    }

    /// A whole number; nil for NULL.
    mutating func optionalInteger() throws(UnreadableColumn) -> Int? {
        switch try next().storage {
        case .null: return nil
        case .int64(let value): return Int(exactly: value)
        default: throw UnreadableColumn()
        }
    }

    /// A whole number.
    mutating func integer() throws(UnreadableColumn) -> Int {
        try required(optionalInteger())
    }

    /// A number; nil for NULL.
    mutating func optionalNumber() throws(UnreadableColumn) -> Double? {
        switch try next().storage {
        case .null: return nil
        case .double(let value): return value
        default: throw UnreadableColumn()
        }
    }

    /// A share of 0 or more and below 1; nil for NULL.
    mutating func optionalPart() throws(UnreadableColumn) -> Double? {
        guard let share = try optionalNumber() else { return nil }
        guard share >= 0, share < 1 else { throw UnreadableColumn() }
        return share
    }

    /// A text; nil for NULL.
    mutating func optionalText() throws(UnreadableColumn) -> String? {
        switch try next().storage {
        case .null: return nil
        case .string(let text): return text
        default: throw UnreadableColumn()
        }
    }

    /// A text.
    mutating func text() throws(UnreadableColumn) -> String {
        try required(optionalText())
    }

    /// One of the words of an enumeration.
    mutating func word<Word: RawRepresentable<String>>() throws(UnreadableColumn) -> Word {
        try required(Word(rawValue: text()))
    }

    /// A day.
    mutating func date() throws(UnreadableColumn) -> CivilDate {
        CivilDate(daysSinceEpoch: try integer(within: plausibleDays))
    }

    /// A whole number that is one of these.
    private mutating func integer(within numbers: ClosedRange<Int>) throws(UnreadableColumn) -> Int {
        let number = try integer()
        guard numbers.contains(number) else { throw UnreadableColumn() }
        return number
    }

    /// An hour.
    mutating func hour() throws(UnreadableColumn) -> UTCHour {
        UTCHour(
            hoursSinceEpoch: try integer(
                within: plausibleDays.lowerBound * 24...plausibleDays.upperBound * 24))
    }

    /// An instant; nil for NULL.
    mutating func optionalInstant() throws(UnreadableColumn) -> Instant? {
        try optionalInteger().map(Instant.init(secondsSinceEpoch:))
    }

    /// The instant that comes next, which is read once more.
    func upcomingInstant() throws(UnreadableColumn) -> Instant {
        var reader = self
        return try reader.instant()
    }

    /// An instant.
    mutating func instant() throws(UnreadableColumn) -> Instant {
        try required(optionalInstant())
    }

    /// A version by its number; nil for NULL and for all releases together.
    mutating func optionalVersion() throws(UnreadableColumn) -> Version? {
        guard let id = try optionalInteger(), id != 0 else { return nil }
        return try required(versions[Int64(id)])
    }

    /// A version by its number.
    mutating func version() throws(UnreadableColumn) -> Version {
        try required(optionalVersion())
    }

    /// The name of an issue from two columns, its number and its name; `last` saves reading the same text
    /// again for each day of an issue.
    mutating func issueName(_ last: inout (id: Int, name: String)?) throws(UnreadableColumn) -> String {
        let id = try integer()
        if let last, last.id == id {
            index += 1
            return last.name
        }
        let name = try text()
        last = (id, name)
        return name
    }

    private mutating func next() throws(UnreadableColumn) -> DatabaseValue {
        guard index < row.count else { throw UnreadableColumn() }
        defer { index += 1 }
        return row[index]
    }

    private func required<Value>(_ value: Value?) throws(UnreadableColumn) -> Value {
        guard let value else { throw UnreadableColumn() }
        return value
    }
}
