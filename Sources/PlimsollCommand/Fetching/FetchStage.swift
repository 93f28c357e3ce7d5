import Analysis
import AppHealth
import Archive
import Diagnostics
import Files
import Pages
import Platform
import Providers
import Site
import Transport

/// Fetches every source of every app at once, and stores what each reports as soon as it is whole.
///
/// No one else writes to the archive meanwhile. An interruption keeps what was stored and names what is missing.
///
/// - Parameters:
///   - seconds: how long to wait for another process that writes to the archive.
///   - budget: the time of all requests; nil for the one that the configuration gives, from now on.
/// - Throws: a `Diagnostic` when the archive cannot be used; a source that fails is a result.
func fetchAll(
    _ project: Project, waiting seconds: Int, exchanges: Exchanges, pacing: Pacing = .system,
    budget: RunBudget? = nil, _ console: Console
) async throws(Diagnostic) -> [SourceResult] {
    let project = project.replaying(exchanges)
    // Before the client, whose threads have to be ended by closing it.
    let held = try HeldArchive(project, for: "fetch", waiting: seconds, console)
    let archive = held.archive
    let records = FetchRecords(of: project)
    let storedFiles = StoredFilesRecord(keptBy: records)
    let known: StoredFiles
    do throws(ArchiveError) {
        known = try storedFiles.files(of: project.apps.map(\.app), in: archive, at: project.now)
    } catch {
        throw error.diagnostic
    }
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
    let now = project.now
    if case .recorded(let folder) = exchanges { keep(now, in: folder, console) }
    var services = chain.services
    services.shared = SharedResources(stored: known)
    let memory = SourceMemory(of: archive, at: now)
    memory.serve(&services)
    let jobs = project.sourceJobs(services)
    let store = FetchStore(archive: archive, now: project.now)
    let clock = Task { await budget.watch() }
    let stored = await interruptible { await storing(jobs, in: store, memory, console) }
    clock.cancel()
    for fault in await chain.close() { console.report(fault) }
    if stored.isInterrupted { throw stored.interruption(of: jobs) }
    if let ahead = chain.clocks.machineAhead { throw wrongClock(ahead: ahead) }
    do throws(ArchiveError) {
        let results = try stored.all()
        try store.recordOtherClocks(results)
        try archive.removeHours(at: project.now)
        // What reading and storing took is free by now.
        cplatform_trim_memory()
        try updateLedger(of: project, in: archive, keeping: records)
        try storedFiles.keep(results, in: archive, at: now)
        try updatePassages(of: project, in: archive)
        // Of what was checked when it was opened, and holds this fetch.
        project.keepBackup(of: archive, console)
        try archive.close()
        _ = consume held
        return results
    } catch {
        throw error.diagnostic
    }
}

/// No service has this machine's time: what would be done with it, a site and messages of other days, is not done.
private func wrongClock(ahead seconds: Int) -> Diagnostic {
    .error(
        "fetch.clock",
        "This machine's clock is \(ComparedClocks.text(ahead: seconds)) that of every service; nothing was fetched from them",
        details: ["the clock: \(Instant(secondsSinceEpoch: Pacing.system.now()))"],
        hints: ["set the clock that is wrong, this machine's or the service's, then run it again"])
}

/// Keeps the instant of a fetch that is recorded; without it only a fetch of the same instant can replay it.
private func keep(_ instant: Instant, in folder: String, _ console: Console) {
    do throws(FileFailure) {
        try RecordedInstant(in: folder).write(instant)
    } catch {
        console.report(error.diagnostic.asWarning())
    }
}

/// Fetches sources and stores each when it comes.
private func storing(
    _ jobs: [SourceJob], in store: FetchStore, _ memory: SourceMemory, _ console: Console
) async -> StoredSources {
    await withTaskGroup(of: (Int, StoredSource, FetchOutcome).self) { group in
        func begin(_ index: Int) {
            let job = jobs[index]
            let source = store.source(of: job)
            _ = group.addTaskUnlessCancelled {
                let outcome = await outcome(of: job, at: store.now) {
                    memory.fault(of: job) == nil ? await source.take($0) : false
                }
                return (index, source, outcome)
            }
        }
        var queues = SourceQueues(jobs)
        queues.first.forEach(begin)
        var stored = StoredSources(count: jobs.count)
        var done = 0
        for await (index, source, outcome) in group {
            let job = jobs[index]
            defer { queues.next(after: index).map(begin) }
            // What an interruption cut off is no failure of its source.
            if Task.isCancelled, !outcome.failures.isEmpty { continue }
            let fault = memory.fault(of: job)
            if let fault {
                stored.add(await source.giveUp(outcome, for: fault), at: index)
            } else {
                let result = await source.finish(outcome)
                if case .success = result { memory.wasStored(job) }
                stored.add(result, at: index)
            }
            if stored.isOver { group.cancelAll() }
            done += 1
            let mark = outcome.failures.isEmpty && fault == nil ? "✓" : "✗"
            console.progress(
                "[\(done)/\(jobs.count)] \(mark) \(job.app.id)/\(job.source.id), \(outcome.milliseconds) ms"
            )
        }
        console.endProgress()
        stored.isInterrupted = Task.isCancelled
        return stored
    }
}

/// What a source reports, or the reason why it cannot be queried.
///
/// - Parameter take: takes snapshots before the end where there are many; nil to have all of them.
@concurrent
func outcome(
    of job: SourceJob, at now: Instant, handingOver take: SnapshotTaker? = nil
) async -> FetchOutcome {
    switch job.provider {
    case .success(let provider):
        var outcome: FetchOutcome
        if let take {
            outcome = await provider.fetch(job.app, at: now) {
                await take($0.map { $0.withoutDaysToCome() })
            }
        } else {
            outcome = await provider.fetch(job.app, at: now)
        }
        // Whichever provider it is of: nothing counts what is to come.
        outcome.snapshots = outcome.snapshots.map { $0.withoutDaysToCome() }
        for place in outcome.snapshots.indices {
            outcome.snapshots[place].warnings = outcome.snapshots[place].warnings.eachOnce
        }
        outcome.warnings = outcome.warnings.eachOnce
        return outcome
    case .failure(let why):
        var outcome = FetchOutcome()
        outcome.failures = [.init(at: now, why: why)]
        return outcome
    }
}
