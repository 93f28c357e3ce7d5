import AppHealth
import Formatting
import Statistics

/// A release was judged go, hold or roll back for the first time.
package struct ReleaseVerdictReached: Hashable, Sendable {
    /// Its name, app, day and place in time.
    package let occasion: EventIdentity
    /// The verdict with its reason, as of that day.
    package let judgement: ReleaseEvaluation

    /// `4.3.0 is judged: hold. Crash-free sessions …`.
    package var sentence: String {
        "Release \(judgement.label) is judged: \(judgement.verdict.words). \(judgement.why)"
    }
}

/// Tells the first day on which a release is a go, on hold, or to be rolled back, by judging each day of its
/// life from what was known then.
package struct ReleaseVerdictRule: Rule {
    package static let id = "release-verdict"
    package static let kind = EventKind.releaseVerdict

    /// The rule.
    package init() {}

    package var statement: String {
        "The first day on which a release is judged go, hold or roll back, each at most once, in the first "
            + "\(ReleaseHistory.longest) days after it first had \(PercentFormat.sentence(share: ReleaseHistory.threshold)) of all sessions."
    }

    package func events(in evidence: HistoryIndex) -> [Event] {
        ReleaseEvaluator(evidence).firsts().map { day, judgement in
            let occasion = EventIdentity(
                rule: Self.id, subject: "\(judgement.label) \(judgement.verdict.words)", app: evidence.app,
                day: day, at: evidence.end(of: day))
            return .releaseVerdict(ReleaseVerdictReached(occasion: occasion, judgement: judgement))
        }
    }
}
