package import AppHealth

/// What every event has: a permanent name, the app, the day it is about, and its place in time.
package struct EventIdentity: Hashable, Codable, Sendable {
    /// Permanent: the same event has the same id in every build, whatever its rank or wording. The ledger of
    /// alerts may give another than follows from the day.
    package internal(set) var id: String
    /// The id of the rule that found it.
    package let rule: String
    /// What it is about, such as an issue's id; empty for the app as a whole.
    package let subject: String
    /// The app.
    package let app: App
    /// The day the event is about.
    package let day: CivilDate
    /// When it could be known; events are ordered by it.
    package let at: Instant
    /// The same as it was first reported: it stays when revised data move the day.
    package internal(set) var published: Instant

    /// An occasion of a rule on a day about a subject, such as an issue's id.
    ///
    /// - Parameter named: The day in its id; nil for the day itself.
    package init(
        rule: String, subject: String = "", app: App, day: CivilDate, at: Instant, named: CivilDate? = nil
    ) {
        let tail = subject.isEmpty ? "" : "/" + eventName(of: subject)
        self.id = "\(app.id)/\(rule)/\(named ?? day)\(tail)"
        self.rule = rule
        self.subject = subject
        self.app = app
        self.day = day
        self.at = at
        self.published = at
    }

    /// The day in its id: of an alert the first day as it was first reported. Nil where the id has none.
    var namedDay: CivilDate? {
        let parts = id.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        // A number may follow it.
        return parts.count > 2 ? CivilDate(String(parts[2].prefix("2026-01-27".count))) : nil
    }
}
