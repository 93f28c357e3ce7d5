import AppHealth
import GRDB

extension RevisionWriter {
    /// Stores what the snapshot states of the coverage of days; said again for the same instant it is known already.
    mutating func writeCoverage(_ spans: [CoverageSpan]) throws {
        guard !spans.isEmpty else { return }
        let insertion = try statement(
            """
            INSERT INTO coverage (source_id, fact, captured_at, first, last, state, counted, whole, deviation)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT \(longerCoverage)
            """)
        // What a snapshot states twice of a day is stored as it was stated last.
        for span in areApart(spans) ? spans : CoverageHistory(spans).spans {
            let (state, counted, whole) = columns(of: span.coverage)
            let deviation = span.coverage.deviation
            try insertion.run([
                Field(source), Field(span.fact.rawValue), Field(capturedAt.secondsSinceEpoch),
                Field(span.days.lowerBound.daysSinceEpoch), Field(span.days.upperBound.daysSinceEpoch),
                Field(state), Field(counted), Field(whole), Field(deviation > 0 ? deviation : nil),
            ])
        }
    }
}

extension RevisionReader {
    /// The coverage of every day, as the newest snapshot that spoke of it stated it; one that reported less of a day than
    /// an earlier one takes nothing back as long as the day's counts stay as they were. Of a day that still ran no snapshot
    /// has all.
    mutating func coverage(_ running: RunningDays) throws -> CoverageHistory {
        let statement = """
            SELECT captured_at, fact, first, last, state, counted, whole, deviation FROM coverage
            WHERE source_id = ? AND captured_at <= ? ORDER BY fact, captured_at, first
            """
        let parameters: StatementArguments = [source, asOf.secondsSinceEpoch]
        let cursor = try database.cursor(statement, parameters)
        var statements = CoverageStatements()
        while let row = try cursor.next() {
            var columns = ColumnReader(row: row)
            if let instant = try? columns.instant(), let span = try? CoverageSpan(&columns) {
                for part in running.parts(of: span, at: instant) { statements.add(part, at: instant) }
            } else {
                leaveOut(from: "coverage")
            }
        }
        for fact in statements.doubtfulFacts {
            let doubts = statements.doubts(about: fact)
            statements.settle(fact, revised: try revisedDays(of: fact, since: doubts))
        }
        for fact in CoveredFact.allCases {
            openDays[fact] = statements.days(of: fact, where: running.ranLong)
        }
        return statements.history
    }
}

extension CoverageSpan {
    fileprivate init(_ columns: inout ColumnReader) throws(UnreadableColumn) {
        guard let fact = CoveredFact(rawValue: try columns.text()) else { throw UnreadableColumn() }
        let (first, last) = (try columns.date(), try columns.date())
        let state = try columns.text()
        let (counted, whole) = (try columns.optionalInteger(), try columns.optionalInteger())
        let deviation = try columns.optionalNumber()
        guard first <= last else { throw UnreadableColumn() }
        switch state {
        case "approximate":
            guard let deviation, deviation > 0, deviation < 1 else { throw UnreadableColumn() }
            self.init(fact, first...last, .approximate(deviation: deviation))
        case "complete": self.init(fact, first...last, .complete)
        case "partial":
            let error = deviation ?? 0
            guard error >= 0, error < 1 else { throw UnreadableColumn() }
            self.init(fact, first...last, .partial(counted: counted, of: whole, deviation: error))
        case "unknown": self.init(fact, first...last, .unknown)
        default: throw UnreadableColumn()
        }
    }
}

/// What becomes of a span that begins where one of the same instant does: of two files that state the same of days, one may
/// have more of them.
let longerCoverage = """
    DO UPDATE SET last = excluded.last WHERE last < excluded.last AND state IS excluded.state
    AND counted IS excluded.counted AND whole IS excluded.whole AND deviation IS excluded.deviation
    """

/// Whether spans are stored as they are, as nearly always: none is long, no day of a kind of fact is in two, and none
/// begins where another ends.
private func areApart(_ spans: [CoverageSpan]) -> Bool {
    var ends: [CoveredFact: CivilDate] = [:]
    for span in spans {
        guard span.days.lowerBound.days(to: span.days.upperBound) < 1_000 else { return false }
        if let end = ends[span.fact], span.days.lowerBound <= end.advanced(by: 1) { return false }
        ends[span.fact] = span.days.upperBound
    }
    return true
}

private func columns(of coverage: Coverage) -> (state: String, counted: Int?, whole: Int?) {
    switch coverage {
    case .complete: ("complete", nil, nil)
    case .approximate: ("approximate", nil, nil)
    case .partial(let counted, let whole, _): ("partial", counted, whole)
    case .unknown: ("unknown", nil, nil)
    }
}
