import AppHealth
import GRDB

extension RevisionReader {
    /// When the source could not be fetched, oldest first. An outage is over with the next good attempt, or when the source
    /// could be read; one that begins again on that day goes on.
    mutating func outages() throws -> [Outage] {
        var outages: [Outage] = []
        for span in try failedSpans() {
            let newest = """
                SELECT at, has_failed, diagnostics FROM fetch_attempt
                WHERE source_id = ?1 AND at = ?2 AND has_failed = 1
                """
            guard let why = try attempt(newest, at: span.last)?.failure else { continue }
            outages.append(Outage(first: span.first, resumed: span.resumed, end: span.end, why: why))
        }
        return outages
    }

    private struct FailedSpan {
        let first: Instant
        var resumed: Instant
        var last: Instant
        var end: Instant?
    }

    /// Of two attempts at the same instant the good one counts; a recovery then is of what failed before.
    private func failedSpans() throws -> [FailedSpan] {
        let ends = """
            SELECT at, 0 AS has_failed FROM recovery WHERE source_id = ?1 AND at <= ?2
            UNION ALL
            SELECT at, has_failed FROM fetch_attempt AS one
            WHERE source_id = ?1 AND at <= ?2 AND (has_failed = 0 OR NOT EXISTS (
                SELECT 1 FROM fetch_attempt AS good
                WHERE good.source_id = one.source_id AND good.at = one.at AND good.has_failed = 0))
            ORDER BY at, has_failed
            """
        let cursor = try database.cursor(ends, [source, asOf.secondsSinceEpoch])
        var spans: [FailedSpan] = []
        while let row = try cursor.next() {
            var columns = ColumnReader(row: row)
            guard let at = try? columns.instant(), let hasFailed = try? columns.integer() != 0 else {
                continue
            }
            guard hasFailed else {
                if let last = spans.indices.last, spans[last].end == nil { spans[last].end = at }
                continue
            }
            guard let last = spans.indices.last, spans[last].end.map({ $0.date == at.date }) != false else {
                spans.append(FailedSpan(first: at, resumed: at, last: at))
                continue
            }
            if spans[last].end != nil { (spans[last].end, spans[last].resumed) = (nil, at) }
            spans[last].last = at
        }
        return spans
    }
}
