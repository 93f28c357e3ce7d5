package import AppHealth

/// Somebody wrote a note.
package struct NewNote: Hashable, Sendable {
    /// Its name, app, day and place in time.
    package let occasion: EventIdentity
    /// The note.
    package let note: Note
    /// The issue it is about, when it is about one that is known.
    package let issue: Issue?
}

/// Tells of every note.
package struct NewNoteRule: Rule {
    package static let id = "new-note"
    package static let kind = EventKind.newNote

    /// The rule.
    package init() {}

    package func events(in evidence: HistoryIndex) -> [Event] {
        evidence.notes.map { kept in
            let occasion = EventIdentity(
                rule: Self.id, subject: "\(kept.origin)@\(kept.note.id)", app: evidence.app,
                day: kept.note.at.date, at: kept.note.at)
            return .newNote(NewNote(occasion: occasion, note: kept.note, issue: kept.issue))
        }
    }
}
