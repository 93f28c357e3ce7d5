import AppHealth

extension RevisionTable {
    static let health = RevisionTable(
        "health_day", key: ["date", "version_id"],
        values: ["sessions", "crashed_sessions", "users", "crashed_users", "crashes", "named_share"],
        parts: [["sessions", "crashed_sessions"], ["users", "crashed_users", "named_share"], ["crashes"]],
        isLearnedFrom: true)
}

extension RevisionWriter {
    mutating func write(_ day: HealthDay) throws -> Bool {
        let version = try id(of: day.version.map { Version($0) })
        let counts = [
            Field(day.sessions), Field(day.crashedSessions), Field(day.users), Field(day.crashedUsers),
        ]
        // Crashes came with a later step of the format.
        let none = Field(nil as Int?)
        return try write(
            counts + [Field(day.crashes), Field(day.namedShare)],
            of: [Field(source), Field(day.date.daysSinceEpoch), Field(version)], to: .health,
            olderForms: day.crashes == nil ? [] : [counts + [none, none]])
    }
}

extension RevisionReader {
    /// Health by day, ordered by date, then by version.
    mutating func health() throws -> [HealthDay] {
        var days = try rows(
            of: .health, about: { FactSubject(day: $0.date, release: $0.version) }
        ) { columns in try HealthDay(&columns) }
        sortVersions(&days, by: \.version, within: { $0.date == $1.date })
        return days
    }

    /// Each day, all releases together, as it was when it was first reported of after it was over; the oldest revision
    /// where that never was.
    mutating func healthAsReported(_ running: RunningDays) throws -> [CivilDate: HealthDay] {
        let all = """
            SELECT date, version_id, \(RevisionTable.health.values.joined(separator: ", ")), captured_at
            FROM health_day WHERE source_id = ?1 AND version_id = 0 AND captured_at <= ?2
            ORDER BY date, captured_at
            """
        let revisions = try rows(all, of: .health) { columns in
            (day: try HealthDay(&columns), at: try columns.instant())
        }
        let first = try firstReports(of: revisions.map { ($0.day.date, $0.at) }, running)
        return revisions.reduce(into: [:]) { reported, revision in
            let date = revision.day.date
            let isKnown = first[date].map { revision.at <= $0 } ?? false
            if reported[date] == nil || isKnown { reported[date] = revision.day }
        }
    }
}

extension HealthDay {
    init(_ columns: inout ColumnReader) throws(UnreadableColumn) {
        self.init(
            date: try columns.date(), version: try columns.optionalVersion()?.label,
            sessions: try columns.optionalInteger(), crashedSessions: try columns.optionalInteger(),
            users: try columns.optionalInteger(), crashedUsers: try columns.optionalInteger(),
            crashes: try columns.optionalInteger())
        namedShare = try columns.optionalPart()
        if !areNamed(users, next: sessions, crashedSessions, crashes) { (users, crashedUsers) = (nil, nil) }
    }
}

extension RevisionTable {
    static let issueDays = RevisionTable(
        "issue_day", key: ["date", "version_id"], values: ["events", "users", "named_share"],
        parts: [["events"], ["users", "named_share"]], wholeNumber: "events", isByIssue: true)
}

extension RevisionWriter {
    mutating func write(_ day: IssueDay) throws -> Bool {
        let key: [Field] = [
            Field(try id(ofIssue: day.issue)), Field(day.date.daysSinceEpoch),
            Field(try id(of: day.version.map { Version($0) })),
        ]
        return try write(
            [Field(day.events), Field(day.users), Field(day.namedShare)], of: key, to: .issueDays)
    }
}

extension RevisionReader {
    /// Counts by day of issues, ordered by the bytes of the issue's id, then by date, then by version.
    ///
    /// - Parameter isOpen: Whether what was captured of a day and a version is not known of all of the day.
    mutating func issueDays(
        _ isOpen: (CivilDate, String?, Instant) -> Bool
    ) throws -> [IssueDay] {
        var last: (id: Int, name: String)?
        var open: Set<Int> = []
        var place = 0
        var days = try rows(
            // A day without events is no news about the issue: a quiet one would never stand still.
            of: .issueDays,
            about: {
                let isSeen = $0.events != 0 || ($0.users ?? 0) > 0
                return FactSubject(day: $0.date, issue: isSeen ? $0.issue : nil, release: $0.version)
            }
        ) { (columns: inout ColumnReader) throws(UnreadableColumn) -> IssueDay in
            var day = IssueDay(
                issue: try columns.issueName(&last), date: try columns.date(),
                version: try columns.optionalVersion()?.label, events: try columns.optionalInteger(),
                users: try columns.optionalInteger())
            day.namedShare = try columns.optionalPart()
            if !areNamed(day.users, next: day.events) { day.users = nil }
            if isOpen(day.date, day.version, try columns.upcomingInstant()) { open.insert(place) }
            place += 1
            return day
        }
        if !open.isEmpty { days = days.indices.filter { !open.contains($0) }.map { days[$0] } }
        sortVersions(&days, by: \.version, within: { $0.date == $1.date && $0.issue == $1.issue })
        return days
    }
}

extension RevisionTable {
    static let usage = RevisionTable(
        "usage_day", key: ["date"],
        values: ["active_users", "weekly_active_users", "monthly_active_users", "new_users", "sessions"],
        parts: [
            ["active_users"], ["weekly_active_users"], ["monthly_active_users"], ["new_users"], ["sessions"],
        ], isLearnedFrom: true)
}

extension RevisionWriter {
    mutating func write(_ day: UsageDay) throws -> Bool {
        try write(
            [
                Field(day.activeUsers), Field(day.weeklyActiveUsers), Field(day.monthlyActiveUsers),
                Field(day.newUsers), Field(day.sessions),
            ],
            of: [Field(source), Field(day.date.daysSinceEpoch)], to: .usage)
    }
}

extension RevisionReader {
    /// Use by day, ordered by date.
    mutating func usage() throws -> [UsageDay] {
        try rows(of: .usage, about: { FactSubject(day: $0.date) }) { columns in try UsageDay(&columns) }
    }
}

extension UsageDay {
    init(_ columns: inout ColumnReader) throws(UnreadableColumn) {
        self.init(
            date: try columns.date(), activeUsers: try columns.optionalInteger(),
            weeklyActiveUsers: try columns.optionalInteger(),
            monthlyActiveUsers: try columns.optionalInteger(), newUsers: try columns.optionalInteger(),
            sessions: try columns.optionalInteger())
        if !areNamed(activeUsers, next: sessions) { (activeUsers, newUsers) = (nil, nil) }
    }
}
