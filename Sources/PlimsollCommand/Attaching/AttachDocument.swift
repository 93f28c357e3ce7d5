import AppHealth
import Attaching

/// What `attach --format json` says of a target.
struct AttachmentPart: Encodable {
    let summaries: [Summary]

    struct Summary: Encodable {
        /// `day`, `week` or `release`.
        let about: String
        let app: String?
        let subject: String
        /// `attached`, `updated`, `planned`, `unchanged`, `skipped` or `failed`.
        let state: String
        let why: String?
        let failure: Problem?
    }
}

/// What `attach --format json` prints.
func attachDocument(_ results: [AttachResult], isDryRun: Bool) -> PlacesDocument<AttachmentPart> {
    PlacesDocument(
        format: "plimsoll-attach", dryRun: isDryRun,
        targets: results.map { result in
            PlacePart(
                PlaceMembers(
                    id: result.job.id, kind: result.job.kind, place: result.job.place,
                    failure: result.failure.map(Problem.init)),
                AttachmentPart(summaries: result.parts.map(AttachmentPart.Summary.init)))
        })
}

extension AttachmentPart.Summary {
    fileprivate init(_ part: AttachResult.Part) {
        about = part.key.kind.rawValue
        app = part.key.app.isEmpty ? nil : part.key.app
        subject = part.key.subject
        failure = part.outcome.failure.map(Problem.init)
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
