import Diagnostics

/// The result of trying one target, without changing it.
struct PlaceDiagnosis<Findings: Sendable>: Sendable {
    let id: String
    let kind: String
    /// Where it is; empty when that could not be found out.
    let place: String
    /// Seconds by which its service's clock is ahead of ours; nil when it did not say.
    let clockAhead: Int?
    /// Everything that would hinder it, each with its next step.
    let problems: [Diagnostic]
    /// What there is to do there.
    let findings: Findings

    init<Target>(
        _ job: PlaceJob<Target>, place: String, problems: [Diagnostic], _ findings: Findings
    ) {
        (id, kind, self.place) = (job.id, job.kind, place)
        clockAhead = job.clock.ahead
        // What fails for one thing mostly fails for all.
        self.problems = problems.uniqued()
        self.findings = findings
    }

    /// Whether nothing needs care.
    var isWell: Bool { problems.isEmpty }

    /// The lines for a person.
    ///
    /// - Parameters:
    ///   - verb: what is done there: `publish`.
    ///   - more: the lines on what was found.
    func lines(_ verb: String, _ more: [String]) -> [String] {
        var lines = ["\(isWell ? "✓" : "✗") \(verb) to \(id) (\(kind))"]
        if !place.isEmpty { lines.append("    place: \(place)") }
        if let clockAhead { lines.append("    clock: \(ServiceClock.text(ahead: clockAhead))") }
        return lines + more
    }
}

/// What all targets that were tried say of themselves.
struct DiagnosedMembers: Encodable {
    private let id: String
    private let kind: String
    private let place: String
    private let isWell: Bool
    private let clockAheadSeconds: Int?
    private let problems: [Problem]

    init(_ diagnosis: PlaceDiagnosis<some Sendable>) {
        (id, kind, place, isWell) = (diagnosis.id, diagnosis.kind, diagnosis.place, diagnosis.isWell)
        clockAheadSeconds = diagnosis.clockAhead
        problems = diagnosis.problems.map(Problem.init)
    }
}

/// A target that was tried, in a document: what all of them say, and what one kind adds.
typealias DiagnosedPlace<Part: Encodable> = JoinedMembers<DiagnosedMembers, Part>
