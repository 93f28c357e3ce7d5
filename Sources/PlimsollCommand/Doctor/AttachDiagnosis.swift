import Attaching
import Diagnostics

/// The result of trying one attach target, without changing it.
struct AttachDiagnosis: Sendable {
    let id: String
    let kind: String
    /// Where it is; empty when that could not be found out.
    let place: String
    /// What would be attached now.
    let planned: [String]
    /// Everything that would hinder it, each with its next step.
    let problems: [Diagnostic]

    /// Whether nothing needs care.
    var isWell: Bool { problems.isEmpty }

    /// What a run that changes nothing found, and what the target says of itself.
    init(_ result: AttachResult, obstacles: [Diagnostic]) {
        (id, kind, place) = (result.job.id, result.job.kind, result.job.place)
        planned = result.parts.filter { part in
            if case .planned = part.outcome.state { true } else { false }
        }.map(\.name)
        // What fails for one summary mostly fails for all.
        var seen: Set<Diagnostic> = []
        problems = (result.failures + obstacles).filter { seen.insert($0).inserted }
    }

    /// The lines for a person.
    var lines: [String] {
        var lines = ["\(isWell ? "✓" : "✗") attach to \(id) (\(kind))"]
        if !place.isEmpty { lines.append("    place: \(place)") }
        if isWell {
            lines.append("    would attach: \(planned.isEmpty ? "nothing" : planned.joined(separator: ", "))")
        }
        return lines
    }
}

/// Tries each attach target: what a run would attach, as far as there is an archive, and what the place says.
func attachDiagnoses(_ project: Project, _ console: Console) async -> [AttachDiagnosis] {
    guard let jobs = try? project.attachJobs(), !jobs.isEmpty else { return [] }
    let wishes = AttachWishes(isDryRun: true)
    let results =
        (try? await attachAll(project, jobs, asOf: project.now, wishes, waiting: 0, console))
        ?? jobs.map { job in
            var result = AttachResult(job: job)
            if case .failure(let why) = job.target { result.failure = why }
            return result
        }
    var diagnoses: [AttachDiagnosis] = []
    for result in results {
        let obstacles = await (try? result.job.target.get())?.obstacles() ?? []
        diagnoses.append(AttachDiagnosis(result, obstacles: obstacles))
    }
    return diagnoses
}
