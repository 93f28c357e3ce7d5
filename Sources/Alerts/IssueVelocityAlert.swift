package import AppHealth

/// An issue met a large share of the sessions of one version within a day.
package struct IssueVelocityAlert: Hashable, Sendable {
    /// Its name, app, day and place in time.
    package internal(set) var occasion: Occasion
    /// The issue.
    package let issue: Issue
    /// The label of the version; nil for all versions together.
    package let version: String?
    /// Events of the day of the sessions of the day.
    package let share: Fraction
    /// Users of the issue on that day; nil when unknown.
    package let users: Int?

    /// `An issue in SFSafariViewController.m line 1337 is affecting 2.83% of sessions in the past 24 hours. The
    /// issue was first seen January 27, 2016.`
    package var sentence: String {
        let whole = version.map { "sessions of \($0)" } ?? "sessions"
        let upTo = share.numerator == share.denominator ? "up to " : ""
        let start =
            "An issue in \(issue.label) is affecting \(upTo)\(sharePercent(share.value)) of \(whole) "
            + "in the past 24 hours."
        guard let firstSeen = issue.firstSeen else { return start }
        return start + " The issue was first seen \(firstSeen.date.longText)."
    }
}

/// Finds issues that spread fast: once for each issue and version.
///
/// The thresholds are those that Firebase Crashlytics documents for its velocity alert (1 % of sessions, 25
/// users, 250 sessions), taken over a day as the archive keeps days.
package struct IssueVelocity: Rule {
    package static let id = "velocity"
    package static let kind = EventKind.velocity
    /// The least share of the version's sessions, in per cent.
    package var percent: Double
    /// The least number of users of the issue on the day.
    package var minimumUsers: Int
    /// The least number of sessions of the version on the day.
    package var minimumSessions: Int

    /// The standard thresholds, or others.
    package init(percent: Double = 1, minimumUsers: Int = 25, minimumSessions: Int = 250) {
        self.percent = percent
        self.minimumUsers = minimumUsers
        self.minimumSessions = minimumSessions
    }

    package var statement: String {
        "On one day an issue's events were at least \(plainDecimal(percent)) % of the sessions of a version "
            + "(of all versions where the source does not tell them apart), with at least \(minimumUsers) users "
            + "and \(minimumSessions) sessions; once for each issue and version."
    }

    package func events(in evidence: Evidence) -> [Event] {
        evidence.issuesByID.values.flatMap { issue in
            let byRelease = evidence.issueReleaseDays[issue.id] ?? []
            let days = byRelease.isEmpty ? evidence.issueDays[issue.id] ?? [] : byRelease
            var seen: Set<String> = []
            return days.compactMap { day -> Event? in
                guard let share = share(of: day, in: evidence), seen.insert(day.version ?? "").inserted
                else { return nil }
                return .velocity(alert(issue, day, share, evidence))
            }
        }
    }

    private func share(of day: IssueDay, in evidence: Evidence) -> Fraction? {
        let health =
            day.version.map { evidence.releaseHealth[.init(date: day.date, version: $0)] }
            ?? evidence.health[day.date]
        guard let sessions = health?.sessions, sessions >= minimumSessions, let events = day.events,
            day.users.map({ $0 >= minimumUsers }) ?? true,
            // One session may hold several events, so the share is at most all of them.
            let share = Fraction(min(events, sessions), of: sessions),
            share.value * 100 >= percent
        else { return nil }
        return share
    }

    private func alert(
        _ issue: Issue, _ day: IssueDay, _ share: Fraction, _ evidence: Evidence
    ) -> IssueVelocityAlert {
        let subject = issue.id + (day.version.map { "@" + $0 } ?? "")
        let occasion = Occasion(
            rule: Self.id, subject: subject, app: evidence.app, day: day.date, at: evidence.end(of: day.date))
        return IssueVelocityAlert(
            occasion: occasion, issue: issue, version: day.version, share: share, users: day.users)
    }
}
