import Diagnostics

/// Where sessions and crashes are: tables, and the expressions for what is counted.
struct BigQueryTables: Sendable {
    /// One table, or several with the same columns whose rows may be the same.
    struct Table: Sendable {
        /// The names, quoted.
        var parts: [Part]
        /// The day of a row, in the zone of the days.
        var day: String
        /// The time of a row.
        var time: String
        /// Whether the name of each table ends with its day.
        var isDaily = false
        /// Conditions of every row.
        var conditions: [String] = []
        /// By name: `session`, `user`, `release`, `crashed`, `event`, `issue`, `kind`, `title`, `file`, `line`.
        var roles: [String: String]
        /// Whether old rows are removed, so that the first of something says nothing.
        var isCut = false
    }

    struct Part: Sendable {
        var name: String
        /// Whether it is divided by the time at which rows came in.
        var hasPartitionTime = false
    }

    var sessions: Table?
    var crashes: Table?
    /// A table with a row for each first use of the app.
    var firsts: Table?
}

// MARK: A mapping

extension BigQueryTables {
    /// The words of the mapping of a table of sessions.
    static let sessionWords = ["table", "time", "session", "user", "release", "crashed", "where"]
    /// The words of the mapping of a table of crashes.
    static let crashWords = [
        "table", "time", "event", "issue", "user", "session", "release", "title", "file", "line", "fatal",
        "hang", "where",
    ]

    /// The tables that a person names; nil when there are none.
    ///
    /// - Parameter zone: The zone of the days, already known to be one.
    static func mapped(
        sessions: [String: String], crashes: [String: String], zone: String
    ) throws(Diagnostic) -> BigQueryTables? {
        guard !sessions.isEmpty || !crashes.isEmpty else { return nil }
        var tables = BigQueryTables()
        if !sessions.isEmpty {
            var table = try table(sessions, needs: ["session"], of: "sessions", zone: zone)
            if let crashed = sessions["crashed"] {
                table.roles["crashed"] = try flag(crashed, "sessions")
            } else if crashes["session"] == nil {
                throw fault(
                    "sessions", "names neither 'crashed' nor crashes with their 'session'", "add 'crashed'")
            }
            tables.sessions = table
        }
        if !crashes.isEmpty {
            var table = try table(crashes, needs: ["event", "issue"], of: "crashes", zone: zone)
            var cases = ""
            if let fatal = crashes["fatal"] { cases += "WHEN \(try flag(fatal, "crashes")) THEN 'crash' " }
            if let hang = crashes["hang"] { cases += "WHEN \(try flag(hang, "crashes")) THEN 'hang' " }
            let other = crashes["fatal"] == nil ? "crash" : "error"
            table.roles["kind"] = cases.isEmpty ? "'crash'" : "CASE \(cases)ELSE '\(other)' END"
            tables.crashes = table
        }
        return tables
    }

    /// A column that is true or 1.
    private static func flag(_ column: String, _ what: String) throws(Diagnostic) -> String {
        "CAST(\(try name(column, what)) AS INT64) = 1"
    }

    private static func table(
        _ words: [String: String], needs: [String], of what: String, zone: String
    ) throws(Diagnostic) -> Table {
        for word in ["table", "time"] + needs where words[word]?.isEmpty ?? true {
            throw fault(what, "has no '\(word)'", "add '\(word)'")
        }
        guard let table = bigQueryName(words["table"] ?? "", parts: 2...3) else {
            throw fault(
                what, "names no table with 'table'", "write dataset.table or project.dataset.table")
        }
        let time = try name(words["time"] ?? "", what)
        var roles: [String: String] = [:]
        for word in ["session", "event", "line"] {
            if let column = words[word] { roles[word] = try name(column, what) }
        }
        for word in ["issue", "release", "title", "file"] {
            if let column = words[word] { roles[word] = "CAST(\(try name(column, what)) AS STRING)" }
        }
        if let user = words["user"] {
            roles["user"] = "NULLIF(NULLIF(CAST(\(try name(user, what)) AS STRING), ''), '0')"
        }
        var conditions: [String] = []
        if let filter = words["where"] {
            do throws(BigQueryText.Fault) {
                conditions.append("(\(try BigQueryText(condition: filter).text))")
            } catch {
                throw fault(
                    what, "has a 'where' with an open quote or bracket, or several statements", "correct it")
            }
        }
        return Table(
            parts: [Part(name: table)], day: bigQueryDay(time, zone), time: time, conditions: conditions,
            roles: roles)
    }

    private static func name(_ column: String, _ what: String) throws(Diagnostic) -> String {
        if let name = bigQueryName(column) { return name }
        throw fault(
            what, "has '\(printable(String(column.prefix(60))))', which is no column",
            "write the name of a column, such as reported_at or application.version")
    }

    private static func fault(_ what: String, _ problem: String, _ hint: String) -> Diagnostic {
        .error("bigquery.tables", "'\(what)' \(problem)", hints: [hint])
    }
}

/// The day of a time in a zone, whose name is known to be one.
func bigQueryDay(_ time: String, _ zone: String) -> String {
    zone == "UTC" ? "DATE(\(time))" : "DATE(\(time), '\(zone)')"
}
