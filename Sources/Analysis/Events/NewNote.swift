package import AppHealth

/// A note was added.
package struct NewNote: Hashable, Codable, Sendable {
    /// Its name, app, day and place in time.
    package internal(set) var occasion: EventIdentity
    /// The name of the source that has it, or of what wrote it.
    package let origin: String
    /// The note.
    package let note: Note
    /// The issue it is about, when it is about one that is known.
    package let issue: Issue?
}

/// Finds every note.
package struct NewNoteRule: Rule {
    package static let id = "new-note"
    package static let kind = EventKind.newNote

    /// The rule.
    package init() {}

    package func events(in index: HistoryIndex) -> [Event] {
        index.notes.map { kept in
            let occasion = EventIdentity(
                rule: Self.id, subject: "\(kept.origin)@\(kept.note.id)", app: index.app,
                day: kept.note.day ?? index.day(of: kept.note.at), at: kept.note.at,
                named: kept.note.at.date)
            return .newNote(
                NewNote(
                    occasion: occasion, origin: kept.origin, note: kept.note, issue: kept.issue?.mention))
        }
    }
}
