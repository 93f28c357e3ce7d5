import AppHealth
import Diagnostics
import Foundation
import Providers
import Publishing
import Synchronization
import Transport

/// What `doctor --format json` prints; a member that is null is not known.
struct DoctorDocument: Encodable {
    struct SourcePart: Encodable {
        let app: String
        let source: String
        let provider: String
        let isWell: Bool
        let origins: [String]
        let isReachable: Bool
        let milliseconds: Int
        let isAuthorised: Bool?
        let refusals: Int
        let neededScopes: [String]
        let grantedScopes: [String]?
        let missingScopes: [String]
        let newestDay: String?
        let hoursSinceNewestDay: Int?
        let capturedAt: String?
        let clockAheadSeconds: Int?
        let requestsLeft: Int?
        let documentedLimit: String?
        let cannotKnow: [String]
        let problems: [Problem]
    }

    struct Problem: Encodable {
        let severity: String
        let id: String
        let summary: String
        let details: [String]
        let location: String?
        let nextSteps: [String]
    }

    struct TargetPart: Encodable {
        let id: String
        let kind: String
        let place: String
        let isWell: Bool
        let lastPublished: String?
        let isComplete: Bool?
        let filesToSend: Int?
        let bytesToSend: Int?
        let filesToRemove: Int?
        let problems: [Problem]
    }

    struct AttachmentPart: Encodable {
        let id: String
        let kind: String
        let place: String
        let isWell: Bool
        let wouldAttach: [String]
        let problems: [Problem]
    }

    let isWell: Bool
    let sources: [SourcePart]
    let targets: [TargetPart]
    let attachments: [AttachmentPart]
    /// What is wrong with the theme, the pages and the archive.
    let problems: [Problem]

    init(
        _ diagnoses: [SourceDiagnosis], _ targets: [TargetDiagnosis], _ attachments: [AttachDiagnosis],
        standing: [Diagnostic], at now: Instant
    ) {
        isWell =
            standing.isEmpty && diagnoses.allSatisfy(\.isWell) && targets.allSatisfy(\.isWell)
            && attachments.allSatisfy(\.isWell)
        self.targets = targets.map(TargetPart.init)
        self.attachments = attachments.map(AttachmentPart.init)
        sources = diagnoses.map { SourcePart($0, at: now) }
        problems = standing.map(Problem.init)
    }

    /// The text, with sorted members and a line break at its end.
    func text() -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = (try? encoder.encode(self)) ?? Data()
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}

extension DoctorDocument.SourcePart {
    fileprivate init(_ diagnosis: SourceDiagnosis, at now: Instant) {
        let seen = diagnosis.observation
        app = diagnosis.app.id.text
        source = diagnosis.source.id.text
        provider = diagnosis.source.provider
        isWell = diagnosis.isWell
        origins = seen.origins
        isReachable = seen.answers > 0
        milliseconds = diagnosis.outcome.milliseconds
        isAuthorised = seen.answers > 0 ? seen.refusals == 0 : nil
        refusals = seen.refusals
        neededScopes = diagnosis.permissions.needed
        grantedScopes = diagnosis.permissions.granted
        missingScopes = diagnosis.permissions.missing
        newestDay = diagnosis.newestDay?.description
        hoursSinceNewestDay = diagnosis.hoursSinceNewestDay(at: now)
        capturedAt = diagnosis.outcome.snapshots.last?.capturedAt.description
        clockAheadSeconds = seen.clockAhead
        requestsLeft = seen.requestsLeft
        documentedLimit = diagnosis.limit?.description
        cannotKnow = diagnosis.unknown
        problems = diagnosis.problems.map(DoctorDocument.Problem.init)
    }
}

extension DoctorDocument.TargetPart {
    fileprivate init(_ diagnosis: TargetDiagnosis) {
        (id, kind, place, isWell) = (diagnosis.id, diagnosis.kind, diagnosis.place, diagnosis.isWell)
        lastPublished = diagnosis.last?.manifest.at
        isComplete = diagnosis.last?.manifest.isComplete
        filesToSend = diagnosis.plan?.uploads.count
        bytesToSend = diagnosis.plan?.bytes
        filesToRemove = diagnosis.plan?.removals.count
        problems = diagnosis.problems.map(DoctorDocument.Problem.init)
    }
}

extension DoctorDocument.AttachmentPart {
    fileprivate init(_ diagnosis: AttachDiagnosis) {
        (id, kind, place, isWell) = (diagnosis.id, diagnosis.kind, diagnosis.place, diagnosis.isWell)
        wouldAttach = diagnosis.planned
        problems = diagnosis.problems.map(DoctorDocument.Problem.init)
    }
}

extension DoctorDocument.Problem {
    init(_ diagnostic: Diagnostic) {
        severity = diagnostic.severity.rawValue
        id = diagnostic.id
        summary = diagnostic.summary
        details = diagnostic.details
        location = diagnostic.location?.description
        nextSteps = diagnostic.hints
    }
}

/// What was seen of a service while it was tried.
struct Observation: Sendable {
    /// The addresses' origins in the order of their first request.
    var origins: [String] = []
    /// How many requests got a response.
    var answers = 0
    /// How many were refused for want of rights: 401 and 403.
    var refusals = 0
    /// The first of those responses, their bodies cut.
    var refused: [Response] = []
    /// Seconds by which the service's clock is ahead of ours; nil when it did not say.
    var clockAhead: Int?
    /// Requests that the service still admits; nil when it did not say.
    var requestsLeft: Int?
}

/// Keeps what a service says of itself next to its responses; a request that would change something is not sent.
final class ObservingSender: Sender {
    private let base: any Sender
    private let pacing: Pacing
    private let seen = Mutex(Observation())

    /// Observes what goes through another sender.
    init(_ base: some Sender, pacing: Pacing = .system) {
        self.base = base
        self.pacing = pacing
    }

    /// What was seen so far.
    var observation: Observation { seen.withLock { $0 } }

    func send(_ request: Request) async throws(TransportError) -> Response {
        guard request.isIdempotent else {
            throw TransportError(
                .failed, request.address, doing: "trying the source",
                "the request would change something at the service, which only a fetch does",
                redaction: request.redaction)
        }
        let origin = request.address.origin
        seen.withLock { seen in
            let text = origin.scheme == .file ? "files on this machine" : "\(origin.host):\(origin.port)"
            if !seen.origins.contains(text) { seen.origins.append(text) }
        }
        let response = try await base.send(request)
        let now = pacing.now()
        seen.withLock { seen in
            seen.answers += 1
            if response.status == 401 || response.status == 403 { seen.note(refusal: response) }
            if let server = response.serverSeconds { seen.clockAhead = server - now }
            let limit = response.rateLimitStatus(request.limitFields, now: now)
            if let left = limit.remaining { seen.requestsLeft = left }
        }
        return response
    }
}

extension Observation {
    fileprivate mutating func note(refusal response: Response) {
        refusals += 1
        guard refused.count < 20 else { return }
        var response = response
        response.body = Array(response.body.prefix(1 << 16))
        refused.append(response)
    }
}
