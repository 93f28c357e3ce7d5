package import AppHealth

/// Somebody wrote a note.
package struct NewNote: Hashable, Sendable {
    /// Its name, app, day and place in time.
    package let occasion: Occasion
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
        case .issue(let id):
            guard let issue else { return "\(author) added a note to issue \(id)." }
            return "\(author) added a note to an issue in \(issue.label)."
        }
    }
}

/// Tells of every note.
package struct NoteAppears: Rule {
    package static let id = "new-note"
    package static let kind = EventKind.newNote

    /// The rule.
    package init() {}

    package var statement: String { "A source holds a note that was written before the report." }

    package func events(in evidence: Evidence) -> [Event] {
        evidence.sources.flatMap { source in
            source.notes.filter { $0.at <= evidence.asOf }.map { note in
                let occasion = Occasion(
                    rule: Self.id, subject: "\(source.source.id)@\(note.id)", app: evidence.app,
                    day: note.at.date, at: note.at)
                return .newNote(NewNote(occasion: occasion, note: note, issue: issue(of: note, in: source)))
            }
        }
    }

    private func issue(of note: Note, in source: SourceHistory) -> Issue? {
        guard case .issue(let id) = note.subject else { return nil }
        return source.issues.first { $0.id == id }
    }
}
