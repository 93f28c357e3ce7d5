import AppHealth
import Diagnostics
import Formatting

extension AppReport {
    /// The sources of the app as rows.
    func sourceRows(_ links: Links) -> [SourceRow] {
        sources.map { history in
            let source = history.source
            return SourceRow(
                app: app.name, stem: links.stem(to: .app(app.id)), name: source.id.text,
                provider: source.provider,
                state: state(of: history),
                captured: history.capturedAt?.tableText ?? "–",
                age: history.capturedAt.map { ageText($0.seconds(to: asOf)) } ?? "–",
                session: known(source.sessionDefinition), user: known(source.userDefinition),
                zone: source.zone,
                delay: known(source.delay),
                cannotKnow: history.capturedAt == nil
                    ? [] : Capability.allCases.filter { !source.capabilities.contains($0) }.map(words),
                failure: history.lastAttempt?.failure.map { DiagnosticView($0) },
                warnings: warnings(of: history).map { DiagnosticView($0) })
        }
    }

    private func known(_ text: String) -> String { text.isEmpty ? "not told" : text }
}

/// `loaded`, `stale`, `failed` or `never fetched`.
func state(of history: SourceHistory) -> String {
    switch (history.capturedAt, history.lastAttempt?.failure) {
    case (nil, nil): "never fetched"
    case (nil, .some): "failed"
    case (.some, .some): "stale"
    case (.some, nil): "loaded"
    }
}

/// What was left out by the newest good fetch.
private func warnings(of history: SourceHistory) -> [Diagnostic] {
    if case .succeeded(let warnings)? = history.lastAttempt?.outcome { warnings } else { [] }
}

/// An age in the largest fitting unit: `30 minutes`, `5 hours`, `2 days`.
func ageText(_ seconds: Int) -> String {
    let minutes = max(0, seconds) / 60
    let (count, unit) =
        minutes < 120
        ? (minutes, "minute") : minutes < 2880 ? (minutes / 60, "hour") : (minutes / 1440, "day")
    return "\(count) \(unit)\(count == 1 ? "" : "s")"
}

/// What a capability means to a reader.
func words(_ capability: Capability) -> String {
    switch capability {
    case .sessions: "sessions"
    case .users: "users who met a crash"
    case .releaseHealth: "stability of a single release by day"
    case .releases: "releases"
    case .issues: "issues"
    case .issueDays: "issues by day"
    case .hours: "figures by hour"
    case .usage: "active users"
    case .notes: "notes"
    }
}
