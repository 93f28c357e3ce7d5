import AppHealth
import GRDB

// A service that merged two issues, or renamed a release, has no row of the old name any more. Of a day that a snapshot
// covers completely, what it does not name had nothing, whatever an earlier snapshot said. A snapshot that names nothing at
// all is no proof: a service that fails in silence responds like one that has nothing. It is one for the crashes of a day
// whose sessions or users it counted, of which none crashed.

extension RevisionWriter {
    /// Stores zeros for the issues that had something on a day that a snapshot covers completely without them.
    ///
    /// - Returns: how many rows these are.
    mutating func writeVanishedIssues(of snapshot: Snapshot) throws -> Int {
        let covered = CoverageHistory(snapshot.coverage)
        let (all, single) = (covered.completeDays(of: .issueDays), covered.completeDays(of: .issueReleases))
        let namesAny = snapshot.issueDays.contains { ($0.events ?? 0) > 0 }
        let quiet = DaySet(namesAny ? [] : snapshot.health.filter(\.isQuiet).map(\.date))
        guard let span = all.union(single).span, namesAny || quiet.span != nil, try knowsOtherIssues()
        else { return 0 }
        let crashes = namesAny ? [] : try crashes()
        var named = try NamedIssues(snapshot.issueDays) { try id(ofIssue: $0) }
        let statement = """
            SELECT issue_name.id, date, version_id, events, users, max(captured_at)
            FROM issue_name CROSS JOIN issue_day ON issue_id = issue_name.id
            WHERE source_id = ?1 AND captured_at < ?2 AND date BETWEEN ?3 AND ?4
            GROUP BY name, date, version_id HAVING events > 0 OR users > 0
            """
        var gone: [(key: [Field], counts: [Field])] = []
        try self.statement(statement).forEach(place(of: span)) { row in
            let (issue, date, version) = (row.integer(0) ?? 0, row.date(1), row.integer(2) ?? 0)
            guard (version == 0 ? all : single).contains(date),
                namesAny || (quiet.contains(date) && crashes.contains(issue)),
                try !named.holds(issue, date, version, { try id(of: $0) })
            else { return }
            let counts = [row.integer(3), row.integer(4)]
            gone.append(
                (
                    [.integer(issue), Field(date.daysSinceEpoch), .integer(version)],
                    counts.map { Field($0.map { _ in 0 as Int64 }) } + [.null]
                ))
        }
        return try gone.count { try write($0.counts, of: $0.key, to: .issueDays, as: .absence) }
    }

    /// The issues that are crashes, as the newest revisions up to the snapshot say.
    private mutating func crashes() throws -> Set<Int64> {
        let statement = """
            SELECT issue_id, kind = ?3, max(captured_at) FROM issue_name CROSS JOIN issue ON issue_id = issue_name.id
            WHERE source_id = ?1 AND captured_at <= ?2 GROUP BY issue_id
            """
        let place = [Field(source), Field(capturedAt.secondsSinceEpoch), Field(Issue.Kind.crash.rawValue)]
        var crashes: Set<Int64> = []
        try self.statement(statement).forEach(place) { row in
            if row.integer(1) == 1, let issue = row.integer(0) { crashes.insert(issue) }
        }
        return crashes
    }

    /// Stores zeros for the releases that had something on a day whose releases a snapshot covers completely.
    ///
    /// - Returns: how many rows these are.
    mutating func writeVanishedReleases(of snapshot: Snapshot) throws -> Int {
        let days = CoverageHistory(snapshot.coverage).completeDays(of: .releaseHealth)
        guard let span = days.span,
            snapshot.health.contains(where: { $0.version != nil && ($0.sessions ?? $0.users ?? 0) > 0 })
        else { return 0 }
        var named: Set<DayOfVersion> = []
        for day in snapshot.health where day.version != nil {
            named.insert(DayOfVersion(date: day.date, version: try id(of: day.version.map { Version($0) })))
        }
        let counted = ["sessions", "crashed_sessions", "users", "crashed_users", "crashes"]
        let statement = """
            SELECT date, version_id, \(counted.joined(separator: ", ")), max(captured_at) FROM health_day
            WHERE source_id = ?1 AND captured_at < ?2 AND date BETWEEN ?3 AND ?4 AND version_id != 0
            GROUP BY date, version_id
            """
        var gone: [(key: [Field], counts: [Field])] = []
        try self.statement(statement).forEach(place(of: span)) { row in
            let (date, version) = (row.date(0), row.integer(1) ?? 0)
            let counts = counted.indices.map { row.integer($0 + 2) }
            guard counts.contains(where: { ($0 ?? 0) > 0 }), days.contains(date),
                !named.contains(DayOfVersion(date: date, version: version))
            else { return }
            gone.append(
                (
                    [Field(source), Field(date.daysSinceEpoch), .integer(version)],
                    counts.map { Field($0.map { _ in 0 as Int64 }) } + [.null]
                ))
        }
        return try gone.count { try write($0.counts, of: $0.key, to: .health, as: .absence) }
    }

    /// The source, the instant of the snapshot, and the ends of a span.
    private func place(of span: ClosedRange<CivilDate>) -> [Field] {
        [source, Int64(capturedAt.secondsSinceEpoch)].map(Field.init)
            + [span.lowerBound, span.upperBound].map { Field($0.daysSinceEpoch) }
    }
}

extension HealthDay {
    /// Whether it is of all releases, had sessions or users, and says that none of them crashed.
    fileprivate var isQuiet: Bool {
        let crashed = [crashes, crashedSessions, crashedUsers].compactMap(\.self)
        return version == nil && max(sessions ?? 0, users ?? 0) > 0 && !crashed.isEmpty
            && crashed.allSatisfy { $0 == 0 }
    }
}

extension CoverageHistory {
    fileprivate func completeDays(of fact: CoveredFact) -> DaySet {
        DaySet(days(of: fact).filter { self(fact, on: $0).isComplete })
    }
}

private struct DayOfVersion: Hashable {
    let date: CivilDate
    let version: Int64
}

/// Which issues a snapshot names on which days. Of many rows no second copy is held: those of one issue are looked up
/// when it is its turn.
private struct NamedIssues {
    private let rows: [IssueDay]
    /// Where the rows of each issue are; nearly always they follow each other.
    private var places: [Int64: [Range<Int>]] = [:]
    private var present: (issue: Int64, days: Set<DayOfVersion>)?

    init(_ rows: [IssueDay], _ id: (String) throws -> Int64) rethrows {
        self.rows = rows
        var start = 0
        while start < rows.count {
            let issue = rows[start].issue
            let end = rows[start...].firstIndex { $0.issue != issue } ?? rows.count
            places[try id(issue), default: []].append(start..<end)
            start = end
        }
    }

    mutating func holds(
        _ issue: Int64, _ date: CivilDate, _ version: Int64, _ id: (Version?) throws -> Int64
    ) rethrows -> Bool {
        if present?.issue != issue {
            var days: Set<DayOfVersion> = []
            for place in (places[issue] ?? []).joined() {
                let version = try id(rows[place].version.map { Version($0) })
                days.insert(DayOfVersion(date: rows[place].date, version: version))
                // An issue that is named in one release is not gone from all of them.
                days.insert(DayOfVersion(date: rows[place].date, version: 0))
            }
            present = (issue, days)
        }
        return present?.days.contains(DayOfVersion(date: date, version: version)) == true
    }
}
