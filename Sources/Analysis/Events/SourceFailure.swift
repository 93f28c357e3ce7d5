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

    package func events(in index: HistoryIndex) -> [Event] {
        index.failures(Self.id) { history in
            history.allOutages.map { outage in
                FailedTime(
                    first: outage.first, resumed: outage.resumed, end: outage.end,
                    lastDay: history.lastKnownDay, why: .failed(outage.why))
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

    package func events(in index: HistoryIndex) -> [Event] {
        index.failures(Self.id) { history in
            history.idleTimes.map { time in
                FailedTime(
                    first: time.first, resumed: time.first, end: time.end, lastDay: time.since,
                    why: .idle(time.figure, since: time.since, fetchedAt: time.first))
            }
        }
    }
}

/// A time in which a source failed.
private struct FailedTime {
    /// The first attempt that failed or brought no newer day.
    let first: Instant
    /// When it failed after it was fetched last.
    let resumed: Instant
    /// When it was over; nil while it fails.
    let end: Instant?
    /// The last day of which it has anything.
    let lastDay: CivilDate?
    let why: SourceProblem
}

extension HistoryIndex {
    /// The failures of all sources, each named by its first attempt.
    fileprivate func failures(_ rule: String, _ times: (SourceHistory) -> [FailedTime]) -> [Event] {
        sources.flatMap { history in
            times(history).map { time in
                let occasion = EventIdentity(
                    rule: rule, subject: history.source.id.text, app: app, day: history.day(of: time.first),
                    at: time.first, named: time.first.date)
                let lasts = time.end == nil
                return .sourceTrouble(
                    SourceFailure(
                        occasion: occasion, source: history.source.id, provider: history.source.provider,
                        lastGood: lasts ? history.capturedAt : nil, lastDay: lasts ? time.lastDay : nil,
                        lastDayOver: history.lastDayOver(at: time.first), resumed: time.resumed,
                        end: time.end, why: time.why))
            }
        }
    }
}
