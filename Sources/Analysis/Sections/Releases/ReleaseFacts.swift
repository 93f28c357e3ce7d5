package import AppHealth

/// What is known of one release at the end of the report.
package struct ReleaseFacts: Hashable, Codable, Sendable {
    /// The release.
    package let release: Release
    /// When the newest of its figures was captured; nil when that is not known.
    package let capturedAt: Instant?
    /// When the newest was captured of what its pages list of issues; nil without any.
    package let issuesCapturedAt: Instant?
    /// The last day of its figures: that of the report, or the one on which it had been unused for long.
    package let lastDay: CivilDate
    /// Its sessions over its life, those of the days of which crashed ones are known as well where any are; sessions may be
    /// added up over days, users may not.
    package let sessions: Int?
    /// Its crashed sessions over its life.
    package let crashedSessions: Int?
    /// The crashed share of its user-days over its life, where it is judged by users as its source counts no sessions; nil of
    /// others.
    package internal(set) var crashedUserDays: Measured<Fraction>?
    /// On how many days of its life these are known; nil where its source gives them as one sum.
    package let life: KnownDays?
    /// On how many days of its life all issues are known; nil without days or issues by release.
    package let issueDays: KnownDays?
    /// The source of its sessions; nil when there is none.
    package internal(set) var source: SourceFacts?
    /// The crashed share of its sessions over its life, with its state.
    package internal(set) var crashed: Measured<Fraction>
    /// The levels that it is judged by.
    package let targets: Targets
    /// That share, or that of its user-days, against them.
    package let verdict: Verdict
    /// Its share of all sessions of a day, with its state.
    package internal(set) var adoption: Measured<Fraction>
    /// That day: its last one, or the newest before it where its source is behind that of the app's rate.
    package let adoptionDay: CivilDate
    /// The day on which it came out: that of its source, else the first one with a share of sessions; nil where it was in
    /// use before data began.
    package let cameOut: CivilDate?
    /// The verdict on rolling it out.
    package internal(set) var evaluation: ReleaseEvaluation
    /// How far it has been taken up; nil when no share is known.
    package internal(set) var stage: ReleaseStage?
    /// Its days with figures, in order.
    package internal(set) var days: [HealthDay]
    /// The issues with events in it, most events first.
    package internal(set) var topIssues: [ReleaseIssue]
    /// The issues first seen in it, most events in it first.
    package internal(set) var newIssues: [ReleaseIssue]
    /// The issues that were fixed and came back in it, newest first.
    package internal(set) var regressedIssues: [ReleaseIssue]
    /// Every issue that was seen, or seen first, in it, by rank.
    package internal(set) var issues: [ReleaseIssue]
    /// The notes on it, newest first.
    package internal(set) var notes: [Note]

    /// When the newest of what its pages show was captured.
    package var pageCapturedAt: Instant? { [capturedAt, issuesCapturedAt].compactMap(\.self).max() }

    /// The share of its sessions that name a user; nil when all do, or the source does not say.
    package var namedShare: Double? { days.namedShare }

    /// Its label.
    package var label: String { release.version.label }

    /// How many of the issues with events in it may be new: their first version is not known.
    package var issuesOfUnknownAge: Int { issues.count { $0.isNew == nil && $0.events != 0 } }

    /// Whether it is judged by users, as its source counts no sessions.
    package var isCountedInUsers: Bool { crashedUserDays != nil }

    /// Whether anything of its use was ever counted.
    var isCounted: Bool {
        days.contains { ($0.sessions ?? 0) > 0 || ($0.users ?? 0) > 0 }
            || (release.lifetime?.sessions ?? 0) > 0
    }

    /// Whether it has figures of a day.
    package func holds(_ day: CivilDate) -> Bool { days.contains { $0.date == day } }
}

extension [HealthDay] {
    /// What the rates of a release with these days are counted in: users of single days where of no sessions it is known how
    /// many crashed, as of services that count users alone.
    package var basisOfRelease: Basis {
        !contains { $0.crashedSessionShare != nil } && contains { $0.crashedUserShare != nil }
            ? .users : .sessions
    }
}

/// An issue in one release.
package struct ReleaseIssue: Hashable, Codable, Sendable {
    /// The id of the issue.
    package internal(set) var id: String
    /// Its events in the release; nil when the source counts none.
    package let events: Int?
    /// These of the sessions of the release over its life; nil when they are not known.
    package internal(set) var share: Fraction?
    /// Whether it was first seen in the release; nil when that is not known.
    package let isNew: Bool?
}
