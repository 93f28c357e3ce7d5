import Analysis
import AppHealth
import Archive
import Diagnostics
import Files
import Pages
import Providers
import Site
import Transport

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

/// Fetches every source of every app at once and stores what they report.
///
/// - Parameters:
///   - seconds: how long to wait for another process that writes to the archive.
///   - budget: the time of all requests; nil for the one that the configuration gives, from now on.
/// - Throws: a `Diagnostic` when the archive cannot be used; a source that fails is a result.
func fetchAll(
    _ project: Project, waiting seconds: Int, exchanges: Exchanges, pacing: Pacing = .system,
    budget: RunBudget? = nil, _ console: Console
) async throws(Diagnostic) -> [SourceResult] {
    let planned = project.sourceJobs(.unsent)
    let forecast = FetchForecast(planned)
    let (client, odd) = project.client(for: planned)
    for problem in odd { console.report(problem) }
    if !exchanges.isReplayed {
        for problem in forecast.problems(timeBudget: project.timeBudget) { console.report(problem) }
    }
    // On the machine's clock, whatever paces the attempts.
    let budget = budget ?? RunBudget(milliseconds: project.timeBudget)
    let chain = try SenderChain(
        exchanges, limits: forecast.limits, budget: budget,
        cacheFolder: project.responseCache, client: client, policy: project.retryPolicy, pacing: pacing)
    let jobs = project.sourceJobs(chain.services)
    let now = project.now
    let clock = Task { await budget.watch() }
    let (fetched, isInterrupted) = await interruptible {
        (await outcomes(of: jobs, at: now, console), Task.isCancelled)
    }
    clock.cancel()
    for fault in await chain.close() { console.report(fault) }
    if isInterrupted {
        throw .error(
            "fetch.interrupted", "Fetch interrupted; nothing stored",
            hints: ["run it again"])
    }
    do throws(FileFailure) {
        try makeFolder(parentFolder(project.archive))
    } catch {
        throw error.diagnostic
    }
    do throws(ArchiveError) {
        let lock = try ArchiveLock.acquire(
            forArchive: project.archive, command: "fetch", now: project.now, waiting: seconds)
        let archive = try Archive(at: project.archive, for: .writing)
        let oldest = HourKeeping.first(at: now)
        var summaries = try archive.record(
            fetched.flatMap { $0.snapshots.map { $0.withoutHours(before: oldest) } })[...]
        var results: [SourceResult] = []
        for (job, outcome) in zip(jobs, fetched) {
            let ofJob = summaries.prefix(outcome.snapshots.count)
            summaries = summaries.dropFirst(outcome.snapshots.count)
            results.append(try result(of: job, outcome, stored: ofJob, in: archive, at: now))
        }
        try archive.removeHours(before: HourKeeping.first(at: now))
        try updateLedger(of: project, in: archive)
        // Of what was checked when it was opened, and holds this fetch.
        do throws(Diagnostic) {
            try project.keptBackups.add(of: archive, at: now)
        } catch {
            var warning = error
            warning.severity = .warning
            warning.gravity = .shown
            console.report(warning)
        }
        try archive.close()
        _ = consume lock
        return results
    } catch {
        throw error.diagnostic
    }
}

/// The outcome of each job, in the order of the jobs.
private func outcomes(of jobs: [SourceJob], at now: Instant, _ console: Console) async -> [FetchOutcome] {
    await withTaskGroup(of: (Int, FetchOutcome).self) { group in
        for (index, job) in jobs.enumerated() {
            group.addTask { (index, await outcome(of: job, at: now)) }
        }
        var all = [FetchOutcome](repeating: FetchOutcome(), count: jobs.count)
        var done = 0
        for await (index, outcome) in group {
            all[index] = outcome
            done += 1
            let job = jobs[index]
            let mark = outcome.failures.isEmpty ? "✓" : "✗"
            console.progress(
                "[\(done)/\(jobs.count)] \(mark) \(job.app.id)/\(job.source.id), \(outcome.milliseconds) ms"
            )
        }
        console.endProgress()
        return all
    }
}

/// What a source reports, or the reason why it cannot be queried.
@concurrent
func outcome(of job: SourceJob, at now: Instant) async -> FetchOutcome {
    switch job.provider {
    case .success(let provider): return await provider.fetch(job.app, at: now)
    case .failure(let why):
        var outcome = FetchOutcome()
        outcome.failures = [.init(at: now, why: why)]
        return outcome
    }
}

/// What became of one source, whose snapshots are stored; its failures are stored now.
private func result(
    of job: SourceJob, _ outcome: FetchOutcome, stored: ArraySlice<RecordSummary>, in archive: Archive,
    at now: Instant
) throws(ArchiveError) -> SourceResult {
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

private func conflict(_ count: Int, _ snapshot: Snapshot) -> Diagnostic {
    .warning(
        "archive.conflict",
        "\(count) \(count == 1 ? "value differs" : "values differ") from stored ones for \(snapshot.capturedAt); stored values kept",
        hints: ["use a later capturedAt"])
}

/// Writes down which alerts the rules raise as of this run, and which the figures no longer show.
///
/// It is worked out from the archive as it is: a run that was cut off before this leaves nothing to
/// repair, since the next one does it. A second run with the same data writes nothing.
func updateLedger(of project: Project, in archive: Archive) throws(ArchiveError) {
    let sources = project.sourcesByApp
    for app in project.apps.map(\.app) {
        // Rows that cannot be read are reported when the site is built.
        let (history, _) = try archive.history(of: app, sources: sources[app.id] ?? [], asOf: project.now)
        let evidence = HistoryIndex(history, asOf: project.now)
        let reconciliation = reconcile(
            history.ledger, with: events(in: evidence), in: evidence, sentence: \.sentence)
        try archive.record(reconciliation.revisions, at: project.now)
    }
}
