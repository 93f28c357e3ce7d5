import AppHealth
import Diagnostics
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

    struct PublishPart: Encodable {
        let lastPublished: String?
        let isComplete: Bool?
        let filesToSend: Int?
        let bytesToSend: Int?
        let filesToRemove: Int?
    }

    struct AttachPart: Encodable {
        let wouldAttach: [String]
        let upToDate: [String]
        /// Earlier ones of which it is not known whether they arrived.
        let uncertain: [AttachmentPart.Summary]
        let without: [AbsentSummary]
    }

    let format = "plimsoll-doctor"
    let version = 1
    let isWell: Bool
    let sources: [SourcePart]
    let targets: [DiagnosedPlace<PublishPart>]
    let attachments: [DiagnosedPlace<AttachPart>]
    /// What is wrong with the secrets, the theme, the pages and the archive.
    let problems: [Problem]

    init(
        _ diagnoses: [SourceDiagnosis], _ targets: [TargetDiagnosis], _ attachments: [AttachDiagnosis],
        standing: [Diagnostic], at now: Instant
    ) {
        isWell =
            standing.areNotes && diagnoses.allSatisfy(\.isWell) && targets.allSatisfy(\.isWell)
            && attachments.allSatisfy(\.isWell)
        self.targets = targets.map { DiagnosedPlace(DiagnosedMembers($0), PublishPart($0.findings)) }
        self.attachments = attachments.map {
            DiagnosedPlace(DiagnosedMembers($0), AttachPart($0.findings))
        }
        sources = diagnoses.map { SourcePart($0, at: now) }
        problems = standing.map(Problem.init)
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
        problems = diagnosis.problems.map(Problem.init)
    }
}

extension DoctorDocument.AttachPart {
    fileprivate init(_ findings: AttachmentFindings) {
        (wouldAttach, upToDate) = (findings.planned, findings.upToDate)
        uncertain = findings.uncertain.map(AttachmentPart.Summary.init)
        without = findings.absences.map(AbsentSummary.init)
    }
}

extension DoctorDocument.PublishPart {
    fileprivate init(_ findings: PublicationFindings) {
        lastPublished = findings.last?.manifest.at
        isComplete = findings.last?.manifest.isComplete
        filesToSend = findings.plan?.uploads.count
        bytesToSend = findings.plan?.bytes
        filesToRemove = findings.plan?.removals.count
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
                .withheld, request.address, doing: "trying the source",
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
        // Masked before it is cut: the cut could leave half a secret that no longer matches.
        response.body = Array(response.redaction.masked(body: response.body).prefix(1 << 16))
        refused.append(response)
    }
}
