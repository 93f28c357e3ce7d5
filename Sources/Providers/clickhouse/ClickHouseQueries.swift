/// The queries over tables of sessions and crashes. Only days, releases and issues that are shown leave the server.
struct ClickHouseQueries: Sendable {
    let tables: ClickHouseTables
    var distinct = WarehouseDistinct.exact

    /// Of `uniqCombined` (ClickHouse, "uniqCombined": it has 2^precision cells, by default 2^17). Texts are hashed to 64
    /// bits, numbers to 32 only; `uniqCombined64` is unknown to old servers.
    static let precision = 17

    /// The relative standard error of the counts that a query has by a sketch; 0 when it has none.
    func deviation(_ query: WarehouseQuery) -> Double {
        let isSketched = [.days, .releaseDays, .hours, .usage].contains(query)
        return distinct == .approximate && isSketched ? sketchDeviation(precision: Self.precision) : 0
    }

    /// Whether what a query says of crashes is of a table that is loaded apart from that of the sessions.
    func readsCrashTable(_ query: WarehouseQuery) -> Bool {
        guard !tables.isOneTable else { return false }
        return query.isOfCrashes
            || query.countsCrashedSessions && tables.sessions?.marksCrashesItself == false
    }

    /// How many different sessions or users there are, never fewer than a part of them that is counted exactly.
    private func count(_ role: String, where condition: String? = nil, atLeast part: String? = nil) -> String
    {
        let (suffix, rest) = (condition == nil ? "" : "If", condition.map { ", \($0)" } ?? "")
        switch distinct {
        case .exact: return "uniqExact\(suffix)(\(role)\(rest))"
        case .approximate:
            let count = "uniqCombined\(suffix)(\(Self.precision))(toString(\(role))\(rest))"
            return part.map { "greatest(\(count), \($0))" } ?? count
        }
    }

    /// The text of a query; nil where the tables do not have what it needs.
    func text(_ query: WarehouseQuery) -> String? {
        switch query {
        case .days: tables.sessions.map { days($0, byRelease: false) }
        case .releaseDays:
            tables.sessions.flatMap { $0.roles["release"] == nil ? nil : days($0, byRelease: true) }
        case .crashDays: tables.crashes.map(crashDays)
        case .issues: tables.crashes.map(issues)
        case .issueDays: tables.crashes.map { issueDays($0, byRelease: false) }
        case .issueReleases:
            tables.crashes.flatMap { $0.roles["release"] == nil ? nil : issueDays($0, byRelease: true) }
        case .releases: tables.sessions.flatMap(releases)
        case .hours: tables.sessions.map(hours)
        case .issueHours: tables.crashes.map(issueHours)
        case .usage: tables.sessions.flatMap { $0.roles["user"] == nil ? nil : usage($0) }
        case .newUsers: tables.hasStates ? newUsers : nil
        }
    }

    /// The rows of a table in a span, each role under a name of its own, so that none is mistaken for a column.
    private func rows(_ table: ClickHouseTables.Table, _ roles: [String], _ span: Span) -> String {
        let columns = roles.compactMap { role -> String? in
            switch role {
            case "day": "\(table.day) AS r_day"
            case "time": "\(table.time) AS r_time"
            case "recent":
                """
                (toUnixTimestamp(\(table.time)) >= {recent_begin:UInt32} \
                AND toUnixTimestamp(\(table.time)) < {end:UInt32}) AS r_recent
                """
            // The newest whole day, and what came since.
            case "late": "toUnixTimestamp(\(table.time)) >= {end:UInt32} - 86400 AS r_late"
            case "hour": "intDiv(toUnixTimestamp(\(table.time)), 3600) * 3600 AS r_hour"
            default: table.roles[role].map { "\($0) AS r_\(role)" }
            }
        }
        let conditions = table.conditions + [span.condition(table)]
        return """
            (SELECT \(columns.joined(separator: ", ")) FROM \(table.name) WHERE \(conditions.joined(separator: " AND ")))
            """
    }

    /// Which days of a table are read.
    private enum Span {
        case days, month, issues, hours

        func condition(_ table: ClickHouseTables.Table) -> String {
            switch self {
            case .days: table.window("{from:Date}", "{to:Date}", "{begin:UInt32}", "{end:UInt32}")
            case .month:
                table.window("{from:Date} - 27", "{to:Date}", "{begin:UInt32} - 2419200", "{end:UInt32}")
            case .issues:
                table.window(
                    "{issues_from:Date}", "{issues_to:Date}", "{issues_begin:UInt32}", "{issues_end:UInt32}")
            case .hours:
                """
                \(table.window("{hours_from:Date}", "{issues_to:Date}", "{hours_begin:UInt32}", "{hours_end:UInt32}")) \
                AND toUnixTimestamp(\(table.time)) >= {hours_begin:UInt32} \
                AND toUnixTimestamp(\(table.time)) < {hours_end:UInt32}
                """
            }
        }
    }

    /// The distinct users of a group of rows; unknown where none of the rows names one.
    private func users(_ table: ClickHouseTables.Table) -> String? {
        table.roles["user"].map { _ in unlessNone(counted) }
    }

    private var counted: String { "uniqExactIf(r_user, r_named)" }

    /// A count of users; unknown where there are rows and none of them names a user.
    ///
    /// - Parameter condition: Which rows are counted; all of them without one.
    private func unlessNone(_ count: String, where condition: String? = nil) -> String {
        let none =
            condition.map { "countIf(\($0)) > 0 AND countIf(r_named AND \($0)) = 0" }
            ?? "countIf(r_named) = 0"
        return "if(\(none), NULL, \(count))"
    }

    /// The events of a group that name no user; empty where the table has no users.
    ///
    /// - Parameter condition: Which rows are counted; all of them without one.
    private func unnamed(_ table: ClickHouseTables.Table, where condition: String? = nil) -> String {
        guard table.roles["user"] != nil else { return "" }
        let rows = (condition.map { "\($0) AND " } ?? "") + "NOT r_named"
        return ", uniqExactIf(r_event, \(rows)) AS unnamed_events"
    }

    /// The sessions of which no row names a user. The difference of two sketches says nothing where few name none: there
    /// those are counted of which any row does not.
    private var unnamedSessions: String {
        switch distinct {
        case .exact: "uniqExact(r_session) - uniqExactIf(r_session, r_named)"
        case .approximate: count("r_session", where: "NOT r_named")
        }
    }

    /// A count of sessions that crashed, or of their users; unknown where crashes name no sessions.
    private func crashed(_ count: String, _ table: ClickHouseTables.Table) -> String {
        table.knowsCrashes.map { "if(\($0), \(count), NULL)" } ?? count
    }

    // MARK: Sessions

    private func days(_ table: ClickHouseTables.Table, byRelease: Bool) -> String {
        let release = byRelease ? ", r_release AS release" : ""
        let some = "uniqExactIf(r_user, r_named AND r_crashed)"
        let users = table.roles["user"].map { _ in
            """
            , \(unlessNone(count("r_user", where: "r_named", atLeast: some))) AS users, \
            \(crashed(unlessNone(some, where: "r_crashed"), table)) AS crashed_users, \
            \(unnamedSessions) AS unnamed_sessions
            """
        }
        let roles = ["day", "session", "user", "named", "crashed"] + (byRelease ? ["release"] : [])
        return """
            SELECT r_day AS day\(release), \
            \(count("r_session", atLeast: "uniqExactIf(r_session, r_crashed)")) AS sessions, \
            \(crashed("uniqExactIf(r_session, r_crashed)", table)) AS crashed_sessions\(users ?? "")
            FROM \(rows(table, roles, .days))
            \(byRelease ? "WHERE r_release != '' GROUP BY r_day, r_release ORDER BY r_day, r_release" : "GROUP BY r_day ORDER BY r_day")
            """
    }

    private func hours(_ table: ClickHouseTables.Table) -> String {
        """
        SELECT r_hour AS hour, \
        \(count("r_session", atLeast: "uniqExactIf(r_session, r_crashed)")) AS sessions, \
        \(crashed("uniqExactIf(r_session, r_crashed)", table)) AS crashed_sessions
        FROM \(rows(table, ["hour", "session", "crashed"], .hours))
        GROUP BY r_hour ORDER BY r_hour
        """
    }

    private func releases(_ table: ClickHouseTables.Table) -> String? {
        if tables.hasStates {
            return """
                SELECT toString(release) AS release, minMerge(first_day) AS first_day
                FROM releases WHERE app = {app:String} AND release != ''
                GROUP BY release ORDER BY release
                """
        }
        guard table.roles["release"] != nil else { return nil }
        return """
            SELECT r_release AS release, min(r_day) AS first_day
            FROM \(rows(table, ["day", "release"], .month))
            WHERE r_release != '' GROUP BY r_release ORDER BY r_release
            """
    }

    private func usage(_ table: ClickHouseTables.Table) -> String {
        switch distinct {
        case .exact: exactUsage(table)
        case .approximate: approximateUsage(table)
        }
    }

    /// Each user is on each day once, with the age of the last day before it that the user was seen on: from that day to
    /// the next one, or to the end of four weeks. So nothing is counted as distinct but the days of a user.
    private func exactUsage(_ table: ClickHouseTables.Table) -> String {
        """
        SELECT toDate(r_first + r_age) AS day, countIf(r_age = 0) AS active_users, \
        countIf(r_age < 7) AS weekly_active_users, count() AS monthly_active_users
        FROM (SELECT r_first, arrayJoin(range(r_span)) AS r_age
        FROM (SELECT r_days[r_place] AS r_first, \
        toUInt32(least(28, if(r_place = length(r_days), 28, r_days[r_place + 1] - r_first))) AS r_span
        FROM (SELECT r_days, arrayJoin(arrayEnumerate(r_days)) AS r_place
        FROM (SELECT arraySort(groupUniqArray(toUInt16(r_day))) AS r_days
        FROM \(rows(table, ["day", "user", "named"], .month))
        WHERE r_named GROUP BY r_user))))
        WHERE r_first + r_age >= toUInt16({from:Date}) AND r_first + r_age < toUInt16({to:Date})
        GROUP BY day ORDER BY day
        """
    }

    /// Sketches need no memory for each user.
    private func approximateUsage(_ table: ClickHouseTables.Table) -> String {
        """
        SELECT r_day + r_age AS day, \(count("r_user", where: "r_age = 0")) AS active_users, \
        \(count("r_user", where: "r_age < 7")) AS weekly_active_users, \(count("r_user")) AS monthly_active_users
        FROM (SELECT r_day, r_user, arrayJoin(range(28)) AS r_age
        FROM \(rows(table, ["day", "user", "named"], .month)) WHERE r_named)
        WHERE r_day + r_age >= {from:Date} AND r_day + r_age < {to:Date}
        GROUP BY day ORDER BY day
        """
    }

    private var newUsers: String {
        """
        SELECT r_first AS day, count() AS new_users
        FROM (SELECT user, minMerge(first_day) AS r_first FROM users WHERE app = {app:String} GROUP BY user)
        WHERE r_first >= {from:Date} AND r_first < {to:Date}
        GROUP BY day ORDER BY day
        """
    }

    // MARK: Crashes

    private func crashDays(_ table: ClickHouseTables.Table) -> String {
        """
        SELECT r_day AS day, uniqExactIf(r_event, r_kind = 'crash') AS crashes, uniqExactIf(r_issue, r_issue != '') AS issues
        FROM \(rows(table, ["day", "event", "issue", "kind"], .days))
        GROUP BY r_day ORDER BY r_day
        """
    }

    private func issues(_ table: ClickHouseTables.Table) -> String {
        func newest(_ role: String, else standard: String) -> String {
            table.roles[role] == nil ? standard : "argMax(r_\(role), r_time)"
        }
        var columns = [
            "r_issue AS issue", "\(newest("title", else: "r_issue")) AS title",
            "r_kind AS kind",
        ]
        if table.roles["file"] != nil { columns.append("\(newest("file", else: "''")) AS file") }
        if table.roles["line"] != nil { columns.append("\(newest("line", else: "0")) AS line") }
        if table.roles["release"] != nil {
            columns.append("arrayStringConcat(groupUniqArray(r_release), '\\n') AS releases")
        }
        columns.append("toUnixTimestamp(max(r_time)) AS last_seen")
        columns.append("uniqExactIf(r_event, r_recent) AS events")
        let names =
            columns.compactMap { $0.split(separator: " ").last.map(String.init) }
            + (table.roles["user"] == nil ? [] : ["users", "unnamed_events"])
        let users: [String] =
            table.roles["user"] == nil
            ? []
            : [
                unlessNone("uniqExactIf(r_user, r_named AND r_recent)", where: "r_recent")
                    + " AS users\(unnamed(table, where: "r_recent"))"
            ]
        let text = ranked(
            table, ["time", "recent", "title", "file", "line", "release"], columns: columns + users,
            names: names)
        guard tables.hasStates else { return text }
        // An issue that was there on the first day of all data began before it.
        return """
            SELECT \(names.joined(separator: ", ")), r_seen AS first_seen
            FROM (\(text)) AS r_shown
            ANY LEFT JOIN (SELECT issue, if(toDate(r_first) > (SELECT toDate(minMerge(first_seen)) FROM issues
            WHERE app = {app:String}), toUnixTimestamp(r_first), 0) AS r_seen
            FROM (SELECT issue, minMerge(first_seen) AS r_first FROM issues WHERE app = {app:String} GROUP BY issue)
            ) AS r_firsts USING (issue)
            ORDER BY users DESC, events DESC, issue
            """
    }

    /// The issues that are shown: crashes and hangs before handled errors, then those with most users, then events. Of the
    /// newest day both count as if they were of a week, so that an issue is there on its first day.
    ///
    /// An issue of several kinds is of the gravest, and only its rows of that kind are counted: a handled error is no
    /// crash, whatever else has its fingerprint.
    private func ranked(
        _ table: ClickHouseTables.Table, _ roles: [String] = [], columns: [String], names: [String]
    ) -> String {
        func most(_ all: String, _ late: String) -> String { "greatest(\(all), 7 * \(late))" }
        let users = table.roles["user"].map { _ in
            most(counted, "uniqExactIf(r_user, r_named AND r_late)") + " AS r_most_users"
        }
        let weights = [
            "multiIf(r_kind = 'crash', 0, r_kind = 'hang', 1, 2) AS r_rank", users,
            most("uniqExact(r_event)", "uniqExactIf(r_event, r_late)") + " AS r_most_events",
        ].compactMap(\.self)
        let order = "r_rank = 2, \(users == nil ? "" : "r_most_users DESC, ")r_most_events DESC"
        return """
            SELECT \(names.joined(separator: ", "))
            FROM (SELECT \((columns + weights + ["r_issue"]).joined(separator: ", "))
            FROM \(rows(table, roles + ["late", "issue", "kind", "event", "user", "named"], .issues))
            WHERE r_issue != '' GROUP BY r_issue, r_kind ORDER BY r_issue, r_rank LIMIT 1 BY r_issue)
            ORDER BY \(order), r_issue LIMIT {issues:UInt32}
            """
    }

    private func shown(_ table: ClickHouseTables.Table) -> String {
        "(r_issue, r_kind) IN (\(ranked(table, columns: ["r_kind"], names: ["r_issue", "r_kind"])))"
    }

    private func issueDays(_ table: ClickHouseTables.Table, byRelease: Bool) -> String {
        let release = byRelease ? ", r_release AS release" : ""
        let users = users(table).map { ", \($0) AS users" } ?? ""
        let roles = ["day", "issue", "kind", "event", "user", "named"] + (byRelease ? ["release"] : [])
        let key = byRelease ? "r_issue, r_day, r_release" : "r_issue, r_day"
        return """
            SELECT r_issue AS issue, r_day AS day\(release), uniqExact(r_event) AS events\(users)\(unnamed(table))
            FROM \(rows(table, roles, .days))
            WHERE \(shown(table))\(byRelease ? " AND r_release != ''" : "")
            GROUP BY \(key) ORDER BY \(key)
            """
    }

    private func issueHours(_ table: ClickHouseTables.Table) -> String {
        let users = users(table).map { ", \($0) AS users" } ?? ""
        return """
            SELECT r_issue AS issue, r_hour AS hour, uniqExact(r_event) AS events\(users)
            FROM \(rows(table, ["hour", "issue", "kind", "event", "user", "named"], .hours))
            WHERE \(shown(table))
            GROUP BY r_issue, r_hour ORDER BY r_issue, r_hour
            """
    }
}
