import Files
import Platform

/// Files of a part of a site, each of which was found as its build wrote it.
struct PartFiles {
    /// How many bytes are held until they are copied; more are read twice.
    private static let heldBytes = 16 << 20

    private let folder: String
    private let files: [String: SiteManifest.File]
    /// The bytes of the files; empty where they are too many.
    private var held: [String: [UInt8]] = [:]

    /// Reads each file.
    ///
    /// - Returns: nil when one is not as it was listed.
    init?(_ files: [String: SiteManifest.File], in folder: String) {
        (self.folder, self.files) = (folder, files)
        let isHeld = files.values.reduce(0) { $0 + $1.size } <= Self.heldBytes
        for (path, file) in files {
            guard let bytes = try? Self.bytes(of: file, at: "\(folder)/\(path)") else { return nil }
            if isHeld { held[path] = bytes }
        }
    }

    /// Copies them into a site: nothing that happens to the part later changes it.
    func copy(into staged: StagedSite) throws(FileFailure) -> Tally {
        var tally = Tally()
        for (path, file) in files {
            let bytes = if let bytes = held[path] { bytes } else { try bytes(at: path, file) }
            try staged.write(path, bytes, file)
            tally += Tally(files: 1, bytes: file.size)
        }
        return tally
    }

    private func bytes(at path: String, _ file: SiteManifest.File) throws(FileFailure) -> [UInt8] {
        try Self.bytes(of: file, at: "\(folder)/\(path)")
    }

    /// The bytes of a file that is no link.
    private static func bytes(of file: SiteManifest.File, at path: String) throws(FileFailure) -> [UInt8] {
        guard pathKind(path, followsLink: false) == .file else {
            throw FileFailure("read", path, code: ESTALE)
        }
        let bytes = try readFile(path, limit: max(file.size, 1))
        guard SiteManifest.File(bytes) == file else {
            throw FileFailure("read as it was", path, code: ESTALE)
        }
        return bytes
    }
}
