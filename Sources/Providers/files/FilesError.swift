package import Diagnostics

/// Why a source of files gave nothing.
package enum FilesError: Error, Hashable, Sendable {
    /// There is no such directory or file.
    case missing(path: String)
    /// The directory cannot be listed.
    case unlistable(path: String)
    /// No file is about the app; `others` are the apps that files name.
    case nothing(app: String, path: String, others: [String])
    /// The path cannot be written as an address.
    case path(String)
}

extension FilesError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        switch self {
        case .missing(let path):
            .error(
                "files.missing", "files: there is no directory or file '\(printable(path))'",
                at: .file(path: path),
                hints: ["correct the path in the configuration, or run what writes it"]
            )
        case .unlistable(let path):
            .error(
                "files.unlistable", "files: directory '\(printable(path))' cannot be listed",
                at: .file(path: path),
                hints: ["give the user that runs this the right to read it"])
        case .nothing(let app, let path, let others): nothing(about: app, path, others)
        case .path(let path):
            .error(
                "files.path", "files: path '\(printable(path))' cannot be read", at: .file(path: path),
                hints: ["rename the file"])
        }
    }

    private func nothing(about app: String, _ path: String, _ others: [String]) -> Diagnostic {
        let nearest = nearestName(to: app, among: others)
        return .error(
            "files.nothing", "files: no file is about the app '\(app)'",
            details: others.isEmpty ? [] : ["apps found: \(others.prefix(10).joined(separator: ", "))"],
            at: .file(path: path),
            hints: [
                nearest.map { "write '\($0)' as the app's id, if that was meant" } ?? "write a file for it"
            ])
    }
}
