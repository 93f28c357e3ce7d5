import AppHealth
import GRDB

extension RevisionReader {
    /// When the source was fetched and brought no newer day although one was due, oldest first.
    func idleTimes(of history: SourceHistory) throws -> [IdleTime] {
        let fetches = """
            SELECT min(at) FROM fetch_attempt
            WHERE source_id = ?1 AND has_failed = 0 AND at >= ?2 AND at < ?3
            """
        let times = try history.overdueDays.compactMap { day -> IdleTime? in
            let end = day.end ?? asOf.advanced(bySeconds: 1)
            let row = try Row.fetchOne(
                database, sql: fetches,
                arguments: [source, day.from.secondsSinceEpoch, end.secondsSinceEpoch])
            guard let row else { return nil }
            var columns = ColumnReader(row: row)
            guard let first = try? columns.instant() else { return nil }
            return IdleTime(first: first, end: day.end, since: day.since, figure: day.figure)
        }
        return IdleTime.joined(times)
    }
}
