import Diagnostics

/// The URL of the site as it is written into pages, feeds and messages: in ASCII, with a slash at its end.
struct SiteAddress {
    let text: String

    /// Why a text is no URL of a site.
    enum Fault: Error {
        case other
        case credentials
        case host
        case page

        /// What it is, of a text that may be shown; a password may not.
        func summary(of text: String) -> String {
            switch self {
            case .other: "'\(text)' is not a site URL"
            case .credentials: "'url' holds a user or a password"
            case .host: "The host in '\(text)' has letters outside ASCII"
            case .page: "'\(text)' is the URL of a page, not of the site"
            }
        }

        var hint: String {
            switch self {
            case .other: "write it as https://host/path/"
            case .credentials: "write the URL without them: every page, feed and summary has it"
            case .host: "write the host in Punycode, such as https://xn--bcher-kva.example/"
            case .page: "write the URL of the folder: without 'index.html'"
            }
        }
    }

    /// Reads what the owner wrote. What a path may not have as it is gets escaped (RFC 3986).
    init(_ written: String) throws(Fault) {
        do throws(Fault) {
            text = try Self.escapedText(of: written)
        } catch {
            // What cannot be read may hold a password all the same.
            if case .other = error, written.utf8.contains(UInt8(ascii: "@")) { throw .credentials }
            throw error
        }
    }

    private static func escapedText(of written: String) throws(Fault) -> String {
        guard let scheme = ["https://", "http://"].first(where: written.hasPrefix) else {
            throw .other
        }
        let rest = written.utf8.dropFirst(scheme.utf8.count)
        guard
            rest.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        else { throw .other }
        let host = rest.prefix { $0 != slash }
        if host.contains(UInt8(ascii: "@")) { throw .credentials }
        guard !host.isEmpty, !host.contains(UInt8(ascii: "\\")), hasSoundPort(host) else { throw .other }
        guard host.allSatisfy({ $0 < 0x80 }) else { throw .host }
        var steps = rest.dropFirst(host.count).split(separator: slash, omittingEmptySubsequences: false)[...]
        if steps.last?.isEmpty == true { steps.removeLast() }
        if steps.last?.elementsEqual("index.html".utf8) == true { throw .page }
        var text = scheme + String(decoding: host, as: UTF8.self)
        for step in steps.dropFirst() {
            guard let escaped = escaped(step), !isDots(escaped) else { throw .other }
            text += "/" + escaped
        }
        return text + "/"
    }
}

private let slash = UInt8(ascii: "/")

/// Whether what is behind the colon of a host, which may be an address in brackets, is a number.
private func hasSoundPort(_ host: Substring.UTF8View) -> Bool {
    guard host.last != UInt8(ascii: "]"), let colon = host.lastIndex(of: UInt8(ascii: ":")) else {
        return true
    }
    return host[host.index(after: colon)...].allSatisfy { (0x30...0x39).contains($0) }
}

/// A step of a path, escaped where it has to be; nil when a '%' in it begins no escape.
private func escaped(_ step: Substring.UTF8View) -> String? {
    var out = ""
    var rest = step
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%") {
            guard rest.count >= 2, rest.prefix(2).allSatisfy(isHexadecimal) else { return nil }
            out += "%"
        } else if mayBeWritten(byte) {
            out.unicodeScalars.append(UnicodeScalar(byte))
        } else {
            out += percentCode(of: byte)
        }
    }
    return out
}

/// Whether a step of a path may have a byte as it is.
private func mayBeWritten(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: "-._~!$&'()*+,;=:@".utf8.contains(byte)
    }
}

/// Whether a step leads up, or nowhere.
private func isDots(_ step: String) -> Bool {
    [".", ".."].contains(step.lowercased().replacing("%2e", with: "."))
}
