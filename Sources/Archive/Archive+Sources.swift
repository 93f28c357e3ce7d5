package import AppHealth
import GRDB

extension Archive {
    /// The sources of an app that were ever fetched, by name.
    package func sources(of app: Slug) throws(ArchiveError) -> [Slug] {
        try read { database in
            let statement = "SELECT name FROM source WHERE app = ? ORDER BY name"
            return try String.fetchAll(database, sql: statement, arguments: [app.text]).compactMap(Slug.init)
        }
    }

    /// The days of which a source reported stability, use or issues.
    package func days(of app: Slug, source: Slug) throws(ArchiveError) -> Set<CivilDate> {
        try read { database in
            let statement = """
                WITH wanted AS (SELECT id FROM source WHERE app = ?1 AND name = ?2)
                SELECT date FROM health_day WHERE source_id IN wanted
                UNION SELECT date FROM usage_day WHERE source_id IN wanted
                UNION SELECT date FROM issue_day
                WHERE issue_id IN (SELECT id FROM issue_name WHERE source_id IN wanted)
                """
            let days = try Row.fetchAll(database, sql: statement, arguments: [app.text, source.text])
            return Set(
                days.compactMap { row in
                    var columns = ColumnReader(row: row)
                    return try? columns.date()
                })
        }
    }
}
