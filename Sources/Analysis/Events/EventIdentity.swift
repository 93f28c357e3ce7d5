package import AppHealth

/// What every event has: a permanent name, the app, the day it is about, and its place in time.
package struct EventIdentity: Hashable, Sendable {
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

    /// An occasion of a rule on a day about a subject, such as an issue's id.
    package init(rule: String, subject: String = "", app: App, day: CivilDate, at: Instant) {
        let tail = subject.isEmpty ? "" : "/" + Slug(anyText: subject).text
        self.id = "\(app.id)/\(rule)/\(day)\(tail)"
        self.rule = rule
        self.subject = subject
        self.app = app
        self.day = day
        self.at = at
    }
}
