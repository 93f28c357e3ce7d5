import Analysis
import AppHealth
import Archive
import Diagnostics
import Providers

/// What a fetch did with one source of one app.
struct SourceResult: Sendable {
    let app: App
    let source: Source
    /// How many values are new or changed.
    var revisions = 0
    /// How many snapshots were read.
    var snapshots = 0
    /// Milliseconds spent.
    var milliseconds = 0
    /// The newest failure, when the newest attempt failed.
    var failure: Diagnostic?
    /// What was skipped.
    var warnings: [Diagnostic] = []
}

/// Where a fetch stores what its sources report.
struct FetchStore: Sendable {
    let archive: Archive
    /// When the fetch began.
    let now: Instant

    /// Stores what became of one source: its snapshots in one transaction, then its failures.
    func store(_ outcome: FetchOutcome, of job: SourceJob) throws(ArchiveError) -> SourceResult {
        let oldest = HourKeeping.first(at: now)
        let stored = try archive.record(outcome.snapshots.map { $0.withoutHours(before: oldest) })
        var result = SourceResult(app: job.app, source: job.source)
        for (snapshot, summary) in zip(outcome.snapshots, stored) {
            result.revisions += summary.revisions
            if summary.conflicts > 0 { result.warnings.append(conflict(summary.conflicts, snapshot)) }
        }
        // What is new in this fetch is not stale because something without a time of its own could not be read.
        let newest = zip(outcome.snapshots, stored).filter { $1.attempts > 0 }.map(\.0.capturedAt).max()
        for failure in outcome.failures {
            let at = failure.at == now ? newest ?? now : failure.at
            try archive.record(failure: failure.why, app: job.app.id, source: job.source.id, at: at)
        }
        if outcome.failures.isEmpty, !outcome.snapshots.isEmpty {
            try archive.recordRecovery(app: job.app.id, source: job.source.id, at: now)
        }
        result.snapshots = outcome.snapshots.count
        result.milliseconds = outcome.milliseconds
        result.warnings += outcome.warnings + (outcome.snapshots.last?.warnings ?? [])
        result.failure = outcome.attempts.last?.failure ?? outcome.failures.last?.why
        return result
    }
}

private func conflict(_ count: Int, _ snapshot: Snapshot) -> Diagnostic {
    .warning(
        "archive.conflict",
        "\(count) \(count == 1 ? "value differs" : "values differ") from stored ones for \(snapshot.capturedAt); stored values kept",
        hints: ["use a later capturedAt"])
}
