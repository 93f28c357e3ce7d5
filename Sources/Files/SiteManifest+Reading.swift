import Foundation

/// A manifest has two readers: one of the lines that a build writes, which takes a tenth of what a reader of JSON takes, and
/// one of JSON in any form, for paths with a character that JSON escapes and for what another program wrote.
extension SiteManifest {
    /// Gets a file; false ends the reading.
    private typealias Taker = (_ path: String, _ file: File) -> Bool

    /// The manifest in the very bytes that a build writes; nil for any other form of the same.
    package init?(lines bytes: [UInt8]) {
        var files: [String: File] = [:]
        // A line has at least 128 bytes, as a rule.
        files.reserveCapacity(bytes.count / 128)
        guard Self.readLines(of: bytes, { files.updateValue($1, forKey: $0) == nil }) else { return nil }
        self.init(files: files)
    }

    /// The manifest in JSON of any form; nil when another version wrote it.
    package init?(json bytes: [UInt8]) {
        var files: [String: File] = [:]
        let isRead = Self.readJSON(of: bytes) { path, file in
            if files[path] == nil { files[path] = file }
            return true
        }
        guard isRead else { return nil }
        self.init(files: files)
    }

    /// The files in the bytes of a manifest, each as it is listed: two names of other bytes are two files, which are one as
    /// keys of a dictionary where they are one text. Nil when another version wrote it.
    package static func entries(in bytes: [UInt8]) -> [(path: String, file: File)]? {
        var entries: [(path: String, file: File)] = []
        func add(_ path: String, _ file: File) -> Bool {
            entries.append((path, file))
            return true
        }
        if readLines(of: bytes, add) { return entries }
        entries = []
        return readJSON(of: bytes, add) ? entries : nil
    }

    private static func readLines(of bytes: [UInt8], _ take: Taker) -> Bool {
        var rest = bytes[...]
        guard rest.take("{\n\"format\":\"\(format)\",\n\"version\":\(version),\n\"files\":[") else {
            return false
        }
        var isFirst = true
        while !rest.take("\n]\n}\n") {
            guard rest.take(isFirst ? "\n" : ",\n"), rest.take("{\"path\":\""),
                let path = rest.takePlain(), rest.take("\",\"size\":"), let size = rest.takeNumber(),
                rest.take(",\"sha256\":\""), let digest = rest.takeDigest(), rest.take("\"}"),
                take(path, File(size: size, digest: digest))
            else { return false }
            isFirst = false
        }
        return rest.isEmpty
    }

    private static func readJSON(of bytes: [UInt8], _ take: Taker) -> Bool {
        guard let written = try? JSONDecoder().decode(Written.self, from: Data(bytes)),
            written.format == format, written.version == version
        else { return false }
        return written.files.allSatisfy { file in
            ContentDigest(hexadecimal: ArraySlice(file.sha256.utf8)).map {
                take(file.path, File(size: file.size, digest: $0))
            } == true
        }
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

extension ArraySlice<UInt8> {
    /// Whether it began with a text, which is then gone from it.
    fileprivate mutating func take(_ text: String) -> Bool {
        guard starts(with: text.utf8) else { return false }
        removeFirst(text.utf8.count)
        return true
    }

    /// The text up to the next quotation mark; nil when JSON escapes something in it.
    fileprivate mutating func takePlain() -> String? {
        guard let end = firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        let text = self[startIndex..<end]
        guard text.allSatisfy({ $0 != UInt8(ascii: "\\") && $0 >= 0x20 }) else { return nil }
        removeFirst(text.count)
        return String(validating: text, as: UTF8.self)
    }

    /// The digest up to the next quotation mark.
    fileprivate mutating func takeDigest() -> ContentDigest? {
        guard let digest = ContentDigest(hexadecimal: prefix(64)) else { return nil }
        removeFirst(64)
        return digest
    }

    /// A number of at most 18 digits; nil when there is none.
    fileprivate mutating func takeNumber() -> Int? {
        let digits = prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...18).contains(digits.count) else { return nil }
        removeFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
