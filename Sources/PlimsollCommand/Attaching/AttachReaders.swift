import Analysis
import AppHealth
import Attaching
import Diagnostics
import Formatting

extension AttachLedger {
    /// What is at a target for readers who see more than those of now.
    func exposed(to job: AttachJob, at target: any AttachTarget) -> [AttachRecord] {
        guard job.audience.reader != .team else { return [] }
        return exposed(
            to: job.audience.reader.rawValue, from: [Audience.Reader.team.rawValue], at: target)
    }
}

extension AttachedSummary {
    /// Written again only because its place has another reader: one that people removed is not made again.
    var forNewReader: AttachedSummary {
        var summary = self
        summary.staysRemoved = true
        return summary
    }
}

/// That summaries for the team are at a place whose reader is another now, which nothing can change there.
func leftBehind(
    _ steps: [AttachmentEntry], at target: any AttachTarget, of job: AttachJob
) -> Diagnostic {
    let noun = countedText(steps.count, "earlier summary", "earlier summaries")
    return Diagnostic(
        .warning, id: "attach.audience",
        "\(noun) for the team \(steps.count == 1 ? "remains" : "remain") at \(target.place)",
        details: ["not changed: \(subjectList(steps))"],
        hints: [
            target.givesCopies
                ? "ask the recipients of '\(job.id)' to delete them if they may not see all of it"
                : "delete them there if the readers of '\(job.id)' may not see all of it"
        ])
}
