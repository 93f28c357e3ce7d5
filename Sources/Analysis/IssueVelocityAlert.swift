package import AppHealth
import Formatting
package import Statistics

/// An issue spreads faster than before, or met a large share of the sessions of one version while it is new.
package struct IssueVelocityAlert: Hashable, Sendable {
    /// Its name, app, day and place in time.
    package internal(set) var occasion: EventIdentity
    /// The issue.
    package let issue: Issue
    /// The label of the version; nil for all versions together.
    package let version: String?
    /// Events of the issue of the sessions of the version, over the hours that ended with `occasion.at`.
    package let share: Fraction
    /// How many hours the share was counted over: 1, 2 or 4, or whole days.
    package let hours: Int
    /// Users of the issue on that day; nil when unknown.
    package let users: Int?
    /// Why it is told.
    package let grounds: Grounds

    /// Why an issue is told of.
    package enum Grounds: Hashable, Sendable {
        /// It is so new that it has no past, and passed the plain thresholds.
        case newIssue
        /// Its own past and the app's record do not explain it; with the false alarms to expect in a year.
        case ownPast(VelocityFinding, falseReportsPerYear: Double)
        /// It was muted up to a level and reached it.
        case worseThanMuted
    }

    /// `An issue in SFSafariViewController.m line 1337 is affecting 2.83% of sessions in the past 24 hours. The
    /// issue was first seen January 27, 2016.`
    package var sentence: String {
        let whole = version.map { "sessions of \($0)" } ?? "sessions"
        let upTo = share.numerator == share.denominator ? "up to " : ""
        let start =
            "An issue in \(issue.label) is affecting \(upTo)\(PercentFormat.sentence(share: share.value)) of \(whole) "
            + "in the past \(spanText)."
        guard let firstSeen = issue.firstSeen else { return start }
        return start + " The issue was first seen \(firstSeen.date.longText)."
    }

    /// `hour`, `4 hours`, `24 hours`, `3 days`.
    package var spanText: String {
        switch hours {
        case 1: "hour"
        case ...24: "\(hours) hours"
        default: "\(hours / 24) days"
        }
    }
}
