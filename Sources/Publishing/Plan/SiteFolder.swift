package import Diagnostics
import Files
import Foundation
import Platform

/// A file of a site, as a target is to hold it.
package struct SiteFile: Hashable, Sendable {
    /// The path from the top of the site.
    package let path: String
    /// Bytes.
    package let size: Int
    /// The SHA-256 in hexadecimal digits.
    package let sha256: String

    /// Names a file.
    package init(path: String, size: Int, sha256: String) {
        (self.path, self.size, self.sha256) = (path, size, sha256)
    }
}

/// A built site: a folder with the manifest that a build left in it.
package struct SiteFolder: Sendable {
    /// The name of the manifest.
    package static let manifest = "manifest.json"
    /// More than the manifest of a site of a million pages needs.
    private static let mostManifestBytes = 1 << 30
    /// The most bytes of one file.
    private static let mostFileBytes = 4 << 30

    /// Where it is.
    package let path: String
    /// Every file in the order of the paths' bytes, the manifest among them.
    package let files: [SiteFile]

    /// Reads the manifest of a folder.
    ///
    /// - Parameter kept: Files and folders that no build makes and that belong to the site all the same.
    /// - Throws: when there is no site, or when its manifest lists nothing: nothing must be removed for it.
    package init(_ path: String, kept: [String] = []) throws(Diagnostic) {
        self.path = path
        let file = "\(path)/\(Self.manifest)"
        guard fileKind(file) == .file else { throw noSite(path) }
        let bytes = try readLocalFile(file, limit: Self.mostManifestBytes)
        guard let written = try? JSONDecoder().decode(Written.self, from: Data(bytes)),
            written.format == "plimsoll-manifest", written.version == 1,
            written.files.allSatisfy({ isSafePath($0.path) && $0.size >= 0 })
        else {
            throw .error(
                "publish.manifest", "Manifest of the site cannot be read", at: .file(path: file),
                hints: ["run 'plimsoll build' again"])
        }
        guard !written.files.isEmpty else { throw noSite(path) }
        var files = written.files.map { SiteFile(path: $0.path, size: $0.size, sha256: $0.sha256) }
        files.append(SiteFile(path: Self.manifest, size: bytes.count, sha256: contentHash(bytes)))
        files += try keptFiles(kept, in: path, besides: Set(files.map(\.path)))
        self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Where a file of the site is on this machine.
    package func localPath(of file: SiteFile) -> String { "\(path)/\(file.path)" }

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
    /// Sees that a file is still what the manifest names, of which a piece is held at a time.
    func check(_ file: SiteFile) throws(Diagnostic) {
        let seen = try reading(file) { path throws(Diagnostic) in try LocalDigest(of: path) }
        guard seen.isThat(of: file) else { throw changed }
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

    private var changed: Diagnostic {
        .error(
            "publish.site-changed", "The site changed while it was published", at: .file(path: path),
            hints: ["publish again when no build is under way"])
    }
}

private struct Written: Decodable {
    struct File: Decodable {
        let path: String
        let size: Int
        let sha256: String
    }

    let format: String
    let version: Int
    let files: [File]
}

private func noSite(_ path: String) -> Diagnostic {
    Diagnostic(
        .error, id: "publish.no-site", "No site in '\(path)'", location: .file(path: path),
        hints: ["run 'plimsoll build' first"], gravity: .nothingDone)
}

/// The files below paths that the owner keeps in the folder; links are not followed.
private func keptFiles(
    _ kept: [String], in site: String, besides known: Set<String>
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
            && known.insert(path).inserted
        {
            let seen = try LocalDigest(of: "\(site)/\(path)")
            files.append(SiteFile(path: path, size: seen.size, sha256: seen.sha256))
        }
    }
    return files
}

/// Whether a path is in a repository of git, which a kept folder may be.
private func isOfRepository(_ path: String) -> Bool { path.split(separator: "/").contains(".git") }

/// Whether a path names a file below a folder and nothing else: no step up, no empty step, no control character.
func isSafePath(_ path: String) -> Bool {
    guard !path.isEmpty, path.utf8.count <= 1024, path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
        return false
    }
    return path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && $0 != "." && $0 != ".."
    }
}
