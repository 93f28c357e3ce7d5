/// The queries over tables of sessions and crashes. Only days, releases and issues that are shown leave the service.
struct BigQueryQueries: Sendable {
    let tables: BigQueryTables
    var distinct = WarehouseDistinct.exact

    /// Of `HLL_COUNT.INIT`, its usual one. `APPROX_COUNT_DISTINCT` is such a sketch too, but of no documented precision
    /// (BigQuery, "HyperLogLog++ functions").
    static let precision = 15

    /// The relative standard error of the counts that a query has by a sketch; 0 when it has none.
    func deviation(_ query: WarehouseQuery) -> Double {
        let isSketched = [.days, .releaseDays, .hours, .usage, .newUsers].contains(query)
        return distinct == .approximate && isSketched ? sketchDeviation(precision: Self.precision) : 0
    }

    /// Whether what a query says of crashes is of a table that is loaded apart from that of the sessions.
    func readsCrashTable(_ query: WarehouseQuery) -> Bool {
        query.isOfCrashes || query.countsCrashedSessions && tables.sessions?.roles["crashed"] == nil
    }

    /// How many different sessions or users there are, never fewer than a part of them that is counted exactly.
    private func count(_ values: String, atLeast part: String? = nil) -> String {
        switch distinct {
        case .exact: return "COUNT(DISTINCT \(values))"
        case .approximate:
            let count = "HLL_COUNT.EXTRACT(HLL_COUNT.INIT(CAST(\(values) AS STRING), \(Self.precision)))"
            return part.map { "GREATEST(\(count), \($0))" } ?? count
        }
    }

    /// The text of a query; nil where the tables do not have what it needs.
    func text(_ query: WarehouseQuery) -> String? {
        switch query {
        case .days: tables.sessions.map { days($0, byRelease: false) }
        case .releaseDays: having("release", tables.sessions).map { days($0, byRelease: true) }
        case .crashDays: tables.crashes.map(crashDays)
        case .issues: tables.crashes.map(issues)
        case .issueDays: tables.crashes.map { issueDays($0, byRelease: false) }
        case .issueReleases: having("release", tables.crashes).map { issueDays($0, byRelease: true) }
        case .releases: having("release", tables.sessions).map(releases)
        // Tables of whole days have no hours of a day that is not over.
        case .hours: tables.sessions.flatMap { $0.isDaily ? nil : hours($0) }
        case .issueHours: tables.crashes.map(issueHours)
        case .usage: having("user", tables.sessions).map(usage)
        case .newUsers: tables.firsts.map(newUsers)
        }
    }

    private func having(_ role: String, _ table: BigQueryTables.Table?) -> BigQueryTables.Table? {
        table.flatMap { $0.roles[role] == nil ? nil : $0 }
    }

    /// The rows of a table in a span, each role under a name of its own, so that none is mistaken for a column.
    private func rows(_ table: BigQueryTables.Table, _ roles: [String], _ span: Span) -> String {
        let columns = roles.compactMap { role -> String? in
            switch role {
            case "day": "\(table.day) AS r_day"
            case "time": "\(table.time) AS r_time"
            default: table.roles[role].map { "\($0) AS r_\(role)" }
            }
        }
        let selections = table.parts.map { part in
            let conditions = table.conditions + span.conditions(table, part)
            let filter = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
            return "SELECT \(columns.joined(separator: ", ")) FROM \(part.name)\(filter)"
        }
        return "(\(selections.joined(separator: "\nUNION ALL ")))"
    }

    /// Which rows of a table are read.
    private enum Span {
        case days, month, issues, hours
        /// The days and the one after, on which a session of the last may crash.
        case crashesOfDays
        case crashesOfHours
        case all

        func conditions(_ table: BigQueryTables.Table, _ part: BigQueryTables.Part) -> [String] {
            guard let begin, let end else { return [] }
            if table.isDaily { return [days] }
            var conditions = ["\(table.time) >= \(begin)", "\(table.time) < \(end)"]
            if part.hasPartitionTime {
                // Rows that came in just now have no partition yet.
                conditions.append(
                    "(_PARTITIONTIME >= TIMESTAMP_SUB(\(begin), INTERVAL 1 DAY) OR _PARTITIONTIME IS NULL)")
            }
            return conditions
        }

        private var begin: String? {
            switch self {
            case .days, .crashesOfDays: "@begin"
            case .month: "TIMESTAMP_SUB(@begin, INTERVAL 28 DAY)"
            case .issues: "@issues_begin"
            case .hours, .crashesOfHours: "@hours_begin"
            case .all: nil
            }
        }

        private var end: String? {
            switch self {
            case .days, .month: "@end"
            case .crashesOfDays: "TIMESTAMP_ADD(@end, INTERVAL 1 DAY)"
            case .issues: "@issues_end"
            case .hours: "@hours_end"
            case .crashesOfHours: "TIMESTAMP_ADD(@hours_end, INTERVAL 1 DAY)"
            case .all: nil
            }
        }

        /// The ends of the names of daily tables.
        private var days: String {
            let first = self == .month ? "DATE_SUB(@from, INTERVAL 27 DAY)" : "@from"
            return """
                _TABLE_SUFFIX BETWEEN FORMAT_DATE('%Y%m%d', \(first)) \
                AND FORMAT_DATE('%Y%m%d', DATE_SUB(@to, INTERVAL 1 DAY))
                """
        }
    }

    // MARK: Sessions

    /// The sessions, with whether they crashed: a column says so, or a crash names them.
    private func sessions(
        _ table: BigQueryTables.Table, _ roles: [String], _ span: Span, crashes: Span
    ) -> (from: String, crashed: String) {
        let rows = rows(table, roles + ["session", "crashed"], span)
        if table.roles["crashed"] != nil { return (rows, "r_crashed") }
        guard let other = tables.crashes, other.roles["session"] != nil else { return (rows, "FALSE") }
        return (
            """
            \(rows)
            LEFT JOIN (SELECT DISTINCT r_session AS r_end FROM \(self.rows(other, ["session", "kind"], crashes))
            WHERE r_kind = 'crash') ON r_session = r_end
            """, "r_end IS NOT NULL"
        )
    }

    /// Whether it is known which sessions crashed.
    private func knowsCrashes(_ table: BigQueryTables.Table) -> Bool {
        table.roles["crashed"] != nil || tables.crashes?.roles["session"] != nil
    }

    private func days(_ table: BigQueryTables.Table, byRelease: Bool) -> String {
        let (from, crashed) = sessions(
            table, ["day", "user"] + (byRelease ? ["release"] : []), .days, crashes: .crashesOfDays)
        let knows = knowsCrashes(table)
        var columns = ["r_day AS day"] + (byRelease ? ["r_release AS release"] : [])
        let ended = "COUNT(DISTINCT IF(\(crashed), r_session, NULL))"
        columns.append("\(count("r_session", atLeast: knows ? ended : nil)) AS sessions")
        if knows { columns.append("\(ended) AS crashed_sessions") }
        if table.roles["user"] != nil {
            let affected = "COUNT(DISTINCT IF(\(crashed), r_user, NULL))"
            columns.append("\(unlessNone(count("r_user", atLeast: knows ? affected : nil))) AS users")
            if knows { columns.append("\(unlessNone(affected, where: crashed)) AS crashed_users") }
            columns.append("\(unnamedSessions) AS unnamed_sessions")
        }
        let key = byRelease ? "r_day, r_release" : "r_day"
        return """
            SELECT \(columns.joined(separator: ", "))
            FROM \(from)
            \(byRelease ? "WHERE r_release != '' " : "")GROUP BY \(key) ORDER BY \(key)
            """
    }

    /// The sessions of which no row names a user. The difference of two sketches says nothing where few name none: there
    /// those are counted of which any row does not.
    private var unnamedSessions: String {
        switch distinct {
        case .exact: "COUNT(DISTINCT r_session) - COUNT(DISTINCT IF(r_user IS NULL, NULL, r_session))"
        case .approximate: count("IF(r_user IS NULL, r_session, NULL)")
        }
    }

    private func hours(_ table: BigQueryTables.Table) -> String {
        let (from, crashed) = sessions(table, ["time"], .hours, crashes: .crashesOfHours)
        let (ended, knows) = ("COUNT(DISTINCT IF(\(crashed), r_session, NULL))", knowsCrashes(table))
        return """
            SELECT UNIX_SECONDS(TIMESTAMP_TRUNC(r_time, HOUR)) AS hour, \
            \(count("r_session", atLeast: knows ? ended : nil)) AS sessions\
            \(knows ? ", \(ended) AS crashed_sessions" : "")
            FROM \(from)
            GROUP BY hour ORDER BY hour
            """
    }

    /// When each release was first there; the first day of all where old rows are removed.
    private func releases(_ table: BigQueryTables.Table) -> String {
        let first = table.isCut ? "MIN(MIN(r_day)) OVER ()" : "MIN(r_day)"
        return """
            SELECT r_release AS release, \(first) AS first_day
            FROM \(rows(table, ["day", "release"], table.isDaily ? .month : .all))
            WHERE r_release != '' GROUP BY r_release ORDER BY r_release
            """
    }

    private func usage(_ table: BigQueryTables.Table) -> String {
        """
        SELECT DATE_ADD(r_day, INTERVAL r_age DAY) AS day, \
        \(count("IF(r_age = 0, r_user, NULL)")) AS active_users, \
        \(count("IF(r_age < 7, r_user, NULL)")) AS weekly_active_users, \
        \(count("r_user")) AS monthly_active_users
        FROM (SELECT DISTINCT r_day, r_user FROM \(rows(table, ["day", "user"], .month)) WHERE r_user IS NOT NULL)
        CROSS JOIN UNNEST(GENERATE_ARRAY(0, 27)) AS r_age
        WHERE DATE_ADD(r_day, INTERVAL r_age DAY) >= @from AND DATE_ADD(r_day, INTERVAL r_age DAY) < @to
        GROUP BY day ORDER BY day
        """
    }

    private func newUsers(_ table: BigQueryTables.Table) -> String {
        """
        SELECT r_day AS day, \(unlessNone(count("r_user"))) AS new_users
        FROM \(rows(table, ["day", "user"], .days))
        GROUP BY r_day ORDER BY r_day
        """
    }

    // MARK: Crashes

    private func users(_ table: BigQueryTables.Table) -> String? {
        table.roles["user"] == nil ? nil : unlessNone(counted)
    }

    private var counted: String { "COUNT(DISTINCT r_user)" }

    /// A count of users; unknown where there are rows and none of them names a user.
    ///
    /// - Parameter condition: Which rows are counted; all of them without one.
    private func unlessNone(_ count: String, where condition: String? = nil) -> String {
        let none =
            condition.map { "COUNTIF(\($0)) > 0 AND COUNT(IF(\($0), r_user, NULL)) = 0" }
            ?? "COUNT(r_user) = 0"
        return "IF(\(none), NULL, \(count))"
    }

    private func crashDays(_ table: BigQueryTables.Table) -> String {
        """
        SELECT r_day AS day, COUNT(DISTINCT IF(r_kind = 'crash', r_event, NULL)) AS crashes, \
        COUNT(DISTINCT NULLIF(r_issue, '')) AS issues
        FROM \(rows(table, ["day", "event", "issue", "kind"], .days))
        GROUP BY r_day ORDER BY r_day
        """
    }

    private func issues(_ table: BigQueryTables.Table) -> String {
        let known = ["title", "file", "line"].filter { table.roles[$0] != nil }
        let fields = known.map { "r_\($0) AS \($0)" }.joined(separator: ", ")
        let newest =
            known.isEmpty
            ? []
            : [
                "ARRAY_AGG(STRUCT(\(fields)) ORDER BY r_time DESC, r_event LIMIT 1)[SAFE_OFFSET(0)] AS r_newest"
            ]
        let recent = "r_time >= @recent_begin AND r_time < @end"
        var counts = [
            "r_kind AS kind", "UNIX_SECONDS(MAX(r_time)) AS last_seen",
            "COUNT(DISTINCT IF(\(recent), r_event, NULL)) AS events",
        ]
        if users(table) != nil {
            let count = unlessNone("COUNT(DISTINCT IF(\(recent), r_user, NULL))", where: recent)
            counts.append("\(count) AS users")
            counts.append(
                "COUNT(DISTINCT IF(\(recent) AND r_user IS NULL, r_event, NULL)) AS unnamed_events")
        }
        if table.roles["release"] != nil {
            counts.append("STRING_AGG(DISTINCT r_release, '\\n') AS releases")
        }
        let title = known.contains("title") ? "IFNULL(r_newest.title, r_issue)" : "r_issue"
        let facts = known.filter { $0 != "title" }.map { "r_newest.\($0) AS \($0)" }
        let names = counts.compactMap { $0.split(separator: " ").last.map(String.init) }
        let columns = ["r_issue AS issue", "\(title) AS title"] + facts + names
        let order = users(table) == nil ? "events DESC, issue" : "users DESC, events DESC, issue"
        return """
            WITH r_shown AS (\(ranked(table, ["release"] + known, columns: newest + counts)))
            \(firsts(table, columns))ORDER BY \(order)
            """
    }

    /// The issues with the time of their first event, where the tables hold all of them; an issue that was there on
    /// the first day of all began before it.
    private func firsts(_ table: BigQueryTables.Table, _ columns: [String]) -> String {
        guard !table.isCut else { return "SELECT \(columns.joined(separator: ", ")) FROM r_shown " }
        return """
            SELECT \(columns.joined(separator: ", ")), first_seen
            FROM r_shown LEFT JOIN (SELECT r_id, IF(DATE(r_first) > DATE(r_begin), UNIX_SECONDS(r_first), NULL) AS first_seen
            FROM (SELECT r_issue AS r_id, MIN(r_time) AS r_first, MIN(MIN(r_time)) OVER () AS r_begin
            FROM \(rows(table, ["issue", "time"], .all)) GROUP BY r_issue)) ON r_issue = r_id

            """
    }

    /// The issues that are shown: crashes and hangs before handled errors, then those with most users, then events. Of the
    /// newest day both count as if they were of a week, so that an issue is there on its first day.
    ///
    /// An issue of several kinds is of the gravest, and only its rows of that kind are counted: a handled error is no
    /// crash, whatever else has its fingerprint.
    private func ranked(
        _ table: BigQueryTables.Table, _ roles: [String] = [], columns: [String]
    ) -> String {
        let late = "r_time >= TIMESTAMP_SUB(@end, INTERVAL 1 DAY)"
        func most(_ column: String) -> String {
            "GREATEST(COUNT(DISTINCT \(column)), 7 * COUNT(DISTINCT IF(\(late), \(column), NULL))) DESC"
        }
        let users = users(table) == nil ? "" : "\(most("r_user")), "
        return """
            SELECT \((["r_issue"] + columns).joined(separator: ", "))
            FROM \(rows(table, roles + ["time", "issue", "kind", "event", "user"], .issues))
            WHERE r_issue != '' GROUP BY r_issue, r_kind
            QUALIFY ROW_NUMBER() OVER (PARTITION BY r_issue \
            ORDER BY CASE r_kind WHEN 'crash' THEN 0 WHEN 'hang' THEN 1 ELSE 2 END) = 1
            ORDER BY r_kind = 'error', \(users)\(most("r_event")), r_issue LIMIT @issues
            """
    }

    private func shown(_ table: BigQueryTables.Table) -> String {
        "CONCAT(r_kind, ' ', r_issue) IN (SELECT CONCAT(r_kind, ' ', r_issue) FROM (\(ranked(table, columns: ["r_kind"]))))"
    }

    private func issueDays(_ table: BigQueryTables.Table, byRelease: Bool) -> String {
        let release = byRelease ? ", r_release AS release" : ""
        let users =
            users(table).map {
                ", \($0) AS users, COUNT(DISTINCT IF(r_user IS NULL, r_event, NULL)) AS unnamed_events"
            } ?? ""
        let roles = ["day", "issue", "kind", "event", "user"] + (byRelease ? ["release"] : [])
        let key = byRelease ? "r_issue, r_day, r_release" : "r_issue, r_day"
        return """
            SELECT r_issue AS issue, r_day AS day\(release), COUNT(DISTINCT r_event) AS events\(users)
            FROM \(rows(table, roles, .days))
            WHERE \(shown(table))\(byRelease ? " AND r_release != ''" : "")
            GROUP BY \(key) ORDER BY \(key)
            """
    }

    private func issueHours(_ table: BigQueryTables.Table) -> String {
        let users = users(table).map { ", \($0) AS users" } ?? ""
        return """
            SELECT r_issue AS issue, UNIX_SECONDS(TIMESTAMP_TRUNC(r_time, HOUR)) AS hour, \
            COUNT(DISTINCT r_event) AS events\(users)
            FROM \(rows(table, ["time", "issue", "kind", "event", "user"], .hours))
            WHERE \(shown(table))
            GROUP BY issue, hour ORDER BY issue, hour
            """
    }
}
