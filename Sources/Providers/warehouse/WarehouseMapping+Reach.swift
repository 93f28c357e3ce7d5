import AppHealth
import Diagnostics

/// What an answer says of the crashes of a day.
struct CrashDay {
    var date: CivilDate
    var crashes: Int
    var issues: Int?
}

extension WarehouseMapping {
    /// How far the table of sessions is loaded.
    func sessionReach(_ days: [HealthDay], _ hours: [HealthHour]?) -> SessionTableReach {
        SessionTableReach(
            window, days: Dictionary(days.map { ($0.date, $0.sessions ?? 0) }) { first, _ in first },
            hours: hours.map { Dictionary($0.map { ($0.hour, $0.sessions ?? 0) }) { first, _ in first } },
            // Without an answer it is no table that ended.
            stored: tables[.days] == nil ? [:] : earlier.counts.sessions, begin: begin)
    }

    /// How far the table of use is loaded: that of the sessions, where there is one.
    func usageReach(_ days: [UsageDay]) -> SessionTableReach {
        guard tables[.days] == nil else { return sessionTable }
        return SessionTableReach(
            window, days: Dictionary(days.map { ($0.date, $0.activeUsers ?? 0) }) { first, _ in first },
            hours: nil, stored: earlier.counts.activeUsers, begin: begin)
    }

    /// Learns how far the table of crashes is loaded: from its rows of any kind, from what is usual, and from the rows that
    /// earlier fetches stored.
    mutating func learnCrashTable(
        _ health: [HealthDay]?, _ crashes: [CrashDay]?, _ stored: () -> KnownIssues
    ) {
        guard !ofCrashTable.isEmpty else { return }
        var rows: [CivilDate: Int] = [:]
        for day in issueDayRows ?? [] {
            rows[day.date] = (rows[day.date] ?? 0).addingCapped(day.events ?? 0)
        }
        for day in crashes ?? [] {
            rows[day.date] = max(rows[day.date] ?? 0, day.crashes, day.issues ?? 0)
        }
        if crashes == nil, ofCrashTable.contains(.days) {
            // A session crashed that a crash names.
            for day in health ?? [] { rows[day.date] = max(rows[day.date] ?? 0, day.crashedSessions ?? 0) }
            rows = rows.filter { $0.value > 0 }
        }
        for (day, count) in rows { crashTable.add(day, rows: count) }
        let named = (listed ?? []).map(\.id) + (issueDayRows ?? []).map(\.issue)
        let hours = (issueHourRows ?? []).map { ($0.hour, $0.events ?? 0) }
        crashTable.learn(
            active: crashDays(health, crashes?.map(\.date) ?? []),
            span: listed == nil ? window.days : window.issueDays,
            sessions: Dictionary(
                (health ?? []).compactMap { day in day.sessions.map { (day.date, $0) } },
                uniquingKeysWith: { first, _ in first }),
            hours: Dictionary(hours, uniquingKeysWith: { $0.addingCapped($1) }),
            named: Set(named), stored: stored)
        warnOfCrashTable()
    }

    /// The day without the crashes that are unknown.
    func withoutUnknownCrashes(_ day: HealthDay, of query: WarehouseQuery) -> HealthDay {
        guard !knowsCrashes(query, on: day.date) else { return day }
        var day = day
        (day.crashedSessions, day.crashedUsers) = (nil, nil)
        return day
    }

    /// The queries whose answers say nothing new, as their table is not loaded: once it is, its days are to be asked for.
    var silent: Set<WarehouseQuery> {
        guard crashTable.isBehind else { return [] }
        return ofCrashTable.filter { $0.isOfCrashes && tables[$0] != nil }
    }

    /// Reports days that are unknown, as they have few sessions or none, once a table is not as late.
    mutating func warnOfSessionTable() {
        guard tables[.days] != nil, sessionTable.isBehind else { return }
        let provider = snapshot.source.provider
        let (day, usual) = sessionTable.reached
        let hasEnded = sessionTable.endedDay != nil
        snapshot.warnings.append(
            .warning(
                "\(provider).session-table",
                "\(provider): The table of sessions has \(hasEnded ? "no row" : "few rows")\(day.map { " since \($0)" } ?? "")",
                details: (usual.map { ["an ordinary day has \($0) sessions"] } ?? []) + [
                    "sessions, users and crash-free rates of later days are unknown; stored days stay as they are"
                ],
                hints: ["check the export or the job that fills the table, then fetch again"]
                    + (hasEnded ? ["or end the source with 'until' where the app is used no more"] : []))
        )
    }

    private mutating func warnOfCrashTable() {
        guard crashTable.isBehind, tables[.crashDays] != nil || tables[.issues] != nil else { return }
        let provider = snapshot.source.provider
        let unknown =
            "crashes and crash-free rates of later days are unknown; stored days stay as they are"
        let what: String
        if let lost = crashTable.lostDay {
            what = "stored issues had events on days that were requested, the last on \(lost)"
        } else {
            what = "an ordinary day has \(crashTable.usual) rows"
        }
        let none = crashTable.hasRowsAhead ? "few rows" : "no row"
        let since = crashTable.newestDay.map { " since \($0)" } ?? ""
        snapshot.warnings.append(
            .warning(
                "\(provider).crash-table", "\(provider): The table of crashes has \(none)\(since)",
                details: [what, unknown],
                hints: ["check the export or the job that fills the table, then fetch again"]))
    }
}
