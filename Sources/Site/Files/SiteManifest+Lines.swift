import Files

extension SiteManifest {
    /// The manifest in bytes that `bytes` wrote, line by line, which takes a tenth of what a reader of JSON takes; nil
    /// for any other form of the same, and for paths with a character that JSON escapes.
    init?(lines bytes: [UInt8]) {
        var rest = bytes[...]
        guard rest.take("{\n\"format\":\"\(Self.format)\",\n\"version\":\(Self.version),\n\"files\":[") else {
            return nil
        }
        var files: [String: File] = [:]
        // A line has at least 128 bytes, as a rule.
        files.reserveCapacity(bytes.count / 128)
        while !rest.take("\n]\n}\n") {
            guard rest.take(files.isEmpty ? "\n" : ",\n"), rest.take("{\"path\":\""),
                let path = rest.takePlain(), rest.take("\",\"size\":"), let size = rest.takeNumber(),
                rest.take(",\"sha256\":\""), let digest = rest.takeDigest(), rest.take("\"}"),
                files.updateValue(File(size: size, digest: digest), forKey: path) == nil
            else { return nil }
        }
        guard rest.isEmpty else { return nil }
        self.init(files: files)
    }
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
