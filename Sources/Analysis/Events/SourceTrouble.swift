package import AppHealth
package import Diagnostics

/// The newest attempt to fetch a source did not succeed.
package struct SourceTrouble: Hashable, Sendable {
    /// Its name, app, day and place in time.
    package let occasion: EventIdentity
    /// The name of the source.
    package let source: Slug
    /// The provider.
    package let provider: String
    /// When the last good snapshot was captured; nil when there never was one.
    package let lastGood: Instant?
    /// Why it failed.
    package let why: Diagnostic
}

/// Tells of sources whose newest attempt failed.
package struct SourceFailureRule: Rule {
    package static let id = "source-trouble"
    package static let kind = EventKind.sourceTrouble

    /// The rule.
    package init() {}

    package func events(in evidence: HistoryIndex) -> [Event] {
        evidence.sources.compactMap { history in
            guard let attempt = history.lastAttempt, let why = attempt.failure else { return nil }
            let occasion = EventIdentity(
                rule: Self.id, subject: history.source.id.text, app: evidence.app, day: attempt.at.date,
                at: attempt.at)
            return .sourceTrouble(
                SourceTrouble(
                    occasion: occasion, source: history.source.id, provider: history.source.provider,
                    lastGood: history.capturedAt, why: why))
        }
    }
}
