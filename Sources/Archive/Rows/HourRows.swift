package import AppHealth
import GRDB

extension RevisionTable {
    static let healthHours = RevisionTable(
        "health_hour", key: ["hour"], values: ["sessions", "crashed_sessions"],
        joint: [["sessions", "crashed_sessions"]])
    static let issueHours = RevisionTable(
        "issue_hour", key: ["hour"], values: ["events", "users"], isByIssue: true)
}

extension RevisionWriter {
    mutating func write(_ hour: HealthHour) throws -> Bool {
        try write(
            [Field(hour.sessions), Field(hour.crashedSessions)],
            of: [Field(source), Field(hour.hour.hoursSinceEpoch)], to: .healthHours)
    }

    /// An hour without anything is stored only where it corrects one: that it was reported is kept elsewhere, and
    /// most issues rest in most hours.
    mutating func write(_ hour: IssueHour) throws -> Bool {
        try write(
            [Field(hour.events), Field(hour.users)],
            of: [Field(try id(ofIssue: hour.issue)), Field(hour.hour.hoursSinceEpoch)], to: .issueHours,
            as: hour.isEmpty ? .correction : .report)
    }
}

extension RevisionReader {
    /// Health by hour, ordered by hour. A zero that was stated ahead stays: a later capture that says the same stores no
    /// row.
    mutating func healthHours() throws -> [HealthHour] {
        let asOf = asOf
        return try rows(of: .healthHours) { columns -> HealthHour? in
            let hour = HealthHour(
                hour: try columns.hour(), sessions: try columns.optionalInteger(),
                crashedSessions: try columns.optionalInteger())
            let at = try columns.instant()
            return hour.isCounted && wasToCome(hour.hour, at: at, by: asOf) ? nil : hour
        }.compactMap(\.self)
    }

    /// Counts by hour of issues, ordered by the bytes of the issue's id, then by hour.
    mutating func issueHours() throws -> [IssueHour] {
        var last: (id: Int, name: String)?
        let asOf = asOf
        let hours = try rows(of: .issueHours) { columns -> IssueHour? in
            var hour = IssueHour(
                issue: try columns.issueName(&last), hour: try columns.hour(),
                events: try columns.optionalInteger(), users: try columns.optionalInteger())
            if !areNamed(hour.users, next: hour.events) { hour.users = nil }
            return wasToCome(hour.hour, at: try columns.instant(), by: asOf) ? nil : hour
        }
        return hours.compactMap(\.self).filter { !$0.isEmpty }
    }

    /// The hours whose issues snapshots reported.
    mutating func hoursOfIssues() throws -> Set<UTCHour> {
        let asOf = asOf
        let hours = try covered(.issueHours).flatMap { covered in
            covered.run.map(UTCHour.init(hoursSinceEpoch:))
                .filter { !wasToCome($0, at: covered.capturedAt, by: asOf) }
        }
        return Set(hours)
    }
}

extension Archive {
    /// The newest hour in which a source counted something; nil when there is none.
    package func newestHour(of app: Slug, source: Slug) throws(ArchiveError) -> UTCHour? {
        try read { database in
            let id = try Int64.fetchOne(
                database, sql: "SELECT id FROM source WHERE app = ? AND name = ?",
                arguments: [app.text, source.text])
            return try id.flatMap { try newestCountedHour(of: $0, in: database) }
        }
    }

    /// Removes the hours that are no longer kept at an instant; returns how many rows there were.
    ///
    /// Hours are the only figures that are ever removed: days report the same for good.
    @discardableResult
    package func removeHours(at now: Instant) throws(ArchiveError) -> Int {
        try write { database in
            let first = HourKeeping.first(at: now).hoursSinceEpoch
            let sources = try Row.fetchAll(
                database, sql: sourcesWithOldHours, arguments: [first, CoveredKind.issueHours.rawValue])
            return try sources.reduce(0) { removed, row in
                guard let source: Int64 = row[0], let app = Slug(row[1] as String? ?? "") else {
                    return removed
                }
                return try removed + removeHours(of: app, source, at: now, in: database)
            }
        }
    }

    private func removeHours(
        of app: Slug, _ source: Int64, at now: Instant, in database: Database
    ) throws -> Int {
        let newest = try newestCountedHour(of: source, in: database)
        guard let first = HourKeeping.first(at: now, newest: newest)?.hoursSinceEpoch else { return 0 }
        let removed = try removalsOfHours.reduce(0) { removed, statement in
            try database.cachedStatement(sql: statement).execute(arguments: [source, first])
            return removed + database.changesCount
        }
        // Only these apps may show something else then.
        if removed > 0 { try markChange(of: app, in: database) }
        return removed
    }
}

/// The newest hour in which something was counted, of a source by its number.
func newestCountedHour(of source: Int64, in database: Database) throws -> UTCHour? {
    let statement = try database.cachedStatement(sql: newestHourWithData)
    return try Int.fetchOne(statement, arguments: [source]).map(UTCHour.init(hoursSinceEpoch:))
}

/// Parameter: the source.
private let newestHourWithData = """
    SELECT max(hour) FROM (
        SELECT max(hour) AS hour FROM health_hour
            WHERE source_id = ?1 AND (sessions > 0 OR crashed_sessions > 0)
        UNION ALL SELECT max(hour) FROM issue_name CROSS JOIN issue_hour ON issue_id = issue_name.id
            WHERE source_id = ?1 AND (events > 0 OR users > 0)
    )
    """

/// Those that have hours before one. Parameters: the hour, and the kind of issues by the hour.
private let sourcesWithOldHours = """
    SELECT id, app FROM source WHERE id IN (
        SELECT source_id FROM health_hour WHERE hour < ?1
        UNION SELECT source_id FROM issue_hour CROSS JOIN issue_name ON issue_name.id = issue_id
            WHERE hour < ?1
        UNION SELECT source_id FROM covered WHERE kind = ?2 AND last < ?1
    )
    """

/// Parameters of each: the source, and the first hour that stays.
private let removalsOfHours = [
    "DELETE FROM health_hour WHERE source_id = ?1 AND hour < ?2",
    "DELETE FROM issue_hour WHERE hour < ?2 AND issue_id IN (SELECT id FROM issue_name WHERE source_id = ?1)",
    "DELETE FROM covered WHERE source_id = ?1 AND kind = '\(CoveredKind.issueHours.rawValue)' AND last < ?2",
]

extension HealthHour {
    fileprivate var isCounted: Bool { (sessions ?? 0) > 0 || (crashedSessions ?? 0) > 0 }
}

/// Whether an hour began after a capture of it, and has begun by now: nothing was counted of it then.
private func wasToCome(_ hour: UTCHour, at capture: Instant, by asOf: Instant) -> Bool {
    hour.start > capture && hour.start <= asOf
}
