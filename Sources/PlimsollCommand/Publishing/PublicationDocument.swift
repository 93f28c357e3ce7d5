import Diagnostics
import Foundation
import Publishing

/// What `publish --format json` prints.
struct PublicationDocument: Encodable {
    struct TargetPart: Encodable {
        let id: String
        let kind: String
        let place: String
        /// `published`, `unchanged`, `planned` or `failed`.
        let state: String
        let uploads: [Upload]
        let removals: [String]
        let unchanged: Int
        let bytes: Int
        let sentFiles: Int
        let sentBytes: Int
        let milliseconds: Int
        let failure: DoctorDocument.Problem?
    }

    struct Upload: Encodable {
        let path: String
        let size: Int
        let isNew: Bool
    }

    let format = "plimsoll-publish"
    let version = 1
    let dryRun: Bool
    let targets: [TargetPart]

    init(_ results: [TargetResult], isDryRun: Bool) {
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

extension PublicationDocument.TargetPart {
    fileprivate init(_ result: TargetResult) {
        let (outcome, plan) = (result.outcome, result.outcome.plan)
        id = result.job.id
        kind = result.job.kind
        place = result.place
        state =
            switch outcome.state {
            case .published: "published"
            case .unchanged: "unchanged"
            case .planned: "planned"
            case .failed: "failed"
            }
        uploads = (plan?.uploads ?? []).map {
            PublicationDocument.Upload(path: $0.file.path, size: $0.file.size, isNew: $0.isNew)
        }
        removals = plan?.removals ?? []
        unchanged = plan?.unchanged ?? 0
        bytes = plan?.bytes ?? 0
        sentFiles = outcome.sentFiles
        sentBytes = outcome.sentBytes
        milliseconds = result.milliseconds
        failure = outcome.failure.map(DoctorDocument.Problem.init)
    }
}
