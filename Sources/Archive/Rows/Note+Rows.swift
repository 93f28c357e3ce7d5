import AppHealth

extension RevisionTable {
    static let notes = RevisionTable(
        "note", key: ["name"], values: ["written_at", "author", "text", "subject", "subject_name"])
}

extension RevisionWriter {
    mutating func write(_ note: Note) throws -> Bool {
        let (kind, name) = note.subject.columns
        return try write(
            [
                Field(note.at.secondsSinceEpoch), Field(note.author), Field(note.text), Field(kind.rawValue),
                Field(name),
            ],
            of: [Field(source), Field(note.id)], to: .notes)
    }
}

extension RevisionReader {
    /// Notes, newest first; those of one second by the bytes of their ids.
    mutating func notes() throws -> [Note] {
        let notes = try rows(of: .notes) { columns in
            let id = try columns.text()
            let (at, author, text) = (try columns.instant(), try columns.text(), try columns.text())
            let subject = try Note.Subject(try columns.word(), name: try columns.optionalText())
            return Note(id: id, at: at, author: author, text: text, subject: subject)
        }
        return notes.enumerated().sorted { ($1.element.at, $0.offset) < ($0.element.at, $1.offset) }.map(
            \.element)
    }
}

/// The word that tells what a note is about.
private enum SubjectKind: String {
    case app, issue, release, day
}

extension Note.Subject {
    fileprivate var columns: (kind: SubjectKind, name: String?) {
        switch self {
        case .app: (.app, nil)
        case .issue(let id): (.issue, id)
        case .release(let label): (.release, label)
        case .day(let date): (.day, date.description)
        }
    }

    fileprivate init(_ kind: SubjectKind, name: String?) throws(UnreadableColumn) {
        switch (kind, name) {
        case (.app, _): self = .app
        case (.issue, let id?): self = .issue(id)
        case (.release, let label?): self = .release(label)
        case (.day, let date?):
            guard let date = CivilDate(date) else { throw UnreadableColumn() }
            self = .day(date)
        case (.issue, nil), (.release, nil), (.day, nil): throw UnreadableColumn()
        }
    }
}
