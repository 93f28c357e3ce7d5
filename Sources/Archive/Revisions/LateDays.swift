import AppHealth

extension RevisionReader {
    /// Which shares of their counts the days have that are not final by their age, as the days of the weeks before had when
    /// they were as old.
    mutating func lateCounts(
        of history: SourceHistory, _ running: RunningDays
    ) throws -> [CoveredFact: [CivilDate: LateCounts]] {
        guard let newest = history.capturedAt else { return [:] }
        let first = LearnedDays.first(before: newest)
        let health = try revisions(of: .health, since: first, "AND version_id = 0") {
            try HealthDay(&$0)
        }.filter { !running.ranLong($0.0.date, at: $0.1) }
        let start = Instant(startOf: first)
        let covered = try covered(.healthDays, counts: false).prefix { $0.capturedAt >= start }
        func late(_ counts: (HealthDay) -> (Int?, Int?)) -> [CivilDate: LateCounts] {
            var known: [CivilDate: [(at: Instant, total: Int, crashed: Int)]] = [:]
            for (day, at) in health {
                guard case (let total?, let crashed?) = counts(day) else { continue }
                known[day.date, default: []].append((at, total, crashed))
            }
            let days = known.map { date, revisions in
                let captures = covered.lazy.filter { $0.run.contains(date.daysSinceEpoch) }
                return CountedDay(
                    end: history.end(of: date), revisions: revisions, captures: captures.map(\.capturedAt))
            }
            return lateDays(days, of: Set(known.keys), in: history, newest)
        }
        return [
            .users: late { ($0.users, $0.crashedUsers) },
            .sessions: late { ($0.sessions, $0.crashedSessions) },
        ]
    }
}

private func lateDays(
    _ counted: [CountedDay], of dates: Set<CivilDate>, in history: SourceHistory, _ newest: Instant
) -> [CivilDate: LateCounts] {
    // Of a source that states a longer delay, the days of a month are final.
    let hours = min(history.source.settling.finalAfterHours, 30 * 24)
    let finished = counted.filter { $0.end.seconds(to: newest) >= hours * 3600 }
    var late: [CivilDate: LateCounts] = [:]
    for date in dates {
        let age = history.end(of: date).seconds(to: newest)
        guard age >= 0, age < min(hours * 3600, LateCounts.mostNights * 86_400) else { continue }
        late[date] = LateCounts(after: age, among: finished)
    }
    return late
}
