package import AppHealth
package import Diagnostics
import Foundation
import GRDB

extension Archive {
    /// Stores what a snapshot reports, whole or not at all.
    ///
    /// A value becomes a new revision when it differs from the newest one known at the snapshot's own
    /// instant, so snapshots may come in any order and more than once. What a snapshot does not name stays, but for
    /// issues and releases on days that it covers completely: these had nothing.
    ///
    /// - Parameter dataName: which data its source reads; nil where its settings name none.
    @discardableResult
    package func record(
        _ snapshot: Snapshot, dataName: String? = nil
    ) throws(ArchiveError) -> RecordSummary {
        try write { database in
            var writer = RevisionWriter(database)
            return try writer.write(snapshot, dataName)
        }
    }

    /// Stores what snapshots report, in their order, each whole or not at all; returns a summary for each.
    ///
    /// Many are stored in one transaction, which is quicker than one for each. When one cannot be stored and the
    /// archive is not at fault, the others are stored nevertheless; then the first error is thrown.
    ///
    /// - Parameter dataName: which data their source reads; nil where its settings name none.
    @discardableResult
    package func record(
        _ snapshots: [Snapshot], dataName: String? = nil
    ) throws(ArchiveError) -> [RecordSummary] {
        var summaries: [RecordSummary] = []
        var failure: ArchiveError?
        for start in stride(from: 0, to: snapshots.count, by: Self.snapshotsOfOneTransaction) {
            let some = snapshots[start...].prefix(Self.snapshotsOfOneTransaction)
            do throws(ArchiveError) {
                summaries += try recordAtOnce(some, dataName)
            } catch  where error.mayLetOthersPass {
                // Nothing of these is stored; which one is at fault shows when each is stored by itself.
                let first = try recordEach(some, dataName, &summaries)
                failure = failure ?? first
            }
        }
        if let failure { throw failure }
        return summaries
    }

    /// Stores each by itself and returns the first error; throws one that every other would meet too.
    private func recordEach(
        _ snapshots: ArraySlice<Snapshot>, _ dataName: String?, _ summaries: inout [RecordSummary]
    ) throws(ArchiveError) -> ArchiveError? {
        var failure: ArchiveError?
        for snapshot in snapshots {
            do throws(ArchiveError) {
                summaries.append(try record(snapshot, dataName: dataName))
            } catch {
                guard case .sqlite = error else { throw error }
                failure = failure ?? error
            }
        }
        return failure
    }

    /// So many that their commits cost little, and so few that a transaction stays small next to the archive.
    static let snapshotsOfOneTransaction = 200

    private func recordAtOnce(
        _ snapshots: ArraySlice<Snapshot>, _ dataName: String?
    ) throws(ArchiveError) -> [RecordSummary] {
        try write { database in
            var writer = RevisionWriter(database)
            return try snapshots.map { try writer.write($0, dataName) }
        }
    }

    /// Stores that a source could not be fetched; true when this failure was not known yet.
    @discardableResult
    package func record(
        failure: Diagnostic, app: Slug, source: Slug, at instant: Instant
    ) throws(ArchiveError) -> Bool {
        try write { database in
            var writer = RevisionWriter(database)
            try writer.begin(app: app, source: source, capturedAt: instant)
            return try writer.write(FetchAttempt(at: instant, outcome: .failed(failure)))
        }
    }

    /// Stores that all a source has could be read at an instant; true when a failure before it is over with that.
    ///
    /// What a snapshot file says of its capture may be earlier than the fetch that could not read it.
    @discardableResult
    package func recordRecovery(app: Slug, source: Slug, at instant: Instant) throws(ArchiveError) -> Bool {
        try write { database in
            var writer = RevisionWriter(database)
            try writer.begin(app: app, source: source, capturedAt: instant)
            return try writer.writeRecovery()
        }
    }
}

extension RevisionWriter {
    /// Stores what a snapshot reports, and which data its source reads.
    fileprivate mutating func write(_ snapshot: Snapshot, _ dataName: String?) throws -> RecordSummary {
        try begin(app: snapshot.app.id, source: snapshot.source.id, capturedAt: snapshot.capturedAt)
        var summary = RecordSummary()
        summary.descriptions = try write(snapshot.source, of: snapshot.app) ? 1 : 0
        summary.releases = try snapshot.releases.count { try write($0) }
        summary.health = try snapshot.health.count { try write($0) }
        summary.usage = try snapshot.usage.count { try write($0) }
        summary.issues = try snapshot.issues.count {
            try write($0, isKindStated: !snapshot.unstatedKinds.contains($0.id))
        }
        summary.issueDays = try snapshot.issueDays.count { try write($0) }
        summary.health += try writeVanishedReleases(of: snapshot)
        summary.issueDays += try writeVanishedIssues(of: snapshot)
        summary.deviceDays = try snapshot.deviceDays.count { try write($0) }
        summary.hours = try snapshot.healthHours.count { try write($0) }
        summary.hours += try snapshot.issueHours.count { try write($0) }
        summary.notes = try snapshot.notes.count { try write($0) }
        for kind in CoveredKind.allCases { try writeCovered(snapshot, kind) }
        try writeCoverage(snapshot.coverage)
        if let dataName { try write(dataName: dataName) }
        summary.conflicts = conflicts
        let attempt = FetchAttempt(
            at: snapshot.capturedAt,
            outcome: snapshot.failure.map { .failed($0) } ?? .succeeded(warnings: snapshot.warnings))
        summary.attempts = try write(attempt) ? 1 : 0
        return summary
    }
}

extension ArchiveError {
    /// Whether some snapshots may be stored though many at once were not: one of them is at fault, or there is place
    /// for a few.
    package var mayLetOthersPass: Bool {
        switch self {
        case .sqlite, .full: true
        default: false
        }
    }
}

/// What recording one snapshot added to the archive: revisions by kind.
package struct RecordSummary: Hashable, Sendable {
    /// Revisions of health by day.
    package var health = 0
    /// Revisions of use by day.
    package var usage = 0
    /// Revisions of releases.
    package var releases = 0
    /// Revisions of issues.
    package var issues = 0
    /// Revisions of counts by day of issues.
    package var issueDays = 0
    /// Revisions of counts by day of kinds of device.
    package var deviceDays = 0
    /// Revisions of health and of issues by hour.
    package var hours = 0
    /// Revisions of notes.
    package var notes = 0
    /// One when the source describes itself differently than before, or for the first time.
    package var descriptions = 0
    /// One when no attempt of this instant had succeeded before.
    package var attempts = 0
    /// Values that differ from those recorded before for the very same instant; they were not stored.
    package var conflicts = 0

    /// Makes an empty summary.
    package init() {}

    /// All revisions of values; the attempt is none.
    package var revisions: Int {
        health + usage + releases + issues + issueDays + deviceDays + hours + notes + descriptions
    }
}
