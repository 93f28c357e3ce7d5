package import AppHealth

/// An alert as the figures of now show it, reduced to what the ledger needs.
package struct FoundAlert: Hashable, Codable, Sendable {
    /// The id that follows from its first day.
    package var id: String
    /// The app.
    package var app: Slug
    /// The id of its rule.
    package var rule: String
    /// What it is about; empty for the app as a whole.
    package var subject: String
    /// The first and the last day on which the rule held.
    package var days: ClosedRange<CivilDate>
    /// Whether it lasts.
    package var isOpen: Bool
    /// The sentence that reports it.
    package var sentence: String
    /// Its size in 0…1 of the whole, or of a count how far it is off what was expected, which may be more than 1; nil when
    /// the rule measures none.
    package var size: Double?
    /// What levels measure besides it.
    package var users: Int?, depth: Double?
    /// Whether there is one of its subject, whatever its day: what was announced first stays where it was.
    package var isOnce = false
    /// By how many days late data may have moved its only day: an entry that is no farther away is the same.
    package var mostMoved = 0
    /// The subject of an alert on the same issue in all versions together; nil where it is about no version.
    package var wholeSubject: String?

    /// Makes a found alert.
    package init(
        id: String, app: Slug, rule: String, subject: String, days: ClosedRange<CivilDate>, isOpen: Bool,
        sentence: String, size: Double?
    ) {
        self.id = id
        self.app = app
        self.rule = rule
        self.subject = subject
        self.days = days
        self.isOpen = isOpen
        self.sentence = sentence
        self.size = size
    }
}

extension Event {
    /// What the ledger keeps of it; nil for what is neither an alert about figures nor announced once. Trouble with a source is none: it
    /// is in the list of attempts and ends with the next good one.
    ///
    /// - Parameters:
    ///   - lastDay: The last complete day that was fetched: an alert that reaches it lasts.
    ///   - sentence: The words in which it is reported.
    package func found(lastDay: CivilDate, sentence: (Event) -> String) -> FoundAlert? {
        let day = occasion.day
        var (days, size, lasts): (ClosedRange<CivilDate>, Double?, Bool?) = (day...day, nil, nil)
        switch self {
        case .stability(let alert):
            (days, size, lasts) = (
                day...max(day, alert.episode.last), alert.drop, alert.episode.state.isOpen
            )
        case .crashes(let alert):
            (days, size, lasts) = (
                day...max(day, alert.episode.last), alert.rise, alert.episode.state.isOpen
            )
        case .velocity(let alert): size = alert.share?.value
        case .usage(let anomaly):
            (days, size) = (day...max(day, anomaly.last), abs(anomaly.change))
        case .regressed: break
        // It is known by the alert that it ends, as late data may move its day.
        case .recovery(let recovery): (days, lasts) = (min(recovery.alertDay, day)...day, false)
        case .releaseVerdict: lasts = false
        case .topIssues, .newIssue, .newNote, .sourceTrouble, .withdrawn, .raised: return nil
        }
        var found = FoundAlert(
            id: occasion.id, app: occasion.app.id, rule: occasion.rule, subject: occasion.subject, days: days,
            isOpen: lasts ?? (days.upperBound >= lastDay), sentence: sentence(self), size: size)
        found.isOnce = kind == .releaseVerdict
        if kind == .regressed { found.mostMoved = SettlingAge.standard.finalAfterHours / 24 }
        switch self {
        case .velocity(let alert):
            found.users = alert.users
            if alert.version != nil { found.wholeSubject = IssueSubject(alert.issue.id).text }
        case .stability(let alert) where alert.worstDepth != alert.drop: found.depth = alert.worstDepth
        case .crashes(let alert) where alert.worstRise != alert.rise: found.depth = alert.worstRise
        case .usage(let anomaly) where anomaly.worst != nil: found.depth = anomaly.worstChange
        default: break
        }
        return found
    }
}
