package import AppHealth
import GRDB

extension Archive {
    /// What is known about an app at an instant, as a mark that changes with each write about it and that no other
    /// state of this or another archive has; nil when nothing was ever written about it.
    package func revision(of app: Slug, asOf instant: Instant) throws(ArchiveError) -> AppRevision? {
        try read { database in
            let marks = "SELECT hex(mark) FROM app_revision WHERE app = ?"
            guard let mark = try String.fetchOne(database, sql: marks, arguments: [app.text]) else {
                return nil
            }
            let seconds = instant.secondsSinceEpoch
            let next = try Int.fetchOne(database, sql: later, arguments: [app.text, seconds])
            return AppRevision(mark: mark, next: next.map(Instant.init(secondsSinceEpoch:)))
        }
    }
}

/// When the next thing was captured or recorded.
private let later = """
    SELECT min(at) FROM (
        SELECT at FROM fetch_attempt JOIN source ON source.id = source_id WHERE app = ?1 AND at > ?2
        UNION ALL SELECT at FROM recovery JOIN source ON source.id = source_id WHERE app = ?1 AND at > ?2
        UNION ALL SELECT recorded_at FROM alert WHERE app = ?1 AND recorded_at > ?2
        UNION ALL SELECT recorded_at FROM app_target WHERE app = ?1 AND recorded_at > ?2
    )
    """

/// Says that something about an app is written.
func markChange(of app: Slug, in database: Database) throws {
    let statement = try database.cachedStatement(
        sql: "INSERT OR REPLACE INTO app_revision (app, mark) VALUES (?, randomblob(16))")
    try statement.execute(arguments: [app.text])
}
