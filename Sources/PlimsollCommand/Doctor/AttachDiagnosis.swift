import AppHealth
import Attaching
import Diagnostics
import Files

/// What trying an attach target found.
struct AttachmentFindings: Sendable {
    /// What would be attached now.
    var planned: [String] = []
    /// What is there already.
    var upToDate: [String] = []
    /// Of which apps nothing would be attached, and why.
    var absences: [AttachAbsence] = []
    /// Of which earlier summaries it is not known whether they arrived.
    var uncertain: [AttachmentKey] = []
}

/// The result of trying one attach target.
typealias AttachDiagnosis = PlaceDiagnosis<AttachmentFindings>

extension AttachDiagnosis {
    /// What a run that changes nothing found, and what the target says of itself.
    fileprivate init(_ result: AttachResult, obstacles: [Diagnostic]) {
        var findings = AttachmentFindings(absences: result.absences, uncertain: result.uncertain)
        for part in result.parts {
            switch part.outcome.state {
            case .planned: findings.planned.append(part.name)
            case .unchanged: findings.upToDate.append(part.name)
            case .absent(let why): findings.absences.append(AttachAbsence(app: part.name, why: why))
            case .sent, .failed: continue
            }
        }
        self.init(
            result.job.setting, place: result.job.place, problems: result.failures + obstacles, findings)
    }

    /// How many apps without a summary are named: of hundreds the first say enough.
    private static let mostNamed = 5

    /// The lines for a person.
    var lines: [String] {
        let planned = findings.planned.joined(separator: ", ")
        guard isWell else { return lines("attach", []) }
        let (upToDate, absences) = (findings.upToDate, findings.absences)
        let more = absences.count - Self.mostNamed
        var found = ["    would attach: \(planned.isEmpty ? "nothing" : planned)"]
        if !upToDate.isEmpty { found.append("    up to date: \(upToDate.joined(separator: ", "))") }
        found += findings.uncertain.map { "    unknown: \(uncertainty(of: $0))" }
        found += absences.prefix(Self.mostNamed).map { "    no summary: \($0.text)" }
        if more > 0 { found.append("    no summary: \(more) more (see 'plimsoll attach --dry-run')") }
        return lines("attach", found)
    }
}

/// Tries each attach target: what a run would attach, as far as there is an archive, and what the place says.
func attachDiagnoses(_ project: Project, _ console: Console) async -> [AttachDiagnosis] {
    let jobs: [AttachJob]
    do throws(Diagnostic) {
        jobs = try project.attachJobs()
    } catch {
        console.report(error)
        return []
    }
    guard !jobs.isEmpty else { return [] }
    var diagnoses: [AttachDiagnosis] = []
    for result in await attachTrials(of: jobs, project, console) {
        let obstacles = await (try? result.job.target.get())?.obstacles() ?? []
        diagnoses.append(AttachDiagnosis(result, obstacles: obstacles))
    }
    return diagnoses
}

/// What a run that changes nothing would attach; where it could attach nothing to any target, each has the reason.
private func attachTrials(
    of jobs: [AttachJob], _ project: Project, _ console: Console
) async -> [AttachResult] {
    guard pathKind(project.archive) != .missing else {
        return jobs.map { AttachResult(of: $0, because: "no archive yet; run 'plimsoll fetch'") }
    }
    do throws(Diagnostics) {
        return try await attachAll(
            project, jobs, asOf: project.now, AttachWishes(isDryRun: true), waiting: 0, console)
    } catch {
        return jobs.map { job in
            var result = AttachResult(of: job)
            result.failure = result.failure ?? error.list.first
            return result
        }
    }
}
