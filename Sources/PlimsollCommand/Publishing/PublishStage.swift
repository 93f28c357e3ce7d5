import AppHealth
import Configuration
import Diagnostics
import Formatting
import Publishing
import Transport

/// What became of one publish target.
struct TargetResult: Sendable {
    let job: TargetJob
    let outcome: PublicationOutcome
    /// Milliseconds spent.
    let milliseconds: Int

    /// Where it is; empty when that could not be found out.
    var place: String { (try? job.target.get())?.place ?? "" }
}

/// How the targets of a run are published to.
struct PublishWishes: Sendable {
    /// Whether nothing is changed.
    var isDryRun = false
    /// Whether more may be removed than a target allows.
    var allowsRemovals = false
    /// Whether files that no publication put there, and the site of another project, may be replaced.
    var adopts = false
}

/// Publishes the site to one target after the other; one that fails does not stop the others.
func publishAll(
    _ jobs: [TargetJob], _ site: SiteFolder, at now: Instant, _ wishes: PublishWishes, _ console: Console
) async -> [TargetResult] {
    await interruptible {
        var results: [TargetResult] = []
        for job in jobs {
            let start = ContinuousClock.now
            let outcome = await publishOne(job, site, at: now, wishes, console)
            let spent = ContinuousClock.now - start
            results.append(
                TargetResult(
                    job: job, outcome: outcome,
                    milliseconds: Int(spent.components.seconds) * 1000
                        + Int(spent.components.attoseconds / 1_000_000_000_000_000)))
            console.endProgress()
        }
        return results
    }
}

/// Publishes the site that a run has just built; nothing where no targets are configured.
func publishAfterBuild(_ project: Project, _ console: Console) async throws(ExitStatus) -> [TargetResult] {
    guard !project.configuration.publish.isEmpty else { return [] }
    let results: [TargetResult]
    do throws(Diagnostic) {
        results = await publishAll(
            try project.targetJobs(), try builtSite(project), at: project.now, PublishWishes(), console)
    } catch {
        throw console.stop(error)
    }
    project.keep(results, console)
    report(results, lists: false, console)
    return results
}

private func publishOne(
    _ job: TargetJob, _ site: SiteFolder, at now: Instant, _ wishes: PublishWishes, _ console: Console
) async -> PublicationOutcome {
    switch job.target {
    case .failure(let why): return PublicationOutcome(state: .failed(why))
    case .success(let target):
        if let refusal = refusal(of: site, for: job) { return PublicationOutcome(state: .failed(refusal)) }
        var options = PublicationOptions(
            at: now.description, mostRemoved: wishes.allowsRemovals ? nil : job.mostRemoved)
        (options.project, options.adopts) = (job.project, wishes.adopts)
        options.isDryRun = wishes.isDryRun
        return await publish(site, to: target, options) { done, count in
            // A line for each file would be a log of the whole site where lines are kept.
            if done == count || done.isMultiple(of: 500) {
                console.progress("[\(job.id)] \(countText(done)) of \(countText(count)) files")
            }
        }
    }
}

/// Why a site must not be published to a target: it is for the team and everybody may read what is there, or a kept file in
/// it shows what it hides.
func refusal(of site: SiteFolder, for job: TargetJob) -> Diagnostic? {
    guard isForTeam(site) else {
        return revealingFiles(of: site).first.map { file in
            .error(
                "publish.audience",
                "'\(file)' shows what the site hides, so the site cannot go to '\(job.id)'",
                at: site.location,
                hints: [
                    "build the single file again for the audience of the site, or remove it from the site"
                ])
        }
    }
    guard job.isPublic else { return nil }
    return .error(
        "publish.audience", "Publish target '\(job.id)' is public, and the site is for the team",
        at: site.location,
        hints: ["build the site with 'audience: public', or remove 'audience' from the target"])
}

// MARK: - What is reported

/// Reports what became of each target, as lines for people.
func report(_ results: [TargetResult], lists: Bool, _ console: Console) {
    for result in results {
        for remark in result.outcome.remarks { console.report(remark) }
        if let failure = result.outcome.failure { console.report(failure) }
        if lists, let plan = result.outcome.plan { listChanges(plan, console) }
        console.result(line(result))
    }
}

private func listChanges(_ plan: PublicationPlan, _ console: Console) {
    for upload in plan.uploads {
        console.result("\(upload.isNew ? "+" : "~") \(upload.file.path), \(sizeText(upload.file.size))")
    }
    for path in plan.removals { console.result("- \(path)") }
}

private func line(_ result: TargetResult) -> String {
    let mark = result.outcome.failure == nil ? "✓" : "✗"
    let name = "\(mark) \(result.job.id) (\(result.place.isEmpty ? result.job.kind : result.place)): "
    let plan = result.outcome.plan
    let seconds = "\(decimalText(Double(result.milliseconds) / 1000, decimals: 1)) s"
    let unchanged = "\(countText(plan?.unchanged ?? 0)) unchanged"
    switch result.outcome.state {
    case .unchanged: return name + "up to date, \(unchanged)"
    case .published:
        return name
            + "sent \(countedText(result.outcome.sentFiles, "file")) (\(sizeText(result.outcome.sentBytes))), removed \(countText(result.outcome.removedFiles)), \(unchanged), \(seconds)"
    case .planned:
        return name
            + "would send \(countedText(plan?.uploads.count ?? 0, "file")) (\(sizeText(plan?.bytes ?? 0))), remove \(countText(result.outcome.removedFiles)), \(unchanged)"
    case .failed:
        let count = plan.map { " of \(countedText($0.uploads.count, "file"))" } ?? " files"
        return name + "failed after \(countText(result.outcome.sentFiles))\(count)"
    }
}
