package import AppHealth
import GRDB

extension Archive {
    /// How many days ago a revision must have been superseded at the least: the longest time in which sources change
    /// what they reported, with a margin.
    package static let leastCompactDays = 90

    /// Removes revisions that later ones superseded before an instant, and gives their space back.
    ///
    /// Of each value stay what was first reported, the last two revisions before the instant, all later ones, and each
    /// change of an issue's state, fix or newest version it was seen in. So what was known at the instant, or at any
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
            for table in RevisionTable.all {
                try database.execute(
                    sql: "DELETE FROM \(table.name) WHERE \(table.superseded)",
                    arguments: [instant.secondsSinceEpoch])
                removed += database.changesCount
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
            try RevisionTable.all.reduce(0) { sum, table in
                let count = "SELECT count(*) FROM \(table.name) WHERE \(table.superseded)"
                return try sum
                    + (Int.fetchOne(database, sql: count, arguments: [instant.secondsSinceEpoch]) ?? 0)
            }
        }
    }
}

extension RevisionTable {
    /// The condition of a row that has two later ones of its key before an instant, the parameter, and is not the first;
    /// of an issue, also not the first of its state, its fix or its newest version.
    fileprivate var superseded: String {
        let key = ([isByIssue ? "issue_id" : "source_id"] + self.key).joined(separator: ", ")
        let repeats = Self.lasting.filter(values.contains).map {
            "\($0) IS lag(\($0)) OVER revisions"
        }
        let isRepeated = repeats.isEmpty ? "1" : repeats.joined(separator: " AND ")
        return """
            (\(key), captured_at) IN (
                SELECT \(key), captured_at FROM (
                    SELECT \(key), captured_at, row_number() OVER revisions AS place,
                        lead(captured_at, 2) OVER revisions AS later, \(isRepeated) AS is_repeated
                    FROM \(name)
                    WINDOW revisions AS (PARTITION BY \(key) ORDER BY captured_at)
                ) WHERE place > 1 AND later <= ?1 AND is_repeated
            )
            """
    }
}
