import Analysis
import AppHealth
import Archive
import Attaching
import Configuration
import Diagnostics
import Files
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
    /// Of which apps there was nothing to attach, and why.
    var absences: [AttachAbsence] = []
    /// Of which earlier summaries it is not known whether they arrived.
    var uncertain: [AttachmentKey] = []
    /// Why the target could not be used at all; nil when it could.
    var failure: Diagnostic?

    /// Before anything is attached.
    ///
    /// - Parameter reason: why there is nothing to attach to it; nil while that is not known.
    init(of job: AttachJob, because reason: String? = nil) {
        self.job = job
        if case .failure(let why) = job.target { failure = why }
        absences = reason.map { [AttachAbsence(app: "", why: $0)] } ?? []
    }

    /// Everything that failed.
    var failures: [Diagnostic] { [failure].compactMap(\.self) + parts.compactMap(\.outcome.failure) }

    /// The same, each only once, with the summaries that it is about: what is down is down for each of them.
    fileprivate var distinctFailures: [Diagnostic] {
        var names: [Diagnostic: [String]] = [:]
        for part in parts {
            if let why = part.outcome.failure { names[why, default: []].append(part.name) }
        }
        return failures.uniqued().map { naming(names[$0] ?? [], in: $0) }
    }
}

/// How many summaries an error names.
private let mostNamed = 10

/// A failure with the summaries that it is about, as far as its own words do not name them.
func naming(_ names: [String], in failure: Diagnostic) -> Diagnostic {
    let words = [failure.summary] + failure.details
    let unnamed = names.filter { name in !words.contains { $0.contains(name) } }
    guard !unnamed.isEmpty else { return failure }
    let noun = unnamed.count == 1 ? "summary" : "summaries"
    let more = unnamed.count > mostNamed ? " and \(unnamed.count - mostNamed) more" : ""
    var named = failure
    named.details.insert(
        "\(noun): \(unnamed.prefix(mostNamed).joined(separator: ", "))\(more)", at: 0)
    return named
}

/// Attaches what each target should have; one that fails does not stop the others.
///
/// The lock of the archive is held until the end, so that two runs cannot send the same thing.
///
/// - Throws: why nothing was sent; there is nothing to tell without an archive.
func attachAll(
    _ project: Project, _ jobs: [AttachJob], asOf: Instant, _ wishes: AttachWishes, waiting seconds: Int,
    _ console: Console
) async throws(Diagnostics) -> [AttachResult] {
    guard !project.apps.isEmpty else {
        return jobs.map { AttachResult(of: $0, because: "no apps configured") }
    }
    if wishes.isDryRun {
        let batch = try AttachBatch(project, jobs, try openArchive(project), asOf: asOf, wishes, console)
        return await batch.attach { _ throws(Diagnostic) in }
    }
    let held = try heldArchive(project, waiting: seconds, console)
    let archive = held.archive
    let results: [AttachResult]
    do throws(Diagnostics) {
        let batch = try AttachBatch(project, jobs, archive, asOf: asOf, wishes, console)
        results = await batch.attach { entry throws(Diagnostic) in
            do throws(ArchiveError) {
                try archive.record(entry)
            } catch {
                throw error.diagnostic
            }
        }
    } catch {
        try? held.archive.close()
        throw error
    }
    renewBackup(of: project, from: archive, console)
    do throws(ArchiveError) {
        // The lock is held until here.
        try held.archive.close()
    } catch {
        throw Diagnostics([error.diagnostic])
    }
    return results
}

/// Lets the newest kept backup remember what was just attached, so that it is not sent again once that is restored.
private func renewBackup(of project: Project, from archive: Archive, _ console: Console) {
    do throws(Diagnostic) {
        try project.keptBackups.renew(from: archive, at: project.now)
    } catch {
        var warning = error.asWarning()
        warning.details.append("the newest backup lacks what was attached since it was made")
        console.report(warning)
    }
}

/// The archive that is there; to write to one would make it.
private func heldArchive(
    _ project: Project, waiting seconds: Int, _ console: Console
) throws(Diagnostics) -> HeldArchive {
    guard pathKind(project.archive) != .missing else {
        throw Diagnostics([project.missingArchive])
    }
    return try single { () throws(Diagnostic) in
        try HeldArchive(project, for: "attach", waiting: seconds, console)
    }
}

/// What is remembered of each target.
func ledgers(_ archive: Archive, _ jobs: [AttachJob]) throws(Diagnostics) -> [String: AttachLedger] {
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

/// What is planned for the targets of a command.
private struct AttachBatch {
    private let jobs: [AttachJob]
    private let planned: [PlannedTarget]
    private let known: [String: AttachLedger]
    private let options: AttachOptions
    private let project: String
    private let console: Console

    init(
        _ project: Project, _ jobs: [AttachJob], _ archive: Archive, asOf: Instant, _ wishes: AttachWishes,
        _ console: Console
    ) throws(Diagnostics) {
        self.jobs = jobs
        self.console = console
        self.project = project.pathFromArchive
        known = try ledgers(archive, jobs)
        planned = try AttachPlan(project, archive, asOf: asOf, wishes).targets(of: jobs, known, console)
        options = AttachOptions(at: asOf, isDryRun: wishes.isDryRun, again: wishes.resending)
    }

    /// Attaches one summary after the other.
    func attach(
        keep: @escaping @Sendable (AttachmentEntry) throws(Diagnostic) -> Void
    ) async -> [AttachResult] {
        await interruptible {
            var results: [AttachResult] = []
            for (job, planned) in zip(jobs, planned) {
                results.append(await attach(planned, to: job, keep))
                console.endProgress()
            }
            return results
        }
    }

    private func attach(
        _ planned: PlannedTarget, to job: AttachJob,
        _ keep: (AttachmentEntry) throws(Diagnostic) -> Void
    ) async -> AttachResult {
        var result = AttachResult(of: job)
        guard let target = try? job.target.get() else { return result }
        if let problem = note(target, of: job, keep) {
            result.failure = problem
            return result
        }
        (result.absences, result.uncertain) = (planned.absences, planned.uncertain)
        var options = options
        options.namesReader = job.namesReader
        let ledger = known[job.id] ?? AttachLedger()
        for summary in planned.summaries where !Task.isCancelled {
            let key = summary.key(at: job.id)
            let name = key.name
            console.progress("[\(job.id)] \(name)")
            let outcome = await Attaching.attach(
                summary, to: target, named: job.id, knowing: ledger, options, keep: keep)
            // What is down is not waited for again.
            options.outage = options.outage ?? outcome.outage
            result.parts.append(
                AttachResult.Part(name: name, key: key, outcome: outcome))
        }
        // Only now: what was interrupted before is still to begin.
        guard !Task.isCancelled else {
            if result.parts.count < planned.summaries.count {
                result.failure = .error(
                    "attach.interrupted", "Attaching was interrupted",
                    hints: ["attach again: it sends what is missing"])
            }
            return result
        }
        var begins = planned.begins
        if !planned.exposed.isEmpty {
            console.report(leftBehind(planned.exposed, at: target, of: job))
            begins.append(.reader(job.audience.reader.rawValue, of: job.id))
        }
        result.failure = begin(begins, at: options.instant, keep)
        return result
    }
}

extension AttachBatch {
    /// Notes which place the project means by a name; returns why it cannot be used. One that begins empty with each run
    /// is another one each time.
    private func note(
        _ target: any AttachTarget, of job: AttachJob, _ keep: (AttachmentEntry) throws(Diagnostic) -> Void
    ) -> Diagnostic? {
        guard target.keeps != .none else { return nil }
        let (ledger, place) = (known[job.id] ?? AttachLedger(), AttachedPlace(of: target, in: project))
        if ledger.isOfAnother(place) {
            return .error(
                "attach.another-place",
                "The archive knows '\(job.id)' as the target of another project, at another place",
                details: ["nothing was attached at \(target.place)"],
                hints: ["give the target an 'id' that no other project with this archive has"])
        }
        if ledger.knows(place) { return nil }
        do throws(Diagnostic) {
            try keep(place.entry(of: job.id, at: options.instant))
            return nil
        } catch {
            return error
        }
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

/// `sketchbook 2026-11-07: unknown whether it arrived; look there; …`
func uncertainty(of key: AttachmentKey) -> String {
    "\(key.name): unknown whether it arrived; \(lookThere(key))"
}

/// Attaches what a run has just found out; nothing where no targets are configured.
func attachAfterBuild(
    _ project: Project, waiting seconds: Int, _ console: Console
) async throws(ExitStatus) -> [AttachResult] {
    guard !project.configuration.attach.isEmpty else { return [] }
    do throws(Diagnostics) {
        let jobs = try single { () throws(Diagnostic) in try project.attachJobs() }
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
///
/// - Parameter isDryRun: Whether what there is nothing to do for is named, too.
func report(_ results: [AttachResult], isDryRun: Bool = false, _ console: Console) {
    for result in results {
        for failure in result.distinctFailures { console.report(failure) }
        let mark = result.failures.isEmpty ? "✓" : "✗"
        let place = result.job.place.isEmpty ? result.job.kind : result.job.place
        console.result("\(mark) \(result.job.id) (\(place)): \(counts(result))")
        var failed = 0
        for part in result.parts {
            switch part.outcome.state {
            case .absent(let why): console.result("  – \(part.name): \(why)")
            case .planned(let change): console.result("  + \(part.name): would be \(word(change))")
            case .sent(let change):
                let rest = part.outcome.failure == nil ? "" : ", but not for everyone"
                console.result("  + \(part.name): \(word(change))\(rest)")
            case .unchanged where isDryRun:
                console.result("  = \(part.name): \(upToDate(part.outcome.arrivedAt))")
            case .unchanged: continue
            case .failed:
                failed += 1
                if failed <= mostNamed { console.result("  ✗ \(part.name): failed") }
            }
        }
        if failed > mostNamed { console.result("  ✗ and \(countText(failed - mostNamed)) more") }
        for key in result.uncertain { console.result("  ? \(uncertainty(of: key))") }
        if isDryRun { for absence in result.absences { console.result("  – \(absence.text)") } }
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

/// `up to date, attached at 2026-11-20T06:00:00Z`
func upToDate(_ arrivedAt: Instant?) -> String {
    "up to date" + (arrivedAt.map { ", attached at \($0)" } ?? "")
}

private func word(_ change: AttachReceipt.Change) -> String { change == .replaced ? "updated" : "attached" }
