package import AppHealth

/// A note wherever it came from: a source, or a file of the site's owner.
package struct KeptNote: Hashable, Codable, Sendable {
    /// The id of its source; empty for a file. With the note's own id it is unique in the app.
    package let origin: String
    /// The note.
    package let note: Note
    /// The issue it is about, when it is about one that is known.
    package let issue: Issue?
}

/// The notes of an app that were written before the report: those of its sources in their order, then the files.
func keptNotes(_ history: AppHistory, _ issues: IssuesByID, asOf: Instant) -> [KeptNote] {
    func kept(_ notes: [Note], origin: String, _ issue: (String) -> Issue?) -> [KeptNote] {
        notes.filter { $0.at <= asOf }.map { note in
            guard case .issue(let id) = note.subject else {
                return KeptNote(origin: origin, note: note, issue: nil)
            }
            return KeptNote(origin: origin, note: note, issue: issue(id))
        }
    }
    let ofSources = history.sources.flatMap { source in
        let own = Dictionary(
            source.notes.isEmpty ? [] : source.issues.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })
        return kept(source.notes, origin: source.source.id.text) { own[$0] }
    }
    return ofSources + kept(history.notes, origin: "") { issues[$0] }
}

extension ReleaseIndex {
    /// Some notes with the names of the releases that they are about as these are listed.
    func naming(_ notes: [KeptNote]) -> [KeptNote] {
        guard notes.contains(where: { $0.note.subject.version != nil }) else { return notes }
        let versions = newestFirst.map(\.version)
        return notes.map { kept in
            guard let name = kept.note.subject.version, let version = versions.one(named: name) else {
                return kept
            }
            var note = kept.note
            note.subject = .release(version.label)
            return KeptNote(origin: kept.origin, note: note, issue: kept.issue)
        }
    }
}
