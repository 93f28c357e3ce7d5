import AppHealth
import Diagnostics

/// The expected columns that tables of a report lack: it can be read, and less is known of it.
struct AppStoreConnectLackingColumns {
    let report: AppStoreConnectReport
    /// When the newest instance without it was processed, with the columns that this has.
    private var found: [String: (processed: CivilDate, columns: [String])] = [:]

    init(report: AppStoreConnectReport) { self.report = report }

    /// Adds what a table lacks; instances come newest first. A table without any column is that of a day without rows.
    mutating func add(_ table: AppStoreConnectTable, _ processed: CivilDate) {
        guard !table.columns.isEmpty else { return }
        for column in report.expectedColumns where !table.has(column.name) && found[column.name] == nil {
            found[column.name] = (processed, table.columns.prefix(30).map { String($0.prefix(60)) })
        }
    }

    /// One for each column.
    var warnings: [Diagnostic] {
        let (name, title) = (AppStoreConnectProvider.name, report.names[0])
        return report.expectedColumns.compactMap { column in
            guard let (processed, known) = found[column.name] else { return nil }
            let nearest = nearestName(to: column.name, among: known)
            return .warning(
                "\(name).column", "\(name): the report '\(title)' has no column '\(column.name)'",
                details: [column.use, "columns: \(known.map(printable).joined(separator: ", "))"],
                at: .keyPath(document: title, path: "processed \(processed)"),
                hints: [
                    nearest.map { "report this; the column may be called '\(printable($0))' now" }
                        ?? "report this, with a recording: --record"
                ])
        }
    }
}
