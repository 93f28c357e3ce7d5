package import AppHealth
package import Diagnostics
import Foundation
import GRDB

extension Archive {
    /// Stores what a snapshot tells, whole or not at all.
    ///
    /// A value becomes a new revision when it differs from the newest one known at the snapshot's own
    /// instant, so snapshots may come in any order and more than once. What a snapshot does not name stands.
    @discardableResult
    package func record(_ snapshot: Snapshot) throws(ArchiveError) -> RecordSummary {
        try write { database in
            var writer = try RevisionWriter(
                database, app: snapshot.app.id, source: snapshot.source.id, capturedAt: snapshot.capturedAt)
            var summary = RecordSummary()
            summary.descriptions = try writer.write(snapshot.source, of: snapshot.app) ? 1 : 0
            summary.releases = try snapshot.releases.count { try writer.write($0) }
            summary.health = try snapshot.health.count { try writer.write($0) }
            summary.usage = try snapshot.usage.count { try writer.write($0) }
            summary.issues = try snapshot.issues.count { try writer.write($0) }
            summary.issueDays = try snapshot.issueDays.count { try writer.write($0) }
            summary.hours = try snapshot.healthHours.count { try writer.write($0) }
            summary.hours += try snapshot.issueHours.count { try writer.write($0) }
            summary.notes = try snapshot.notes.count { try writer.write($0) }
            for kind in CoveredKind.allCases { try writer.writeCovered(snapshot, kind) }
            summary.conflicts = writer.conflicts
            summary.attempts =
                try writer.write(
                    FetchAttempt(at: snapshot.capturedAt, outcome: .succeeded(warnings: snapshot.warnings)))
                ? 1 : 0
            return summary
        }
    }

    /// Stores that a source could not be fetched; true when this failure was not known yet.
    @discardableResult
    package func record(
        failure: Diagnostic, app: Slug, source: Slug, at instant: Instant
    ) throws(ArchiveError) -> Bool {
        try write { database in
            let writer = try RevisionWriter(database, app: app, source: source, capturedAt: instant)
            return try writer.write(FetchAttempt(at: instant, outcome: .failed(failure)))
        }
    }
}
