import Attaching
import Diagnostics

/// What trying an attach target found.
struct AttachmentFindings: Sendable {
    /// What would be attached now.
    let planned: [String]
}

/// The result of trying one attach target.
typealias AttachDiagnosis = PlaceDiagnosis<AttachmentFindings>

extension AttachDiagnosis {
    /// What a run that changes nothing found, and what the target says of itself.
    fileprivate init(_ result: AttachResult, obstacles: [Diagnostic]) {
        let planned = result.parts.filter { part in
            if case .planned = part.outcome.state { true } else { false }
        }.map(\.name)
        self.init(
            result.job.setting, place: result.job.place, problems: result.failures + obstacles,
            AttachmentFindings(planned: planned))
    }

    /// The lines for a person.
    var lines: [String] {
        let planned = findings.planned.joined(separator: ", ")
        return lines(
            "attach", isWell ? ["    would attach: \(planned.isEmpty ? "nothing" : planned)"] : [])
    }
}

/// Tries each attach target: what a run would attach, as far as there is an archive, and what the place says.
func attachDiagnoses(_ project: Project, _ console: Console) async -> [AttachDiagnosis] {
    guard let jobs = try? project.attachJobs(), !jobs.isEmpty else { return [] }
    let wishes = AttachWishes(isDryRun: true)
    let results =
        (try? await attachAll(project, jobs, asOf: project.now, wishes, waiting: 0, console))
        ?? jobs.map(AttachResult.init(of:))
    var diagnoses: [AttachDiagnosis] = []
    for result in results {
        let obstacles = await (try? result.job.target.get())?.obstacles() ?? []
        diagnoses.append(AttachDiagnosis(result, obstacles: obstacles))
    }
    return diagnoses
}
