/// One alert that was raised: what the archive remembers of it, whatever the figures say later.
package struct LedgerEntry: Hashable, Codable, Sendable {
    /// Its state.
    package enum State: String, Codable, Sendable, CaseIterable {
        /// It lasts.
        case open
        /// It is over.
        case closed
        /// The figures were revised and no longer show it.
        case withdrawn
    }

    /// Permanent: it stays when late data move the days of the alert.
    package var id: String
    /// The app.
    package var app: Slug
    /// The id of the rule that found it.
    package var rule: String
    /// What it is about, such as an issue's id; empty for the app as a whole.
    package var subject: String
    /// The first day on which the rule held, by the current data.
    package var firstDay: CivilDate
    /// The last day on which it was seen to hold.
    package var lastDay: CivilDate
    /// The capture time of the figures that first showed it.
    package var raisedAt: Instant
    /// Its state.
    package var state: State
    /// The sentence that first reported it: foreign text, for it may name an issue.
    package var sentence: String
    /// Its size as first reported, in 0…1 of the whole, or of a count relative to what was expected; nil when the rule
    /// measures none.
    package var reportedSize: Double?
    /// The users of its issue on the first day, as first reported; nil where they were not known.
    package var reportedUsers: Int?
    /// How deep it was on its worst day, measured from before the first of those that followed each other, in the unit of
    /// its size; nil where that is its size.
    package var reportedDepth: Double?

    /// Makes an entry.
    package init(
        id: String, app: Slug, rule: String, subject: String, firstDay: CivilDate, lastDay: CivilDate,
        raisedAt: Instant, state: State, sentence: String, reportedSize: Double?, reportedUsers: Int? = nil,
        reportedDepth: Double? = nil
    ) {
        self.id = id
        self.app = app
        self.rule = rule
        self.subject = subject
        self.firstDay = firstDay
        self.lastDay = lastDay
        self.raisedAt = raisedAt
        self.state = state
        self.sentence = sentence
        self.reportedSize = reportedSize
        self.reportedUsers = reportedUsers
        self.reportedDepth = reportedDepth
    }
}
