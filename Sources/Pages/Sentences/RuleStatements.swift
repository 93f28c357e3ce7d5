package import Analysis
import Formatting
import Statistics

/// A rule that can say what it does.
package protocol StatedRule: Rule {
    /// What it does, with its live constants: one sentence for the methods page.
    var statement: String { get }
}

/// What rules do, in their order; a rule that cannot say it is left out.
package func statements(of rules: [any Rule]) -> [(kind: EventKind, text: String)] {
    rules.compactMap { rule in
        (rule as? any StatedRule).map { (type(of: rule).kind, $0.statement) }
    }
}

extension StabilityRule: StatedRule {
    package var statement: String {
        "The crash-free rate of users (of sessions where users are not known) over \(choice(CrashRateDropDetector.windowDays)) days "
            + "fell below what the \(CrashRateDropDetector.baselineDays) days before let expect of these days of the week, by more than chance, the app's own "
            + "scatter and \(plainDecimal(detector.margin)) times the record of its last half-year explain (score "
            + "above \(plainDecimal(detector.floor)) at least); the first \(CrashRateDropDetector.warmUp) days only teach. "
            + "\(quietDays) quiet days end an episode; days that are not over or hold less than half of their "
            + "usual \(Basis.users.rawValue) are not judged. Expected false alarms: about "
            + "\(plainDecimal(CrashRateDropDetector.falseReportsPerYear)) a year and app."
    }
}

extension RecoveryRule: StatedRule {
    package var statement: String {
        "After a Stability Alert, the first day from which on the crash-free rate is no worse than on "
            + "\(plainDecimal(drop.usualPart * 100))% of the \(CrashRateDropDetector.baselineDays) days before the fall, or differs from what was "
            + "expected by no more than chance (\(standardConfidenceText) Wilson interval) and half of the fall, and on which it stays "
            + "so for \(drop.quietDays) days as far as they are known. A day needs a tenth of the "
            + "\(Basis.users.rawValue) of the first night."
    }
}

extension IssueVelocityRule: StatedRule {
    package var statement: String {
        "An issue of the first \(newDays) days: on one day its events were at least \(plainDecimal(percent))% of "
            + "the sessions of a version (of all versions where the source does not tell them apart), with at "
            + "least \(minimumUsers) users and \(minimumSessions) sessions. An older issue: its count of "
            + "\(choice(daily.pace.windows.map(\.steps))) days surprises beyond its own \(daily.pace.history) days, shared among all issues, and by "
            + "\(plainDecimal(daily.margin)) times the app's record (score above \(plainDecimal(daily.floor)) at "
            + "least); about \(plainDecimal(daily.pace.falseReportsPerYear)) false alarms a year and app. Where "
            + "the source counts hours: \(choice(hourly.pace.windows.map(\.steps))) hours against \(hourly.pace.history); about "
            + "\(plainDecimal(hourly.pace.falseReportsPerYear)) a year. Once for each issue and version; where "
            + "versions are not told apart, again after \(againAfter) quiet days."
    }
}

extension UsageAnomalyRule: StatedRule {
    package var statement: String {
        "Active users (sessions where they are not known) of a day were further from what its weekday and the "
            + "drift of the weeks before let expect than the app's own scatter and \(plainDecimal(detector.margin, 2)) times "
            + "the record of its last half-year explain (score above \(plainDecimal(detector.floor)) at least); "
            + "the first \(UsageAnomalyDetector.firstDays) days only teach, \(quietDays) quiet days end an episode, and a fall waits until "
            + "the day is \(HistoryIndex.settlingHours) hours old, as late reports may fill it. Expected false alarms: about "
            + "\(plainDecimal(UsageAnomalyDetector.falseReportsPerYear)) a year and app."
    }
}

extension TopIssuesRule: StatedRule {
    package var statement: String {
        "Every complete day: the \(limit) issues with the most users. Users of several issues overlap, so only "
            + "the first issue's share is given; it is a share of all users of the day."
    }
}

extension NewIssueRule: StatedRule {
    package var statement: String {
        "The source says that an issue was first seen on a day that the archive covers, and the archive knows no "
            + "earlier day of it; where the source does not say, the first day on which the archive knows it, "
            + "from \(settledAfter) days after the archive's first day on."
    }
}

extension RegressedIssueRule: StatedRule {
    package var statement: String {
        "An issue with a version that fixed it was seen in a version at or above it, in version order with the "
            + "build as tiebreak; once for each issue and version."
    }
}

extension NewNoteRule: StatedRule {
    package var statement: String {
        "A source, or a file of the site's owner, holds a note that was written before the report."
    }
}

extension SourceFailureRule: StatedRule {
    package var statement: String { "The newest attempt to fetch a source failed." }
}

extension ReleaseVerdictRule: StatedRule {
    package var statement: String {
        "The first day on which a release is judged go, hold or roll back, each at most once, in the first "
            + "\(ReleaseHistory.longest) days after it first had \(PercentFormat.sentence(share: ReleaseHistory.threshold)) of all sessions."
    }
}
