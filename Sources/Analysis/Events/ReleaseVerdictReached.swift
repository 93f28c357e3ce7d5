import AppHealth
import Statistics

/// A release was judged go, hold or roll back for the first time.
package struct ReleaseVerdictReached: Hashable, Sendable {
    /// Its name, app, day and place in time.
    package let occasion: EventIdentity
    /// The verdict with its reason, as of that day.
    package let judgement: ReleaseEvaluation
}

/// Tells the first day on which a release is a go, on hold, or to be rolled back, by judging each day of its
/// life from what was known then.
package struct ReleaseVerdictRule: Rule {
    package static let id = "release-verdict"
    package static let kind = EventKind.releaseVerdict

    /// The rule.
    package init() {}

    package func events(in evidence: HistoryIndex) -> [Event] {
        ReleaseEvaluator(evidence).firsts().map { day, judgement in
            let occasion = EventIdentity(
                rule: Self.id, subject: "\(judgement.label) \(judgement.verdict.name)", app: evidence.app,
                day: day, at: evidence.end(of: day))
            return .releaseVerdict(ReleaseVerdictReached(occasion: occasion, judgement: judgement))
        }
    }
}
