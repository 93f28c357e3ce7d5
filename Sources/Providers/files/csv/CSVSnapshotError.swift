import Diagnostics

/// Why a table of days makes no snapshot.
enum CSVSnapshotError: Error, Hashable, Sendable {
    /// There is no record at all.
    case empty
    /// The header has no column of this name; `names` are those it has.
    case header(missing: String, names: [String], line: Int)
    /// Neither a comment nor the file's name says when the counts were made.
    case noTime
    /// The comment's time is none.
    case time(String, line: Int)
    /// A comment names another app.
    case otherApp(String, wanted: String, line: Int)

    /// What to tell; `document` is the file.
    func diagnostic(in document: String) -> Diagnostic {
        switch self {
        case .empty:
            .error(
                "csv.empty", "files: table has no header", at: .file(path: document),
                hints: ["begin it with 'date,sessions,crashed_sessions'"])
        case .header(let missing, let names, let line):
            header(missing, names, .file(path: document, line: line))
        case .noTime:
            .error(
                "csv.captured-at", "files: table has no capture time", at: .file(path: document),
                hints: [
                    "add '# capturedAt: 2026-11-20T06:00:00Z' above its header, or the date to its name"
                ])
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
        }
    }

    private func header(_ missing: String, _ names: [String], _ place: Location) -> Diagnostic {
        let isOther = names.count == 1 && (names.first?.contains { ";\t".contains($0) } ?? false)
        let hint =
            isOther ? "separate the columns by commas" : "name the columns as the documentation does"
        let nearest = nearestName(to: missing, among: names.map { String($0.prefix(60)) })
        return .error(
            "csv.header", "files: header has no column '\(missing)'",
            details: [
                "columns: \(names.prefix(20).map { quoted($0, limit: 40) }.joined(separator: ", "))"
            ],
            at: place, hints: [nearest.map { "write '\(missing)' for \(quoted($0, limit: 40))" } ?? hint])
    }
}
