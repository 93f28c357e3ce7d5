import AppHealth
import Attaching

/// What `attach --format json` says of a target.
struct AttachmentPart: Encodable {
    let summaries: [Summary]
    /// Of which apps there is no summary for it.
    let without: [AbsentSummary]

    struct Summary: Encodable {
        /// `day`, `week` or `release`.
        let about: String
        let app: String?
        let subject: String
        /// `attached`, `updated`, `planned`, `unchanged`, `skipped`, `failed` or, of an earlier one, `uncertain`.
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
                AttachmentPart(
                    summaries: result.parts.map(AttachmentPart.Summary.init)
                        + result.uncertain.map(AttachmentPart.Summary.init),
                    without: result.absences.map(AbsentSummary.init)))
        })
}

/// An app without a summary for a target, and why.
struct AbsentSummary: Encodable {
    /// Null for all apps together.
    let app: String?
    let why: String

    init(_ absence: AttachAbsence) {
        (app, why) = (absence.app.isEmpty ? nil : absence.app, absence.why)
    }
}

extension AttachmentPart.Summary {
    /// One of which it is not known whether it arrived.
    init(_ uncertain: AttachmentKey) {
        self.init(uncertain, "uncertain", why: lookThere(uncertain))
    }

    private init(_ key: AttachmentKey, _ state: String, why: String?, failure: Problem? = nil) {
        about = key.kind.rawValue
        app = key.app.isEmpty ? nil : key.app
        subject = key.subject
        (self.state, self.why, self.failure) = (state, why, failure)
    }

    fileprivate init(_ part: AttachResult.Part) {
        let (state, why): (String, String?) =
            switch part.outcome.state {
            case .sent(.replaced): ("updated", nil)
            case .sent: ("attached", nil)
            case .planned: ("planned", nil)
            case .unchanged: ("unchanged", upToDate(part.outcome.arrivedAt))
            case .absent(let why): ("skipped", why)
            case .failed: ("failed", nil)
            }
        self.init(part.key, state, why: why, failure: part.outcome.failure.map(Problem.init))
    }
}
