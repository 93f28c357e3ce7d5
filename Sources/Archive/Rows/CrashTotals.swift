import AppHealth

/// The crashes of a day as one snapshot had them that reported all issues of it.
struct CrashTotal {
    let date: CivilDate
    let capturedAt: Instant
    let crashes: Int

    /// The day with nothing but its crashes.
    var day: HealthDay { HealthDay(date: date, crashes: crashes) }
}

extension RevisionReader {
    /// The crashes of each day as snapshots had them, summed over the issues that crash; by date, then by capture time.
    ///
    /// - Parameter crashing: The ids of these issues.
    mutating func crashTotals(of crashing: Set<String>, _ running: RunningDays) throws -> [CrashTotal] {
        let captures = try completeCaptures(running)
        let revisions = Dictionary(
            grouping: try crashRevisions(of: crashing), by: \.date)
        return captures.sorted { $0.key < $1.key }.flatMap { date, captures in
            totals(of: date, revisions[date] ?? [], at: captures)
        }
    }

    /// The snapshots that reported all issues of each day, oldest first.
    private mutating func completeCaptures(_ running: RunningDays) throws -> [CivilDate: [Instant]] {
        let statement = """
            SELECT captured_at, first, last FROM coverage
            WHERE source_id = ?1 AND captured_at <= ?2 AND fact = '\(CoveredFact.issueDays.rawValue)'
            AND state = 'complete' ORDER BY captured_at
            """
        let spans = try rows(statement, of: .issueDays, counts: false) { columns in
            (at: try columns.instant(), first: try columns.date(), last: try columns.date())
        }
        var captures: [CivilDate: [Instant]] = [:]
        for span in spans {
            // A snapshot may state anything of days that no report shows.
            let last = min(span.last, asOf.date)
            let first = max(span.first, last.advanced(by: -ReportSpan.longest))
            guard first <= last else { continue }
            for back in 0...first.days(to: last) {
                let day = first.advanced(by: back)
                if !running.ran(day, at: span.at) { captures[day, default: []].append(span.at) }
            }
        }
        return captures
    }

    /// What was stored of the days of these issues, by capture time within each day.
    private mutating func crashRevisions(of crashing: Set<String>) throws -> [CrashRevision] {
        let statement = """
            SELECT issue_name.id, name, date, events, captured_at
            FROM issue_name CROSS JOIN issue_day ON issue_id = issue_name.id
            WHERE source_id = ?1 AND version_id = 0 AND captured_at <= ?2 ORDER BY date, captured_at
            """
        var last: (id: Int, name: String)?
        return try rows(statement, of: .issueDays, counts: false) { columns in
            CrashRevision(
                issue: try columns.issueName(&last), date: try columns.date(),
                events: try columns.optionalInteger(), capturedAt: try columns.instant())
        }.filter { crashing.contains($0.issue) }
    }

    /// The totals of a day at some captures, without those of which a count is missing.
    private func totals(
        of date: CivilDate, _ revisions: [CrashRevision], at captures: [Instant]
    ) -> [CrashTotal] {
        var (sum, missing) = (0, 0)
        var newest: [String: Int?] = [:]
        var next = revisions.startIndex
        return captures.compactMap { capture in
            while next < revisions.endIndex, revisions[next].capturedAt <= capture {
                let revision = revisions[next]
                if let old = newest.updateValue(revision.plausibleEvents, forKey: revision.issue) {
                    sum -= old ?? 0
                    missing -= old == nil ? 1 : 0
                }
                sum += revision.plausibleEvents ?? 0
                missing += revision.plausibleEvents == nil ? 1 : 0
                next += 1
            }
            return missing > 0 ? nil : CrashTotal(date: date, capturedAt: capture, crashes: sum)
        }
    }
}

/// The events of an issue on a day as a snapshot had them.
private struct CrashRevision {
    let issue: String
    let date: CivilDate
    let events: Int?
    let capturedAt: Instant

    /// Nil also for an impossible number.
    var plausibleEvents: Int? { PlausibleCount.known(events) }
}
