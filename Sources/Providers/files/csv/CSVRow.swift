import AppHealth
import Diagnostics

/// One row of a table of days with its values read; a row with a value that cannot be is none.
struct CSVRow {
    private struct Refusal: Error {
        var column: CSVColumn?
        var expected: String
        var found: String
        var hint = "fix the row where it is written"
    }

    let date: CivilDate
    /// The label of the release; nil for all releases together.
    let release: String?
    private var counts: [CSVColumn: Int]
    /// Whether the table has more rows of the same day and release: which of them is the day is not known.
    var hasOthers = false

    /// Reads a record; why it is none goes to the losses, with its line.
    init?(_ record: CSVText.Record, of table: CSVTable, document: String, losses: inout SkippedValues) {
        do throws(Refusal) {
            guard record.fields.count == table.header.fields.count else {
                throw Refusal(
                    expected: "\(table.header.fields.count) fields, as in the header",
                    found: "\(record.fields.count)")
            }
            var cells: [CSVColumn: String] = [:]
            for (column, place) in table.columns {
                cells[column] = valueCell(record.fields[place], of: column)
            }
            date = try Self.date(cells[.date] ?? "", table.dates)
            release = cells[.release].flatMap { $0.isEmpty ? nil : bounded($0) }
            counts = try Self.counts(cells, table.decimalMarks)
            try addRates(cells, of: table)
        } catch {
            let column = error.column.map { ", \(printable(String(table.name(of: $0).prefix(60))))" } ?? ""
            losses.add(
                .warning(
                    "csv.row",
                    "files: line \(record.line)\(column): expected \(error.expected), found \(error.found)",
                    at: .file(path: document, line: record.line),
                    hints: [error.hint]))
            return nil
        }
        for (part, whole) in [(CSVColumn.crashedSessions, CSVColumn.sessions), (.crashedUsers, .users)] {
            guard let words = withoutImpossible(part, of: whole) else { continue }
            let column = printable(String(table.name(of: part).prefix(60)))
            losses.add(
                .warning(
                    "csv.row", "files: line \(record.line), \(column): \(words)",
                    at: .file(path: document, line: record.line),
                    hints: ["fix the row where it is written"]))
        }
    }

    /// Makes what cannot be a part of its whole unknown and says so; nil where it can be. The rest of the row is known.
    private mutating func withoutImpossible(_ part: CSVColumn, of whole: CSVColumn) -> String? {
        guard let crashed = counts[part], let all = counts[whole], crashed > all else { return nil }
        counts[part] = nil
        return "expected at most the \(all) \(whole) of that day, found \(crashed), which counts as unknown"
    }

    /// The count of a field; nil when its cell is empty or there is no such column.
    subscript(column: CSVColumn) -> Int? { counts[column] }

    /// Adds the counts of another row of the same day.
    mutating func add(_ other: CSVRow) {
        counts.merge(other.counts) { first, second in checkedSum([first, second]) ?? .max }
    }

    private static func date(_ cell: String, _ dates: CSVDates) throws(Refusal) -> CivilDate {
        guard let date = dates.date(cell) else {
            var refusal = Refusal(
                column: .date, expected: dates.expected(for: cell), found: quoted(cell, limit: 40))
            if dates.lacksOrder(for: cell) { refusal.hint = "set 'dates' to day-first or month-first" }
            if dates.isTimeOfOtherZone(cell) {
                refusal.hint = "write the date of the day, or state the zone of the days with '# zone: …'"
            }
            throw refusal
        }
        return date
    }

    private static func counts(
        _ cells: [CSVColumn: String], _ marks: CSVDecimalMarks
    ) throws(Refusal) -> [CSVColumn: Int] {
        var result: [CSVColumn: Int] = [:]
        // In the order of the cases: the first fault of a row must not depend on the order of a dictionary.
        for column in CSVColumn.allCases where column.isCount {
            guard let cell = cells[column], !cell.isEmpty else { continue }
            guard let count = CSVNumber(cell, isCount: true, decimalMark: marks[column])?.count
            else {
                throw Refusal(
                    column: column, expected: "a whole number or nothing", found: quoted(cell, limit: 40))
            }
            result[column] = count
        }
        return result
    }

    /// What rates give next to what they are of. Without it a rate says nothing of a number.
    private mutating func addRates(_ cells: [CSVColumn: String], of table: CSVTable) throws(Refusal) {
        for column in CSVColumn.allCases {
            guard let rate = column.rate, let cell = cells[column], !cell.isEmpty else { continue }
            guard let fraction = csvFraction(cell, isPercent: table.name(of: column).contains("%")) else {
                throw Refusal(
                    column: column,
                    expected: "a percentage with its sign, such as 99.53%, or a fraction in 0…1",
                    found: quoted(cell, limit: 40))
            }
            guard counts[rate.part] == nil, let whole = counts[rate.whole] else { continue }
            let part = Double(whole) * (rate.isCrashFree ? 1 - fraction : fraction)
            counts[rate.part] = Self.count(nearest: part, of: whole)
        }
    }

    /// A whole count that a rate means: none or all only where the rate says so.
    private static func count(nearest part: Double, of whole: Int) -> Int {
        guard part > 0, part < Double(whole) else { return Int(part.rounded()) }
        return max(1, min(Int(part.rounded()), whole - 1))
    }
}

/// A cell without blanks at its ends, and without the `'` by which programs keep others from reading a formula.
func plainCell(_ text: String) -> String {
    let cell = trimmed(text)
    let rest = cell.dropFirst().drop { " \t,;|\"'".contains($0) }
    guard cell.first == "'", let next = rest.first, "=+-@".contains(next) else { return cell }
    return String(cell.dropFirst())
}

/// The cell of a field; empty where it is what databases and programs write for no value. That of a date names a day or
/// is a fault, and releases whose version is unknown may be called `N/A`: they are not all releases together.
func valueCell(_ text: String, of column: CSVColumn) -> String {
    let cell = plainCell(text)
    if column == .date { return cell }
    return nullWords.contains(cell) || column != .release && missingWords.contains(cell) ? "" : cell
}

/// NULL and not-a-number, as ClickHouse, MySQL, Hive, SQL Server, Python and NumPy write them.
let nullWords: Set = [#"\N"#, "NULL", "null", "NaN", "nan", "None", "<NA>"]
/// What programs and people write where a number is missing.
private let missingWords: Set = ["N/A", "n/a", "#N/A", "NA"]

/// The label within the bound of names, without NUL.
private func bounded(_ text: String) -> String {
    String(
        String.UnicodeScalarView(
            text.unicodeScalars.lazy.filter { $0 != "\0" }.prefix(NameBound.scalars)))
}
