import Diagnostics

/// An address that is safe to link to: relative, http, https, mailto or a fragment.
package struct WebAddress: Sendable, Hashable {
    /// The address without white space around it, control characters and bidirectional controls; what may not
    /// stand in an address is percent-encoded.
    package let text: String

    /// The cleaned address, or nil when its scheme is another one.
    ///
    /// Browsers drop tabs and newlines inside an address and so does this, before it looks at the scheme.
    package init?(_ address: String) {
        var writer = ByteWriter()
        writer.append(address, escapedFor: .plain)
        let kept = writer.bytes.filter { $0 >= 0x20 }
        let trimmed = kept.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed()
        let text = String(decoding: Array(trimmed), as: UTF8.self)
        if let scheme = WebAddress.scheme(of: text), !["http", "https", "mailto"].contains(scheme) {
            return nil
        }
        self.text = WebAddress.encoded(text)
    }

    /// Whether it can be the source of an image: a file of the site, since a page loads nothing from another host.
    package var isImageSource: Bool {
        WebAddress.scheme(of: text) == nil && !text.hasPrefix("#") && !text.hasPrefix("//")
    }

    /// Whether it leads to another host.
    package var isForeign: Bool {
        text.hasPrefix("//") || ["http", "https"].contains(WebAddress.scheme(of: text))
    }

    /// Whether the address is nothing but visible ASCII that needs no encoding, without a colon: the common
    /// case, a relative address.
    static func isPlain(_ address: String) -> Bool {
        let needsLook = needsLook
        return address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A && !needsLook.contains($0) }
    }

    /// What is before the first colon, in lower case, when no `/`, `?` or `#` comes earlier.
    private static func scheme(of text: String) -> String? {
        guard let end = text.utf8.firstIndex(where: { ":/?#".utf8.contains($0) }), text.utf8[end] == 0x3A
        else { return nil }
        return text[..<end].lowercased()
    }
}

extension ByteWriter {
    /// Writes an address for a link, or `#` when its scheme is not allowed.
    ///
    /// In Markdown what could end the link, such as spaces and parentheses, is percent-encoded.
    package mutating func append(address: String, escapedFor language: OutputLanguage) {
        if WebAddress.isPlain(address) {
            guard language == .markdown else { return append(address, escapedFor: language) }
            let needsCode = WebAddress.needsCode
            if !address.utf8.contains(where: needsCode.contains) { return append(raw: address) }
        }
        guard let address = WebAddress(address) else { return append("#") }
        guard language == .markdown else { return append(address.text, escapedFor: language) }
        for byte in address.text.utf8 {
            if byte <= 0x20 || byte == 0x7F || WebAddress.endsMarkdownLink.contains(byte) {
                append(raw: percentCode(of: byte))
            } else if byte == UInt8(ascii: "&") {
                append("&amp;")
            } else {
                append(byte: byte)
            }
        }
    }
}

extension WebAddress {
    /// What may stand nowhere in an address, or, as `%` and brackets, not everywhere.
    private static let needsLook = ByteSet(controlsAnd: " \"<>\\^`{|}[]%")

    /// The address with what the URL standard's code points leave out percent-encoded: some characters, brackets
    /// outside of the host, and a `%` that begins no code.
    private static func encoded(_ text: String) -> String {
        guard text.utf8.contains(where: needsLook.contains) else { return text }
        let bytes = Array(text.utf8)
        let host = hostRange(of: bytes)
        var writer = ByteWriter()
        for (index, byte) in bytes.enumerated() {
            let isKept =
                switch byte {
                case UInt8(ascii: "["), UInt8(ascii: "]"): host.contains(index)
                case UInt8(ascii: "%"): bytes[(index + 1)...].prefix(2).count(where: isHexadecimal) == 2
                default: byte >= 0x80 || !needsLook.contains(byte)
                }
            if isKept { writer.append(byte: byte) } else { writer.append(raw: percentCode(of: byte)) }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Where the host is: after `//`, up to the next `/`, `?` or `#`; empty when there is none.
    private static func hostRange(of bytes: [UInt8]) -> Range<Int> {
        let slash = UInt8(ascii: "/")
        guard let start = bytes.firstIndex(of: slash), bytes[start...].starts(with: [slash, slash]),
            start == 0 || bytes[start - 1] == UInt8(ascii: ":")
        else { return 0..<0 }
        let end = bytes[(start + 2)...].firstIndex { "/?#".utf8.contains($0) }
        return start + 2..<(end ?? bytes.endIndex)
    }

    fileprivate static let endsMarkdownLink = Array("()<>[]\\\"'`*|{}^$".utf8)
    /// What of a plain address is written otherwise in Markdown.
    fileprivate static let needsCode = ByteSet(controlsAnd: "&()<>[]\\\"'`*|{}^$")
}

/// Whether an address has a scheme or a host of its own.
package func isOutward(_ address: String) -> Bool {
    address.hasPrefix("//") || address.prefix { $0 != "/" && $0 != "#" && $0 != "?" }.contains(":")
}
