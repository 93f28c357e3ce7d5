import AppHealth
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
    func run(_ values: [Field]) throws -> Int64? {
        defer { sqlite3_reset(statement.sqliteStatement) }
        try bind(values, after: 0)
        return try step()
    }

    /// The same for a revision: its key, the second of its capture, and its values.
    func run(_ key: [Field], at second: Int, _ values: [Field]) throws -> Int64? {
        let handle = statement.sqliteStatement
        defer { sqlite3_reset(handle) }
        try bind(key, after: 0)
        guard sqlite3_bind_int64(handle, CInt(key.count + 1), Int64(second)) == SQLITE_OK else { throw error }
        try bind(values, after: key.count + 1)
        return try step()
    }

    /// The first row for the values of its parameters; nil without one.
    func row(_ values: [Field]) throws -> [Field]? {
        let handle = statement.sqliteStatement
        defer { sqlite3_reset(handle) }
        try bind(values, after: 0)
        guard try step() != nil else { return nil }
        return (0..<sqlite3_column_count(handle)).map { Field(ofColumn: $0, in: handle) }
    }

    /// Hands over each row for the values of its parameters.
    func forEach(_ values: [Field], _ take: (RowColumns) throws -> Void) throws {
        let handle = statement.sqliteStatement
        defer { sqlite3_reset(handle) }
        try bind(values, after: 0)
        while try step() != nil { try take(RowColumns(statement: handle)) }
    }

    private func step() throws -> Int64? {
        let handle = statement.sqliteStatement
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

/// The columns of the row at which a statement is.
struct RowColumns {
    fileprivate let statement: SQLiteStatement

    /// A whole number; nil where there is none.
    func integer(_ column: Int) -> Int64? {
        let column = CInt(column)
        return sqlite3_column_type(statement, column) == SQLITE_INTEGER
            ? sqlite3_column_int64(statement, column) : nil
    }

    /// A day, stored by its number.
    func date(_ column: Int) -> CivilDate { CivilDate(daysSinceEpoch: Int(integer(column) ?? 0)) }
}

extension Field {
    /// What a statement has in a column of its row.
    fileprivate init(ofColumn column: CInt, in statement: SQLiteStatement) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            self = sqlite3_column_text(statement, column).map { .text(String(cString: $0)) } ?? .null
        default: self = .null
        }
    }
}
