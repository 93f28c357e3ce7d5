import Analysis
import AppHealth
import Archive
import Diagnostics
import Platform
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

/// The archive of a project, to which no one else writes while this is there.
struct HeldArchive: ~Copyable {
    let archive: Archive
    private let lock: ArchiveLock

    /// Opens the archive, and makes it where there is none.
    ///
    /// - Parameter seconds: how long to wait for another process that writes to it.
    init(_ project: Project, waiting seconds: Int, _ console: Console) throws(Diagnostic) {
        var isWaiting = false
        do throws(ArchiveError) {
            let lock = try ArchiveLock.acquire(
                forArchive: project.archive, command: "fetch", now: project.now, waiting: seconds
            ) { milliseconds in
                if !isWaiting { console.progress("Waiting for the archive, up to \(seconds) s") }
                isWaiting = true
                usleep(milliseconds * 1000)
            }
            archive = try Archive(at: project.archive, for: .writing)
            self.lock = lock
        } catch {
            throw error.diagnostic
        }
    }
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

/// What became of the sources of a fetch, in their order.
struct StoredSources: Sendable {
    /// Whether the fetch was called off.
    var isInterrupted = false
    private var results: [SourceResult?]
    private var failure: ArchiveError?

    /// Nothing is stored of so many sources.
    init(count: Int) { results = Array(repeating: nil, count: count) }

    /// Whether no other source can be stored either.
    var isOver: Bool { failure.map { !$0.mayLetOthersPass } ?? false }

    /// Adds what became of the source at a place.
    mutating func add(_ result: Result<SourceResult, ArchiveError>, at index: Int) {
        switch result {
        case .success(let stored): results[index] = stored
        case .failure(let error): failure = failure ?? error
        }
    }

    /// Every result.
    ///
    /// - Throws: the first reason why something could not be stored.
    func all() throws(ArchiveError) -> [SourceResult] {
        if let failure { throw failure }
        return results.compactMap(\.self)
    }

    /// Says what of an interrupted fetch is stored, and what is missing.
    func interruption(of jobs: [SourceJob]) -> Diagnostic {
        let missing = zip(jobs, results).filter { $0.1 == nil }
            .map { job, _ in "\(job.app.id)/\(job.source.id)" }
        let stored = jobs.count - missing.count
        let shown = missing.prefix(Self.namedSources)
        let more = missing.count > shown.count ? ["and \(missing.count - shown.count) more"] : []
        return .error(
            "fetch.interrupted",
            stored == 0
                ? "Fetch interrupted; nothing stored"
                : "Fetch interrupted; \(stored) of \(jobs.count) sources stored",
            details: shown.map { "\($0) is missing" } + more, hints: ["run it again"])
    }

    /// How many sources a diagnostic names.
    private static let namedSources = 20
}
