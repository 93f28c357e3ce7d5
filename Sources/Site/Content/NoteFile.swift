package import AppHealth
import Configuration
package import Diagnostics
import Foundation

/// A note that the owner of a site wrote as a file.
package struct NoteFile: Hashable, Sendable {
    /// The app it is about.
    package let app: Slug
    /// The note; its id is the name of the file.
    package fileprivate(set) var note: Note
    /// Where the file says what it is about.
    package let place: Location
}

extension ContentFolder {
    /// Reads the notes of a folder, in the order of their names.
    mutating func addNotes(in folder: String, _ apps: [Slug], _ problems: inout [Diagnostic]) {
        let pages = pathsOfFiles
        for name in markdownNames(folder, &problems) {
            let file = "\(folder)/\(name).md"
            guard let text = readText(file, below: folder, &problems) else { continue }
            var document = FrontMatterDocument(text, path: file)
            let keys = document.keys(["app", "by", "at"] + subjectKeys)
            let words = document.lines.joined(separator: "\n")
            let links = NoteLinks(inCommonMark: words, of: "notes/\(name).md", to: pages)
            if !document.isUnreadable,
                var note = document.file.note(named: name, keys, words, path: file, apps),
                document.problems.isEmpty
            {
                note.note.targets = links.targets
                notes.append(note)
            }
            let open = problem(ofOpenBlockIn: words, path: file, firstLine: document.firstLine)
            problems += document.problems + [open].compactMap(\.self)
            problems += links.problems(in: document.lines, from: document.firstLine, path: file)
        }
    }

    /// The notes on an app.
    package func notes(of app: Slug) -> [Note] { notes.filter { $0.app == app }.map(\.note) }
}

private let subjectKeys = ["issue", "release", "date"]

extension YAMLFile {
    fileprivate mutating func note(
        named name: String, _ keys: [String: YAMLValue], _ text: String, path: String, _ apps: [Slug]
    ) -> NoteFile? {
        for (key, hint) in [("app", "the id of an app"), ("at", "when it was written, such as 2026-11-20")]
        where keys[key] == nil {
            add(
                "content.missing-key", "Note lacks the key '\(key)'", at: nil,
                hints: ["add '\(key)': \(hint)"])
        }
        let given = subjectKeys.filter { keys[$0] != nil }
        if given.count > 1 {
            add(
                "content.note-subject",
                "Note has more than one subject: \(given.joined(separator: " and "))",
                at: keys[given[1]], hints: ["keep one of them, or write two notes"])
        }
        if text.allSatisfy(\.isWhitespace) {
            add(
                "content.empty-note", "Note is empty", at: nil,
                hints: ["write the text below the front matter"])
        }
        let app = word(keys["app"], of: apps.map(\.text), "app")
        let (written, author) = (time(keys["at"]), self.text(keys["by"]) ?? "")
        let subject = subject(keys)
        guard let app = apps.first(where: { $0.text == app }), let written, let subject else { return nil }
        return NoteFile(
            app: app,
            note: Note(
                id: name, at: written.at, day: written.day, author: author, text: text, subject: subject),
            place: given.first.map { location(of: keys[$0]) } ?? .file(path: path))
    }

    private mutating func subject(_ keys: [String: YAMLValue]) -> Note.Subject? {
        // As the archive writes names: an address is made from their bytes.
        if let issue = keys["issue"] {
            return text(issue).map { .issue($0.precomposedStringWithCanonicalMapping) }
        }
        if let release = keys["release"] {
            return text(release).map { .release($0.precomposedStringWithCanonicalMapping) }
        }
        guard let date = keys["date"] else { return .app }
        guard let words = text(date) else { return nil }
        if let day = CivilDate(words) { return .day(day) }
        add("content.bad-date", "'\(words)' is not a day", at: date, hints: ["write it as 2026-11-20"])
        return nil
    }

    /// An instant, or a day with its first instant in UTC.
    private mutating func time(_ value: YAMLValue?) -> (at: Instant, day: CivilDate?)? {
        guard let value, let words = text(value) else { return nil }
        if let instant = Instant(words) { return (instant, nil) }
        if let day = CivilDate(words) { return (Instant(startOf: day), day) }
        add(
            "content.bad-date", "'\(words)' is not a day or a time", at: value,
            hints: ["write it as 2026-11-20 or as 2026-11-20T06:00:00Z"])
        return nil
    }
}
