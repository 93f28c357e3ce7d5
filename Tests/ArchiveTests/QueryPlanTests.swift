import GRDB
import Testing

@testable import Archive

struct QueryPlanTests {
    static let tables: [RevisionTable] = [
        .health, .usage, .releases, .issues, .issueDays, .notes, .descriptions, .healthHours, .deviceDays,
        .issueHours,
    ]

    @Test(arguments: tables.map(\.name))
    func revisionsAreFoundByKeyAndReadWithoutSorting(_ name: String) throws {
        let folder = try TemporaryFolder()
        let table = try #require(Self.tables.first { $0.name == name })
        try folder.archive().read { database in
            for statement in [table.reading, table.comparison] {
                let explanation = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + statement)
                explanation.setUncheckedArguments(
                    StatementArguments(Array(repeating: 0, count: table.parameterCount(of: statement))))
                let plan = try Row.fetchAll(explanation).map { String.fromDatabaseValue($0["detail"]) ?? "" }
                #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") }, "\(plan)")
            }
        }
    }

    @Test(arguments: tables.map(\.name))
    func everyColumnOfATableIsKeyTimeOrValue(_ name: String) throws {
        let folder = try TemporaryFolder()
        let table = try #require(Self.tables.first { $0.name == name })
        let columns = try folder.archive().read { try $0.columns(in: name).map(\.name) }
        let owner = table.isByIssue ? "issue_id" : "source_id"
        #expect(columns == [owner] + table.key + ["captured_at"] + table.values)
    }
}

extension RevisionTable {
    /// How many values a statement of the table wants.
    fileprivate func parameterCount(of statement: String) -> Int {
        statement == reading ? 2 : key.count + values.count + (wholeNumber == nil ? 2 : 3)
    }
}
