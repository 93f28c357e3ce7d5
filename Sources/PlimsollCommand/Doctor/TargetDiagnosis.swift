import Diagnostics
import Formatting
import Publishing

/// What trying a publish target found.
struct PublicationFindings: Sendable {
    /// What the last publication left; nil when there was none, or it could not be read.
    let last: LastPublication?
    /// What a publication would do now; nil without a site.
    let plan: PublicationPlan?
}

/// The result of trying one publish target.
typealias TargetDiagnosis = PlaceDiagnosis<PublicationFindings>

/// Tries a publish target.
///
/// - Parameter site: what would be published; nil while there is no site, or why it cannot be.
func trial(of job: TargetJob, _ site: Result<SiteFolder?, Diagnostic>) async -> TargetDiagnosis {
    switch job.target {
    case .failure(let why):
        return TargetDiagnosis(
            job.place, place: "", problems: [why], PublicationFindings(last: nil, plan: nil))
    case .success(let target):
        let (last, plan, problem) = await tried(target, site, job)
        let problems = [problem].compactMap(\.self) + (await target.obstacles())
        return TargetDiagnosis(
            job.place, place: target.place, problems: problems, PublicationFindings(last: last, plan: plan))
    }
}

extension TargetDiagnosis {
    /// The lines for a person.
    var lines: [String] {
        var more: [String] = []
        if let last = findings.last {
            let state = last.manifest.isComplete ? "" : ", not completed"
            let count = countText(last.manifest.files.count)
            more.append("    last published: \(last.manifest.at)\(state), \(count) files")
        } else if isWell {
            more.append("    last published: never")
        }
        if let plan = findings.plan {
            let sends = "\(countText(plan.uploads.count)) files (\(sizeText(plan.bytes)))"
            more.append("    would send: \(sends), remove \(countText(plan.removals.count))")
        } else if isWell {
            more.append("    would send: nothing, there is no site yet")
        }
        return lines("publish", more)
    }
}

/// What is at a target and what a publication would do, with the first thing that would stop it.
private func tried(
    _ target: any Target, _ built: Result<SiteFolder?, Diagnostic>, _ job: TargetJob
) async -> (LastPublication?, PublicationPlan?, Diagnostic?) {
    let last: LastPublication?
    do throws(Diagnostic) {
        last = try await target.lastPublication()
    } catch {
        return (nil, nil, error)
    }
    let site: SiteFolder
    switch built {
    case .failure(let why): return (last, nil, why)
    case .success(nil): return (last, nil, nil)
    case .success(let found?): site = found
    }
    if let refusal = refusal(of: site, for: job) { return (last, nil, refusal) }
    var options = PublicationOptions(at: "", mostRemoved: job.mostRemoved)
    (options.project, options.isDryRun) = (job.project, true)
    let outcome = await publish(site, to: target, options)
    return (last, outcome.plan, outcome.failure)
}
