import AppHealth
import Diagnostics
import Providers
import Transport

/// What trying one source told.
struct SourceDiagnosis: Sendable {
    let app: App
    let source: Source
    let outcome: FetchOutcome
    let observation: Observation
    let permissions: PermissionsReport
    /// The documented limit; nil when none is known.
    let limit: RateLimit?

    /// Why the newest attempt failed.
    var failure: Diagnostic? { outcome.attempts.last?.failure ?? outcome.failures.last?.why }

    /// Whether nothing needs care.
    var isWell: Bool { failure == nil && permissions.missing.isEmpty }

    /// Everything that is not as it should be, each with its next step.
    var problems: [Diagnostic] {
        let missing = permissions.missing.map { permission in
            Diagnostic.warning(
                "doctor.missing-permission",
                "\(app.id) from \(source.id): the credential lacks \(permission)",
                hints: ["give it '\(permission)' at the service, and run 'plimsoll doctor' again"])
        }
        return missing + outcome.warnings + (outcome.snapshots.last?.warnings ?? [])
            + [failure].compactMap(\.self)
    }

    /// The newest day of which there are figures.
    var newestDay: CivilDate? {
        guard let snapshot = outcome.snapshots.last else { return nil }
        let days = snapshot.health.map(\.date) + snapshot.usage.map(\.date) + snapshot.issueDays.map(\.date)
        return days.max()
    }

    /// Whole hours since the newest day ended, by UTC; 0 while it lasts.
    func hoursSinceNewestDay(at now: Instant) -> Int? {
        newestDay.map { max(0, Instant(startOf: $0.advanced(by: 1)).seconds(to: now)) / 3600 }
    }

    /// What the source cannot know.
    var unknown: [String] {
        let known = outcome.snapshots.last?.source.capabilities ?? source.capabilities
        return Capability.allCases.filter { !known.contains($0) }.map(\.rawValue)
    }

    /// The lines for a person; ages are counted at the instant.
    func lines(at now: Instant) -> [String] {
        let places = observation.origins.joined(separator: ", ")
        let isReached = observation.answers > 0
        var lines = [
            "\(isWell ? "✓" : "✗") \(app.id) from \(source.id) (\(source.provider))",
            "    reachable: " + (isReached ? "\(places), \(outcome.milliseconds) ms" : "no answer"),
        ]
        if isReached { lines.append("    authorised: \(authorised)") }
        if isReached, let line = permissions.line(refusals: observation.refusals) {
            lines.append("    scopes: \(line)")
        }
        lines.append("    freshness: " + freshness(at: now))
        if let ahead = observation.clockAhead { lines.append("    clock: \(skew(ahead))") }
        if let line = rateLimit { lines.append("    rate limit: \(line)") }
        if !unknown.isEmpty { lines.append("    cannot know: \(unknown.joined(separator: ", "))") }
        return lines
    }

    private var authorised: String {
        switch observation.refusals {
        case 0: "yes"
        case 1: "refused once"
        default: "refused \(observation.refusals) times"
        }
    }

    private var rateLimit: String? {
        let documented = limit.map { "documented are \($0)" }
        guard let left = observation.requestsLeft else {
            return documented.map { "the service does not tell what is left; \($0)" }
        }
        return (["\(left) requests left"] + [documented].compactMap(\.self)).joined(separator: "; ")
    }

    private func freshness(at now: Instant) -> String {
        guard let snapshot = outcome.snapshots.last else { return "no figures" }
        let last = newestDay.map { "figures to \($0)" } ?? "no figures by day"
        let hours = max(0, snapshot.capturedAt.seconds(to: now)) / 3600
        let age = hoursSinceNewestDay(at: now).map { "; that day ended \($0) h ago" } ?? ""
        return "\(last), captured \(snapshot.capturedAt) (\(hours) h ago)\(age)"
    }

    private func skew(_ seconds: Int) -> String {
        if abs(seconds) <= 5 { return "agrees with the service's" }
        return
            "the service's is \(abs(seconds)) s \(seconds > 0 ? "ahead of" : "behind") ours; correct ours if tokens are refused"
    }
}
