package import AppHealth

/// One day of an app: first and current values, its top issues and its activity.
package struct DaySection: Hashable, Codable, Sendable {
    /// The day.
    package let date: CivilDate
    /// The zone in which it was counted; nil where that is not known.
    package let zone: String?
    /// When the newest of its figures was captured; nil when it has none.
    package let capturedAt: Instant?
    /// The same of the days before it that its change, its error budget and the reasons of a drop are made from.
    package let earlierCapturedAt: Instant?
    /// Whether no source has anything of it: what happened on it is not known.
    package let isUnknown: Bool
    /// Its current health; nil when there is none.
    package internal(set) var health: HealthDay?
    /// How much of its users and sessions was reported.
    package let coverage: Coverage
    /// Its health as first reported; nil when it never was.
    package internal(set) var reported: HealthDay?
    /// Whether the app has no rates and is shown by its crashes.
    package let isCounted: Bool
    /// Its crash events, all issues together; nil when the total is not known.
    package let crashes: Int?
    /// Whether that is so as some of its events belong to no listed issue.
    package let hasUnlistedEvents: Bool
    /// Whether it is settled; nil when there is no figure of it.
    package let finality: DayFinality?
    /// Which parts of its counts are there, where many of its crashes are still coming in.
    package let lateCounts: LateCounts?
    /// The crashed share of its users, with its state.
    package internal(set) var users: Measured<Fraction>
    /// The crashed share of its sessions, with its state.
    package internal(set) var sessions: Measured<Fraction>
    /// The verdict on it, on the app's basis.
    package let verdict: Verdict
    /// That no crash of it was counted though that is all but impossible; nil where it may be.
    package let silence: CrashSilence?
    /// Its rate against that of the same weekday a week before; nil when either is not known.
    package internal(set) var change: WeekChange?
    /// Why the rate is down; nil when no Stability Alert that is shown is open on the day.
    package internal(set) var breakdown: DropBreakdown?
    /// The error budget of the window that ends with it; nil without figures.
    package internal(set) var budget: StabilityBudget?
    /// Its top issues; nil when the source does not report them.
    package internal(set) var summary: TopIssuesSummary?
    /// The share of sessions of each of them, in their order.
    package internal(set) var shares: [IssueShare?]
    /// Whether the day before was counted, so that ranks can be compared.
    package let hasDayBefore: Bool
    /// The fewest issues that explain most of its crashes; nil when no issue that crashes was seen.
    package internal(set) var covering: TopCrashIssues?
    /// Its issues by what happened to them.
    package internal(set) var groups: [IssueGroup]
    /// Its events without its summary, newest first.
    package internal(set) var events: [Event]
    /// Its muted events, newest first.
    package internal(set) var muted: [MutedEvent]
    /// The alerts that began before it and go on, oldest first.
    package let lasting: [LastingAlert]
    /// What limits cut off of it.
    package internal(set) var cut: [HiddenEvents]
    /// The notes on it, newest first.
    package internal(set) var notes: [Note]
    /// What was checked, when there is nothing to report; nil when there is.
    package internal(set) var quiet: QuietDay?

    /// The crashed share on a basis, with its state.
    package func crashed(_ basis: Basis) -> Measured<Fraction> { basis == .users ? users : sessions }

    /// When the newest figure was captured that its page is made from.
    package var pageCapturedAt: Instant? { breakdown == nil ? capturedAt : summaryCapturedAt }

    /// When the newest figure was captured that its summary is made from, with its change and its error budget.
    package var summaryCapturedAt: Instant? { [capturedAt, earlierCapturedAt].compactMap(\.self).max() }

    /// The verdict on the app now, of which it is the last day. What is no longer current proves neither that the target
    /// is met nor that it was since; a rate below it is a reason to look whatever its age.
    package func status(on basis: Basis) -> Verdict {
        verdict == .meets && crashed(basis).staleSince != nil ? .unknown : verdict
    }

    /// Whether its list of issues is empty without saying that there were none: the day was not covered.
    package var reportsNoIssues: Bool {
        guard let summary else { return true }
        return summary.entries.isEmpty && !summary.reported.isComplete
    }

    /// The same as a day of the past: whether its sources were reached since is no matter of its page.
    package var ofThePast: DaySection {
        var day = self
        day.users = users.captured(at: capturedAt)
        day.sessions = sessions.captured(at: capturedAt)
        return day
    }

    /// Whether its figures may still change.
    package var isProvisional: Bool { finality?.doubt != nil }
}

/// The rate of a day against that of the same weekday a week before.
package struct WeekChange: Hashable, Codable, Sendable {
    /// The crashed share of the day.
    package internal(set) var now: Fraction
    /// The crashed share of the day before.
    package internal(set) var then: Fraction
    /// That day.
    package let before: CivilDate
}

/// The events of an issue on a day of the sessions of its busiest release, else of all sessions.
package struct IssueShare: Hashable, Codable, Sendable {
    /// The share.
    package internal(set) var share: Fraction
    /// The label of the release; nil for all sessions.
    package let release: String?
}

/// Issues of a day to which the same happened.
package struct IssueGroup: Hashable, Codable, Sendable {
    /// What happened.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case regressed, new, velocity, muted
    }

    /// An issue with what was counted of it on the day.
    package struct Entry: Hashable, Codable, Sendable {
        /// The id of the issue.
        package internal(set) var id: String
        /// Its users of the day; nil when they are not known.
        package let users: Int?
        /// Its events of the day.
        package let events: Int?
    }

    /// What happened to them.
    package let kind: Kind
    /// The first of the issues, each once.
    package internal(set) var issues: [Entry]
    /// How many they are, those that are not listed too.
    package let count: Int

    /// How many are listed at most: thousands of issues may begin on one day.
    static let limit = AlertSettings.usualLimit
}

/// A day without activity: how much was checked to say so, and how complete the figures are.
package struct QuietDay: Hashable, Codable, Sendable {
    /// The day.
    package let day: CivilDate
    /// Its sessions; nil when the source does not count them.
    package internal(set) var sessions: Int?
    /// Its users, where sessions are not known.
    package internal(set) var users: Int?
    /// The issues that were known on the day; nil when no source provides issues.
    package let issues: Int?
    /// The releases that were out on the day; nil when no source provides releases.
    package let releases: Int?
    /// When the newest of its figures was captured.
    package let capturedAt: Instant
    /// Whether late data can still change the day.
    package let isProvisional: Bool
    /// How many more days of data the Stability Alert needs, 0 when it begins with the next day; nil once it runs.
    package let daysUntilAlerts: Int?

    /// The day without the numbers of sessions and users.
    package var withoutCounts: QuietDay {
        var day = self
        (day.sessions, day.users) = (nil, nil)
        return day
    }

    /// Makes one.
    package init(
        day: CivilDate, sessions: Int?, users: Int?, issues: Int?, releases: Int?, capturedAt: Instant,
        isProvisional: Bool, daysUntilAlerts: Int? = nil
    ) {
        self.day = day
        self.sessions = sessions
        self.users = users
        self.issues = issues
        self.releases = releases
        self.capturedAt = capturedAt
        self.isProvisional = isProvisional
        self.daysUntilAlerts = daysUntilAlerts
    }
}

/// The quiet days of several apps, taken together.
package struct QuietDays: Hashable, Codable, Sendable {
    /// The last days of the apps, from the first to the last.
    package let span: ClosedRange<CivilDate>
    /// The sessions of all of them; nil when those of one are not known. Sessions, issues and releases of two apps
    /// have nothing in common and add up; users may be the same people.
    package let sessions: Int?
    /// The issues of all of them that have any source of issues; nil when none has.
    package let issues: Int?
    /// How many of them have none.
    package let withoutIssues: Int
    /// The releases of all of them that have any source of releases; nil when none has.
    package let releases: Int?
    /// How many apps there are.
    package let apps: Int
    /// How many of them have too few days of data for the Stability Alert.
    package let withoutAlerts: Int
    /// How many of their days are provisional.
    package let provisional: Int
    /// When the oldest of their data was captured.
    package let capturedAt: Instant

    /// The days of several apps; nil for fewer than two, and when any has activity.
    package init?(_ days: [QuietDay?]) {
        let quiet = days.compactMap(\.self)
        guard quiet.count > 1, quiet.count == days.count, let first = quiet.map(\.day).min(),
            let last = quiet.map(\.day).max(), let complete = quiet.map(\.capturedAt).min()
        else { return nil }
        let known = quiet.compactMap(\.sessions)
        span = first...last
        sessions = known.count == quiet.count ? known.reduce(0, &+) : nil
        issues = sum(quiet.compactMap(\.issues))
        withoutIssues = quiet.count { $0.issues == nil }
        releases = sum(quiet.compactMap(\.releases))
        apps = quiet.count
        withoutAlerts = quiet.count { $0.daysUntilAlerts != nil }
        provisional = quiet.count(where: \.isProvisional)
        capturedAt = complete
    }
}

private func sum(_ counts: [Int]) -> Int? { counts.isEmpty ? nil : counts.reduce(0, +) }
