import Diagnostics

/// A URL that may be requested: http, https or file, without user information, in libcurl's normal form.
///
/// It prints with its secrets masked; `text` is the exact form.
package struct Address: Hashable, Sendable {
    /// The most bytes an address may have.
    package static let longest = 16_384

    /// The URL as it is sent, without fragment; may hold a secret in its query.
    package let text: String
    /// Scheme, host and port.
    package let origin: Origin
    /// The path, percent-encoded, beginning with a slash.
    package let path: String
    /// The query without its question mark, percent-encoded; nil when there is none.
    package let query: String?

    /// Reads a URL strictly: nothing is guessed, added or repaired but the case of scheme and host.
    package init(_ text: String) throws(AddressError) {
        guard text.utf8.count <= Self.longest else { throw .tooLong(bytes: text.utf8.count) }
        guard text.utf8.allSatisfy(isURLByte) else { throw .character }
        let scheme = try Self.scheme(of: text)
        let url = try URLHandle()
        try url.read(text)
        guard !url.hasUserInformation else { throw .userInformation }
        try url.dropFragment()
        var host = ""
        if scheme != .file {
            host = try Self.host(of: url, in: text)
            try url.set(host: host)
        }
        guard let normal = url.text, let path = url.path else { throw .malformed("no path") }
        self.text = normal
        self.origin = Origin(scheme: scheme, host: host, port: scheme == .file ? 0 : url.port ?? 0)
        self.path = path
        self.query = url.query
    }

    /// The address a reference found at this one (in a Location or Link header) leads to.
    package func resolving(_ reference: String) throws(AddressError) -> Address {
        guard reference.utf8.count <= Self.longest else { throw .tooLong(bytes: reference.utf8.count) }
        guard reference.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") })
        else { throw .character }
        let url = try URLHandle()
        try url.read(text)
        try url.resolve(reference)
        guard let result = url.text else { throw .malformed("no URL") }
        return try Address(result)
    }

    private static func scheme(of text: String) throws(AddressError) -> Origin.Scheme {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8)
        else { throw .scheme("") }
        let name = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        guard let scheme = Origin.Scheme(rawValue: name) else { throw .scheme(String(name.prefix(20))) }
        return scheme
    }

    private static func host(of url: borrowing URLHandle, in text: String) throws(AddressError) -> String {
        // libcurl reads http:///host as http://host; other parsers do not.
        guard let host = url.host?.lowercased(), !hasEmptyHost(text), isHost(host) else { throw .host }
        return host
    }
}

extension Address: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL with the values of revealing query parameters masked.
    package var description: String { Redaction().masked(text) }
    /// The same as `description`.
    package var debugDescription: String { description }
    /// Shows only the masked form to `dump` and debuggers.
    package var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}

private func isURLByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): false
    case UInt8(ascii: "^"), UInt8(ascii: "`"): false
    default: (0x21...0x7E).contains(byte)
    }
}

/// Whether `:///` is anywhere in it; a loop over bytes, as an address is made for every request.
private func hasEmptyHost(_ text: String) -> Bool {
    var slashes: Int?
    for byte in text.utf8 {
        switch (byte, slashes) {
        case (UInt8(ascii: ":"), _): slashes = 0
        case (UInt8(ascii: "/"), 2): return true
        case (UInt8(ascii: "/"), let count?): slashes = count + 1
        default: slashes = nil
        }
    }
    return false
}

func isHost(_ host: String) -> Bool {
    guard !host.isEmpty else { return false }
    if host.hasPrefix("[") { return host.hasSuffix("]") }
    return host.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._".utf8.contains(byte)
        }
    }
}

extension Address {
    /// The address with segments added to its path, each percent-encoded whole: a slash in a name does not
    /// begin a new segment. An empty last segment leaves a slash at the end. The query is dropped.
    package func appending(_ segments: String...) throws(AddressError) -> Address {
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            guard segment != ".", segment != "..", isLast || !segment.isEmpty else { throw .segment(segment) }
        }
        let base = withoutQuery.hasSuffix("/") ? String(withoutQuery.dropLast()) : withoutQuery
        return try Address(([base] + segments.map(percentEncoded)).joined(separator: "/"))
    }

    /// The address with parameters added after those it has, in the order given; names may repeat.
    package func adding(query items: [(String, String)]) throws(AddressError) -> Address {
        guard !items.isEmpty else { return self }
        let all = [query, formText(items)].compactMap { $0 }.filter { !$0.isEmpty }
        return try Address("\(withoutQuery)?\(all.joined(separator: "&"))")
    }

    private var withoutQuery: String {
        String(text.prefix { $0 != "?" })
    }
}

/// Scheme, host and port: what a credential is bound to.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// The schemes an address may have.
    package enum Scheme: String, Sendable, CaseIterable {
        /// HTTP without TLS.
        case http
        /// HTTP over TLS.
        case https
        /// A file on this machine.
        case file
    }

    /// How it is reached.
    package let scheme: Scheme
    /// The host in lower case, IPv6 in brackets; empty for a file.
    package let host: String
    /// The port, the scheme's own when the address names none; 0 for a file.
    package let port: Int

    /// `https://host`, with the port when it is not the scheme's own.
    package var description: String {
        let isUsual = port == 0 || (scheme == .http && port == 80) || (scheme == .https && port == 443)
        return "\(scheme)://\(host)\(isUsual ? "" : ":\(port)")"
    }
}

/// The text with every byte outside RFC 3986's unreserved set written as `%XX`; fit for a path segment, a
/// query name or value, and a form field.
package func percentEncoded(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
        if isUnreserved(byte) { result.append(byte) } else { result += percentCode(of: byte).utf8 }
    }
    return String(decoding: result, as: UTF8.self)
}

/// `name=value&…` with names and values percent-encoded: a query or the body of a form.
package func formText(_ fields: [(String, String)]) -> String {
    fields.map { "\(percentEncoded($0.0))=\(percentEncoded($0.1))" }.joined(separator: "&")
}

private func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "-_.~".utf8.contains(byte)
    }
}
