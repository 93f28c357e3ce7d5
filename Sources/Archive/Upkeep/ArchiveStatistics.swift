package import AppHealth
import GRDB

/// How large an archive is, and what makes it grow.
package struct ArchiveStatistics: Hashable, Sendable {
    /// The rows of one kind.
    package struct Kind: Hashable, Sendable {
        /// What they hold, such as `issue days`.
        package var name: String
        /// How many rows.
        package var rows: Int
        /// How many of them were captured within `recentDays`.
        package var recent: Int
        /// How many values were revised: rows beyond the first one of each key.
        package var revised: Int
    }

    /// The rows of one app.
    package struct AppRows: Hashable, Sendable {
        /// Its id.
        package var app: String
        /// All its revisions.
        package var rows: Int
    }

    /// The bytes of the file and its log.
    package var bytes = 0
    /// How many bytes of them hold nothing; `compact` gives them back.
    package var freeBytes = 0
    /// The instants of the first and of the last capture; nil when nothing was captured.
    package var captures: ClosedRange<Instant>?
    /// How many rows each night with a capture among the last `recentDays` days added, fewest first. The first night of a
    /// source is none of its nights: what it brought is all that there was by then.
    package var nights: [Int] = []
    /// The kinds, those with the most rows first.
    package var kinds: [Kind] = []
    /// The apps, those with the most rows first.
    package var apps: [AppRows] = []

    /// How many days count as recent.
    package static let recentDays = 28

    /// All rows.
    package var rows: Int { kinds.reduce(0) { $0 + $1.rows } }

    /// The rows that a recent night adds: the median, as one night may bring the past of a year; nil when there was none.
    package var rowsPerNight: Double? {
        nights.isEmpty ? nil : Double(nights[(nights.count - 1) / 2] + nights[nights.count / 2]) / 2
    }

    /// What a recent night adds, at the mean size of a row; nil when there was none.
    package var bytesPerNight: Double? {
        rows == 0 ? nil : rowsPerNight.map { $0 * Double(bytes - freeBytes) / Double(rows) }
    }
}

extension Archive {
    /// Counts every row.
    package func statistics(at now: Instant) throws(ArchiveError) -> ArchiveStatistics {
        var statistics = try read { database in
            var statistics = ArchiveStatistics()
            let since = now.advanced(bySeconds: -ArchiveStatistics.recentDays * 86_400).secondsSinceEpoch
            statistics.freeBytes =
                try Int.fetchOne(
                    database,
                    sql: "SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size")
                ?? 0
            let span = try Row.fetchOne(
                database, sql: "SELECT min(at), max(at) FROM fetch_attempt WHERE has_failed = 0")
            if let first: Int = span?[0], let last: Int = span?[1], first <= last {
                statistics.captures =
                    Instant(secondsSinceEpoch: first)...Instant(secondsSinceEpoch: last)
            }
            statistics.nights = try rowsByNight(since: since, until: now.secondsSinceEpoch, in: database)
            var apps: [String: Int] = [:]
            for table in RevisionTable.all {
                try statistics.kinds.append(table.kind(since: since, in: database))
                for row in try Row.fetchAll(database, sql: table.rowsByApp) {
                    apps[row[0], default: 0] += row[1]
                }
            }
            statistics.kinds.sort { ($1.rows, $0.name) < ($0.rows, $1.name) }
            statistics.apps = apps.map { ArchiveStatistics.AppRows(app: $0, rows: $1) }
                .sorted { ($1.rows, $0.app) < ($0.rows, $1.app) }
            return statistics
        }
        statistics.bytes = fileSize
        return statistics
    }
}

/// The rows that each night with a capture added, fewest first, but for those of the first night of a source.
private func rowsByNight(since: Int, until now: Int, in database: Database) throws -> [Int] {
    let captures = try Row.fetchAll(
        database,
        sql: """
            WITH \(firstNights)
            SELECT DISTINCT at / 86400 FROM fetch_attempt JOIN first_night USING (source_id)
            WHERE has_failed = 0 AND at > ?1 AND at <= ?2 AND at / 86400 > night
            """, arguments: [since, now])
    var rows: [Int: Int] = [:]
    for capture in captures { rows[capture[0]] = 0 }
    for table in RevisionTable.all {
        for row in try Row.fetchAll(database, sql: table.rowsByNight, arguments: [since, now]) {
            let night: Int = row[0]
            rows[night, default: 0] += row[1]
        }
    }
    return rows.values.sorted()
}

/// The day of each source's first capture.
private let firstNights = """
    first_night AS (
        SELECT source_id, min(at) / 86400 AS night FROM fetch_attempt WHERE has_failed = 0 GROUP BY source_id)
    """

extension RevisionTable {
    fileprivate var rowsByNight: String {
        let owner =
            isByIssue
            ? "JOIN issue_name ON issue_name.id = issue_id JOIN first_night ON first_night.source_id = issue_name.source_id"
            : "JOIN first_night ON first_night.source_id = \(name).source_id"
        return """
            WITH \(firstNights)
            SELECT captured_at / 86400, count(*) FROM \(name) \(owner)
            WHERE captured_at > ?1 AND captured_at <= ?2 AND captured_at / 86400 > night
            GROUP BY captured_at / 86400
            """
    }

    fileprivate func kind(since: Int, in database: Database) throws -> ArchiveStatistics.Kind {
        let key = ([isByIssue ? "issue_id" : "source_id"] + key).joined(separator: ", ")
        let counts = """
            SELECT count(*), count(*) FILTER (WHERE captured_at > ?1),
                (SELECT count(*) FROM (SELECT 1 FROM \(name) GROUP BY \(key))) FROM \(name)
            """
        guard let row = try Row.fetchOne(database, sql: counts, arguments: [since]) else {
            return ArchiveStatistics.Kind(name: label, rows: 0, recent: 0, revised: 0)
        }
        let rows: Int = row[0]
        return ArchiveStatistics.Kind(name: label, rows: rows, recent: row[1], revised: rows - row[2])
    }

    fileprivate var rowsByApp: String {
        let owner =
            isByIssue
            ? "JOIN issue_name ON issue_name.id = issue_id JOIN source ON source.id = issue_name.source_id"
            : "JOIN source ON source.id = \(name).source_id"
        return "SELECT app, count(*) FROM \(name) \(owner) GROUP BY app"
    }

    /// Its name for people.
    private var label: String {
        switch name {
        case "source_description": "source descriptions"
        case "health_day": "stability by day"
        case "usage_day": "usage by day"
        case "issue_day": "issues by day"
        case "device_day": "devices by day"
        case "health_hour": "stability by hour"
        case "issue_hour": "issues by hour"
        case "release": "releases"
        case "issue": "issues"
        case "note": "notes"
        default: name
        }
    }
}
