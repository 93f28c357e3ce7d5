import AppHealth
import GRDB

/// What a snapshot may report of a whole day or a whole hour.
enum CoveredKind: String, CaseIterable {
    case healthDays = "health_day"
    case usageDays = "usage_day"
    case issueHours = "issue_hour"

    /// The days or hours of this kind that a snapshot covers, in any order.
    fileprivate func places(in snapshot: Snapshot) -> Set<Int> {
        switch self {
        case .healthDays: Set(healthDays(of: snapshot))
        case .usageDays: Set(snapshot.usage.lazy.map(\.date.daysSinceEpoch))
        case .issueHours: Set(snapshot.issueHours.lazy.map(\.hour.hoursSinceEpoch))
        }
    }

    /// The days with health of all releases together; where there are none, those with health of single releases.
    private func healthDays(of snapshot: Snapshot) -> [Int] {
        let ofAll = snapshot.health.filter { $0.version == nil }
        return (ofAll.isEmpty ? snapshot.health : ofAll).map(\.date.daysSinceEpoch)
    }
}

extension RevisionWriter {
    /// Stores which days or hours the snapshot covers, as runs without a hole.
    mutating func writeCovered(_ snapshot: Snapshot, _ kind: CoveredKind) throws {
        let runs = runs(of: kind.places(in: snapshot))
        guard !runs.isEmpty else { return }
        let insertion = try statement(
            """
            INSERT INTO covered (source_id, kind, captured_at, first, last) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT DO UPDATE SET last = max(last, excluded.last) WHERE last < excluded.last
            """)
        for run in runs {
            try insertion.run([
                Field(source), Field(kind.rawValue), Field(capturedAt.secondsSinceEpoch),
                Field(run.lowerBound), Field(run.upperBound),
            ])
        }
    }
}

extension RevisionReader {
    /// The runs that snapshots reported of, those of the newest snapshot first.
    ///
    /// - Parameter counts: Whether rows that cannot be understood are counted.
    mutating func covered(
        _ kind: CoveredKind, counts: Bool = true
    ) throws -> [(capturedAt: Instant, run: ClosedRange<Int>)] {
        let statement = """
            SELECT captured_at, first, last FROM covered
            WHERE source_id = ? AND kind = ? AND captured_at <= ? ORDER BY captured_at DESC, first
            """
        let parameters: StatementArguments = [source, kind.rawValue, asOf.secondsSinceEpoch]
        let cursor = try database.cursor(statement, parameters)
        var runs: [(capturedAt: Instant, run: ClosedRange<Int>)] = []
        while let row = try cursor.next() {
            var columns = ColumnReader(row: row)
            guard let at = try? columns.instant(), let first = try? columns.integer(),
                let last = try? columns.integer(), first <= last,
                last.subtractingReportingOverflow(first).partialValue < mostCovered,
                !last.subtractingReportingOverflow(first).overflow
            else {
                if counts { leaveOut(from: "covered") }
                continue
            }
            runs.append((at, first...last))
        }
        return runs
    }
}

/// The most hours or days of one run: more than a century has.
private let mostCovered = 1 << 20

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
