import Configuration
import Diagnostics
import Files

extension Project {
    /// That the folder which `content` names is not there: mutes, notes and pages would be gone without a word. Only that
    /// of the default may be missing.
    var contentProblem: Diagnostic? {
        guard let place = configuration.places["content"] else { return nil }
        let named = configuration.content
        // One that cannot be read is reported by what reads it.
        guard let kind = try? knownKind(path(named)), kind != .folder else { return nil }
        let shown = printable(named)
        return .usage(
            "config.content",
            kind == .missing ? "No folder '\(shown)' for 'content'" : "'\(shown)' is not a folder", at: place,
            hints: [
                nearestFolder(to: named).map { "did you mean '\(printable($0))'?" }
                    ?? "name the folder of your pages, notes and mutes, or remove 'content' if there is none"
            ])
    }

    /// The folder next to where a path should lead whose name is most like its own, as the configuration would write it.
    private func nearestFolder(to named: String) -> String? {
        let (above, name) = splitPath(namedPath(named))
        let folder = path(above)
        guard let names = try? FolderContents(of: folder).names else { return nil }
        let folders = names.filter { !$0.hasPrefix(".") && pathKind("\(folder)/\($0)") == .folder }
        let start = above == "." ? "" : above == "/" ? above : above + "/"
        return nearestName(to: name, among: folders).map { start + $0 }
    }
}
