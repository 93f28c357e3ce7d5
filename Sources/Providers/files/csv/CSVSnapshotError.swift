import AppHealth
import Diagnostics

/// Why a table of days makes no snapshot.
enum CSVSnapshotError: Error, Hashable, Sendable {
    /// There is no record at all.
    case empty
    /// The header has more fields than are read.
    case wide(line: Int)
    /// The header has no column of this name; `names` are those it has.
    case header(missing: String, names: [String], line: Int)
    /// Each day is there once for every value of something.
    case dimension(String, line: Int)
    /// The comment's time is none.
    case time(String, line: Int)
    /// A comment names another app.
    case otherApp(String, wanted: String, line: Int)

    /// The rows are of several apps by the column with this header, and none is stated.
    case severalApps(String, [String], line: Int)
    /// No row is of the app that is stated; `names` are those that the column has.
    case noRowOfApp(String, header: String, [String], line: Int)

    /// No row could be read; the first has this fault.
    case noRow(Int, first: Diagnostic, capturedAt: Instant)

    /// When the table was captured, where that is known.
    var capturedAt: Instant? {
        if case .noRow(_, _, let time) = self { time } else { nil }
    }

    /// What to report; `document` is the file.
    func diagnostic(in document: String) -> Diagnostic {
        switch self {
        case .empty:
            .error(
                "csv.empty", "files: table has no header", at: .file(path: document),
                hints: ["begin it with 'date,sessions,crashed_sessions'"])
        case .wide(let line):
            .error(
                "csv.too-many-fields", "files: header has more than \(CSVText.mostFields) fields",
                at: .file(path: document, line: line),
                hints: ["keep \(CSVText.mostFields) columns at most: remove some that are not read"])
        case .header(let missing, let names, let line):
            header(missing, names, .file(path: document, line: line))
        case .dimension(let name, let line):
            .error(
                "csv.dimension",
                "files: table has a row for each \(quoted(name, limit: 40)), which repeats days",
                at: .file(path: document, line: line), hints: ["give the file that ends in _overview.csv"])
        case .time(let text, let line):
            .error(
                "csv.captured-at",
                "files: capturedAt: expected a time such as 2026-11-20T06:00:00Z, found \(quoted(text, limit: 40))",
                at: .file(path: document, line: line), hints: ["fix the comment"])
        case .otherApp(let name, let wanted, let line):
            .error(
                "csv.app",
                "files: app: expected '\(wanted)', the app of this source, found \(quoted(name, limit: 40))",
                at: .file(path: document, line: line),
                hints: ["write the app's id into the comment, or read the file for the other app"])
        case .severalApps(let header, let names, let line):
            Providers.severalApps(header, names, in: "table has", .file(path: document, line: line))
        case .noRowOfApp(let app, let header, let names, let line):
            noRow(of: app, header, names, .file(path: document, line: line))
        case .noRow(let count, let first, _):
            .error(
                "csv.no-row",
                "files: \(count == 1 ? "the only row could not" : "none of \(count) rows could") be read; "
                    + first.summary.replacing("files: ", with: "", maxReplacements: 1),
                at: first.location, hints: first.hints)
        }
    }

    private func noRow(
        of app: String, _ header: String, _ names: [String], _ place: Location
    ) -> Diagnostic {
        let nearest = nearestName(to: app, among: names.map { String($0.prefix(60)) })
        return .error(
            "csv.no-app",
            "files: no row has \(quoted(app, limit: 60)), the 'app' of the source, in \(quoted(header, limit: 60))",
            details: ["apps found: \(listed(names))"], at: place,
            hints: [nearest.map { "set 'app' to \(quoted($0, limit: 60))" } ?? "set 'app' to one of them"])
    }

    /// The header that was meant for the missing column, when one is close.
    var nearestHeader: String? {
        guard case .header(let missing, let names, _) = self else { return nil }
        return nearestName(to: missing, among: names.map { String($0.prefix(60)) })
    }

    private func header(_ missing: String, _ names: [String], _ place: Location) -> Diagnostic {
        .error(
            "csv.header", "files: header has no column '\(missing)'",
            details: ["columns: \(listed(headers: names))"], at: place,
            hints: [isOfOtherEncoding ? saveAsUTF8 : hint(for: missing, nearest: nearestHeader)])
    }

    /// Whether a column may be missing as the header is not UTF-8.
    var isOfOtherEncoding: Bool {
        if case .header(_, let names, _) = self { isOutsideUTF8(names) } else { false }
    }
}

/// That none of several tables has a column that the source names; the names of those that each file has.
func noTable(
    has missing: String, among tables: [(document: String, names: [String])], _ place: Location
) -> Diagnostic {
    let nearest = nearestName(
        to: missing, among: Set(tables.flatMap(\.names)).map { String($0.prefix(60)) })
    let shown = tables.suffix(mostTablesNamed)
    let more = tables.count > shown.count ? ["and \(tables.count - shown.count) tables before"] : []
    return .error(
        "csv.header",
        "files: none of \(tables.count) tables has the column '\(printable(String(missing.prefix(60))))'",
        details: shown.map { "\($0.document): \(listed(headers: $0.names))" } + more, at: place,
        hints: [
            isOutsideUTF8(tables.flatMap(\.names))
                ? saveAsUTF8
                : nearest.map { "write \(quoted($0, limit: 40)) in 'columns' if that was meant" }
                    ?? hint(for: missing, nearest: nil)
        ])
}

/// What to do with a text of another encoding.
let saveAsUTF8 = "save the file as UTF-8: letters outside ASCII cannot be read otherwise"

/// Whether headers have letters that are none in UTF-8.
private func isOutsideUTF8(_ names: [String]) -> Bool { names.contains { $0.contains("\u{FFFD}") } }

/// So many tables are named.
private let mostTablesNamed = 5

private func listed(headers: [String]) -> String {
    headers.prefix(20).map { quoted($0, limit: 40) }.joined(separator: ", ")
}

private func hint(for missing: String, nearest: String?) -> String {
    nearest.map { "write '\(printable(String(missing.prefix(60))))' for \(quoted($0, limit: 40))" }
        ?? "name your own headers with 'columns': plimsoll import --preview proposes them"
}
