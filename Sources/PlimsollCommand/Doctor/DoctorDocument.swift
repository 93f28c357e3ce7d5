import AppHealth
import Diagnostics
import Foundation
import Providers
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

    let isWell: Bool
    let sources: [SourcePart]
    /// What is wrong with the theme, the pages and the archive.
    let problems: [Problem]

    init(_ diagnoses: [SourceDiagnosis], standing: [Diagnostic], at now: Instant) {
        isWell = standing.isEmpty && diagnoses.allSatisfy(\.isWell)
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
