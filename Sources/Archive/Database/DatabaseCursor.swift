import GRDB

extension Database {
    /// The rows that a statement gives, which is prepared once for a connection: of many apps each is read by the same
    /// ones. One cursor of a statement has to be done before the next begins.
    func cursor(_ statement: String, _ arguments: StatementArguments) throws -> RowCursor {
        try Row.fetchCursor(try cachedStatement(sql: statement), arguments: arguments)
    }
}
