import AppHealth
import GRDB

/// The capture that was the first to report of each day of a source after it was over. What was known then is what was
/// first reported of the day: what was counted while it ran is no number of the day.
struct FirstReports {
    /// Of sessions and users.
    var health: [CivilDate: Instant] = [:]
    /// Of the issues that crash, where the crashes of a day are their sum.
    var issueDays: [CivilDate: Instant] = [:]

    /// The capture that shows a row of a table first.
    func callAsFunction(_ table: String, on day: CivilDate) -> Instant? {
        switch table {
        case RevisionTable.health.name: health[day]
        case RevisionTable.issueDays.name: issueDays[day]
        default: nil
        }
    }
}

extension RevisionReader {
    /// Those of a source, as known at the instant.
    mutating func firstReports(of id: Slug) throws -> FirstReports {
        guard let source = try description(id: id) else { return FirstReports() }
        var history = SourceHistory(source: source)
        history.zoneOffsets = ZoneOffsets(of: try zones(), until: asOf)
        let running = RunningDays(of: history, asOf: asOf)
        let statement = """
            SELECT date, captured_at FROM health_day
            WHERE source_id = ?1 AND version_id = 0 AND captured_at <= ?2 ORDER BY date, captured_at
            """
        let looks = try rows(statement, of: .health, counts: false) { columns in
            (date: try columns.date(), at: try columns.instant())
        }
        var reports = FirstReports(health: try firstReports(of: looks, running))
        guard history.countsCrashesAlone else { return reports }
        let crashing = Set(try issues().lazy.filter { $0.kind == .crash }.map(\.id))
        for total in try crashTotals(of: crashing, running) where reports.issueDays[total.date] == nil {
            reports.issueDays[total.date] = total.capturedAt
        }
        return reports
    }

    /// For each day with health the first capture that reported of it after it was over; a snapshot that had what was known
    /// already is one.
    ///
    /// - Parameter looks: The revisions of each day, by date, then by capture time.
    mutating func firstReports(
        of looks: [(date: CivilDate, at: Instant)], _ running: RunningDays
    ) throws -> [CivilDate: Instant] {
        var (first, early): ([CivilDate: Instant], [CivilDate: Instant]) = ([:], [:])
        for (date, at) in looks where first[date] == nil {
            if !running.ranLong(date, at: at) {
                first[date] = at
            } else if early[date] == nil {
                early[date] = at
            }
        }
        guard !early.isEmpty else { return first }
        let captures = Array(try covered(.healthDays, counts: false).reversed())
        var start = 0
        for (date, at) in early.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            while start < captures.count, captures[start].capturedAt <= at { start += 1 }
            let report = captures[start...].first {
                $0.run.contains(date.daysSinceEpoch) && !running.ranLong(date, at: $0.capturedAt)
            }
            if let report { first[date] = min(first[date] ?? report.capturedAt, report.capturedAt) }
        }
        return first
    }
}
