import AppHealth
import Diagnostics
import GRDB

/// What a row is about.
struct FactSubject {
    var day: CivilDate?
    var issue: String?
    var release: String?
}

/// Reads what one source is known for as of one instant, inside one transaction.
struct RevisionReader {
    let database: Database
    let source: Int64
    let asOf: Instant
    /// How many rows of each table were skipped.
    private(set) var unreadable: [String: Int] = [:]
    /// When the rows that were read so far were captured.
    private(set) var captures = FactCaptures()
    /// The days that are over and of which the newest capture of a kind of fact was made while they ran.
    var openDays: [CoveredFact: Set<CivilDate>] = [:]
    private let versions: [Int64: Version]
    private let ranks: [String: Int]

    /// Nil when the source was never queried.
    init?(_ database: Database, app: Slug, source: Slug, asOf: Instant) throws {
        let lookup = "SELECT id FROM source WHERE app = ? AND name = ?"
        guard let id = try Int64.fetchOne(database, sql: lookup, arguments: [app.text, source.text]) else {
            return nil
        }
        self.database = database
        self.source = id
        self.asOf = asOf
        versions = try Self.versions(of: id, in: database)
        let labels = Set(versions.values.map { Version($0.label) }).sorted().map(\.label)
        ranks = Dictionary(zip(labels, 0...), uniquingKeysWith: { first, _ in first })
    }

    /// The newest revisions, as `decode` makes them; a row that cannot be understood is skipped and counted.
    mutating func rows<Value>(
        of table: RevisionTable, _ decode: (inout ColumnReader) throws -> Value
    ) throws -> [Value] {
        try rows(table.reading, of: table, decode)
    }

    /// The newest revisions, with what each is about; when it was captured is kept.
    mutating func rows<Value>(
        of table: RevisionTable, about subject: (Value) -> FactSubject,
        _ decode: (inout ColumnReader) throws -> Value
    ) throws -> [Value] {
        var captures = captures
        let values = try rows(of: table) { columns in
            let value = try decode(&columns)
            let (instant, subject) = (try columns.instant(), subject(value))
            captures.add(instant, day: subject.day, issue: subject.issue, release: subject.release)
            return value
        }
        self.captures = captures
        return values
    }

    /// Keeps when each day was first reported of after it was over. Where the source states how much of its rates came, that
    /// says when these came, else the rows do.
    ///
    /// - Parameter lastDay: The last day that is over at an instant.
    mutating func addFirstCaptures(lastDay: (Instant) -> CivilDate) throws {
        let statement = """
            SELECT captured_at, first, last, CASE WHEN fact IN ('sessions', 'users') THEN 'rates'
            WHEN fact = 'usage' THEN 'use' ELSE '' END FROM coverage
            WHERE source_id = ?1 AND captured_at <= ?2 AND state != 'unknown'
            UNION ALL SELECT captured_at, first, last, CASE kind WHEN 'health_day' THEN 'rows' ELSE 'use' END
            FROM covered
            WHERE source_id = ?1 AND captured_at <= ?2 AND kind IN ('health_day', 'usage_day')
            """
        let parameters: StatementArguments = [source, asOf.secondsSinceEpoch]
        let cursor = try database.cursor(statement, parameters)
        var captures = captures
        var rows: [(Instant, ClosedRange<CivilDate>)] = []
        while let row = try cursor.next() {
            var columns = ColumnReader(row: row)
            guard let instant = try? columns.instant(), let first = try? columns.date(),
                let last = (try? columns.date()).map({ min($0, lastDay(instant)) }), first <= last
            else { continue }
            let kind = try? columns.text()
            if kind == "rows" { rows.append((instant, first...last)) }
            captures.add(instant, days: first...last, of: kind.flatMap(DailyFigure.init(rawValue:)))
        }
        if captures.firstOf[.rates] == nil {
            for (instant, days) in rows { captures.add(instant, days: days, of: .rates) }
        }
        self.captures = captures
    }

    /// The rows that a statement with the parameters source and instant gives. Rows of a table that is read for
    /// a second time are not counted again.
    mutating func rows<Value>(
        _ statement: String, of table: RevisionTable, counts: Bool = true,
        _ decode: (inout ColumnReader) throws -> Value
    ) throws -> [Value] {
        let parameters: StatementArguments = [source, asOf.secondsSinceEpoch]
        let cursor = try database.cursor(statement, parameters)
        var values: [Value] = []
        while let row = try cursor.next() {
            do {
                var columns = ColumnReader(row: row, versions: versions)
                values.append(try decode(&columns))
            } catch is UnreadableColumn {
                if counts { unreadable[table.name, default: 0] += 1 }
            }
        }
        return values
    }

    /// Counts one more row that was skipped.
    mutating func leaveOut(from table: String) {
        unreadable[table, default: 0] += 1
    }

    /// Sorts by version, oldest first and all releases together before them, what shares a date or an issue;
    /// the rest of the order stays.
    func sortVersions<Day>(
        _ days: inout [Day], by version: (Day) -> String?, within isSame: (Day, Day) -> Bool
    ) {
        func rank(_ day: Day) -> Int { version(day).map { ranks[$0] ?? .max } ?? -1 }
        var start = 0
        for end in 1..<max(days.count + 1, 1) where end == days.count || !isSame(days[start], days[end]) {
            if end - start > 1 { days[start..<end].sort { rank($0) < rank($1) } }
            start = end
        }
    }

    private static func versions(of source: Int64, in database: Database) throws -> [Int64: Version] {
        let statement = "SELECT id, label, build FROM version WHERE source_id = ?"
        var versions: [Int64: Version] = [:]
        let cursor = try database.cursor(statement, [source])
        while let row = try cursor.next() {
            guard let id = Int64.fromDatabaseValue(row[0]), let label = String.fromDatabaseValue(row[1]),
                let build = String.fromDatabaseValue(row[2])
            else { continue }
            versions[id] = Version(label, build: build)
        }
        return versions
    }
}

extension RevisionReader {
    /// Whether each day with health is settled.
    mutating func healthSettlement(_ age: SettlingAge) throws -> [CivilDate: DayFinality] {
        let all = """
            SELECT date, version_id, \(RevisionTable.health.values.joined(separator: ", ")), captured_at
            FROM health_day WHERE source_id = ?1 AND version_id = 0 AND captured_at <= ?2
            ORDER BY date, captured_at
            """
        let looks = try rows(all, of: .health, counts: false) { columns in
            let day = try HealthDay(&columns)
            return (day.date, DayObservation(day, capturedAt: try columns.instant()))
        }
        return settlement(of: looks + (try looksAtReleases()), covered: try covered(.healthDays), age)
    }

    /// What each capture showed of the days that have health of single releases alone: of all of them together.
    private mutating func looksAtReleases() throws -> [(date: CivilDate, look: DayObservation)] {
        let all = """
            SELECT date, version_id, \(RevisionTable.health.values.joined(separator: ", ")), captured_at
            FROM health_day WHERE source_id = ?1 AND version_id != 0 AND captured_at <= ?2 AND date NOT IN
            (SELECT date FROM health_day WHERE source_id = ?1 AND version_id = 0 AND captured_at <= ?2)
            ORDER BY date, captured_at
            """
        let revisions = try rows(all, of: .health, counts: false) { columns in
            (day: try HealthDay(&columns), at: try columns.instant())
        }
        var looks: [(date: CivilDate, look: DayObservation)] = []
        var releases: [String?: HealthDay] = [:]
        for (place, (day, at)) in revisions.enumerated() {
            releases[day.version] = day
            let next = place + 1 < revisions.count ? revisions[place + 1] : nil
            if let next, next.day.date == day.date, next.at == at { continue }
            if let sum = releases.values.ofAllReleases {
                looks.append((day.date, DayObservation(sum, capturedAt: at)))
            }
            if next?.day.date != day.date { releases = [:] }
        }
        return looks
    }

    /// Whether each day with use is settled.
    mutating func usageSettlement(_ age: SettlingAge) throws -> [CivilDate: DayFinality] {
        let all = """
            SELECT date, \(RevisionTable.usage.values.joined(separator: ", ")), captured_at
            FROM usage_day WHERE source_id = ?1 AND captured_at <= ?2 ORDER BY date, captured_at
            """
        let looks = try rows(all, of: .usage, counts: false) { columns in
            let day = try UsageDay(&columns)
            return (day.date, DayObservation(day, capturedAt: try columns.instant()))
        }
        return settlement(of: looks, covered: try covered(.usageDays), age)
    }
}

/// Judges each day by the last two snapshots that cover it.
///
/// - Parameters:
///   - looks: The revisions of each day, by date, then by capture time.
///   - covered: The days that snapshots reported of, those of the newest snapshot first.
func settlement(
    of looks: [(date: CivilDate, look: DayObservation)],
    covered: [(capturedAt: Instant, run: ClosedRange<Int>)], _ age: SettlingAge
) -> [CivilDate: DayFinality] {
    var captures = LastCaptures(of: looks.map(\.date.daysSinceEpoch))
    for snapshot in covered where !captures.areComplete { captures.add(snapshot.capturedAt, snapshot.run) }
    var settlement: [CivilDate: DayFinality] = [:]
    var start = 0
    for end in 1..<max(looks.count + 1, 1) where end == looks.count || looks[end].date != looks[start].date {
        let (date, revisions) = (looks[start].date, looks[start..<end].map(\.look))
        start = end
        // A revision alone also proves that its snapshot reported of the day.
        let known = captures.of(date.daysSinceEpoch) + revisions.suffix(2).map(\.capturedAt)
        let last = Set(known).sorted(by: >).prefix(2).compactMap { instant in
            revisions.last { $0.capturedAt <= instant }.map { $0.repeated(at: instant) }
        }
        guard let latest = last.first else { continue }
        settlement[date] = DayFinality(
            of: date, latest: latest, previous: last.count > 1 ? last[1] : nil, age: age)
    }
    return settlement
}

/// For each of some days the capture times of the last two snapshots that cover it.
private struct LastCaptures {
    private let first: Int
    private var captures: [[Instant]]
    /// How many days still lack one of the two.
    private var open: Int

    /// No capture yet for the days from the first to the last.
    init(of days: [Int]) {
        first = days.min() ?? 0
        let count = (days.max() ?? -1) - first + 1
        captures = Array(repeating: [], count: max(0, days.isEmpty ? 0 : count))
        open = captures.count
    }

    var areComplete: Bool { open == 0 }

    func of(_ day: Int) -> [Instant] { captures[day - first] }

    /// Adds a snapshot that is not newer than those before.
    mutating func add(_ instant: Instant, _ run: ClosedRange<Int>) {
        let (low, high) = (max(run.lowerBound - first, 0), min(run.upperBound - first, captures.count - 1))
        guard low <= high else { return }
        for day in low...high where captures[day].count < 2 && captures[day].last != instant {
            captures[day].append(instant)
            if captures[day].count == 2 { open -= 1 }
        }
    }
}
