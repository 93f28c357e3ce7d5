import Diagnostics
import Formatting
import Publishing

/// The result of trying one publish target, without changing it.
struct TargetDiagnosis: Sendable {
    let id: String
    let kind: String
    /// Where it is; empty when that could not be found out.
    let place: String
    /// What the last publication left; nil when there was none, or it could not be read.
    let last: LastPublication?
    /// What a publication would do now; nil without a site.
    let plan: PublicationPlan?
    /// Everything that would hinder a publication, each with its next step.
    let problems: [Diagnostic]

    /// Whether nothing needs care.
    var isWell: Bool { problems.isEmpty }

    /// Tries a target.
    ///
    /// - Parameter site: what would be published; nil while there is no site.
    init(_ job: TargetJob, _ site: SiteFolder?) async {
        (id, kind) = (job.id, job.kind)
        switch job.target {
        case .failure(let why): (place, last, plan, problems) = ("", nil, nil, [why])
        case .success(let target):
            place = target.place
            let (last, plan, problem) = await tried(target, site, job)
            (self.last, self.plan) = (last, plan)
            problems = [problem].compactMap(\.self) + (await target.obstacles())
        }
    }

    /// The lines for a person.
    var lines: [String] {
        var lines = ["\(isWell ? "✓" : "✗") publish to \(id) (\(kind))"]
        if !place.isEmpty { lines.append("    place: \(place)") }
        if let last {
            let state = last.manifest.isComplete ? "" : ", not completed"
            let count = countText(last.manifest.files.count)
            lines.append("    last published: \(last.manifest.at)\(state), \(count) files")
        } else if isWell {
            lines.append("    last published: never")
        }
        if let plan {
            let sends = "\(countText(plan.uploads.count)) files (\(sizeText(plan.bytes)))"
            lines.append("    would send: \(sends), remove \(countText(plan.removals.count))")
        } else if isWell {
            lines.append("    would send: nothing, there is no site yet")
        }
        return lines
    }
}

/// What is at a target and what a publication would do, with the first thing that would stop it.
private func tried(
    _ target: any Target, _ site: SiteFolder?, _ job: TargetJob
) async -> (LastPublication?, PublicationPlan?, Diagnostic?) {
    let last: LastPublication?
    do throws(Diagnostic) {
        last = try await target.lastPublication()
    } catch {
        return (nil, nil, error)
    }
    guard let site else { return (last, nil, nil) }
    var options = PublicationOptions(at: "", mostRemoved: job.mostRemoved)
    options.isDryRun = true
    let outcome = await publish(site, to: target, options)
    return (last, outcome.plan, outcome.failure)
}
