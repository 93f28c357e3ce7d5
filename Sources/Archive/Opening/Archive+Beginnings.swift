package import AppHealth
import GRDB

// What is there before anything is stored.

extension Archive {
    /// Whether nothing was ever stored at a path: there is no file, an empty one, or one that was never finished. What
    /// cannot be read is not blank.
    package static func isBlank(at path: String) -> Bool {
        do throws(ArchiveError) {
            try Archive(at: path, for: .copying).close()
            return false
        } catch {
            switch error {
            case .missing, .unfinished: return true
            default: return false
            }
        }
    }

    /// When a source was first fetched, or could not be; of one that never was, when the first of all was. Nil in an archive
    /// without any.
    package func firstAttempt(of app: Slug, source: Slug) throws(ArchiveError) -> Instant? {
        try read { database in
            let statement = """
                SELECT coalesce(
                    (SELECT min(at) FROM fetch_attempt WHERE source_id = (
                        SELECT id FROM source WHERE app = ?1 AND name = ?2)),
                    (SELECT min(at) FROM fetch_attempt))
                """
            return try Int.fetchOne(database, sql: statement, arguments: [app.text, source.text])
                .map(Instant.init(secondsSinceEpoch:))
        }
    }
}
