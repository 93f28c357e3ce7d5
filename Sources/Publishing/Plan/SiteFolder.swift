package import Diagnostics
import Files
import Platform

/// A file of a site, as a target is to hold it.
package struct SiteFile: Hashable, Sendable {
    /// The path from the top of the site.
    package let path: PublishedPath
    /// Bytes.
    package let size: Int
    /// The SHA-256 in hexadecimal digits.
    package let sha256: String

    /// Names a file.
    package init(path: PublishedPath, size: Int, sha256: String) {
        (self.path, self.size, self.sha256) = (path, size, sha256)
    }
}

/// A built site: a folder with the manifest that a build left in it.
///
/// A build may replace it at any moment. Where it is stays in here, so that a target gets at its files only in ways that
/// see that they are those that the manifest names: it takes their bytes, or they are lent to it.
package struct SiteFolder: Sendable {
    /// The name of the manifest.
    package static let manifest = SiteManifest.name
    /// The most bytes of one file.
    private static let mostFileBytes = 4 << 30

    /// Where it is.
    private let path: String
    /// Every file in the order of the paths' bytes, the manifest among them.
    package let files: [SiteFile]
    /// Those of them that no build made.
    package let kept: [SiteFile]

    /// Reads the manifest of a folder.
    ///
    /// - Parameter kept: Files and folders that no build makes and that belong to the site all the same.
    /// - Throws: when there is no site, or when its manifest lists nothing: nothing must be removed for it.
    package init(_ path: String, kept: [String] = []) throws(Diagnostic) {
        self.path = path
        let file = "\(path)/\(Self.manifest)"
        guard fileKind(file) == .file else { throw noSite(path) }
        let bytes = try readLocalFile(file, limit: SiteManifest.mostBytes)
        guard let listed = SiteManifest.entries(in: bytes),
            listed.allSatisfy({ isSafePath($0.path) && $0.file.size >= 0 })
        else {
            throw .error(
                "publish.manifest", "Manifest of the site cannot be read", at: .file(path: file),
                hints: ["run 'plimsoll build' again"])
        }
        guard !listed.isEmpty else { throw noSite(path) }
        var files = listed.map { path, file in
            SiteFile(path: PublishedPath(path), size: file.size, sha256: file.digest.description)
        }
        files.append(
            SiteFile(path: PublishedPath(Self.manifest), size: bytes.count, sha256: contentHash(bytes)))
        self.kept = try keptFiles(kept, in: path, besides: Set(files.map(\.path)))
        self.files = (files + self.kept).sorted { $0.path < $1.path }
    }

    /// Where it is, for messages.
    package var location: Location { .file(path: path) }

    /// The bytes of a file, which must be those that the manifest names.
    package func bytes(of file: SiteFile) throws(Diagnostic) -> [UInt8] {
        let bytes = try reading(file) { path throws(Diagnostic) in
            try readLocalFile(path, limit: Self.mostFileBytes)
        }
        guard bytes.count == file.size, contentHash(bytes) == file.sha256 else { throw changed }
        return bytes
    }
}

extension SiteFolder {
    /// Lets something else read files by their names, as a program does, or what sends a file piece by piece.
    ///
    /// Before and after that they must be the same files with the bytes that the manifest names: then they were so all
    /// the time.
    ///
    /// - Parameters:
    ///   - files: all that may be read.
    ///   - work: gets the path of the site.
    func lend<Value>(
        _ files: [SiteFile], to work: (_ folder: String) async throws(Diagnostic) -> Value
    ) async throws(Diagnostic) -> Value {
        let before = try checked(files)
        let value = try await work(path)
        guard try checked(files).elementsEqual(before, by: { $0.isOfSameBytes(as: $1) }) else {
            throw changed
        }
        return value
    }

    /// Sees that files are still what the manifest names, of which a piece is held at a time.
    private func checked(_ files: [SiteFile]) throws(Diagnostic) -> [FileStamp] {
        var stamps: [FileStamp] = []
        for file in files {
            guard let stamp = FileStamp(at: localPath(of: file)) else { throw changed }
            stamps.append(stamp)
            let seen = try reading(file) { path throws(Diagnostic) in try LocalDigest(of: path) }
            guard seen.isThat(of: file) else { throw changed }
        }
        return stamps
    }

    /// Why published files must not be removed though the manifest does not list them: they are in the folder, where no
    /// build put them and none is asked to keep them, as when a path was taken out of `keep`. Nil when none of them is.
    func unlistedProblem(_ removals: [PublishedPath]) -> Diagnostic? {
        // A link is not followed, a repository is never listed, and where case does not count it is a file of the site.
        let listed = Set(files.map { $0.path.text.lowercased() })
        let unlisted = removals.filter { removal in
            fileKind("\(path)/\(removal)") == .file && !isOfRepository(removal.text)
                && removal.folders.allSatisfy { fileKind("\(path)/\($0)") == .folder }
                && !listed.contains(removal.text.lowercased())
        }
        guard !unlisted.isEmpty else { return nil }
        let (files, verb) =
            unlisted.count == 1
            ? ("1 published file", "belongs") : ("\(unlisted.count) published files", "belong")
        return .error(
            "publish.unlisted",
            "\(files) in the folder of the site \(verb) to no build and would be removed; nothing was published",
            details: firstFive("in the folder", unlisted.sorted()), at: location,
            hints: ["name what is to stay in 'keep', or move it away and publish again"])
    }

    /// Gives a file that everybody may read a second name. What has that name is checked, whatever a build puts in the
    /// place of the first one.
    ///
    /// - Returns: false where there is no second name.
    func giveSecondName(_ name: String, to file: SiteFile) throws(Diagnostic) -> Bool {
        guard link(localPath(of: file), name) == 0 else { return false }
        do throws(Diagnostic) {
            // The rights of all names of a file are the same, and those in the site are not to change.
            if isOpenToAll(name) {
                guard try LocalDigest(of: name).isThat(of: file) else { throw changed }
                return true
            }
        } catch {
            unlink(name)
            throw error
        }
        unlink(name)
        return false
    }

    /// Sees that a file is still what the manifest names.
    ///
    /// - Returns: its MD5, which some services ask for.
    func checkedMD5(_ file: SiteFile) throws(Diagnostic) -> [UInt8] {
        let seen = try reading(file) { path throws(Diagnostic) in try LocalDigest(of: path, withMD5: true) }
        guard seen.isThat(of: file) else { throw changed }
        return seen.md5
    }

    /// Copies a file that is what the manifest names.
    func copy(_ file: SiteFile, to target: String) throws(Diagnostic) {
        let seen = try reading(file) { path throws(Diagnostic) in
            try LocalDigest(copying: path, to: target)
        }
        guard seen.isThat(of: file) else {
            unlink(target)
            throw changed
        }
    }

    /// Reads a file of the site; one that is gone since the manifest was read has changed.
    private func reading<Value>(
        _ file: SiteFile, _ read: (String) throws(Diagnostic) -> Value
    ) throws(Diagnostic) -> Value {
        let path = localPath(of: file)
        do throws(Diagnostic) {
            return try read(path)
        } catch {
            throw fileKind(path) == .missing ? changed : error
        }
    }

    private func localPath(of file: SiteFile) -> String { "\(path)/\(file.path)" }

    private var changed: Diagnostic {
        .error(
            "publish.site-changed", "The site changed while it was published", at: location,
            hints: ["publish again when no build is under way"])
    }
}

private func noSite(_ path: String) -> Diagnostic {
    Diagnostic(
        .error, id: "publish.no-site", "No site in '\(path)'", location: .file(path: path),
        hints: ["run 'plimsoll build' first"], gravity: .nothingDone)
}

/// The files below paths that the owner keeps in the folder; links are not followed.
private func keptFiles(
    _ kept: [String], in site: String, besides known: Set<PublishedPath>
) throws(Diagnostic) -> [SiteFile] {
    var files: [SiteFile] = []
    // Paths may be named twice, or one below another.
    var known = known
    for path in kept {
        let found: [String] =
            switch fileKind("\(site)/\(path)") {
            case .file: [path]
            case .folder: try localFilesBelow("\(site)/\(path)").map { "\(path)/\($0)" }
            default: []
            }
        for path in found
        where isSafePath(path) && !isOfRepository(path) && fileKind("\(site)/\(path)") == .file
            && known.insert(PublishedPath(path)).inserted
        {
            let seen = try LocalDigest(of: "\(site)/\(path)")
            files.append(SiteFile(path: PublishedPath(path), size: seen.size, sha256: seen.sha256))
        }
    }
    return files
}

/// Whether a path is in a repository of git, which a kept folder may be.
private func isOfRepository(_ path: String) -> Bool {
    path.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual(".git".utf8) }
}

/// Whether a path names a file below a folder and nothing else: no step up, no empty step, no control character.
func isSafePath(_ path: String) -> Bool {
    guard !path.isEmpty, path.utf8.count <= 1024, path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
        return false
    }
    let dot = UInt8(ascii: ".")
    return path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && !$0.elementsEqual([dot]) && !$0.elementsEqual([dot, dot])
    }
}
