package import AppHealth
package import Statistics

/// An issue spreads faster than before, or met a large share of the sessions of one version while it is new.
package struct IssueVelocityAlert: Hashable, Codable, Sendable {
    /// Its name, app, day and place in time.
    package internal(set) var occasion: EventIdentity
    /// The issue.
    package let issue: Issue
    /// The label of the version; nil for all versions together.
    package let version: String?
    /// How many it hit, over the hours that ended with `occasion.at`.
    package let extent: Extent
    /// How many hours the share was counted over: 1, 2 or 4, or whole days.
    package let hours: Int
    /// Users of the issue on that day; nil when unknown.
    package let users: Int?
    /// Why it is reported.
    package let grounds: Grounds

    /// How many an issue hit.
    package enum Extent: Hashable, Codable, Sendable {
        /// Its events of the sessions of the version.
        case share(Fraction)
        /// Its events, as no sessions are known.
        case events(Int)
    }

    /// Whether it was found by single hours.
    var isByHours: Bool { hours < 24 }

    /// Whether its own past by days is why it is reported, on a day before another one; not where there is none.
    func isByDays(before day: CivilDate?) -> Bool {
        guard case .ownPast = grounds, let day else { return false }
        return !isByHours && occasion.day < day
    }

    /// Its events of the sessions of the version; nil when no sessions are known.
    package var share: Fraction? { if case .share(let share) = extent { share } else { nil } }

    /// What is counted of an issue.
    package enum Counted: String, Hashable, Codable, Sendable {
        /// Its users of each hour or day.
        case users
        /// Its events.
        case events
    }

    /// Why an issue is reported of.
    package enum Grounds: Hashable, Codable, Sendable {
        /// It is so new that it has no past, and passed the plain thresholds.
        case newIssue
        /// Its own past and the app's record do not explain it: what was counted of it, with the false alarms to expect in
        /// a year.
        case ownPast(VelocityFinding, of: Counted, falseReportsPerYear: Double)
        /// It was muted up to a level and reached it.
        case worseThanMuted
        /// They are hidden from those who read.
        case hidden
    }
}
