import Diagnostics

/// How many bytes a query would read, worked out from what the server says before it runs: `EXPLAIN ESTIMATE` gives the
/// rows of each table, and the catalog the mean width of each column that the query names.
///
/// Parts that are not divided by column count as a whole; they are small. A table of another server is not among those
/// that are estimated: there the server's own limit holds, which ends a query that has read so much.
struct ClickHouseBytes: Sendable {
    /// A table of which rows would be read.
    struct Table: Hashable, Sendable {
        var database: String
        var name: String
    }

    private var rows: [Table: Int] = [:]

    /// Reads the response to `EXPLAIN ESTIMATE`; nil when it is none.
    init?(_ answer: ClickHouseAnswer) {
        func place(_ name: String) -> Int? { answer.columns.firstIndex { $0.name == name } }
        guard let database = place("database"), let table = place("table"), let count = place("rows") else {
            return nil
        }
        for cells in answer.data.values where cells.count > max(database, table, count) {
            guard case .text(let first) = cells[database], case .text(let second) = cells[table],
                let number = cells[count].wholeNumber
            else { return nil }
            let key = Table(database: first, name: second)
            let (sum, isTooMany) = rows[key, default: 0].addingReportingOverflow(number)
            guard !isTooMany else { return nil }
            rows[key] = sum
        }
    }

    var tables: [Table] { rows.keys.sorted { ($0.database, $0.name) < ($1.database, $1.name) } }

    /// The rows of all tables; nil for more than a number holds.
    var allRows: Int? {
        var all = 0
        for count in rows.values {
            let (sum, isTooMany) = all.addingReportingOverflow(count)
            guard !isTooMany else { return nil }
            all = sum
        }
        return all
    }

    /// The query for how wide the columns of some tables are. A row without a column has the bytes of parts that are not
    /// divided, and the rows of all.
    static func question(of tables: [Table]) -> String {
        let list = tables.map { "(\(clickHouseString($0.database)), \(clickHouseString($0.name)))" }
            .joined(separator: ", ")
        return """
            SELECT database, table, name AS column, toUInt64(data_uncompressed_bytes) AS bytes, toUInt64(0) AS rows
            FROM system.columns WHERE (database, table) IN (\(list))
            UNION ALL SELECT database, table, '' AS column, \
            toUInt64(sumIf(data_uncompressed_bytes, part_type != 'Wide')) AS bytes, toUInt64(sum(rows)) AS rows
            FROM system.parts WHERE active AND (database, table) IN (\(list)) GROUP BY database, table
            """
    }

    /// The query for how large the columns of the tables are that a query names, for a server that estimates nothing.
    ///
    /// - Parameter database: The one of tables that are named without theirs.
    static func question(ofTablesIn text: String, database: String) -> String {
        let names = Set(words(of: text) + quotedNames(in: text)).sorted().map(clickHouseString)
            .joined(separator: ", ")
        return """
            SELECT database, table, name AS column, toUInt64(data_uncompressed_bytes) AS bytes, toUInt64(0) AS rows
            FROM system.columns WHERE table IN (\(names)) AND (database = \(clickHouseString(database)) \
            OR database IN (\(names)))
            """
    }

    /// The most bytes that a query reads; nil when the catalog names no table of it.
    static func bound(_ widths: ClickHouseAnswer, of text: String) -> Int? {
        let words = Set(words(of: text))
        let asksForAll = text.contains(/(?i)(?:select|,)\s*\*|\.\s*\*/)
        var (sum, isKnown) = (0.0, false)
        for cells in widths.data.values where cells.count == 5 {
            guard case .text(let column) = cells[2], let size = cells[3].wholeNumber else { return nil }
            isKnown = true
            if asksForAll || words.contains(column) || text.contains(clickHouseName(column)) {
                sum += Double(size)
            }
        }
        return isKnown && sum < 1e18 ? Int(sum) : nil
    }

    private static func words(of text: String) -> [String] {
        text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    }

    /// Names between backquotes, which may hold any sign.
    private static func quotedNames(in text: String) -> [String] {
        text.matches(of: /`((?:[^`\\]|\\.|``)*)`/).map {
            String($0.1).replacing("``", with: "`").replacing("\\`", with: "`").replacing("\\\\", with: "\\")
        }
    }

    /// About how many bytes they are; nil when the catalog does not say.
    ///
    /// - Parameter text: The query.
    func bytes(_ widths: ClickHouseAnswer, of text: String) -> Double? {
        let words = Set(Self.words(of: text))
        let asksForAll = text.contains(/(?i)(?:select|,)\s*\*|\.\s*\*/)
        var (bytes, all): ([Table: Double], [Table: Double]) = ([:], [:])
        for cells in widths.data.values where cells.count == 5 {
            guard case .text(let database) = cells[0], case .text(let name) = cells[1],
                case .text(let column) = cells[2], let size = cells[3].wholeNumber,
                let rows = cells[4].wholeNumber
            else { return nil }
            let table = Table(database: database, name: name)
            if column.isEmpty { all[table] = Double(rows) }
            let isNamed = words.contains(column) || text.contains(clickHouseName(column))
            if column.isEmpty || asksForAll || isNamed { bytes[table, default: 0] += Double(size) }
        }
        var sum = 0.0
        for (table, rows) in rows where rows > 0 {
            guard let count = all[table], count > 0, let size = bytes[table] else { return nil }
            sum += Double(rows) * size / count
        }
        return sum
    }
}
