import GRDB

/// One append-only table: what names a value, when it was captured, and the value's columns.
///
/// Two successive revisions of one key differ, unless an older one was recorded later.
struct RevisionTable: Sendable {
    /// What the newest revision is to the values of a snapshot.
    enum Comparison: Int {
        /// It has these values.
        case same = 1
        /// It has others and was captured at the very same instant.
        case conflicting = 2
        /// It has others and is older.
        case older = 3
    }

    let name: String
    /// The columns of the key that follow the owner; rows are read in their order.
    let key: [String]
    let values: [String]
    /// Rows belong to an issue, not directly to a source.
    let isByIssue: Bool
    /// How the newest revision at or before an instant compares with values: a number of `Comparison`.
    let comparison: String
    /// Inserts a revision where there is none of the same key and instant.
    let insertion: String
    /// Gives the row of a key and an instant other values, where it has certain ones.
    let completion: String
    /// The newest revision of each key of a source at or before an instant.
    let reading: String

    /// All tables of revisions.
    static let all = [
        descriptions, releases, health, usage, issues, issueDays, deviceDays, healthHours, issueHours, notes,
    ]

    init(_ name: String, key: [String] = [], values: [String], isByIssue: Bool = false) {
        self.name = name
        self.key = key
        self.values = values
        self.isByIssue = isByIssue
        let keys = [isByIssue ? "issue_id" : "source_id"] + key
        comparison = Self.comparison(name, keys, values)
        insertion = Self.insertion(name, keys + ["captured_at"] + values)
        completion = Self.completion(name, keys, values)
        reading = Self.reading(name, key, values, isByIssue)
    }

    /// Parameters: the key, the instant, the values, those that the row has.
    private static func completion(_ name: String, _ keys: [String], _ values: [String]) -> String {
        let place = keys.count + 2
        let isKey = keys.indices.map { "\(keys[$0]) = ?\($0 + 1)" }.joined(separator: " AND ")
        let new = values.indices.map { "\(values[$0]) = ?\(place + $0)" }.joined(separator: ", ")
        let old = values.indices.map { "\(values[$0]) IS ?\(place + values.count + $0)" }
        return """
            UPDATE \(name) SET \(new)
            WHERE \(isKey) AND captured_at = ?\(keys.count + 1) AND \(old.joined(separator: " AND "))
            """
    }

    /// Parameters: the key, the instant, the values.
    private static func comparison(_ name: String, _ keys: [String], _ values: [String]) -> String {
        let place = keys.count + 2
        let isSame = values.indices.map { "\(values[$0]) IS ?\(place + $0)" }.joined(separator: " AND ")
        let isKey = keys.indices.map { "\(keys[$0]) = ?\($0 + 1)" }.joined(separator: " AND ")
        return """
            SELECT CASE WHEN \(isSame) THEN \(Comparison.same.rawValue)
            WHEN captured_at = ?\(keys.count + 1) THEN \(Comparison.conflicting.rawValue)
            ELSE \(Comparison.older.rawValue) END FROM \(name)
            WHERE \(isKey) AND captured_at <= ?\(keys.count + 1) ORDER BY captured_at DESC LIMIT 1
            """
    }

    private static func insertion(_ name: String, _ columns: [String]) -> String {
        let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        return
            "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(places)) ON CONFLICT DO NOTHING"
    }

    /// Parameters: the source and the instant. With one `max()` SQLite takes the other columns from the row
    /// that has the maximum (lang_select.html, "Bare columns in an aggregate query"); the group's order is
    /// the primary key's, so nothing is sorted.
    private static func reading(
        _ name: String, _ key: [String], _ values: [String], _ isByIssue: Bool
    ) -> String {
        let columns = (key + values).joined(separator: ", ")
        guard isByIssue else {
            let group = (["source_id"] + key).joined(separator: ", ")
            return """
                SELECT \(columns.isEmpty ? "" : columns + ", ")max(captured_at) FROM \(name)
                WHERE source_id = ?1 AND captured_at <= ?2 GROUP BY \(group)
                """
        }
        return """
            SELECT issue_name.id, name, \(columns), max(captured_at)
            FROM issue_name CROSS JOIN \(name) ON issue_id = issue_name.id
            WHERE source_id = ?1 AND captured_at <= ?2 GROUP BY \((["name"] + key).joined(separator: ", "))
            """
    }
}
