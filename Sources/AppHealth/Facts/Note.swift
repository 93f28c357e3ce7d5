/// What a person wrote about an app, an issue, a release or a day.
package struct Note: Hashable, Sendable {
    /// What the note is about.
    package enum Subject: Hashable, Sendable {
        /// The app as a whole.
        case app
        /// An issue, by the source's id.
        case issue(String)
        /// A release, by its label.
        case release(String)
        /// A day.
        case day(CivilDate)
    }

    /// The source's own id; of a note that the owner of a site wrote as a file, its name without the ending.
    package var id: String
    /// When it was written.
    package var at: Instant
    /// Who wrote it; empty when unknown.
    package var author: String
    /// CommonMark; foreign text.
    package var text: String
    /// What it is about.
    package var subject: Subject

    /// Makes a note.
    package init(id: String, at: Instant, author: String, text: String, subject: Subject) {
        self.id = id
        self.at = at
        self.author = author
        self.text = text
        self.subject = subject
    }
}
