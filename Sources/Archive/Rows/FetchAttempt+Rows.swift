import AppHealth
import Diagnostics
import Foundation
import GRDB

extension RevisionWriter {
    /// Stores an attempt; false when one that ended in the same way is known for its instant.
    func write(_ attempt: FetchAttempt) throws -> Bool {
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

    private static func text(of diagnostics: [Diagnostic]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(diagnostics), as: UTF8.self)
    }
}

extension RevisionReader {
    /// The newest attempt; of two at the same instant the failed one, for that fetch was not whole.
    mutating func lastAttempt() throws -> FetchAttempt? {
        try attempt(
            """
            SELECT at, has_failed, diagnostics FROM fetch_attempt
            WHERE source_id = ?1 AND at <= ?2 ORDER BY at DESC, has_failed DESC LIMIT 1
            """)
    }

    /// When the newest snapshot was captured.
    func lastCapture() throws -> Instant? {
        let newest = "SELECT max(at) FROM fetch_attempt WHERE source_id = ? AND has_failed = 0 AND at <= ?"
        return try Int.fetchOne(database, sql: newest, arguments: [source, asOf.secondsSinceEpoch])
            .map(Instant.init(secondsSinceEpoch:))
    }

    /// The end of an attempt counts even when its text cannot be read: a failure must not look like success.
    private mutating func attempt(_ statement: String) throws -> FetchAttempt? {
        let parameters: StatementArguments = [source, asOf.secondsSinceEpoch]
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
            "archive.unreadable-reason", "the fetch failed; its reason cannot be read")
        return FetchAttempt(at: at, outcome: .failed(stored?.first ?? unknown))
    }
}
