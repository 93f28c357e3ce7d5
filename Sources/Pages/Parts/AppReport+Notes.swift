import Analysis
package import AppHealth
package import Diagnostics
import Formatting

extension AppReport {
    /// Notes about what `isChosen` admits, newest first.
    func notes(_ links: Links, limit: Int = .max, where isChosen: (Note.Subject) -> Bool) -> [NoteView] {
        let chosen = evidence.notes.map(\.note).filter { isChosen($0.subject) }
        return chosen.sorted { $0.at != $1.at ? $0.at > $1.at : $0.id < $1.id }.prefix(limit)
            .map { noteView($0, links) }
    }

    /// A note as a page shows it.
    func noteView(_ note: Note, _ links: Links) -> NoteView {
        let (subject, stem) = subject(of: note, links)
        let isAlone = if case .within = links { true } else { false }
        return NoteView(
            author: note.author.isEmpty ? "Somebody" : note.author,
            written: note.at.proseText, subject: subject, stem: stem,
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
        case .day(let date):
            return (date.compactText, daySet.contains(date) ? links.stem(to: .day(date, of: app.id)) : nil)
        }
    }
}

extension AppReport {
    /// The page of what a note is about.
    func path(of note: Note, _ issue: Issue?) -> SitePath {
        switch note.subject {
        case .release(let label) where releases.contains { $0.version.label == label }:
            .release(label, of: app.id)
        case .day(let date) where daySet.contains(date): .day(date, of: app.id)
        case .app, .release, .day, .issue: issue.map { .issue($0.id, of: app.id) } ?? .app(app.id)
        }
    }

    /// Of the notes that were written before the report, what is wrong with the one: it is about a release, an issue
    /// or a day that is not known.
    ///
    /// A warning, since an archive may begin after what the note speaks of.
    package func problem(with note: Note, at place: Location) -> Diagnostic? {
        guard note.at <= asOf else { return nil }
        switch note.subject {
        case .app: return nil
        case .release(let label):
            return knownReleases.contains(label)
                ? nil : unknown("release", label, among: knownReleases, at: place, severity: .warning)
        case .issue(let id):
            guard issue(withID: id) == nil else { return nil }
            return unknown(
                "issue", id, among: Set(evidence.issuesByID.keys), at: place, severity: .warning)
        case .day(let date):
            guard !daySet.contains(date) else { return nil }
            return .warning(
                "content.unknown-day", "There is no page of \(date) of \(app.name)", at: place,
                hints: ["use a day from the first figure to the last complete day"])
        }
    }
}
