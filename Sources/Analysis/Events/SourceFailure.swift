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

extension SourceFailure {
    /// - Parameters:
    ///   - rule: what found it.
    ///   - first: the first attempt that failed or brought no newer day.
    ///   - resumed: when it failed after it was fetched last.
    ///   - lastDay: the last day of which it has anything, while it fails.
    fileprivate init(
        _ rule: String, of history: SourceHistory, in evidence: HistoryIndex, from first: Instant,
        resumed: Instant, until end: Instant?, lastDay: CivilDate?, _ why: SourceProblem
    ) {
        occasion = EventIdentity(
            rule: rule, subject: history.source.id.text, app: evidence.app, day: history.day(of: first),
            at: first, named: first.date)
        (source, provider) = (history.source.id, history.source.provider)
        lastGood = end == nil ? history.capturedAt : nil
        self.lastDay = end == nil ? lastDay : nil
        lastDayOver = history.lastDayOver(at: first)
        (self.resumed, self.end, self.why) = (resumed, end, why)
    }
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
                .sourceTrouble(
                    SourceFailure(
                        Self.id, of: history, in: evidence, from: outage.first, resumed: outage.resumed,
                        until: outage.end, lastDay: history.lastKnownDay, .failed(outage.why)))
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
                .sourceTrouble(
                    SourceFailure(
                        Self.id, of: history, in: evidence, from: time.first, resumed: time.first,
                        until: time.end, lastDay: time.since,
                        .idle(time.figure, since: time.since, fetchedAt: time.first)))
            }
        }
    }
}
