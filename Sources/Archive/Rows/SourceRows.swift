import AppHealth
import Diagnostics
import Foundation
import GRDB

extension RevisionTable {
    static let descriptions = RevisionTable(
        "source_description",
        values: [
            "app_name", "app_platform", "provider", "session_definition", "user_definition", "zone", "delay",
            "capabilities", "settles_after_hours", "final_after_hours",
        ],
        joint: [["app_name", "app_platform"], ["settles_after_hours", "final_after_hours"]])
}

extension RevisionWriter {
    mutating func write(_ description: Source, of app: App) throws -> Bool {
        // These words are among the capabilities, so that archives from before them need no new format.
        let exact = description.hasExactCounts ? [exactCounts] : []
        let estimated = description.estimates.map { estimates + $0.rawValue }.sorted()
        let known = description.capabilities.map(\.rawValue).sorted()
        let totals = [description.issueTotals.word].compactMap(\.self)
        let before = known + exact + estimated
        let steady = before + totals + (description.countsSteadyShare ? [steadyShare] : [])
        let apart =
            steady + (description.statesWholeDays ? [wholeDays] : [])
            + (description.countsPartsApart ? [partsApart] : [])
        let byDay = apart + (description.datesReleasesByDay ? [releasesByDay] : [])
        let words = byDay + (description.statesReleaseDays ? [statedReleases] : [])
        func values(_ words: [String], _ settling: SettlingAge?) -> [Field] {
            [
                Field(app.name), Field(app.platform), Field(description.provider),
                Field(description.sessionDefinition), Field(description.userDefinition),
                Field(description.zone), Field(description.delay), Field(words.joined(separator: " ")),
                Field(settling?.settlesAfterHours), Field(settling?.finalAfterHours),
            ]
        }
        let settling = description.settling
        let (stated, knownConflicts) = (values(words, settling), conflicts)
        let isNew = try write(
            stated, of: [Field(source)], to: .descriptions,
            olderForms: [
                values(known, nil), values(known, settling), values(known + exact, settling),
                values(before, settling), values(before + totals, settling), values(steady, settling),
                values(apart, settling), values(byDay, settling),
            ])
        if isNew { refreshDayEnds() }
        if conflicts > knownConflicts, try differsByAppAlone(stated) { conflicts = knownConflicts }
        return isNew
    }

    /// Whether a description differs from the stored one of this instant by the app's name and platform alone, which
    /// are the configuration's: an app that was renamed makes no snapshot say anything else.
    private mutating func differsByAppAlone(_ stated: [Field]) throws -> Bool {
        let place = [Field(source), Field(capturedAt.secondsSinceEpoch)]
        return try statement(RevisionTable.descriptions.newest).row(place).map { stored in
            let renamed = Array(stated.prefix(2) + stored.dropFirst(2))
            return !SameInstant(.descriptions, renamed, and: stated, after: nil).differs
        } ?? false
    }
}

extension RevisionReader {
    /// The source as its newest snapshot described it; a capability of a newer version is skipped.
    mutating func description(id: Slug) throws -> Source? {
        var unknown = 0
        let described = try rows(of: .descriptions) { columns in
            _ = (try columns.text(), try columns.text())
            var source = Source(
                id: id, provider: try columns.text(), sessionDefinition: try columns.text(),
                userDefinition: try columns.text(), zone: try columns.text(), delay: try columns.text(),
                capabilities: [])
            let all = try columns.text().split(separator: " ")
            // Of descriptions from before the word nothing is known, so the wider tolerance holds.
            source.hasExactCounts = all.contains { $0 == exactCounts }
            let estimated = all.filter { $0.hasPrefix(estimates) }
            source.estimates = Set(
                estimated.compactMap { CoveredFact(rawValue: String($0.dropFirst(estimates.count))) })
            source.issueTotals = all.lazy.compactMap { IssueTotals(word: $0) }.first ?? .unstated
            source.countsSteadyShare = all.contains { $0 == steadyShare }
            source.statesWholeDays = all.contains { $0 == wholeDays }
            source.countsPartsApart = all.contains { $0 == partsApart }
            source.datesReleasesByDay = all.contains { $0 == releasesByDay }
            source.statesReleaseDays = all.contains { $0 == statedReleases }
            let marks = [exactCounts, steadyShare, wholeDays, partsApart, releasesByDay, statedReleases]
            let words = all.filter {
                !marks.contains(String($0)) && !$0.hasPrefix(estimates) && !$0.hasPrefix(IssueTotals.prefix)
            }
            source.capabilities = Set(words.compactMap { Capability(rawValue: String($0)) })
            unknown = words.count - source.capabilities.count
            // Snapshots from before the columns have none.
            if let least = try columns.optionalInteger(), let final = try columns.optionalInteger() {
                source.settling = SettlingAge(settlesAfterHours: least, finalAfterHours: final)
            }
            return source
        }
        if unknown > 0 { leaveOut(from: RevisionTable.descriptions.name) }
        return described.first
    }
}

/// What is among the capabilities of a source whose parts and totals are counted alike.
private let exactCounts = "exactCounts"
/// What is among the capabilities of a source that counts a steady share of everybody.
private let steadyShare = "steadyShare"
/// What is among the capabilities of a source that states a day only once that is there to its end.
private let wholeDays = "wholeDays"
/// What is among the capabilities of a source whose parts are counted from rows of their own.
private let partsApart = "partsApart"
private let releasesByDay = "releasesByDay"
/// What is among the capabilities of a source in which somebody stated when releases came out.
private let statedReleases = "statedReleases"
/// What begins the words for the kinds of facts that a source estimates.
private let estimates = "estimates:"

extension IssueTotals {
    /// What begins the word for the time over which a source counts its issues.
    fileprivate static let prefix = "issueTotals:"

    /// The word among the capabilities; nil for what is not stated.
    fileprivate var word: String? {
        switch self {
        case .unstated: nil
        case .lifetime: Self.prefix + "lifetime"
        case .days(let count): Self.prefix + String(count)
        }
    }

    /// Reads such a word; nil for another one.
    fileprivate init?(word: some StringProtocol) {
        guard word.hasPrefix(Self.prefix) else { return nil }
        let span = word.dropFirst(Self.prefix.count)
        switch Int(span) {
        case let count? where count > 0: self = .days(count)
        case nil where span == "lifetime": self = .lifetime
        default: return nil
        }
    }
}

extension RevisionWriter {
    /// Stores an attempt; false when one that ended in the same way is known for its instant.
    mutating func write(_ attempt: FetchAttempt) throws -> Bool {
        let (hasFailed, diagnostics) =
            switch attempt.outcome {
            case .succeeded(let warnings): (0, warnings)
            case .failed(let why): (1, [why])
            }
        let text = diagnostics.isEmpty ? "[]" : try Self.text(of: diagnostics)
        return try run(
            """
            INSERT OR IGNORE INTO fetch_attempt (source_id, at, has_failed, diagnostics)
            VALUES (?, ?, ?, ?)
            """,
            [Field(source), Field(attempt.at.secondsSinceEpoch), Field(hasFailed), Field(text)])
    }

    /// Stores that the source could be read at this instant, when its newest attempt is a failure.
    mutating func writeRecovery() throws -> Bool {
        try run(
            """
            INSERT OR IGNORE INTO recovery (source_id, at)
            SELECT ?1, ?2 WHERE EXISTS (
                SELECT 1 FROM fetch_attempt AS failed
                WHERE failed.source_id = ?1 AND failed.has_failed = 1 AND failed.at < ?2
                    AND NOT EXISTS (
                        SELECT 1 FROM fetch_attempt WHERE source_id = ?1 AND has_failed = 0 AND at BETWEEN failed.at AND ?2)
                    AND NOT EXISTS (SELECT 1 FROM recovery WHERE source_id = ?1 AND at > failed.at AND at <= ?2))
            """,
            [Field(source), Field(capturedAt.secondsSinceEpoch)])
    }

    private static func text(of diagnostics: [Diagnostic]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(diagnostics), as: UTF8.self)
    }
}

extension RevisionReader {
    /// The newest attempt that counts: a failure before a recovery does not, when something was ever read. Of two at
    /// the same instant the good one, with why the other failed as a warning: what one fetch could read is not stale
    /// because it could not read something else.
    mutating func lastAttempt() throws -> FetchAttempt? {
        let newest = """
            SELECT at, has_failed, diagnostics FROM fetch_attempt
            WHERE source_id = ?1 AND at <= ?2 AND (has_failed = 0 OR NOT EXISTS (
                SELECT 1 FROM recovery
                WHERE recovery.source_id = ?1 AND recovery.at > fetch_attempt.at AND recovery.at <= ?2))
            ORDER BY at DESC, has_failed LIMIT 1
            """
        let last = try attempt(newest)
        guard let last, case .succeeded(let warnings) = last.outcome else { return last }
        let failed = try attempt(
            """
            SELECT at, has_failed, diagnostics FROM fetch_attempt
            WHERE source_id = ?1 AND at <= ?2 AND has_failed = 1 ORDER BY at DESC LIMIT 1
            """)
        guard let failed, failed.at == last.at, var why = failed.failure else { return last }
        why.severity = .warning
        return FetchAttempt(at: last.at, outcome: .succeeded(warnings: warnings + [why]))
    }

    /// When the newest two snapshots were captured, newest first.
    func lastCaptures() throws -> [Instant] {
        let newest = """
            SELECT DISTINCT at FROM fetch_attempt WHERE source_id = ? AND has_failed = 0 AND at <= ?
            ORDER BY at DESC LIMIT 2
            """
        return try Int.fetchAll(database, sql: newest, arguments: [source, asOf.secondsSinceEpoch])
            .map(Instant.init(secondsSinceEpoch:))
    }

    /// The end of an attempt counts even when its text cannot be read: a failure must not look like success.
    ///
    /// - Parameter instant: what the statement takes in the place of the instant of the report.
    mutating func attempt(_ statement: String, at instant: Instant? = nil) throws -> FetchAttempt? {
        let parameters: StatementArguments = [source, (instant ?? asOf).secondsSinceEpoch]
        guard let row = try Row.fetchOne(database, sql: statement, arguments: parameters) else { return nil }
        var columns = ColumnReader(row: row)
        guard let at = try? columns.instant(), let hasFailed = try? columns.integer() != 0 else {
            leaveOut(from: "fetch_attempt")
            return nil
        }
        let text = try? columns.text()
        let stored = text.flatMap { try? JSONDecoder().decode([Diagnostic].self, from: Data($0.utf8)) }
        if stored == nil { leaveOut(from: "fetch_attempt") }
        guard hasFailed else { return FetchAttempt(at: at, outcome: .succeeded(warnings: stored ?? [])) }
        let unknown = Diagnostic.error(
            "archive.unreadable-reason", "fetch failed; its reason cannot be read")
        return FetchAttempt(at: at, outcome: .failed(stored?.first ?? unknown))
    }
}

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
