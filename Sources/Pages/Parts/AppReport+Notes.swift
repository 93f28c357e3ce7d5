import Alerts
import AppHealth

extension AppReport {
    /// Notes about what `isChosen` admits, newest first.
    func notes(_ links: Links, limit: Int = .max, where isChosen: (Note.Subject) -> Bool) -> [NoteView] {
        let chosen = sources.flatMap(\.notes).filter { $0.at <= asOf && isChosen($0.subject) }
        return chosen.sorted { $0.at != $1.at ? $0.at > $1.at : $0.id < $1.id }.prefix(limit)
            .map { noteView($0, links) }
    }

    /// A note as a page shows it.
    func noteView(_ note: Note, _ links: Links) -> NoteView {
        let (subject, stem) = subject(of: note, links)
        let isAlone = if case .within = links { true } else { false }
        return NoteView(
            author: note.author.isEmpty ? "Somebody" : note.author,
            written: "\(note.at.date.compactText), \(note.at.timeText) UTC", subject: subject, stem: stem,
            source: note.text, showsImages: !isAlone)
    }

    private func subject(of note: Note, _ links: Links) -> (String, String?) {
        switch note.subject {
        case .app: return (app.name, links.stem(to: .app(app.id)))
        case .release(let label):
            let isKnown = releases.contains { $0.version.label == label }
            return ("release \(label)", isKnown ? links.stem(to: .release(label, of: app.id)) : nil)
        case .issue(let id):
            guard let issue = evidence.issuesByID[id] else { return ("issue \(id)", nil) }
            return (issue.label, links.stem(to: .issue(id, of: app.id)))
        }
    }
}
