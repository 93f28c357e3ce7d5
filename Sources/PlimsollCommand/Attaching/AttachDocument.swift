import AppHealth
import Attaching
import Foundation

/// What `attach --format json` prints.
struct AttachDocument: Encodable {
    struct TargetPart: Encodable {
        let id: String
        let kind: String
        let place: String
        let summaries: [Summary]
        let failure: DoctorDocument.Problem?
    }

    struct Summary: Encodable {
        /// `day`, `week` or `release`.
        let about: String
        let app: String?
        let subject: String
        /// `attached`, `updated`, `planned`, `unchanged`, `skipped` or `failed`.
        let state: String
        let why: String?
        let failure: DoctorDocument.Problem?
    }

    let format = "plimsoll-attach"
    let version = 1
    let dryRun: Bool
    let targets: [TargetPart]

    init(_ results: [AttachResult], isDryRun: Bool) {
        dryRun = isDryRun
        targets = results.map(TargetPart.init)
    }

    /// The text, with sorted members and a line break at its end.
    func text() -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: (try? encoder.encode(self)) ?? Data(), as: UTF8.self) + "\n"
    }
}

extension AttachDocument.TargetPart {
    fileprivate init(_ result: AttachResult) {
        (id, kind, place) = (result.job.id, result.job.kind, result.job.place)
        summaries = result.parts.map(AttachDocument.Summary.init)
        failure = result.failure.map(DoctorDocument.Problem.init)
    }
}

extension AttachDocument.Summary {
    fileprivate init(_ part: AttachResult.Part) {
        about = part.key.kind.rawValue
        app = part.key.app.isEmpty ? nil : part.key.app
        subject = part.key.subject
        failure = part.outcome.failure.map(DoctorDocument.Problem.init)
        (state, why) =
            switch part.outcome.state {
            case .sent(.replaced): ("updated", nil)
            case .sent: ("attached", nil)
            case .planned: ("planned", nil)
            case .unchanged: ("unchanged", nil)
            case .absent(let why): ("skipped", why)
            case .failed: ("failed", nil)
            }
    }
}
