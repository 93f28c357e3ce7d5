package import AppHealth

/// A source could not be fetched for a while, or brought no newer day.
package struct SourceFailure: Hashable, Codable, Sendable {
    /// Its name, app, day and place in time: those of the first attempt that failed or brought no newer day.
    package internal(set) var occasion: EventIdentity
    /// The name of the source.
    package let source: Slug
    /// The provider.
    package let provider: String
    /// When the last good snapshot was captured, while it fails; nil when there never was one.
    package let lastGood: Instant?
    /// The last day of which it has anything, while it fails; nil when it has no day.
    package let lastDay: CivilDate?
    /// The last day that was over when it failed first.
    package let lastDayOver: CivilDate
    /// When it failed after it was fetched last.
    package let resumed: Instant
    /// When it could be fetched again, or brought newer days; nil while it fails.
    package let end: Instant?
    /// Why it failed.
    package let why: SourceProblem
}

/// Finds each time in which a source could not be fetched.
package struct SourceFailureRule: Rule {
    package static let id = "source-trouble"
    package static let kind = EventKind.sourceTrouble

    /// The rule.
    package init() {}

    package func events(in evidence: HistoryIndex) -> [Event] {
        evidence.sources.flatMap { history in
            history.allOutages.map { outage in
                let occasion = EventIdentity(
                    rule: Self.id, subject: history.source.id.text, app: evidence.app,
                    day: history.day(of: outage.first), at: outage.first, named: outage.first.date)
                return .sourceTrouble(
                    SourceFailure(
                        occasion: occasion, source: history.source.id, provider: history.source.provider,
                        lastGood: outage.end == nil ? history.capturedAt : nil,
                        lastDay: outage.end == nil ? history.lastKnownDay : nil,
                        lastDayOver: history.lastDayOver(at: outage.first), resumed: outage.resumed,
                        end: outage.end, why: .failed(outage.why)))
            }
        }
    }
}

/// Finds each time in which a source was fetched and brought no newer day although one was due.
package struct SourceIdleRule: Rule {
    package static let id = "source-idle"
    package static let kind = EventKind.sourceTrouble

    /// The rule.
    package init() {}

    package func events(in evidence: HistoryIndex) -> [Event] {
        evidence.sources.flatMap { history in
            history.idleTimes.map { time in
                let occasion = EventIdentity(
                    rule: Self.id, subject: history.source.id.text, app: evidence.app,
                    day: history.day(of: time.first), at: time.first, named: time.first.date)
                return .sourceTrouble(
                    SourceFailure(
                        occasion: occasion, source: history.source.id, provider: history.source.provider,
                        lastGood: time.end == nil ? history.capturedAt : nil,
                        lastDay: time.end == nil ? time.since : nil,
                        lastDayOver: history.lastDayOver(at: time.first), resumed: time.first, end: time.end,
                        why: .idle(time.figure, since: time.since, fetchedAt: time.first)))
            }
        }
    }
}
