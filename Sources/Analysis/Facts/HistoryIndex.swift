package import AppHealth

/// What the rules look at: one app's history, indexed, up to the last complete day.
package struct HistoryIndex: Sendable {
    /// The app.
    package let app: App
    /// The instant of the report; only days that ended before it count.
    package let asOf: Instant
    /// The last day that was complete at `asOf`, in UTC.
    package let lastDay: CivilDate
    /// The levels that its team set.
    package let targets: Targets
    /// The source of the stability figures; nil when no source has any.
    package let stability: SourceHistory?
    /// The source of the issues; nil when no source has any.
    package let issues: SourceHistory?
    /// Every source, in the order of the configuration.
    package let sources: [SourceHistory]
    /// Health of all releases together by day, from `stability`.
    package let health: [CivilDate: HealthDay]
    /// Health of single releases by day and label, from `stability`.
    package let releaseHealth: [ReleaseDay: HealthDay]
    /// Issues by the source's id, from `issues`.
    package let issuesByID: [String: Issue]
    /// Days of issues, all releases together, by issue; ordered by date.
    package let issueDays: [String: [IssueDay]]
    /// Days of issues in single releases, by issue; ordered by date, then by label.
    package let issueReleaseDays: [String: [IssueDay]]
    /// The notes of sources and files that were written before the report.
    package let notes: [KeptNote]
    /// Issues by hours; nil when no source counts hours.
    package var hours: IssueHours?

    /// A release on a day.
    package struct ReleaseDay: Hashable, Sendable {
        /// The day.
        package let date: CivilDate
        /// The label of the release.
        package let version: String

        /// Makes a key.
        package init(date: CivilDate, version: String) {
            self.date = date
            self.version = version
        }
    }

    /// Indexes a history; series of two sources are never mixed, the first source that knows a thing tells it.
    package init(_ history: AppHistory, asOf: Instant, targets: Targets = .standard) {
        let lastDay = asOf.date.advanced(by: -1)
        let known = history.sources.filter { $0.capturedAt != nil }
        let stability =
            known.first { $0.source.capabilities.contains(.users) }
            ?? known.first { $0.source.capabilities.contains(.sessions) }
        let issues = known.first { $0.source.capabilities.contains(.issues) }
        self.app = history.app
        self.asOf = asOf
        self.lastDay = lastDay
        self.targets = targets
        self.sources = history.sources
        self.stability = stability
        self.issues = issues
        var health: [CivilDate: HealthDay] = [:]
        var releaseHealth: [ReleaseDay: HealthDay] = [:]
        for day in stability?.health ?? [] where day.date <= lastDay {
            if let version = day.version {
                releaseHealth[ReleaseDay(date: day.date, version: version)] = day
            } else {
                health[day.date] = day
            }
        }
        let tellsUsers = health.values.contains { $0.crashedUserShare != nil }
        let tellsSessions = health.values.contains { $0.crashedSessionShare != nil }
        let knowsUsers = stability?.source.capabilities.contains(.users) == true
        self.basis = knowsUsers && (tellsUsers || !tellsSessions) ? .users : .sessions
        self.health = health
        self.releaseHealth = releaseHealth
        let issuesByID = Dictionary((issues?.issues ?? []).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        self.issuesByID = issuesByID
        self.notes = keptNotes(history, issuesByID: issuesByID, asOf: asOf)
        let days = (issues?.issueDays ?? []).filter { $0.date <= lastDay }
        self.issueDays = byIssue(days.filter { $0.version == nil })
        self.issueReleaseDays = byIssue(days.filter { $0.version != nil })
        self.hours = IssueHours(of: known, asOf: asOf)
    }

    /// The most days that a report looks back: five years, so that one wrong date costs no endless site.
    package static let longestSpan = 1_827

    /// The days from the first with a figure to the last complete one, at most `longestSpan`; empty when there is
    /// no figure.
    package var days: [CivilDate] {
        let earliest = lastDay.advanced(by: 1 - Self.longestSpan)
        guard let first = health.keys.filter({ $0 >= earliest }).min() else { return [] }
        return (0...max(0, first.days(to: lastDay))).map { first.advanced(by: $0) }
    }

    /// The instant at which a day is over, in UTC.
    package func end(of day: CivilDate) -> Instant {
        Instant(startOf: day.advanced(by: 1))
    }

    /// What the rates of this app are counted in: users where the source tells them on any day, else sessions.
    ///
    /// A source may be able to know users and have none, when the app does not report who they are.
    package let basis: Basis

    /// The crashed share of a day on the app's basis; nil when it is not known.
    package func crashedShare(on day: CivilDate) -> Fraction? {
        health[day].flatMap { basis.crashedShare(of: $0) }
    }
}

private func byIssue(_ days: [IssueDay]) -> [String: [IssueDay]] {
    Dictionary(grouping: days, by: \.issue).mapValues { days in
        days.sorted { ($0.date, $0.version ?? "") < ($1.date, $1.version ?? "") }
    }
}
