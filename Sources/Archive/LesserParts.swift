import AppHealth
import GRDB

// Rows that a warehouse has lost, a page that failed, a sample in the place of all: a part of a day that is less than what an
// earlier snapshot had of all of it says nothing new. It is as if it had not been stated.

extension RevisionWriter {
    /// A snapshot without the counts of days of which it has a part alone, where they are less than what is known of the
    /// whole.
    mutating func withoutLesserParts(_ snapshot: Snapshot) throws -> Snapshot {
        guard snapshot.coverage.contains(where: \.coverage.isPartial) else { return snapshot }
        let coverage = CoverageHistory(snapshot.coverage)
        var snapshot = snapshot
        for place in snapshot.health.indices where snapshot.health[place].version == nil {
            var day = snapshot.health[place]
            if try isLess(day.sessions, .sessions, on: day.date, coverage) {
                (day.sessions, day.crashedSessions) = (nil, nil)
            }
            if try isLess(day.users, .users, on: day.date, coverage) {
                (day.users, day.crashedUsers, day.namedShare) = (nil, nil, nil)
            }
            if try isLess(day.crashes, .crashes, on: day.date, coverage) { day.crashes = nil }
            snapshot.health[place] = day
        }
        for place in snapshot.usage.indices {
            let day = snapshot.usage[place]
            if try isLess(day.activeUsers, .usage, on: day.date, coverage) {
                snapshot.usage[place] = UsageDay(date: day.date)
            }
        }
        return snapshot
    }

    /// Whether a count is of a part of a day alone, and less than that of an earlier snapshot which had all of it and
    /// whose count is still what is known.
    private mutating func isLess(
        _ count: Int?, _ fact: CoveredFact, on day: CivilDate, _ coverage: CoverageHistory
    ) throws -> Bool {
        guard let count, coverage(fact, on: day).isPartial, let column = fact.column else { return false }
        let (second, date) = (Field(capturedAt.secondsSinceEpoch), Field(day.daysSinceEpoch))
        let whole = try statement(newestWhole).row([Field(source), Field(fact.rawValue), second, date])
        guard case .integer? = whole?.first, let whole = whole?.first else { return false }
        let newest = try statement(column.newest)
        let then = try newest.row([Field(source), date, whole])?.first
        let now = try newest.row([Field(source), date, second])?.first
        guard case .integer(let known)? = then, now == then else { return false }
        return count < known
    }
}

/// When all of a day was reported last, unless it was stated to be unknown since. Parameters: the source, the kind of fact,
/// the instant before which that was, the day.
private let newestWhole = """
    SELECT max(captured_at) FROM coverage AS whole
    WHERE source_id = ?1 AND fact = ?2 AND captured_at < ?3 AND ?4 BETWEEN first AND last
        AND state IN ('complete', 'approximate') AND NOT EXISTS (
            SELECT 1 FROM coverage AS later
            WHERE later.source_id = ?1 AND later.fact = ?2 AND later.captured_at > whole.captured_at
                AND later.captured_at < ?3 AND ?4 BETWEEN later.first AND later.last AND later.state = 'unknown')
    """

/// Where the count of a day is stored.
private struct DayColumn {
    /// The newest value. Parameters: the source, the day, the instant up to which it is looked for.
    let newest: String

    init(_ name: String, of table: RevisionTable) {
        let isOfAll = table.key.contains("version_id") ? "AND version_id = 0" : ""
        newest = """
            SELECT \(name) FROM \(table.name)
            WHERE source_id = ?1 AND date = ?2 AND captured_at <= ?3 \(isOfAll) ORDER BY captured_at DESC LIMIT 1
            """
    }
}

extension CoveredFact {
    /// The count of a day that is one number; nil for facts with a row for each issue or release.
    fileprivate var column: DayColumn? {
        switch self {
        case .sessions: DayColumn("sessions", of: .health)
        case .users: DayColumn("users", of: .health)
        case .crashes: DayColumn("crashes", of: .health)
        case .usage: DayColumn("active_users", of: .usage)
        case .releaseHealth, .issueDays, .issueUsers, .issueReleases: nil
        }
    }
}
