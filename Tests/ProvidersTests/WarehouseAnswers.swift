@testable import Providers

extension WarehouseQuery {
    /// Those that read the table of crashes alone.
    static let ofTheCrashTable: Set<WarehouseQuery> = [
        .crashDays, .issues, .issueDays, .issueReleases, .issueHours,
    ]
    /// Those, and sessions whose crashes the table of crashes says.
    static let joinedWithCrashes = ofTheCrashTable.union([.days, .releaseDays, .hours])
}

/// What a warehouse answers to a query.
func answer(
    _ query: WarehouseQuery, _ columns: [(String, WarehouseColumn.Kind)], _ rows: [[WarehouseCell]]
) -> WarehouseTable {
    WarehouseTable(
        query, columns: columns.map { AnsweredColumn(name: $0.0, type: "", kind: $0.1) }, rows: rows,
        losses: SkippedValues(provider: "bigquery", endpoint: query.rawValue))
}
