import Analysis
import AppHealth
import Archive
import Diagnostics
import Providers
import Transport

/// What a fetch did with one source of one app.
struct SourceResult: Sendable {
    let app: App
    let source: Source
    /// How many values are new or changed.
    var revisions = 0
    /// How many snapshots were read.
    var snapshots = 0
    /// The files that need not be decoded again.
    var files: [StoredFiles.File] = []
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

    /// Stores what becomes of one source.
    func source(of job: SourceJob) -> StoredSource { StoredSource(archive: archive, job: job, now: now) }

    /// Stores the failures of sources whose servers have another time, when it is known that this machine's is right.
    func recordOtherClocks(_ results: [SourceResult]) throws(ArchiveError) {
        for result in results {
            guard let failure = result.failure, failure.isOfClocks else { continue }
            try archive.record(failure: failure, app: result.app.id, source: result.source.id, at: now)
        }
    }
}

extension Diagnostic {
    /// Whether a server's time was another day's. Until all services have answered it is not known whose clock is wrong.
    fileprivate var isOfClocks: Bool { id == "transport.\(TransportError.Kind.clock.rawValue)" }
}

/// What became of one source, stored while it is fetched.
actor StoredSource {
    private let archive: Archive
    private let now: Instant
    /// Which data of its service the source reads.
    private let data: String?
    private var result: SourceResult
    private var failure: ArchiveError?
    /// The captures that are new with this fetch.
    private var newCaptures: Set<Instant> = []
    /// The captures of which something was not stored, as other values were.
    private var conflictingCaptures: Set<Instant> = []
    /// What its snapshots skipped.
    private var problems = SnapshotProblems()

    init(archive: Archive, job: SourceJob, now: Instant) {
        self.archive = archive
        self.now = now
        data = job.data
        result = SourceResult(app: job.app, source: job.source)
    }

    /// Stores snapshots in one transaction; false when nothing more can be stored.
    func take(_ snapshots: [Snapshot]) -> Bool {
        guard failure == nil else { return false }
        do throws(ArchiveError) {
            try store(snapshots)
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// Stores the rest: snapshots in one transaction, then failures.
    func finish(_ outcome: FetchOutcome) -> Result<SourceResult, ArchiveError> {
        if let failure { return .failure(failure) }
        return Result { () throws(ArchiveError) in try storeAll(outcome) }
    }

    /// Stores why nothing of a source is stored: what the archive has of it could not be read. The others go on, unless
    /// they would meet the same.
    func giveUp(_ outcome: FetchOutcome, for fault: ArchiveError) -> Result<SourceResult, ArchiveError> {
        if let failure { return .failure(failure) }
        guard fault.mayLetOthersPass else { return .failure(fault) }
        var why = FetchOutcome()
        why.failures = [.init(at: now, why: fault.diagnostic)]
        why.milliseconds = outcome.milliseconds
        do throws(ArchiveError) {
            return .success(try storeAll(why))
        } catch {
            guard error.mayLetOthersPass else { return .failure(error) }
            // It is reported, though the archive does not take it either.
            (result.failure, result.milliseconds) = (fault.diagnostic, outcome.milliseconds)
            return .success(result)
        }
    }

    private func storeAll(_ outcome: FetchOutcome) throws(ArchiveError) -> SourceResult {
        try store(outcome.snapshots)
        result.snapshots += outcome.storedBefore
        result.files = outcome.files.filter { !conflictingCaptures.contains($0.capturedAt) }
        let (app, source) = (result.app.id, result.source.id)
        for failure in outcome.failures where !failure.why.isOfClocks {
            // What is new in this fetch is not stale because something without a time of its own could not be read.
            let isUndated = failure.at == now && !failure.makesStale
            let at = isUndated ? newCaptures.max() ?? now : failure.at
            if at == now, let first = try archive.firstAttempt(of: app, source: source),
                first > now.advanced(bySeconds: Self.mostBehindSeconds)
            {
                result.warnings.append(clockBehind(now, first))
                continue
            }
            try archive.record(failure: failure.why, app: app, source: source, at: at)
        }
        if outcome.failures.isEmpty, result.snapshots > 0 {
            try archive.recordRecovery(app: app, source: source, at: now)
        }
        result.milliseconds = outcome.milliseconds
        result.warnings += outcome.warnings + problems.all
        result.failure = outcome.failures.last?.why
        return result
    }

    /// How far the clock may be behind the first fetch of all: clocks differ by a little. Further back it is wrong, and a
    /// failure of that time would last until the first fetch.
    private static let mostBehindSeconds = 3600

    private func store(_ snapshots: [Snapshot]) throws(ArchiveError) {
        var snapshots = try withoutOldHours(snapshots)
        let known = try knownCaptures(for: snapshots)
        problems.gather(into: &snapshots, known: known)
        let stored = try archive.record(snapshots, dataName: data)
        for (snapshot, summary) in zip(snapshots, stored) {
            result.revisions += summary.revisions
            if summary.conflicts > 0 {
                result.warnings.append(conflict(summary.conflicts, snapshot))
                conflictingCaptures.insert(snapshot.capturedAt)
            }
            if summary.attempts > 0 { newCaptures.insert(snapshot.capturedAt) }
        }
        result.snapshots += snapshots.count
    }

    /// The captures that were in the archive before this fetch; none where snapshots skipped nothing, for which it does
    /// not matter.
    private func knownCaptures(for snapshots: [Snapshot]) throws(ArchiveError) -> Set<Instant> {
        guard snapshots.contains(where: { !$0.warnings.isEmpty }) else { return [] }
        return Set(try archive.captures(of: result.app.id, source: result.source.id)).subtracting(newCaptures)
    }

    /// The same without the hours that are no longer kept.
    private func withoutOldHours(_ snapshots: [Snapshot]) throws(ArchiveError) -> [Snapshot] {
        let safe = HourKeeping.first(at: now)
        guard snapshots.contains(where: { $0.hasHours(before: safe) }) else { return snapshots }
        let known = try archive.newestHour(of: result.app.id, source: result.source.id)
        let newest = ([known] + snapshots.map(\.newestHour)).compactMap(\.self).max()
        guard let first = HourKeeping.first(at: now, newest: newest) else { return snapshots }
        return snapshots.map { $0.withoutHours(before: first) }
    }
}

private func clockBehind(_ now: Instant, _ first: Instant) -> Diagnostic {
    .warning(
        "archive.clock-behind", "Failure is not stored: this machine's clock is before the first fetch",
        details: ["the clock: \(now)", "the first fetch: \(first)"],
        hints: ["set the clock of this machine, then fetch again"])
}

private func conflict(_ count: Int, _ snapshot: Snapshot) -> Diagnostic {
    .warning(
        "archive.conflict",
        "\(counted(count, "value differs", plural: "values differ")) from stored ones for \(snapshot.capturedAt); stored values kept",
        hints: ["use a later capturedAt"])
}
