package import AppHealth
import GRDB

extension Archive {
    /// How many days ago a revision must have been superseded at the least: the longest time in which sources change
    /// what they reported, with a margin.
    package static let leastCompactDays = 90

    /// Removes revisions that later ones superseded before an instant, and gives their space back.
    ///
    /// Of each value stay the first revision, what was first reported of a day after it was over, the last two revisions
    /// before the instant, all later ones, and each change of an issue's state, fix or newest version it was seen in. So what was known at the instant, or at any
    /// later one, stays as it was; only what was known at earlier ones is less exact. All are removed or none; a killed
    /// process leaves the archive whole. They stay away: a snapshot file that is read again, or a part that is merged
    /// again, does not bring them back.
    ///
    /// The caller holds the `ArchiveLock`.
    ///
    /// - Returns: how many revisions were removed.
    package func compact(before instant: Instant) throws(ArchiveError) -> Int {
        let removed = try write { database in
            var removed = 0
            try database.withFirstReports(before: instant) {
                for table in RevisionTable.all {
                    try database.execute(
                        sql: "DELETE FROM \(table.name) WHERE \(table.superseded)",
                        arguments: [instant.secondsSinceEpoch])
                    removed += database.changesCount
                }
            }
            // An earlier night may show something else now.
            if removed > 0 {
                try database.execute(sql: "UPDATE app_revision SET mark = randomblob(16)")
                try database.execute(
                    sql: "INSERT OR IGNORE INTO compaction VALUES (?)", arguments: [instant.secondsSinceEpoch]
                )
            }
            return removed
        }
        guard removed > 0 else { return 0 }
        do {
            try writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
        } catch {
            throw ArchiveError(error, path: path)
        }
        return removed
    }

    /// How many revisions compacting would remove.
    package func superseded(before instant: Instant) throws(ArchiveError) -> Int {
        try read { database in
            try database.withFirstReports(before: instant) {
                try RevisionTable.all.reduce(0) { sum, table in
                    let count = "SELECT count(*) FROM \(table.name) WHERE \(table.superseded)"
                    return try sum
                        + (Int.fetchOne(database, sql: count, arguments: [instant.secondsSinceEpoch]) ?? 0)
                }
            }
        }
    }
}

extension Database {
    /// Runs statements with `superseded` conditions, for an instant.
    fileprivate func withFirstReports<Value>(
        before instant: Instant, _ body: () throws -> Value
    ) throws -> Value {
        var reports: [Int64: FirstReports] = [:]
        for row in try Row.fetchAll(self, sql: "SELECT id, app, name FROM source") {
            guard let id: Int64 = row[0], let app = Slug(row[1] as String? ?? ""),
                let source = Slug(row[2] as String? ?? ""),
                var reader = try RevisionReader(self, app: app, source: source, asOf: instant)
            else { continue }
            reports[id] = try reader.firstReports(of: source)
        }
        let function = DatabaseFunction("first_report", argumentCount: 3, pure: true) { [reports] values in
            guard let source = Int64.fromDatabaseValue(values[0]),
                let table = String.fromDatabaseValue(values[1]), let day = Int.fromDatabaseValue(values[2])
            else { return nil }
            return reports[source]?(table, on: CivilDate(daysSinceEpoch: day))?.secondsSinceEpoch
        }
        add(function: function)
        defer { remove(function: function) }
        return try body()
    }
}

extension RevisionTable {
    /// The condition of the rows that compacting removes; the instant is the parameter.
    fileprivate var superseded: String {
        let key = ([isByIssue ? "issue_id" : "source_id"] + self.key).joined(separator: ", ")
        let source =
            isByIssue
            ? "(SELECT source_id FROM issue_name WHERE id = revision.issue_id)" : "revision.source_id"
        let report =
            "CASE revision.version_id WHEN 0 THEN first_report(\(source), '\(name)', revision.date) END"
        return """
            (\(key), captured_at) IN (
                SELECT \(key), captured_at FROM \(name) AS revision
                WHERE \(isSuperseded(before: "?1", report: report))
            )
            """
    }
}
