import AppHealth
import GRDB

/// What successive snapshots stated of the coverage of days, oldest first.
///
/// A snapshot that has a part of a day which an earlier one had completely may be one of which a request failed, or whose
/// requests were used up: what it does not name stays as it was stored, and so does how much of the day is known. But when a
/// count of the day has changed since, as that of an issue into which another was merged, those that are not named may have
/// changed as well: then no more than the part is known. What is stated to be unknown is always taken back.
struct CoverageStatements {
    /// What is known of one day.
    private struct Day {
        var coverage: Coverage
        let at: Instant
        /// When anything of it was reported last.
        let reported: Instant?
        /// The part that was stated after all of the day had been reported.
        var part: Coverage?
    }

    private var byFact: [CoveredFact: [CivilDate: Day]] = [:]
    private var doubtful: Set<CoveredFact> = []

    /// Adds what a snapshot stated that is not older than those before.
    mutating func add(_ span: CoverageSpan, at instant: Instant) {
        for date in span.boundedDays {
            if span.coverage.isPartial, byFact[span.fact]?[date]?.coverage.isComplete == true {
                byFact[span.fact]?[date]?.part = span.coverage
                doubtful.insert(span.fact)
            } else {
                let reported = span.coverage.isKnown ? instant : byFact[span.fact]?[date]?.reported
                byFact[span.fact, default: [:]][date] = Day(
                    coverage: span.coverage, at: instant, reported: reported)
            }
        }
    }

    /// The kinds of fact of which a day may be known in part alone.
    var doubtfulFacts: [CoveredFact] { CoveredFact.allCases.filter(doubtful.contains) }

    /// These days of a kind of fact, each with the instant of the snapshot that had all of it.
    func doubts(about fact: CoveredFact) -> [CivilDate: Instant] {
        (byFact[fact] ?? [:]).filter { $0.value.part != nil }.mapValues(\.at)
    }

    /// Takes back that some days are known completely, where a part was stated since.
    mutating func settle(_ fact: CoveredFact, revised days: Set<CivilDate>) {
        for date in days {
            guard let part = byFact[fact]?[date]?.part else { continue }
            byFact[fact]?[date]?.coverage = part
        }
    }

    /// The days of a kind of fact, each by when anything of it was reported last.
    func days(of fact: CoveredFact, where isOne: (CivilDate, Instant) -> Bool) -> Set<CivilDate> {
        Set(
            (byFact[fact] ?? [:]).filter { date, day in day.reported.map { isOne(date, $0) } == true }.keys)
    }

    /// What is known of every day.
    var history: CoverageHistory {
        var history = CoverageHistory()
        for (fact, days) in byFact {
            for (date, day) in days { history.state(CoverageSpan(fact, date...date, day.coverage)) }
        }
        return history
    }
}

extension RevisionReader {
    /// The days of which a count has changed after an instant of each.
    ///
    /// Without a row an issue or a release had nothing on such a day.
    func revisedDays(of fact: CoveredFact, since instants: [CivilDate: Instant]) throws -> Set<CivilDate> {
        guard let first = instants.keys.min(), let last = instants.keys.max() else { return [] }
        let counts = CountsOfFact(fact)
        let cursor = try database.cursor(
            counts.reading, [source, asOf.secondsSinceEpoch, first.daysSinceEpoch, last.daysSinceEpoch])
        var days: Set<CivilDate> = []
        var key: [DatabaseValue] = []
        var known: [DatabaseValue] = []
        while let row = try cursor.next() {
            guard let date = Int.fromDatabaseValue(row[0]).map(CivilDate.init(daysSinceEpoch:)),
                let instant = instants[date], let seconds = Int.fromDatabaseValue(row[1])
            else { continue }
            let values = counts.places.map { row[$0] as DatabaseValue }
            let named = counts.keyPlaces.map { row[$0] as DatabaseValue }
            if named != key {
                key = named
                known = values.map { _ in counts.isOfParts ? 0.databaseValue : .null }
            }
            let isChanged = zip(values, known).contains { !$0.isNull && $0 != $1 }
            known = zip(values, known).map { $0.isNull ? $1 : $0 }
            if isChanged, seconds > instant.secondsSinceEpoch { days.insert(date) }
        }
        return days
    }
}

/// Where the counts of a kind of fact are stored.
private struct CountsOfFact {
    /// Whether a day has a row for each issue or release, and one that is missing had nothing.
    let isOfParts: Bool
    /// Their revisions: the date and the instant, the columns that name a row, then the counts. Of one row the oldest
    /// comes first. Parameters: the source, the instant, the first and the last day.
    let reading: String
    /// Which columns name a row.
    let keyPlaces: Range<Int>
    /// Which columns are the counts.
    let places: Range<Int>

    init(_ fact: CoveredFact) {
        let (table, columns, versions): (RevisionTable, [String], String?) =
            switch fact {
            case .sessions: (.health, ["sessions", "crashed_sessions"], "= 0")
            case .users: (.health, ["users", "crashed_users"], "= 0")
            case .crashes: (.health, ["crashes"], "= 0")
            case .releaseHealth:
                (.health, ["sessions", "crashed_sessions", "users", "crashed_users"], "!= 0")
            case .issueDays: (.issueDays, ["events"], "= 0")
            case .issueUsers: (.issueDays, ["events", "users"], "= 0")
            case .issueReleases: (.issueDays, ["events", "users"], "!= 0")
            case .usage: (.usage, ["active_users", "new_users"], nil)
            }
        let owner = table.isByIssue ? "issue_id" : "source_id"
        let key = [owner] + table.key
        isOfParts = table.isByIssue || fact == .releaseHealth
        keyPlaces = 2..<2 + key.count
        places = keyPlaces.upperBound..<keyPlaces.upperBound + columns.count
        let ofSource = table.isByIssue ? "IN (SELECT id FROM issue_name WHERE source_id = ?1)" : "= ?1"
        reading = """
            SELECT \((["date", "captured_at"] + key + columns).joined(separator: ", ")) FROM \(table.name)
            WHERE \(owner) \(ofSource) AND captured_at <= ?2 AND date BETWEEN ?3 AND ?4
            \(versions.map { "AND version_id \($0)" } ?? "") ORDER BY \(key.joined(separator: ", ")), captured_at
            """
    }
}
