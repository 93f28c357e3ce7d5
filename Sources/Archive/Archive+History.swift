package import AppHealth
package import Diagnostics
import Foundation
import GRDB

extension Archive {
    /// What was known about an app at an instant, its sources in the given order.
    ///
    /// Only snapshots captured at or before the instant count. A source that was never fetched is as it
    /// is given; otherwise its newest snapshot describes it. Rows that cannot be understood are skipped and
    /// reported in the warnings.
    package func history(
        of app: App, sources: [Source], asOf instant: Instant
    ) throws(ArchiveError) -> (history: AppHistory, warnings: [Diagnostic]) {
        try read { database in
            var history = AppHistory(app: app, sources: [])
            var unreadable: [String: Int] = [:]
            for source in sources {
                guard
                    var reader = try RevisionReader(database, app: app.id, source: source.id, asOf: instant)
                else {
                    history.sources.append(SourceHistory(source: source))
                    continue
                }
                history.sources.append(try reader.history(of: source))
                unreadable.merge(reader.unreadable, uniquingKeysWith: &+)
            }
            let (ledger, recordedAt, lost) = try ledger(of: app.id, asOf: instant, in: database)
            history.ledger = ledger
            history.ledgerRecordedAt = recordedAt
            history.ledgerChanges = try ledgerChanges(of: app.id, asOf: instant, in: database)
            if lost > 0 { unreadable["alert"] = lost }
            let (targets, lostTargets) = try targetChanges(of: app.id, asOf: instant, in: database)
            history.targetChanges = targets
            if lostTargets > 0 { unreadable["app_target"] = lostTargets }
            return (history, unreadable.isEmpty ? [] : [warning(about: unreadable, of: app)])
        }
    }

    /// What only this archive and its backups know: 32 bytes that never change; empty in a copy of before version 0.2.
    package func secret() throws(ArchiveError) -> [UInt8] {
        try read { database in
            guard try database.tableExists("secret") else { return [] }
            return Array(try Data.fetchOne(database, sql: "SELECT value FROM secret") ?? Data())
        }
    }

    /// The apps that were ever fetched, by id, each as its newest snapshot names it.
    package func apps() throws(ArchiveError) -> [App] {
        try read { database in
            let statement = """
                SELECT app, app_name, app_platform, max(captured_at) FROM source
                LEFT JOIN source_description ON source_id = source.id GROUP BY app ORDER BY app
                """
            return try Row.fetchAll(database, sql: statement).compactMap { row in
                var columns = ColumnReader(row: row)
                guard let id = try? Slug(columns.text()) else { return nil }
                let name = try? columns.optionalText()
                let platform = try? columns.optionalText()
                return App(id: id, name: name ?? id.text, platform: platform ?? "")
            }
        }
    }

    /// When the snapshots of a source were captured, oldest first.
    package func captures(of app: Slug, source: Slug) throws(ArchiveError) -> [Instant] {
        try read { database in
            let statement = """
                SELECT at FROM fetch_attempt JOIN source ON source.id = source_id
                WHERE app = ? AND name = ? AND has_failed = 0 ORDER BY at
                """
            return try Row.fetchAll(database, sql: statement, arguments: [app.text, source.text])
                .compactMap { row in
                    var columns = ColumnReader(row: row)
                    return try? columns.instant()
                }
        }
    }

    /// When the days of a source arrived up to an instant.
    package func arrivals(
        of app: Slug, source: Slug, asOf instant: Instant
    ) throws(ArchiveError) -> SourceArrivals {
        try read { database in
            guard var reader = try RevisionReader(database, app: app, source: source, asOf: instant) else {
                return .empty
            }
            let offsets = ZoneOffsets(of: try reader.zones(), until: instant)
            try reader.addFirstCaptures {
                offsets?.lastDayOver(at: $0) ?? $0.date.advanced(by: -1)
            }
            return SourceArrivals(reader.captures) {
                offsets?.end(of: $0) ?? Instant(startOf: $0.advanced(by: 1))
            }
        }
    }

    /// The releases that a source ever named up to an instant, newest first.
    package func releases(
        of app: Slug, source: Slug, asOf instant: Instant
    ) throws(ArchiveError) -> [Release] {
        try read { database in
            var reader = try RevisionReader(database, app: app, source: source, asOf: instant)
            return try reader?.releases() ?? []
        }
    }

    /// A source as its newest snapshot up to an instant described it; nil where there is none.
    package func description(
        of app: Slug, source: Slug, asOf instant: Instant
    ) throws(ArchiveError) -> Source? {
        try read { database in
            var reader = try RevisionReader(database, app: app, source: source, asOf: instant)
            return try reader?.description(id: source)
        }
    }

    /// When a source was last read up to an instant; nil where it never was.
    package func lastFetch(
        of app: Slug, source: Slug, asOf instant: Instant
    ) throws(ArchiveError) -> Instant? {
        try read { database in
            try RevisionReader(database, app: app, source: source, asOf: instant)?.lastCaptures().first
        }
    }

    /// The sessions, users and crashes of each day of a source, all releases together, as known at an instant.
    package func healthDays(
        of app: Slug, source: Slug, asOf instant: Instant
    ) throws(ArchiveError) -> [HealthDay] {
        try read { database in
            var reader = try RevisionReader(database, app: app, source: source, asOf: instant)
            return try reader?.health().filter { $0.version == nil } ?? []
        }
    }

    /// The sessions and the active users of each day of a source, all releases together, as known at an instant.
    package func dailyCounts(
        of app: Slug, source: Slug, asOf instant: Instant
    ) throws(ArchiveError) -> (sessions: [CivilDate: Int], activeUsers: [CivilDate: Int]) {
        try read { database in
            var reader = try RevisionReader(database, app: app, source: source, asOf: instant)
            let health = try reader?.health().filter { $0.version == nil } ?? []
            let usage = try reader?.usage() ?? []
            return (
                Dictionary(health.compactMap { day in day.sessions.map { (day.date, $0) } }) { $1 },
                Dictionary(usage.compactMap { day in day.activeUsers.map { (day.date, $0) } }) { $1 }
            )
        }
    }

    /// The issues that a source ever named up to an instant, with the days of all releases together.
    package func issues(
        of app: Slug, source: Slug, asOf instant: Instant
    ) throws(ArchiveError) -> (issues: [Issue], days: [IssueDay]) {
        try read { database in
            var reader = try RevisionReader(database, app: app, source: source, asOf: instant)
            guard let issues = try reader?.issues() else { return ([], []) }
            return (issues, try reader?.issueDays { _, _, _ in false }.filter { $0.version == nil } ?? [])
        }
    }

    private func warning(about unreadable: [String: Int], of app: App) -> Diagnostic {
        .warning(
            "archive.unreadable-rows", "Rows about '\(app.id)' cannot be read and were skipped",
            details: unreadable.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" },
            at: .file(path: path), hints: ["install the version of plimsoll that wrote them"])
    }
}

extension RevisionReader {
    /// All that is known of the source.
    mutating func history(of source: Source) throws -> SourceHistory {
        var history = SourceHistory(source: try description(id: source.id) ?? source)
        history.source.maxAgeHours = source.maxAgeHours
        history.source.until = source.until
        history.statedZones = try zones()
        history.zoneOffsets = ZoneOffsets(of: history.statedZones, until: asOf)
        let running = RunningDays(of: history, asOf: asOf)
        let captures = try lastCaptures()
        history.capturedAt = captures.first
        history.previousCapture = captures.dropFirst().first
        history.lastAttempt = try lastAttempt()
        history.outages = try outages()
        history.health = try health()
        history.healthAsReported = try healthAsReported(running)
        history.healthSettlement = try healthSettlement(history.source.settling)
        history.usage = try usage()
        history.usageSettlement = try usageSettlement(history.source.settling)
        history.leastOutlooks = try leastOutlooks(of: history, running)
        history.lateCounts = try lateCounts(of: history, running)
        history.releases = try releases()
        history.issues = try issues()
        (history.issueStates, history.issueVersions) = try issueChanges()
        history.coverage = try coverage(running)
        history.issueDays = try issueDays { [coverage = history.coverage] day, version, capture in
            coverage(version == nil ? .issueDays : .issueReleases, on: day).isPartial
                && running.ranLong(day, at: capture)
        }
        history.deviceDays = try deviceDays()
        history.healthHours = try healthHours()
        history.issueHours = try issueHours()
        history.hoursOfIssues = try hoursOfIssues()
        history.notes = try notes()
        history.takeDeviations()
        if history.countsCrashesAlone { try addCrashes(to: &history, running) }
        try addFirstCaptures { history.lastDayOver(at: $0) }
        history.captures = self.captures
        history.remove(running, openDays)
        history.idleTimes = try idleTimes(of: history)
        return history
    }
}

extension RevisionReader {
    /// What was first reported of the crashes of each day, and whether it is settled, where issues are all that says it.
    private mutating func addCrashes(to history: inout SourceHistory, _ running: RunningDays) throws {
        let crashing = Set(history.issues.lazy.filter { $0.kind == .crash }.map(\.id))
        let totals = try crashTotals(of: crashing, running)
        let first = Dictionary(totals.map { ($0.date, $0.day) }, uniquingKeysWith: { first, _ in first })
        let looks = totals.map { ($0.date, DayObservation($0.day, capturedAt: $0.capturedAt)) }
        history.healthAsReported.merge(first) { stated, _ in stated }
        history.healthSettlement.merge(settlement(of: looks, covered: [], history.source.settling)) {
            stated, _ in stated
        }
    }
}

extension SourceHistory {
    /// Whether it reports issues by day, and neither users nor sessions.
    var countsCrashesAlone: Bool {
        let known = source.capabilities
        return known.contains(.issueDays) && known.isDisjoint(with: [.users, .sessions])
    }

    /// Gives each day the error of its counts, which its coverage states.
    fileprivate mutating func takeDeviations() {
        let coverage = coverage
        func deviation(_ day: HealthDay) -> Double? {
            let facts: [CoveredFact] = day.version == nil ? [.sessions, .users] : [.releaseHealth]
            return facts.map { coverage($0, on: day.date).deviation }.max().flatMap { $0 > 0 ? $0 : nil }
        }
        for place in health.indices { health[place].deviation = deviation(health[place]) }
        for (date, day) in healthAsReported { healthAsReported[date]?.deviation = deviation(day) }
    }
}
