package import AppHealth
import GRDB

extension Archive {
    /// Stores how alerts of one app stand at an instant, all of them or none; returns how many were new or had
    /// changed.
    ///
    /// An entry becomes a new revision when it differs from the newest one at or before the instant. Unlike
    /// fetched values it replaces one of the very same instant: the ledger is worked out from the archive, and
    /// the archive may have grown between two reports for one instant.
    @discardableResult
    package func record(_ entries: [LedgerEntry], at instant: Instant) throws(ArchiveError) -> Int {
        guard !entries.isEmpty else { return 0 }
        return try write { database in
            try entries.count { entry in
                let columns: StatementArguments = [
                    entry.app.text, entry.id, instant.secondsSinceEpoch, entry.rule, entry.subject,
                    entry.firstDay.daysSinceEpoch, entry.lastDay.daysSinceEpoch,
                    entry.raisedAt.secondsSinceEpoch, entry.state.rawValue, entry.sentence,
                    entry.reportedSize, entry.reportedUsers, entry.reportedDepth,
                ]
                let newest = try database.cachedStatement(sql: newestIsSame)
                if try Bool.fetchOne(newest, arguments: columns) == true { return false }
                try database.cachedStatement(sql: insertion).execute(arguments: columns)
                try markChange(of: entry.app, in: database)
                return true
            }
        }
    }

    /// The alerts of an app as known at an instant, ordered by id, when each was written so, and how many rows cannot
    /// be understood.
    func ledger(
        of app: Slug, asOf instant: Instant, in database: Database
    ) throws -> (entries: [LedgerEntry], recordedAt: [String: Instant], unreadable: Int) {
        let cursor = try database.cursor(reading, [app.text, instant.secondsSinceEpoch])
        var (entries, recordedAt, unreadable): ([LedgerEntry], [String: Instant], Int) = ([], [:], 0)
        while let row = try cursor.next() {
            do {
                var columns = ColumnReader(row: row)
                let entry = try LedgerEntry(&columns, app: app)
                recordedAt[entry.id] = try columns.instant()
                entries.append(entry)
            } catch {
                unreadable += 1
            }
        }
        return (entries, recordedAt, unreadable)
    }

    /// When alerts of an app last changed their state or their days, as known at an instant, by id.
    func ledgerChanges(
        of app: Slug, asOf instant: Instant, in database: Database
    ) throws -> [String: LedgerChange] {
        let cursor = try database.cursor(changing, [app.text, instant.secondsSinceEpoch])
        var changes: [String: LedgerChange] = [:]
        while let row = try cursor.next() {
            var columns = ColumnReader(row: row)
            // What cannot be read is reported with its entry.
            guard let id = try? columns.text() else { continue }
            changes[id] = LedgerChange(
                at: try? columns.optionalInstant(), returned: try? columns.optionalInstant(),
                moved: try? columns.optionalInstant())
        }
        return changes
    }
}

private let newestIsSame = """
    SELECT rule IS ?4 AND subject IS ?5 AND first_day IS ?6 AND last_day IS ?7 AND raised_at IS ?8
        AND state IS ?9 AND told IS ?10 AND told_size IS ?11 AND told_users IS ?12 AND told_depth IS ?13
    FROM alert WHERE app = ?1 AND id = ?2 AND recorded_at <= ?3 ORDER BY recorded_at DESC LIMIT 1
    """
private let insertion = """
    INSERT OR REPLACE INTO alert (
        app, id, recorded_at, rule, subject, first_day, last_day, raised_at, state, told, told_size, told_users,
        told_depth
    ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
    """
private let reading = """
    SELECT id, rule, subject, first_day, last_day, raised_at, state, told, told_size, told_users, told_depth,
        max(recorded_at)
    FROM alert WHERE app = ?1 AND recorded_at <= ?2 GROUP BY app, id
    """

private let changing = """
    SELECT id, max(CASE WHEN earlier IS NOT state THEN recorded_at END),
        max(CASE WHEN earlier = 'withdrawn' AND state IS NOT 'withdrawn' THEN recorded_at END),
        max(CASE WHEN has_moved THEN recorded_at END)
    FROM (
        SELECT id, recorded_at, state, lag(state) OVER revisions AS earlier,
            first_day IS NOT lag(first_day) OVER revisions OR last_day < lag(last_day) OVER revisions
            OR (last_day > lag(last_day) OVER revisions AND state = 'closed'
                AND lag(state) OVER revisions = 'closed') AS has_moved
        FROM alert WHERE app = ?1 AND recorded_at <= ?2
        WINDOW revisions AS (PARTITION BY id ORDER BY recorded_at)
    )
    WHERE earlier IS NOT NULL AND (earlier IS NOT state OR has_moved) GROUP BY id
    """

extension LedgerEntry {
    fileprivate init(_ columns: inout ColumnReader, app: Slug) throws(UnreadableColumn) {
        self.init(
            id: try columns.text(), app: app, rule: try columns.text(), subject: try columns.text(),
            firstDay: try columns.date(), lastDay: try columns.date(), raisedAt: try columns.instant(),
            state: try columns.word(), sentence: try columns.text(),
            reportedSize: try columns.optionalNumber(), reportedUsers: try columns.optionalInteger(),
            reportedDepth: try columns.optionalNumber())
    }
}
