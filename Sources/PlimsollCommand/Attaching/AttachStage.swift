import AppHealth
import Archive
import Attaching
import Configuration
import Diagnostics
import Formatting
import Transport

/// What became of the summaries of one attach target.
struct AttachResult: Sendable {
    /// What became of one summary.
    struct Part: Sendable {
        /// `sketchbook 4.3.0`.
        let name: String
        let key: AttachmentKey
        let outcome: AttachOutcome
    }

    let job: AttachJob
    var parts: [Part] = []
    /// Why the target could not be used at all; nil when it could.
    var failure: Diagnostic?

    /// Everything that failed.
    var failures: [Diagnostic] { [failure].compactMap(\.self) + parts.compactMap(\.outcome.failure) }
}

/// Attaches what each target should have; one that fails does not stop the others.
///
/// The lock of the archive is held until the end, so that two runs cannot send the same thing.
func attachAll(
    _ project: Project, _ jobs: [AttachJob], asOf: Instant, _ wishes: AttachWishes, waiting seconds: Int,
    _ console: Console
) async throws(Diagnostics) -> [AttachResult] {
    let plan = try AttachPlan(project, asOf: asOf, wishes)
    if wishes.isDryRun {
        let known = try known(try openArchive(project), jobs)
        let planned = try plan.targets(of: jobs, known, console)
        return await attachAll(jobs, planned, known, asOf: asOf, wishes, console) { _ throws(Diagnostic) in
        }
    }
    var (done, fault): ([AttachResult], Diagnostics?) = ([], nil)
    do throws(ArchiveError) {
        let lock = try ArchiveLock.acquire(
            forArchive: project.archive, command: "attach", now: project.now, waiting: seconds)
        let archive = try Archive(at: project.archive, for: .writing)
        let planned: Result<([PlannedTarget], [String: AttachLedger]), Diagnostics> = Result {
            () throws(Diagnostics) in
            let known = try known(archive, jobs)
            return (try plan.targets(of: jobs, known, console), known)
        }
        var results: [AttachResult] = []
        if case .success(let (targets, known)) = planned {
            results = await attachAll(jobs, targets, known, asOf: asOf, wishes, console) {
                entry throws(Diagnostic) in
                do throws(ArchiveError) {
                    try archive.record(entry)
                } catch {
                    throw error.diagnostic
                }
            }
        }
        try archive.close()
        _ = consume lock
        if case .failure(let why) = planned { fault = why }
        done = results
    } catch {
        fault = Diagnostics([error.diagnostic])
    }
    if let fault { throw fault }
    return done
}

/// What is remembered of each target.
func known(_ archive: Archive, _ jobs: [AttachJob]) throws(Diagnostics) -> [String: AttachLedger] {
    var known: [String: AttachLedger] = [:]
    for job in jobs {
        do throws(ArchiveError) {
            known[job.id] = AttachLedger(try archive.attachments(to: job.id))
        } catch {
            throw Diagnostics([error.diagnostic])
        }
    }
    return known
}

private func attachAll(
    _ jobs: [AttachJob], _ planned: [PlannedTarget], _ known: [String: AttachLedger], asOf: Instant,
    _ wishes: AttachWishes, _ console: Console,
    keep: @escaping @Sendable (AttachmentEntry) throws(Diagnostic) -> Void
) async -> [AttachResult] {
    await interruptible {
        var results: [AttachResult] = []
        for (job, planned) in zip(jobs, planned) {
            var result = AttachResult(job: job)
            switch job.target {
            case .failure(let why): result.failure = why
            case .success(let target):
                let options = AttachOptions(
                    at: asOf, isDryRun: wishes.isDryRun, again: wishes.again, namesReader: job.namesReader)
                let ledger = known[job.id] ?? AttachLedger()
                for summary in planned.summaries where !Task.isCancelled {
                    let name = subjectName(summary)
                    console.progress("[\(job.id)] \(name)")
                    let outcome = await attach(
                        summary, to: target, named: job.id, knowing: ledger, options, keep: keep)
                    result.parts.append(
                        AttachResult.Part(name: name, key: summary.key(at: job.id), outcome: outcome))
                }
                // Only now: what was interrupted before is still to begin.
                if !Task.isCancelled { result.failure = begin(planned.begins, at: asOf, keep) }
            }
            console.endProgress()
            results.append(result)
        }
        return results
    }
}

/// Notes that a target gets summaries of these kinds from now on; returns why that cannot be written down.
private func begin(
    _ keys: [AttachmentKey], at instant: Instant, _ keep: (AttachmentEntry) throws(Diagnostic) -> Void
) -> Diagnostic? {
    do throws(Diagnostic) {
        for key in keys {
            try keep(AttachmentEntry(key: key, state: .begun, content: "", gist: "", at: instant))
        }
        return nil
    } catch {
        return error
    }
}

/// `sketchbook 4.3.0`.
func subjectName(_ summary: AttachedSummary) -> String {
    [summary.app, summary.subject].filter { !$0.isEmpty }.joined(separator: " ")
}

/// Attaches what a run has just found out; nothing where no targets are configured.
func attachAfterBuild(
    _ project: Project, waiting seconds: Int, _ console: Console
) async throws(ExitStatus) -> [AttachResult] {
    guard !project.configuration.attach.isEmpty else { return [] }
    do throws(Diagnostics) {
        let jobs: [AttachJob]
        do throws(Diagnostic) {
            jobs = try project.attachJobs()
        } catch {
            throw Diagnostics([error])
        }
        let results = try await attachAll(
            project, jobs, asOf: project.now, AttachWishes(), waiting: seconds, console)
        report(results, console)
        return results
    } catch {
        throw console.stop(error)
    }
}

// MARK: - What is reported

/// Reports what became of each target, as lines for people.
func report(_ results: [AttachResult], _ console: Console) {
    for result in results {
        for failure in result.failures { console.report(failure) }
        let mark = result.failures.isEmpty ? "✓" : "✗"
        let place = result.job.place.isEmpty ? result.job.kind : result.job.place
        console.result("\(mark) \(result.job.id) (\(place)): \(counts(result))")
        for part in result.parts {
            switch part.outcome.state {
            case .absent(let why): console.result("  – \(part.name): \(why)")
            case .planned(let change): console.result("  + \(part.name): would be \(word(change))")
            case .sent(let change): console.result("  + \(part.name): \(word(change))")
            case .unchanged, .failed: continue
            }
        }
    }
}

private func counts(_ result: AttachResult) -> String {
    var (sent, planned, same, absent) = (0, 0, 0, 0)
    for part in result.parts {
        switch part.outcome.state {
        case .sent: sent += 1
        case .planned: planned += 1
        case .unchanged: same += 1
        case .absent: absent += 1
        case .failed: continue
        }
    }
    let all = [
        (sent, "attached"), (planned, "to attach"), (same, "up to date"), (absent, "skipped"),
        (result.failures.count, "failed"),
    ].filter { $0.0 > 0 }.map { "\(countText($0.0)) \($0.1)" }
    return all.isEmpty ? "nothing to attach" : all.joined(separator: ", ")
}

private func word(_ change: AttachReceipt.Change) -> String { change == .replaced ? "updated" : "attached" }
