import AppHealth
import Diagnostics
import Foundation
import GRDB

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
