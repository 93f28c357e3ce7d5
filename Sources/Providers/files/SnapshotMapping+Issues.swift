import AppHealth
import Diagnostics

extension SnapshotMapping {
    mutating func releases() -> [Release] {
        var seen: Set<Version> = []
        let lastBegun = lastBegunDay(at: file.capturedAt.instant, zone: zone.name)
        return accepted(file.releases, "releases") { entry, path, losses in
            guard let version = version(entry.version, entry.build) else {
                losses.refuse("\(path).version", expected: "a label", found: "\"\"")
                return nil
            }
            guard losses.isFirst(version, in: &seen, at: path.description, "a version and a build") else {
                return nil
            }
            let released = entry.releasedAt?.instant
            // It may be announced for that day: then it comes out without a new file.
            if let day = released?.date, day > lastBegun {
                let warning = toCome(
                    version, day, at: .keyPath(document: losses.endpoint, path: "\(path).releasedAt"))
                losses.add(warning)
            }
            return Release(version: version, releasedAt: released)
        }
    }

    /// The issues, each with its place in the file.
    mutating func issues() -> [(index: Int, issue: Issue)] {
        var seen: Set<String> = []
        var result: [(index: Int, issue: Issue)] = []
        for item in file.issues?.items ?? [] {
            if let issue = issue(item.value, at: "issues[\(item.index)]", seen: &seen) {
                result.append((item.index, issue))
            }
        }
        return result
    }

    private mutating func issue(
        _ entry: SnapshotFile.IssueEntry, at path: String, seen: inout Set<String>
    ) -> Issue? {
        guard let kind: Issue.Kind = word(entry.kind, or: .crash, at: "\(path).kind"),
            let state: Issue.State = word(entry.state, or: .open, at: "\(path).state"),
            hasID(entry.id, at: "\(path).id"),
            losses.isFirst(entry.id.text, in: &seen, at: "\(path).id", "an issue")
        else { return nil }
        return Issue(
            id: entry.id.text, title: entry.title.text, kind: kind, state: state, place: place(of: entry),
            firstSeen: entry.firstSeen?.instant, lastSeen: entry.lastSeen?.instant,
            firstVersion: version(entry.firstVersion, entry.firstBuild),
            lastVersion: version(entry.lastVersion, entry.lastBuild),
            fixedIn: version(entry.fixedIn, entry.fixedInBuild), events: entry.events?.value,
            users: areNamed(entry.users?.value, next: entry.events?.value) ? entry.users?.value : nil,
            url: losses.webAddress(entry.url?.nonEmpty, at: "\(path).url"))
    }

    private mutating func hasID(_ id: WireName, at path: String) -> Bool {
        if !id.text.isEmpty { return true }
        losses.refuse(path, expected: "an id", found: "\"\"")
        return false
    }

    /// The case that the word names; the usual one when there is no word, nil when the word is unknown.
    private mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ text: WireName?, or usual: Word, at path: String
    ) -> Word? {
        guard let text else { return usual }
        if let word = Word(rawValue: text.text) { return word }
        losses.refuse(word: text.text, at: path, among: Word.allCases.map(\.rawValue))
        return nil
    }
}

extension SnapshotMapping {
    mutating func notes() -> [Note] {
        var seen: Set<String> = []
        return accepted(file.notes, "notes") { entry, path, losses in
            guard losses.isFirst(entry.id.text, in: &seen, at: "\(path).id", "a note") else { return nil }
            if entry.issue != nil, entry.release != nil {
                losses.refuse("\(path).release", expected: "nothing next to an issue", found: "a release")
            }
            return Note(
                id: entry.id.text, at: entry.at.instant, author: entry.author?.text ?? "",
                text: entry.text.text,
                subject: subject(of: entry))
        }
    }
}

private func subject(of note: SnapshotFile.NoteEntry) -> Note.Subject {
    if let issue = note.issue?.nonEmpty { return .issue(issue) }
    return note.release?.nonEmpty.map { .release($0) } ?? .app
}

private func place(of issue: SnapshotFile.IssueEntry) -> CodePlace? {
    guard let file = issue.file?.nonEmpty else { return nil }
    return CodePlace(file: file, line: issue.line.flatMap { $0.value > 0 ? $0.value : nil })
}

private func version(_ label: WireName?, _ build: WireName?) -> Version? {
    guard let label = label?.nonEmpty else { return nil }
    return Version(label, build: build?.text ?? "")
}

extension Snapshot {
    /// How many releases were to come when it was captured; each of them is a warning.
    var releasesToCome: Int {
        let lastBegun = lastBegunDay(at: capturedAt, zone: source.zone)
        return releases.count { release in release.releasedAt.map { $0.date > lastBegun } ?? false }
    }
}

private func toCome(_ version: Version, _ day: CivilDate, at place: Location) -> Diagnostic {
    .warning(
        "files.release-to-come",
        "files: the releasedAt of \(version) is after the capture: it does not count as released before \(day)",
        at: place, hints: ["correct the date if \(version) is out"])
}
