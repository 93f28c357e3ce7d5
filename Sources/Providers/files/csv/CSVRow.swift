import AppHealth
import Diagnostics

/// One row of a table of days with its values read; a row with a value that cannot be is none.
struct CSVRow {
    private struct Refusal: Error {
        var column: CSVColumn?
        var expected: String
        var found: String
    }

    let date: CivilDate
    /// The label of the release; nil for all releases together.
    let release: String?
    private let counts: [CSVColumn: Int]

    /// Reads a record; why it is none goes to the losses, with its line.
    init?(_ record: CSVText.Record, of table: CSVTable, document: String, losses: inout SkippedValues) {
        do throws(Refusal) {
            guard record.fields.count == table.header.fields.count else {
                throw Refusal(
                    expected: "\(table.header.fields.count) fields, as in the header",
                    found: "\(record.fields.count)")
            }
            let cells = table.columns.mapValues { trimmed(record.fields[$0]) }
            date = try Self.date(cells[.date] ?? "")
            release = cells[.release].flatMap { $0.isEmpty ? nil : bounded($0) }
            counts = try Self.counts(cells)
            try Self.check(.crashedSessions, .sessions, "sessions", counts)
            try Self.check(.crashedUsers, .users, "users", counts)
        } catch {
            let column = error.column.map { ", \($0.rawValue)" } ?? ""
            losses.add(
                .warning(
                    "csv.row",
                    "files: line \(record.line)\(column): expected \(error.expected), found \(error.found)",
                    at: .file(path: document, line: record.line),
                    hints: ["fix the row where it is written"]))
            return nil
        }
    }

    /// The count of a column; nil when its cell is empty or there is no such column.
    subscript(column: CSVColumn) -> Int? { counts[column] }

    private static func date(_ cell: String) throws(Refusal) -> CivilDate {
        guard let date = CivilDate(cell) else {
            throw Refusal(
                column: .date, expected: "a date such as 2026-11-19", found: quoted(cell, limit: 40))
        }
        return date
    }

    private static func counts(_ cells: [CSVColumn: String]) throws(Refusal) -> [CSVColumn: Int] {
        var result: [CSVColumn: Int] = [:]
        // In the order of the cases: the first fault of a row must not depend on the order of a dictionary.
        for column in CSVColumn.allCases where column != .date && column != .release {
            guard let cell = cells[column], !cell.isEmpty else { continue }
            guard cell.utf8.allSatisfy({ (48...57).contains($0) }), let count = Int(cell) else {
                throw Refusal(
                    column: column, expected: "a whole number or nothing", found: quoted(cell, limit: 40))
            }
            result[column] = count
        }
        return result
    }

    private static func check(
        _ part: CSVColumn, _ whole: CSVColumn, _ words: String, _ counts: [CSVColumn: Int]
    ) throws(Refusal) {
        guard let crashed = counts[part], let all = counts[whole], crashed > all else { return }
        throw Refusal(
            column: part, expected: "at most the \(all) \(words) of that day", found: String(crashed))
    }
}

/// The label within the bound of names, without NUL.
private func bounded(_ text: String) -> String {
    String(
        String.UnicodeScalarView(
            text.unicodeScalars.lazy.filter { $0 != "\0" }.prefix(NameBound.scalars)))
}

/// A column of a table of days; the raw value is its name in the header.
enum CSVColumn: String, CaseIterable, Sendable {
    /// The day, `2026-11-19`.
    case date
    /// The label of a release; empty for all releases together.
    case release
    /// All sessions of the day.
    case sessions
    /// Sessions that ended in a crash.
    case crashedSessions = "crashed_sessions"
    /// Distinct users of the day.
    case users
    /// Distinct users who met a crash.
    case crashedUsers = "crashed_users"
    /// Distinct users of the day, for usage.
    case activeUsers = "active_users"
    /// Users seen for the first time.
    case newUsers = "new_users"
}

/// What a comment may tell of the whole table: `# zone: Europe/Lisbon`; the raw value is the word before the
/// colon, as in a snapshot file.
enum CSVFact: String, CaseIterable, Sendable {
    case app, capturedAt, name, session, user, zone, delay
}
