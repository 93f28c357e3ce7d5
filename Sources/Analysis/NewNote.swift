package import AppHealth
import Formatting

/// Somebody wrote a note.
package struct NewNote: Hashable, Sendable {
    /// Its name, app, day and place in time.
    package let occasion: EventIdentity
    /// The note.
    package let note: Note
    /// The issue it is about, when it is about one that is known.
    package let issue: Issue?

    /// `Josh added a note to an issue in Atomic.swift line 54.`
    package var sentence: String {
        let author = note.author.isEmpty ? "Somebody" : note.author
        switch note.subject {
        case .app: return "\(author) added a note to \(occasion.app.name)."
        case .release(let label): return "\(author) added a note to release \(label)."
        case .day(let date): return "\(author) added a note to \(date.compactText)."
        case .issue(let id):
            guard let issue else { return "\(author) added a note to issue \(id)." }
            return "\(author) added a note to an issue in \(issue.label)."
        }
    }
}

/// Tells of every note.
package struct NewNoteRule: Rule {
    package static let id = "new-note"
    package static let kind = EventKind.newNote

    /// The rule.
    package init() {}

    package var statement: String {
        "A source, or a file of the site's owner, holds a note that was written before the report."
    }

    package func events(in evidence: HistoryIndex) -> [Event] {
        evidence.notes.map { kept in
            let occasion = EventIdentity(
                rule: Self.id, subject: "\(kept.origin)@\(kept.note.id)", app: evidence.app,
                day: kept.note.at.date, at: kept.note.at)
            return .newNote(NewNote(occasion: occasion, note: kept.note, issue: kept.issue))
        }
    }
}
