import Diagnostics
import Files

/// Files in a place of the content folder that would be read under another name.
///
/// - Parameter place: the place below the folder, with `/` at its end; empty for the folder itself.
func unreadFiles(in folder: String, _ place: String) -> [Diagnostic] {
    names(in: "\(folder)/\(place)").compactMap { name in
        let (stem, ending) = parted(name)
        let path = "\(folder)/\(place)\(name)"
        if place.isEmpty, stem.lowercased() == "mutes", ["yml", "yaml"].contains(ending.lowercased()) {
            return name == "mutes.yml" ? nil : unread(path, "call it 'mutes.yml'")
        }
        guard ending != "md", isMarkdown(ending), stem.lowercased() != "readme" else { return nil }
        return unread(path, "call it '\(printable(stem)).md'")
    }
}

/// Markdown files in the folder of notes that are not read: those in folders, and those with another ending.
func unreadNotes(in folder: String) -> [Diagnostic] { unreadNotes(in: folder, depth: 0) }

/// How many folders deep notes are searched.
private let deepest = 4

private func unreadNotes(in folder: String, depth: Int) -> [Diagnostic] {
    guard depth <= deepest else { return [] }
    return names(in: folder).flatMap { name -> [Diagnostic] in
        let path = "\(folder)/\(name)"
        if pathKind(path) == .folder { return unreadNotes(in: path, depth: depth + 1) }
        let (stem, ending) = parted(name)
        guard isMarkdown(ending), stem.lowercased() != "readme", depth > 0 || ending != "md" else {
            return []
        }
        return [
            unread(
                path, depth > 0 ? "move it into the folder 'notes' itself" : "call it '\(printable(stem)).md'"
            )
        ]
    }
}

private func unread(_ path: String, _ hint: String) -> Diagnostic {
    .warning("content.unread", "File is not read", at: .file(path: path), hints: [hint])
}

/// What is in a folder and not hidden; that one cannot be listed is reported by those who read it.
private func names(in folder: String) -> [String] {
    ((try? folderNames(folder)) ?? []).filter { !$0.hasPrefix(".") }
}

private func parted(_ name: String) -> (stem: String, ending: String) {
    guard let dot = name.lastIndex(of: ".") else { return (name, "") }
    return (String(name[..<dot]), String(name[name.index(after: dot)...]))
}

private func isMarkdown(_ ending: String) -> Bool {
    ["md", "markdown", "mdown", "mkd"].contains(ending.lowercased())
}
