import Diagnostics
import Files
import Site

/// What is in the folder of a theme that nothing reads: most often a folder with a slip of the pen, with templates or style
/// sheets in it.
func unreadEntries(_ layers: ThemeLayers) -> [Diagnostic] {
    guard let last = layers.folders.last else { return [] }
    let templates = Set((try? filesBelow(last + "/templates")) ?? [])
    return layers.folders.dropLast().flatMap { folder in
        ((try? folderNames(folder)) ?? []).compactMap { name in
            let path = "\(folder)/\(name)"
            guard !readEntries.contains(name), !isForReaders(name, pathKind(path), templates) else {
                return nil
            }
            return .warning(
                "check.unread-entry", "'\(printable(name))' at the top of the theme is not read",
                at: .file(path: path), hints: [hint(to: name, templates)])
        }
    }
}

/// What a theme has at its top.
private let readEntries: Set = ["theme.yml", "templates", "assets"]

/// Whether an entry is hidden, or a text for readers such as `README.md` and `LICENSE`.
private func isForReaders(_ name: String, _ kind: PathKind, _ templates: Set<String>) -> Bool {
    if name.hasPrefix(".") { return true }
    guard kind != .folder, place(of: name, templates) == nil else { return false }
    return !name.contains(".") || name.hasSuffix(".md") || name.hasSuffix(".txt")
}

private func hint(to name: String, _ templates: Set<String>) -> String {
    if let near = nearestName(to: name, among: readEntries) { return "did you mean '\(near)'?" }
    if let place = place(of: name, templates) { return "move it to 'templates/\(place)'" }
    return "templates belong in 'templates', style sheets and fonts in 'assets'"
}

/// Where below `templates` an entry belongs: a template with its name, or the folder; nil when there is none.
private func place(of name: String, _ templates: Set<String>) -> String? {
    if templates.contains(where: { $0.hasPrefix(name + "/") }) { return name }
    return templates.sorted().first { $0.split(separator: "/").last.map(String.init) == name }
}
