import AppHealth

extension HistoryIndex {
    /// What holds for the crashes of the issues on a day: affected users and crashed sessions of the same source, as far
    /// as it counted them. Another service counts other people, and what was worked out from a rate bounds nothing.
    func crashBounds(on day: CivilDate) -> (sessions: Int?, users: Int?) {
        let day = rates.health[day]
        return (
            countsOfIssues(.sessions) ? day?.crashedSessions : nil,
            countsOfIssues(.users) ? day?.crashedUsers : nil
        )
    }

    /// The most sessions of a day, of a release or of all, that an issue can be in: of a crash those that crashed, as far
    /// as the source of the issues counted them; nil where it did not, where the issue is no crash, and where its users, or
    /// events of unknown users, are so many that most were in no session that is counted, such as crashes before one begins.
    func mostSessions(meeting day: IssueDay) -> Int? {
        guard issues.byID[day.issue]?.kind == .crash, countsOfIssues(.sessions) else { return nil }
        let (whole, rest) = (day.events ?? 0).quotientAndRemainder(dividingBy: Self.mostEventsOfSession)
        let (crashed, least) = (crashedSessions(of: day), day.users ?? whole + rest.signum())
        return least > crashed ?? 0 ? nil : crashed
    }

    /// The events of a crash in one session, at the most.
    private static let mostEventsOfSession = 5

    private func crashedSessions(of day: IssueDay) -> Int? {
        guard let label = day.version else { return rates.health[day.date]?.crashedSessions }
        guard rates.sources.coversReleases else { return nil }
        return releases.counts.health[ReleaseDay(date: day.date, version: label)]?.crashedSessions
    }

    /// The same of several days; nil where it is not known of one.
    func mostSessions(meeting days: [IssueDay]) -> Int? {
        let known = days.compactMap { mostSessions(meeting: $0) }
        return known.count == days.count ? known.reduce(0, &+) : nil
    }

    /// In how many of all sessions of a day, of a release or of all, an issue is at most: one session may hold several of its
    /// events. Nil where its events are not known.
    func mostSessions(meeting day: IssueDay, of all: Int) -> Int? {
        day.events.map { min($0, all, mostSessions(meeting: day) ?? all) }
    }

    /// The same next to all sessions of the same day; nil where these are not known.
    func mostSessionsOfAll(meeting day: IssueDay) -> (met: Int, all: Int)? {
        healthOfSessions(meeting: day)?.sessions.flatMap { all in
            mostSessions(meeting: day, of: all).map { (met: $0, all: all) }
        }
    }

    /// The same as a share, which is one for lists, alerts and mutes.
    func mostShare(of day: IssueDay) -> Fraction? {
        mostSessionsOfAll(meeting: day).flatMap {
            Fraction($0.met, of: $0.all, deviation: healthOfSessions(meeting: day)?.sessionDeviation)
        }
    }

    /// The day of the release that a day of an issue is about, or of all releases.
    private func healthOfSessions(meeting day: IssueDay) -> HealthDay? {
        day.version.map { releases.counts.health[.init(date: day.date, version: $0)] }
            ?? rates.health[day.date]
    }

    /// Whether the source of issues counted users or sessions of days itself.
    private func countsOfIssues(_ fact: CoveredFact) -> Bool {
        let source = (fact == .users ? rates.sources.users : rates.sources.sessions)?.source
        return source?.id == issues.source?.source.id && source?.estimates.contains(fact) == false
    }

    /// Whether users of a day and of its issues are of one source that counted both.
    var countsUsersOfIssues: Bool {
        countsOfIssues(.users) && rates.sources.users?.source.estimates.contains(.issueUsers) == false
    }
}
