package import Diagnostics
import Files

/// The folder of a part of a site, which a build fills: one that is missing or empty, or that such a build made.
package struct PartFolder {
    private let path: String

    /// What says that a build made the folder, also one that was stopped.
    private static let marker = "plimsoll-part"
    private static let text = """
        plimsoll-part 1
        A part of a site, made by 'plimsoll build --shard' for '--join'. It holds data that a public site hides.

        """
    private static let mostNamed = 10

    /// Takes the folder for a part, and marks it.
    ///
    /// - Throws: `site.foreign-folder` with what is there, when no build of a part made it.
    package init(_ path: String) throws(Diagnostic) {
        self.path = path
        if isMarked { return }
        let names = try names()
        if !names.isEmpty, !isOfEarlierVersion { throw refusal(names) }
        try diagnosed { () throws(FileFailure) in
            try makeFolder(path)
            try replaceFile("\(path)/\(Self.marker)", Array(Self.text.utf8), isDurable: false)
        }
    }

    private var isMarked: Bool {
        guard let bytes = try? readFile("\(path)/\(Self.marker)", limit: 1 << 16) else { return false }
        return bytes.starts(with: Array("plimsoll-part ".utf8))
    }

    /// Before there was a mark, what was kept of the build fits its site.
    private var isOfEarlierVersion: Bool {
        let listing = KeptBuild(in: SitePart.keptFolder(path)).listing
        guard let listing, let manifest = try? SiteManifest.readBytes(in: SitePart.siteFolder(path)) else {
            return false
        }
        return contentHash(manifest) == listing.manifest
    }

    private func names() throws(Diagnostic) -> [String] {
        try diagnosed { () throws(FileFailure) in
            try knownKind(path) == .missing ? [] : try folderNames(path)
        }
    }

    private func refusal(_ names: [String]) -> Diagnostic {
        let more = names.count - Self.mostNamed
        return .error(
            "site.foreign-folder", "'\(path)' is not a part of a site",
            details: names.prefix(Self.mostNamed).map { "there is: \($0)" }
                + (more > 0 ? ["and \(more) more"] : []) + ["nothing was written"],
            at: .file(path: path),
            hints: [
                "use '--output' with a new or empty folder",
                "or remove the folder if nothing in it is needed",
            ])
    }
}
