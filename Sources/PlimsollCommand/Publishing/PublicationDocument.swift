import Publishing

/// What `publish --format json` says of a target.
struct PublicationPart: Encodable {
    struct Upload: Encodable {
        let path: String
        let size: Int
        let isNew: Bool
    }

    /// `published`, `unchanged`, `planned` or `failed`.
    let state: String
    let uploads: [Upload]
    let removals: [String]
    /// Those of them that others changed, which are still there.
    let kept: [String]
    let unchanged: Int
    let bytes: Int
    let sentFiles: Int
    let sentBytes: Int
    let milliseconds: Int
}

/// What `publish --format json` prints.
func publicationDocument(_ results: [TargetResult], isDryRun: Bool) -> PlacesDocument<PublicationPart> {
    PlacesDocument(
        format: "plimsoll-publish", dryRun: isDryRun,
        targets: results.map { result in
            PlacePart(
                PlaceMembers(
                    id: result.job.id, kind: result.job.kind, place: result.place,
                    failure: result.outcome.failure.map(Problem.init)),
                PublicationPart(result))
        })
}

extension PublicationPart {
    fileprivate init(_ result: TargetResult) {
        let (outcome, plan) = (result.outcome, result.outcome.plan)
        state =
            switch outcome.state {
            case .published: "published"
            case .unchanged: "unchanged"
            case .planned: "planned"
            case .failed: "failed"
            }
        uploads = (plan?.uploads ?? []).map {
            Upload(path: $0.file.path.text, size: $0.file.size, isNew: $0.isNew)
        }
        removals = (plan?.removals ?? []).map(\.text)
        kept = outcome.kept.map(\.text)
        unchanged = plan?.unchanged ?? 0
        bytes = plan?.bytes ?? 0
        sentFiles = outcome.sentFiles
        sentBytes = outcome.sentBytes
        milliseconds = result.milliseconds
    }
}
