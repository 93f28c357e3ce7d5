/// `manifest.json`: every file of a site with its size and hash. By it a later build knows what it may replace, and
/// publishing what has changed. It does not list itself, nor what the owner keeps in the folder.
package struct SiteManifest: Equatable, Sendable {
    /// One file of the site.
    package struct File: Equatable, Sendable {
        /// Bytes.
        package let size: Int
        /// The digest of its bytes.
        package let digest: ContentDigest

        package init(size: Int, digest: ContentDigest) { (self.size, self.digest) = (size, digest) }

        package init(_ bytes: some Collection<UInt8>) {
            self.init(size: bytes.count, digest: ContentDigest(of: bytes))
        }
    }

    /// The name of the file.
    package static let name = "manifest.json"
    package static let format = "plimsoll-manifest"
    package static let version = 1
    /// More than a site of a million pages needs.
    package static let mostBytes = 1 << 30

    /// The files by their paths from the top of the site.
    package var files: [String: File] = [:]

    package init(files: [String: File] = [:]) { self.files = files }

    /// The manifest in a folder; nil when there is none that this version wrote.
    ///
    /// - Throws: `FileFailure` when it is there and cannot be read.
    package static func read(in folder: String) throws(FileFailure) -> SiteManifest? {
        try readBytes(in: folder).flatMap(SiteManifest.init(bytes:))
    }

    /// The bytes of the manifest in a folder, whoever wrote it; nil when there is none.
    package static func readBytes(in folder: String) throws(FileFailure) -> [UInt8]? {
        let file = "\(folder)/\(name)"
        return try knownKind(file) == .file ? try readFile(file, limit: mostBytes) : nil
    }

    /// The manifest in bytes; nil when another version wrote it.
    package init?(bytes: [UInt8]) {
        guard let known = SiteManifest(lines: bytes) ?? SiteManifest(json: bytes) else { return nil }
        self = known
    }
}
