import GRDB
import GRDBSQLite

/// A statement that runs for many rows, each time with other values.
///
/// It is stepped by SQLite's own interface: what GRDB does around each run costs as much as the run itself. It belongs
/// to one connection and runs inside a transaction that GRDB began.
struct RowStatement {
    private let statement: Statement

    init(_ sql: String, in database: Database) throws {
        statement = try database.cachedStatement(sql: sql)
    }

    /// Runs it with the values for its parameters in their order; the first column of the first row, nil without one.
    @discardableResult
    func run(_ values: [Field], _ more: [Field] = []) throws -> Int64? {
        let handle = statement.sqliteStatement
        defer { sqlite3_reset(handle) }
        try bind(values, after: 0)
        try bind(more, after: values.count)
        switch sqlite3_step(handle) {
        case SQLITE_DONE: return nil
        case SQLITE_ROW: return sqlite3_column_int64(handle, 0)
        default: throw error
        }
    }

    private func bind(_ values: [Field], after count: Int) throws {
        let handle = statement.sqliteStatement
        for index in values.indices {
            let place = CInt(count + index + 1)
            let code =
                switch values[index] {
                case .null: sqlite3_bind_null(handle, place)
                case .integer(let number): sqlite3_bind_int64(handle, place, number)
                case .real(let number): sqlite3_bind_double(handle, place, number)
                case .text(let text): text.bind(to: handle, at: place)
                }
            guard code == SQLITE_OK else { throw error }
        }
    }

    private var error: DatabaseError {
        let connection = sqlite3_db_handle(statement.sqliteStatement)
        return DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection)))
    }
}
