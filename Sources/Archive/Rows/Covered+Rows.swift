import AppHealth
import GRDB

/// What a snapshot may tell of a whole day or a whole hour.
enum CoveredKind: String, CaseIterable {
    case healthDays = "health_day"
    case usageDays = "usage_day"
    case issueHours = "issue_hour"

    /// The days or hours of this kind that a snapshot tells of, in any order.
    fileprivate func places(in snapshot: Snapshot) -> Set<Int> {
        switch self {
        case .healthDays:
            Set(snapshot.health.lazy.filter { $0.version == nil }.map(\.date.daysSinceEpoch))
        case .usageDays: Set(snapshot.usage.lazy.map(\.date.daysSinceEpoch))
        case .issueHours: Set(snapshot.issueHours.lazy.map(\.hour.hoursSinceEpoch))
        }
    }
}

extension RevisionWriter {
    /// Stores of which days or hours the snapshot tells, as runs without a hole.
    func writeCovered(_ snapshot: Snapshot, _ kind: CoveredKind) throws {
        let runs = runs(of: kind.places(in: snapshot))
        guard !runs.isEmpty else { return }
        let insertion = try RowStatement(
            """
            INSERT INTO covered (source_id, kind, captured_at, first, last) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT DO UPDATE SET last = max(last, excluded.last) WHERE last < excluded.last
            """, in: database)
        for run in runs {
            try insertion.run([
                Field(source), Field(kind.rawValue), Field(capturedAt.secondsSinceEpoch),
                Field(run.lowerBound), Field(run.upperBound),
            ])
        }
    }
}

extension RevisionReader {
    /// The runs that snapshots told of, those of the newest snapshot first.
    func covered(_ kind: CoveredKind) throws -> [(capturedAt: Instant, run: ClosedRange<Int>)] {
        let statement = """
            SELECT captured_at, first, last FROM covered
            WHERE source_id = ? AND kind = ? AND captured_at <= ? ORDER BY captured_at DESC, first
            """
        let parameters: StatementArguments = [source, kind.rawValue, asOf.secondsSinceEpoch]
        let cursor = try Row.fetchCursor(database, sql: statement, arguments: parameters)
        var runs: [(capturedAt: Instant, run: ClosedRange<Int>)] = []
        while let row = try cursor.next() {
            var columns = ColumnReader(row: row)
            guard let at = try? columns.instant(), let first = try? columns.integer(),
                let last = try? columns.integer(), first <= last
            else { continue }
            runs.append((at, first...last))
        }
        return runs
    }
}

/// Numbers as runs without a hole, ascending.
private func runs(of numbers: Set<Int>) -> [ClosedRange<Int>] {
    var runs: [ClosedRange<Int>] = []
    for number in numbers.sorted() {
        if let last = runs.last, last.upperBound == number - 1 {
            runs[runs.count - 1] = last.lowerBound...number
        } else {
            runs.append(number...number)
        }
    }
    return runs
}
