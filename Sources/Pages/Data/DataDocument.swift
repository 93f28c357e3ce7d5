import Analysis
package import AppHealth

/// The numbers of a page for programs: tables of typed cells.
package struct DataDocument: Sendable {
    /// What it is about.
    package var title: String
    /// When the newest of its figures was captured; nil when that is not known.
    package var capturedAt: Instant?
    /// Whether the figures are made up.
    package var isDemo: Bool
    /// The tables; the first is the one that is also written as CSV.
    package var tables: [DataTable]

    /// Makes a document.
    package init(title: String, capturedAt: Instant?, site: SiteFacts, tables: [DataTable]) {
        self.title = title
        self.capturedAt = capturedAt
        self.isDemo = site.isDemo
        self.tables = site.audience.hidesCounts ? tables.map(\.withoutCounts) : tables
    }
}

/// A table with named columns; every row has as many cells as there are columns.
package struct DataTable: Sendable {
    /// The name, in lower camel case.
    package var name: String
    /// The columns, in lower camel case.
    package var columns: [String]
    /// The rows in the order of the page.
    package var rows: [[DataCell]]

    /// Makes a table.
    package init(_ name: String, columns: [String], rows: [[DataCell]]) {
        self.name = name
        self.columns = columns
        self.rows = rows
    }
}

/// One value of a table; what is not known is `absent`, never zero.
package enum DataCell: Hashable, Sendable {
    case text(String)
    case count(Int)
    /// A share in 0…1.
    case rate(Double)
    /// A finite number that is neither a count nor a share.
    case number(Double)
    case flag(Bool)
    case absent
}

extension DataCell {
    static func count(orAbsent value: Int?) -> DataCell { value.map(DataCell.count) ?? .absent }
    static func text(orAbsent value: String?) -> DataCell { value.map(DataCell.text) ?? .absent }
    static func flag(orAbsent value: Bool?) -> DataCell { value.map(DataCell.flag) ?? .absent }
}
