import Files
import Foundation
import Platform

/// `manifest.json`: every file of a site with its size and hash. By it a later build knows what it may replace, and
/// publishing what has changed. It does not list itself, nor what the owner keeps in the folder.
package struct SiteManifest: Equatable, Sendable {
    /// One file of the site.
    struct File: Equatable, Sendable {
        /// Bytes.
        let size: Int
        /// The digest of its bytes.
        let digest: ContentDigest

        init(_ bytes: some Collection<UInt8>) {
            size = bytes.count
            digest = ContentDigest(of: bytes)
        }
    }

    /// The name of the file.
    package static let name = "manifest.json"
    static let format = "plimsoll-manifest"
    static let version = 1
    /// More than a site of a million pages needs.
    private static let limit = 1 << 30

    /// The files by their paths from the top of the site.
    var files: [String: File] = [:]

    init(files: [String: File] = [:]) { self.files = files }

    /// The manifest in a folder; nil when there is none that this version wrote.
    ///
    /// - Throws: `FileFailure` when it is there and cannot be read.
    static func read(in folder: String) throws(FileFailure) -> SiteManifest? {
        try readBytes(in: folder).flatMap(SiteManifest.init(bytes:))
    }

    /// The bytes of the manifest in a folder, whoever wrote it; nil when there is none.
    static func readBytes(in folder: String) throws(FileFailure) -> [UInt8]? {
        let file = "\(folder)/\(name)"
        return try knownKind(file) == .file ? try readFile(file, limit: limit) : nil
    }

    /// The manifest in bytes; nil when another version wrote it.
    init?(bytes: [UInt8]) {
        guard let known = SiteManifest(lines: bytes) ?? SiteManifest(json: bytes) else { return nil }
        self = known
    }

    /// The manifest in JSON of any form; nil when another version wrote it.
    init?(json bytes: [UInt8]) {
        guard let written = try? JSONDecoder().decode(Written.self, from: Data(bytes)),
            written.format == Self.format, written.version == Self.version
        else { return nil }
        var files: [String: File] = [:]
        for file in written.files where files[file.path] == nil {
            guard let digest = ContentDigest(hexadecimal: ArraySlice(file.sha256.utf8)) else { return nil }
            files[file.path] = File(size: file.size, digest: digest)
        }
        self.init(files: files)
    }

    /// The bytes of the file: one line for each file, in the order of the paths' bytes.
    var bytes: [UInt8] {
        var out = Self.head
        for (index, (path, file)) in files.sorted(by: { isInOrder($0.key, $1.key) }).enumerated() {
            Self.appendLine(path.utf8, file, isFirst: index == 0, to: &out)
        }
        return out + Self.end
    }

    /// The bytes before the first line.
    static let head = Array("{\n\"format\":\"\(format)\",\n\"version\":\(version),\n\"files\":[".utf8)
    /// The bytes after the last line.
    static let end = Array("\n]\n}\n".utf8)

    /// Appends the line of a file.
    static func appendLine(
        _ path: some Collection<UInt8>, _ file: File, isFirst: Bool, to out: inout [UInt8]
    ) {
        out += (isFirst ? "\n" : ",\n").utf8
        out += "{\"path\":\"".utf8
        for byte in path { appendEscaped(byte, to: &out) }
        out += "\",\"size\":".utf8
        out += String(file.size).utf8
        out += ",\"sha256\":\"".utf8
        file.digest.appendDigits(to: &out)
        out += "\"}".utf8
    }
}

extension SiteManifest.File {
    init(size: Int, digest: ContentDigest) {
        self.size = size
        self.digest = digest
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

private func appendEscaped(_ byte: UInt8, to out: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
    case ..<0x20:
        let hexadecimal = String(byte, radix: 16)
        out += "\\u00\(hexadecimal.count == 1 ? "0" : "")\(hexadecimal)".utf8
    default: out.append(byte)
    }
}
