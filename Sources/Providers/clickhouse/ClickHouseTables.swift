import Diagnostics

/// Where sessions and crashes are: tables, and the expressions that stand for what is counted.
struct ClickHouseTables: Sendable {
    /// One table, with an expression for each role that it has.
    struct Table: Sendable {
        /// The name, quoted.
        var name: String
        /// The day of a row, in the zone of the days.
        var day: String
        /// The time of a row.
        var time: String
        /// Whether a row is of a span; its parameters are given.
        var window: @Sendable (_ from: String, _ to: String, _ begin: String, _ end: String) -> String
        /// Conditions of every row.
        var conditions: [String]
        /// A condition, true where it is known which sessions crashed; nil when it always is.
        var knowsCrashes: String?
        /// Whether a column of it says which sessions crashed; otherwise the table of crashes does.
        var marksCrashesItself = true
        /// By name: `session`, `user`, `named`, `release`, `crashed`, `event`, `issue`, `kind`, `title`, `file`, `line`.
        var roles: [String: String]

        /// The conditions of its rows that may say how a session ended: one of the days, or of the hours, which may reach
        /// further back. A crash may come with the first event of the next day.
        func endsOfSessions(_ more: [String] = []) -> String {
            let span = window(
                "least({from:Date}, {hours_from:Date})", "{to:Date} + 1",
                "least({begin:UInt32}, {hours_begin:UInt32})", "{end:UInt32} + 86400")
            return (conditions + [span] + more).joined(separator: " AND ")
        }
    }

    var sessions: Table?
    var crashes: Table?
    /// Whether the tables of first days and first events are there, which the documented schema has.
    var hasStates = false
    /// Whether both are rows of one table, which arrive together.
    var isOneTable = false

    /// The tables of the documented schema.
    static let plimsoll = ClickHouseTables(
        sessions: Table(
            name: "sessions", day: "day", time: "started_at", window: plimsollWindow,
            conditions: ["app = {app:String}"],
            roles: [
                "session": "session", "user": "user", "named": "user != 0", "release": "toString(release)",
                "crashed": "crashed = 1",
            ]),
        crashes: Table(
            name: "crashes", day: "day", time: "at", window: plimsollWindow,
            conditions: ["app = {app:String}"],
            roles: [
                "event": "event", "issue": "issue", "session": "session", "user": "user",
                "named": "user != 0", "release": "toString(release)", "title": "title", "file": "file",
                "line": "line", "kind": "multiIf(kind = 'fatal', 'crash', kind = 'hang', 'hang', 'error')",
            ]),
        hasStates: true)

    private static let plimsollWindow: @Sendable (String, String, String, String) -> String = {
        from, to, _, _ in "day >= \(from) AND day < \(to)"
    }
}

// MARK: A mapping

extension ClickHouseTables {
    /// The words of the mapping of a table of sessions.
    static let sessionWords = ["table", "time", "session", "user", "release", "crashed", "where"]
    /// The words of the mapping of a table of crashes.
    static let crashWords = [
        "table", "time", "event", "issue", "user", "session", "release", "title", "file", "line", "fatal",
        "hang",
        "where",
    ]

    /// The tables that a person names; nil when there are none.
    ///
    /// - Parameter zone: The zone of the days, already known to be one.
    static func mapped(
        sessions: [String: String], crashes: [String: String], zone: String
    ) throws(Diagnostic) -> ClickHouseTables? {
        guard !sessions.isEmpty || !crashes.isEmpty else { return nil }
        var tables = ClickHouseTables()
        if !sessions.isEmpty {
            tables.sessions = try table(sessions, needs: ["session"], of: "sessions", zone: zone)
        }
        if !crashes.isEmpty {
            var table = try table(crashes, needs: ["event", "issue"], of: "crashes", zone: zone)
            let fatal = crashes["fatal"].map { "\(clickHouseName($0)) = 1, 'crash'" }
            let hang = crashes["hang"].map { "\(clickHouseName($0)) = 1, 'hang'" }
            let cases = [fatal, hang].compactMap(\.self)
            table.roles["kind"] =
                cases.isEmpty
                ? "'crash'"
                : "multiIf(\(cases.joined(separator: ", ")), '\(fatal == nil ? "crash" : "error")')"
            tables.crashes = table
        }
        if let session = tables.sessions?.roles["session"], sessions["crashed"] == nil {
            guard let crashes = tables.crashes, let crashed = crashes.roles["session"] else {
                throw fault(
                    "sessions", "names neither 'crashed' nor crashes with their 'session'", "add 'crashed'")
            }
            let ends = crashes.endsOfSessions(["\(crashes.roles["kind"] ?? "'crash'") = 'crash'"])
            tables.sessions?.roles["crashed"] =
                "\(session) IN (SELECT \(crashed) FROM \(crashes.name) WHERE \(ends))"
            tables.sessions?.marksCrashesItself = false
        }
        return tables
    }

    private static func table(
        _ words: [String: String], needs: [String], of what: String, zone: String
    ) throws(Diagnostic) -> Table {
        for word in ["table", "time"] + needs where words[word]?.isEmpty ?? true {
            throw fault(what, "has no '\(word)'", "add '\(word)'")
        }
        let time = clickHouseName(words["time"] ?? "")
        var roles: [String: String] = [:]
        for word in ["session", "event"] { roles[word] = words[word].map(clickHouseName) }
        for word in ["issue", "release", "title", "file"] {
            roles[word] = words[word].map { "toString(\(clickHouseName($0)))" }
        }
        roles["line"] = words["line"].map(clickHouseName)
        roles["crashed"] = words["crashed"].map { "\(clickHouseName($0)) = 1" }
        if let user = words["user"].map(clickHouseName) {
            // Of values that may be NULL old servers make a count that may be, which fits no other: rows that name no user
            // are skipped by `named`.
            roles["user"] = "assumeNotNull(\(user))"
            roles["named"] = "ifNull(toString(\(user)), '') NOT IN ('', '0')"
        }
        var conditions: [String] = []
        if let filter = words["where"] {
            do throws(ClickHouseText.Fault) {
                // A comment may end it, which would reach over a bracket on the same line.
                conditions.append("(\(try ClickHouseText(filter).text)\n)")
            } catch {
                throw fault(
                    what, "has a 'where' with an open quote or bracket, or several statements", "correct it")
            }
        }
        return Table(
            name: clickHouseTable(words["table"] ?? ""), day: "toDate(\(time), '\(zone)')", time: time,
            window: { _, _, begin, end in "\(time) >= toDateTime(\(begin)) AND \(time) < toDateTime(\(end))"
            },
            conditions: conditions, roles: roles)
    }

    private static func fault(_ what: String, _ problem: String, _ hint: String) -> Diagnostic {
        .error("clickhouse.tables", "'\(what)' \(problem)", hints: [hint])
    }
}
