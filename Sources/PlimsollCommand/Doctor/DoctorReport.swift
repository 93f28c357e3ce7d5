import AppHealth
import Diagnostics
import Providers

/// What trying one source told.
struct SourceDiagnosis: Sendable {
    let app: App
    let source: Source
    let outcome: FetchOutcome
    let observation: Observation

    /// Why the newest attempt failed.
    var failure: Diagnostic? { outcome.attempts.last?.failure ?? outcome.failures.last?.why }

    /// The lines for a person; ages are counted at the instant.
    func lines(at now: Instant) -> [String] {
        let mark = failure == nil ? "✓" : "✗"
        var lines = ["\(mark) \(app.id) from \(source.id) (\(source.provider))"]
        let places = observation.origins.joined(separator: ", ")
        lines.append(
            "    reachable: "
                + (observation.answers > 0 ? "\(places), \(outcome.milliseconds) ms" : "no answer"))
        if observation.answers > 0 {
            lines.append(
                "    authorised: "
                    + (observation.refusals == 0
                        ? "yes"
                        : "refused \(observation.refusals == 1 ? "once" : "\(observation.refusals) times")"))
        }
        lines.append("    freshness: " + freshness(at: now))
        if let ahead = observation.clockAhead { lines.append("    clock: \(skew(ahead))") }
        if let left = observation.requestsLeft { lines.append("    rate limit: \(left) requests left") }
        let known = outcome.snapshots.last?.source.capabilities ?? source.capabilities
        let unknown = Capability.allCases.filter { !known.contains($0) }.map(\.rawValue)
        if !unknown.isEmpty { lines.append("    cannot know: \(unknown.joined(separator: ", "))") }
        return lines
    }

    private func freshness(at now: Instant) -> String {
        guard let snapshot = outcome.snapshots.last else { return "no figures" }
        let days = snapshot.health.map(\.date) + snapshot.usage.map(\.date) + snapshot.issueDays.map(\.date)
        let last = days.max().map { "figures to \($0)" } ?? "no figures by day"
        let hours = max(0, snapshot.capturedAt.seconds(to: now)) / 3600
        return "\(last), captured \(snapshot.capturedAt) (\(hours) h ago)"
    }

    private func skew(_ seconds: Int) -> String {
        if abs(seconds) <= 5 { return "agrees with the service's" }
        return
            "the service's is \(abs(seconds)) s \(seconds > 0 ? "ahead of" : "behind") ours; correct ours if tokens are refused"
    }
}
