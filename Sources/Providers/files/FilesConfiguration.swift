package import AppHealth
package import Diagnostics
package import Transport

/// Where snapshot files lie, and how much of them is read.
package struct FilesConfiguration: Sendable {
    /// Where snapshot files lie.
    package enum Place: Sendable {
        /// A directory or a file on this machine.
        case path(String)
        /// One file behind an address: http, https or file.
        case address(Address)
    }

    /// Where the files lie.
    package var place: Place
    /// The name of the source within its app.
    package var id: Slug
    /// The most bytes of one file.
    package var mostBytes = 32 << 20
    /// The most files of a directory; of more, those whose names come last are read.
    package var mostFiles = 10_000
    /// How messages name a local place, such as the path that the configuration writes; nil for the path itself.
    package var shownAs: String?
    /// What one request may cost in time; its body is capped by `mostBytes`.
    package var limits = Limits()

    /// Reads the text of a configuration: an address when it begins with a scheme, otherwise a path.
    package init(_ place: String, id: Slug = Slug(anyText: "files")) throws(AddressError) {
        self.id = id
        if place.contains("://") {
            self.place = .address(try Address(place))
        } else {
            self.place = .path(place)
        }
    }
}

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
