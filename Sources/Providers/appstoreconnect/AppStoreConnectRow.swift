import AppHealth

/// One row of a report with its values read: what was counted of one kind of device, version and so on in a day.
struct AppStoreConnectRow: Equatable, Sendable {
    /// The day, in UTC.
    var date: CivilDate
    /// The version that users see; nil when the row reports none.
    var version: String?
    /// The kind of device: `iPhone`.
    var device: String
    /// What the report counts; nil when the row does not count or its cell is empty.
    var count: Int?
    /// Distinct devices of its day and kind; nil when its cell is empty, and where the table has more rows of the kind or
    /// may have had them: rows of fewer than five devices are missing.
    var devices: Int?

    /// The rows of a table; one that cannot be costs itself.
    /// - Parameter app: The Apple ID; rows of other apps are skipped.
    static func rows(
        of table: AppStoreConnectTable, _ report: AppStoreConnectReport, app: String, at place: String,
        losses: inout SkippedValues
    ) -> [AppStoreConnectRow] {
        table.rows.compactMap { row in
            AppStoreConnectRow(
                row, of: table, report, app: app, at: "\(place), line \(row.line)", losses: &losses)
        }
    }

    private init?(
        _ row: AppStoreConnectTable.Row, of table: AppStoreConnectTable,
        _ report: AppStoreConnectReport,
        app: String, at place: String, losses: inout SkippedValues
    ) {
        guard row.cells.count == table.columns.count else {
            losses.refuse(
                place, expected: "\(table.columns.count) cells, as in the first line",
                found: "\(row.cells.count)")
            return nil
        }
        let named = table.cell("App Apple Identifier", row)
        guard named.isEmpty || named == app else {
            losses.refuse(
                "\(place), App Apple Identifier", expected: app, found: quoted(named, limit: 40))
            return nil
        }
        guard let date = CivilDate(table.cell("Date", row)) else {
            losses.refuse(
                "\(place), Date", expected: "a date such as 2026-11-19",
                found: quoted(table.cell("Date", row), limit: 40))
            return nil
        }
        guard let count = wholeCell(report.countColumn, row, of: table, at: place, &losses),
            let devices = wholeCell("Unique Devices", row, of: table, at: place, &losses)
        else { return nil }
        self.date = date
        version = label(table.cell("App Version", row))
        device = table.cell("Device", row)
        self.count = report.counts(row, of: table) ? count : nil
        self.devices = report.undividedColumns.isSuperset(of: table.columns) ? devices : nil
    }
}

/// A count; nil within for an empty cell, which is no zero: the service leaves out what could identify a person.
private func wholeCell(
    _ column: String, _ row: AppStoreConnectTable.Row, of table: AppStoreConnectTable,
    at place: String,
    _ losses: inout SkippedValues
) -> Int?? {
    let text = table.cell(column, row)
    guard !text.isEmpty else { return .some(nil) }
    // Rows are added up: no sum of bounded counts leaves 63 bits.
    guard let number = wholeNumber(text), number < 1 << 36 else {
        losses.refuse(
            "\(place), \(column)", expected: "a whole number or nothing", found: quoted(text, limit: 40))
        return nil
    }
    return .some(number)
}

/// The label within the bound of names, without NUL; nil when nothing is left.
private func label(_ text: String) -> String? {
    let scalars = text.unicodeScalars.lazy.filter { $0 != "\0" }.prefix(NameBound.scalars)
    let label = String(String.UnicodeScalarView(scalars))
    return label.isEmpty ? nil : label
}
