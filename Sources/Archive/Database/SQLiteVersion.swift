import GRDBSQLite

/// The version of the database library.
package var sqliteVersion: String { String(cString: sqlite3_libversion()) }
