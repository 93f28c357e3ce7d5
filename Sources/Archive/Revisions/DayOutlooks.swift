import AppHealth

extension RevisionReader {
    /// The least that each count of use may come to, of the days that are not final by their age.
    mutating func leastOutlooks(
        of history: SourceHistory, _ running: RunningDays
    ) throws -> [CoveredFact: [CivilDate: Double]] {
        guard let newest = history.capturedAt else { return [:] }
        let days = YoungDays(of: history.source.settling, at: newest)
        let health = try revisions(of: .health, since: days.first, "AND version_id = 0") {
            try HealthDay(&$0)
        }
        let use = try revisions(of: .usage, since: days.first) { try UsageDay(&$0) }
        let ofHealth = try covered(.healthDays, counts: false)
        let ofUse = try covered(.usageDays, counts: false)
        func counts<Day>(
            _ rows: [(Day, Instant)], _ get: (Day) -> (CivilDate, Int?)
        ) -> [CivilDate: [(at: Instant, count: Int)]] {
            let known = rows.compactMap { row -> (day: CivilDate, at: Instant, count: Int)? in
                let (day, count) = get(row.0)
                return running.ranLong(day, at: row.1) ? nil : count.map { (day, row.1, $0) }
            }
            return Dictionary(grouping: known, by: \.day).mapValues { $0.map { ($0.at, $0.count) } }
        }
        return [
            .users: days.outlooks(counts(health) { ($0.date, $0.users) }, ofHealth),
            .sessions: days.outlooks(counts(health) { ($0.date, $0.sessions) }, ofHealth),
            .usage: days.outlooks(counts(use) { ($0.date, $0.activeUsers) }, ofUse),
        ]
    }

    /// The revisions of the days from one on, by day, then by capture.
    mutating func revisions<Day>(
        of table: RevisionTable, since first: CivilDate, _ condition: String = "",
        _ decode: (inout ColumnReader) throws -> Day
    ) throws -> [(Day, Instant)] {
        let key = table.key.joined(separator: ", ")
        let all = """
            SELECT \(key), \(table.values.joined(separator: ", ")), captured_at FROM \(table.name)
            WHERE source_id = ?1 AND captured_at <= ?2 AND date >= \(first.daysSinceEpoch) \(condition)
            ORDER BY date, captured_at
            """
        return try rows(all, of: table, counts: false) { columns in
            (try decode(&columns), try columns.instant())
        }
    }
}

/// The days that are not final by their age alone as of a capture.
private struct YoungDays {
    let first: CivilDate
    private let newest: Instant
    private let age: SettlingAge

    /// Of a source that states a longer delay, those of a month.
    private static let most = 30

    init(of age: SettlingAge, at newest: Instant) {
        (self.newest, self.age) = (newest, age)
        let days = min(age.finalAfterHours / 24, Self.most) + 1
        first = max(newest.date.advanced(by: -days), LearnedDays.first(before: newest))
    }

    /// The least outlook of each of them, by its revisions and by the snapshots that covered it.
    func outlooks(
        _ counts: [CivilDate: [(at: Instant, count: Int)]],
        _ covered: [(capturedAt: Instant, run: ClosedRange<Int>)]
    ) -> [CivilDate: Double] {
        let start = Instant(startOf: first)
        let recent = covered.prefix(while: { $0.capturedAt >= start })
        var outlooks: [CivilDate: Double] = [:]
        for (day, revisions) in counts {
            let end = Instant(startOf: day.advanced(by: 1))
            guard end.seconds(to: newest) < age.finalAfterHours * 3600 else { continue }
            let captures = recent.lazy.filter { $0.run.contains(day.daysSinceEpoch) }.map(\.capturedAt)
            outlooks[day] = DayOutlook(revisions: revisions, captures: captures)
                .least(since: end.advanced(bySeconds: age.changesForHours * 3600))
        }
        return outlooks
    }
}
