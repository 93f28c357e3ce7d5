/// An address that is safe to link to: relative, http, https, mailto or a fragment.
package struct WebAddress: Sendable, Hashable {
    /// The address without white space around it, control characters and bidirectional controls.
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
        self.text = text
    }

    /// Whether it can be the source of an image: relative or http(s).
    package var isImageSource: Bool {
        guard let scheme = WebAddress.scheme(of: text) else { return !text.hasPrefix("#") }
        return scheme != "mailto"
    }

    /// Whether the address is nothing but visible ASCII without a colon: the common case, a relative address.
    static func isPlain(_ address: String) -> Bool {
        address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }
    }

    /// What stands before the first colon, in lower case, when no `/`, `?` or `#` comes earlier.
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
        if language != .markdown, WebAddress.isPlain(address) { return append(address, escapedFor: language) }
        guard let address = WebAddress(address) else { return append("#") }
        guard language == .markdown else { return append(address.text, escapedFor: language) }
        for byte in address.text.utf8 {
            if byte <= 0x20 || byte == 0x7F || WebAddress.endsMarkdownLink.contains(byte) {
                append(raw: "%" + String(byte >> 4, radix: 16, uppercase: true))
                append(raw: String(byte & 15, radix: 16, uppercase: true))
            } else if byte == UInt8(ascii: "&") {
                append("&amp;")
            } else {
                append(byte: byte)
            }
        }
    }
}

extension WebAddress {
    fileprivate static let endsMarkdownLink = Array("()<>[]\\\"'`*|{}^$".utf8)
}
