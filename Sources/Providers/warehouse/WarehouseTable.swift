import AppHealth
import Diagnostics

/// One value of an answer, whatever its column is.
enum WarehouseCell: Hashable, Sendable {
    case null
    case text(String)
    case integer(Int)
    /// A number that is not whole, or too large.
    case number(Double)
    case flag(Bool)

    /// What a message says of it.
    var words: String {
        switch self {
        case .null: "null"
        case .text(let text): quoted(text, limit: 40)
        case .integer(let number): String(number)
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        }
    }
}

extension WarehouseCell {
    /// The number, zero or more, in either form.
    var wholeNumber: Int? {
        switch self {
        case .integer(let number): number >= 0 ? number : nil
        case .text(let text): text.isEmpty ? nil : Providers.wholeNumber(text)
        case .null, .number, .flag: nil
        }
    }
}

extension WarehouseCell: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? WireLine(from: decoder) {
            self = .text(text.text)
        } else if let number = try? container.decode(Int.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else {
            throw decoder.mismatch("a text or a number")
        }
    }
}

/// The answer to a query whose columns are as they must be. A value that cannot be true costs its row.
struct WarehouseTable: Sendable {
    let query: WarehouseQuery
    private let places: [String: Int]
    private let rows: [[WarehouseCell]]
    /// What was skipped.
    private(set) var losses: SkippedValues
    /// How many rows made nothing.
    private(set) var skipped = 0
    private var taken: Set<[WarehouseCell]> = []

    init(
        _ query: WarehouseQuery, columns: [AnsweredColumn], rows: [[WarehouseCell]], losses: SkippedValues
    ) {
        self.query = query
        places = Dictionary(columns.enumerated().map { ($0.element.name, $0.offset) }) { first, _ in first }
        self.rows = rows
        self.losses = losses
    }

    /// The names of the columns and the rows as a person reads them.
    var shown: [[String]] {
        [places.sorted { $0.value < $1.value }.map { printable($0.key) }] + rows.map { $0.map(\.shown) }
    }

    /// Whether it has no row.
    var isEmpty: Bool { rows.isEmpty }

    func has(_ column: String) -> Bool { places[column] != nil }

    /// What `make` makes of each row; a row for which it has nothing, and one whose key was there before, is skipped.
    mutating func values<Value>(_ make: (inout WarehouseRow) -> Value?) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(rows.count)
        for (index, cells) in rows.enumerated() {
            var row = WarehouseRow(cells: cells, index: index, places: places, losses: losses)
            let value = make(&row)
            losses = row.losses
            let key = query.key.map { row.cell($0) }
            guard let value, losses.isFirst(key, in: &taken, at: "data[\(index)]", "these values") else {
                skipped += 1
                continue
            }
            values.append(value)
        }
        return values
    }
}

/// One row of an answer.
struct WarehouseRow {
    fileprivate let cells: [WarehouseCell]
    fileprivate let index: Int
    fileprivate let places: [String: Int]
    fileprivate var losses: SkippedValues

    func cell(_ column: String) -> WarehouseCell {
        guard let place = places[column], cells.indices.contains(place) else { return .null }
        return cells[place]
    }

    /// No table counts more than this: what a query makes of it, such as a product that overflowed, is no count.
    static let mostCounted = 1_000_000_000_000_000

    /// A count, zero or more; nil where it is null, not there, or none.
    mutating func count(_ column: String) -> Int? {
        let value = cell(column)
        if value == .null { return nil }
        let number: Int? =
            switch value {
            case .integer(let number): number
            case .text(let text): text.isEmpty ? nil : wholeNumber(text)
            case .number(let number): Int(exactly: number)
            case .null, .flag: nil
            }
        guard let number, number >= 0 else { return refuse(column, "a whole number, zero or more") }
        return number <= Self.mostCounted
            ? number : refuse(column, "a whole number up to \(Self.mostCounted)")
    }

    mutating func date(_ column: String) -> CivilDate? {
        guard case .text(let text) = cell(column), let date = CivilDate(Self.written(text.prefix(10))) else {
            return refuse(column, "a date such as \"2026-11-19\"")
        }
        return date
    }

    /// A date as later servers write it: old versions of ClickHouse have zeros for the first day of 1970.
    private static func written(_ date: Substring) -> Substring {
        date == "0000-00-00" ? "1970-01-01" : date
    }

    /// A time: with its zone, in UTC without one, or as seconds since 1970. The first second of all means none.
    mutating func instant(_ column: String) -> Instant? {
        switch cell(column) {
        case .null: return nil
        case .integer(let seconds): return seconds == 0 ? nil : Instant(secondsSinceEpoch: seconds)
        case .number(let seconds) where seconds.magnitude < 1e12:
            return Instant(secondsSinceEpoch: Int(seconds))
        case .text(let text):
            if let seconds = wholeNumber(text), !text.isEmpty {
                return seconds == 0 ? nil : Instant(secondsSinceEpoch: seconds)
            }
            if let instant = Instant(text) ?? Instant(text + "Z") { return instant }
        default: break
        }
        return refuse(column, "a time such as \"2026-11-20T06:00:00Z\"")
    }

    /// A text, never empty.
    func text(_ column: String) -> String? {
        switch cell(column) {
        case .text(let text): text.isEmpty ? nil : text
        case .integer(let number): String(number)
        default: nil
        }
    }

    /// A text that the row must have.
    mutating func required(_ column: String) -> String? {
        text(column) ?? refuse(column, "a text")
    }

    /// One of some words; another one is said and counts as none.
    mutating func word<Word: RawRepresentable & CaseIterable>(_ column: String) -> Word?
    where Word.RawValue == String {
        guard let text = text(column) else { return nil }
        if let word = Word(rawValue: text) { return word }
        losses.refuse(word: text, at: path(column), among: Word.allCases.map(\.rawValue))
        return nil
    }

    /// A count that is a part of a whole; nil with a warning where it is more than that.
    mutating func part(_ column: String, of whole: Int?) -> Int? {
        let part = count(column)
        guard let part, let whole, part > whole else { return part }
        losses.refuse(
            path(column), expected: "at most \(whole)", found: "\(part), which counts as unknown")
        return nil
    }

    /// The share that names a user, below 1, of all from which users are counted; nil where all do, or the answer does
    /// not say.
    ///
    /// - Parameter isExact: Whether a part cannot exceed the whole; two estimates may miss each other.
    mutating func namedShare(of all: Int?, without column: String, isExact: Bool = true) -> Double? {
        guard let all, let unnamed = isExact ? part(column, of: all) : count(column), unnamed > 0, all > 0
        else { return nil }
        return Double(all - min(unnamed, all)) / Double(all)
    }

    mutating func webAddress(_ column: String) -> String? {
        losses.webAddress(text(column), at: path(column))
    }

    private func path(_ column: String) -> String { "data[\(index)].\(column)" }

    private mutating func refuse<Value>(_ column: String, _ expected: String) -> Value? {
        losses.refuse(path(column), expected: expected, found: cell(column).words)
        return nil
    }
}
