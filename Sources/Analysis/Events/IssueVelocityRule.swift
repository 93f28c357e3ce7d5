package import AppHealth
package import Statistics

/// Finds issues that spread fast: once for each issue and version.
///
/// An issue with a past is held against it (`IssueVelocityDetector`, by hours where the source counts them). An issue
/// without one meets the thresholds that Firebase documents for its velocity alert (1% of sessions,
/// 25 users, 250 sessions), taken over a day as the archive keeps days.
package struct IssueVelocityRule: Rule {
    package static let id = "velocity"
    package static let kind = EventKind.velocity
    /// The least share of the version's sessions that tells of a new issue, in per cent.
    package var percent: Double
    /// The least number of users of a new issue on the day.
    package var minimumUsers: Int
    /// The least number of sessions of the version on the day, for a new issue.
    package var minimumSessions: Int
    /// For how many days from its first sighting on an issue has too little of a past.
    package var newDays: Int
    /// Finds issues that outrun their own past, by days.
    package var daily: IssueVelocityDetector
    /// Finds issues that outrun their own past, by hours.
    package var hourly: IssueVelocityDetector
    /// After how many quiet days an issue may be told again where versions are not told apart.
    package var againAfter: Int

    /// The standard thresholds, or others.
    package init(
        percent: Double = 1, minimumUsers: Int = 25, minimumSessions: Int = 250, newDays: Int = 14,
        daily: IssueVelocityDetector = IssueVelocityDetector(pace: .daily),
        hourly: IssueVelocityDetector = IssueVelocityDetector(),
        againAfter: Int = 28
    ) {
        self.percent = percent
        self.minimumUsers = minimumUsers
        self.minimumSessions = minimumSessions
        self.newDays = newDays
        self.daily = daily
        self.hourly = hourly
        self.againAfter = againAfter
    }

    package func events(in evidence: HistoryIndex) -> [Event] {
        let hours = tellingHours(in: evidence)
        let past = hours.map { hourlyAlerts(in: $0, evidence) } ?? dailyAlerts(in: evidence)
        let new = newIssueAlerts(in: evidence).filter { alert in
            // Where a past knows no versions, the issue was told as a whole.
            alert.version == nil && hours == nil
                || !past.contains { told in
                    told.issue.id == alert.issue.id && told.version == nil
                        && abs(told.occasion.day.days(to: alert.occasion.day)) < newDays
                }
        }
        return once(past + new).map(Event.velocity)
    }

    /// The hours, once there are enough of them for a first report; until then days tell more.
    private func tellingHours(in evidence: HistoryIndex) -> IssueHours? {
        evidence.hours.flatMap { $0.counts.sessions.count > hourly.pace.firstReport ? $0 : nil }
    }

    /// The days for which the rule can still say what it once said; nil when these are all days.
    ///
    /// Hours are kept for a month only, and the first of them only teach.
    package func judged(in evidence: HistoryIndex) -> ClosedRange<CivilDate>? {
        guard let hours = tellingHours(in: evidence) else { return nil }
        let first = hours.hour(at: hourly.pace.firstReport).start.date.advanced(by: 1)
        return first <= evidence.lastDay ? first...evidence.lastDay : evidence.lastDay...evidence.lastDay
    }

    /// The first alert of each issue and version, in order of time; where two begin on one day, that of the plain
    /// thresholds, as it needs no explaining.
    private func once(_ alerts: [IssueVelocityAlert]) -> [IssueVelocityAlert] {
        let ordered = alerts.sorted { first, second in
            let (left, right) = (first.occasion, second.occasion)
            if left.day != right.day { return left.day < right.day }
            if (first.grounds == .newIssue) != (second.grounds == .newIssue) {
                return first.grounds == .newIssue
            }
            return left.at != right.at ? left.at < right.at : left.id < right.id
        }
        var last: [Subject: CivilDate] = [:]
        return ordered.filter { alert in
            let subject = Subject(issue: alert.issue.id, version: alert.version)
            let before = last.updateValue(alert.occasion.day, forKey: subject)
            guard let before else { return true }
            return alert.version == nil && before.days(to: alert.occasion.day) > againAfter
        }
    }

    private struct Subject: Hashable {
        let issue: String
        let version: String?
    }

    /// The occasion of an alert: its id names the issue, the version and the first day.
    func occasion(
        _ issue: Issue, _ version: String?, on day: CivilDate, at: Instant, _ evidence: HistoryIndex
    ) -> EventIdentity {
        let subject = issue.id + (version.map { "@" + $0 } ?? "")
        return EventIdentity(rule: Self.id, subject: subject, app: evidence.app, day: day, at: at)
    }
}
