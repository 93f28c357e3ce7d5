package import Diagnostics

/// Why a text is not an address.
package enum AddressError: Error, Hashable, Sendable {
    /// Longer than `Address.longest` bytes.
    case tooLong(bytes: Int)
    /// A control character, a space, a non-ASCII character or one that no URL holds.
    case character
    /// A scheme other than http, https and file, or none.
    case scheme(String)
    /// User name or password inside the URL.
    case userInformation
    /// The host is missing or has characters no host has.
    case host
    /// An empty segment that is not the last, or a segment of dots only.
    case segment(String)
    /// What libcurl's URL parser said.
    case malformed(String)
}

extension AddressError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        switch self {
        case .tooLong(let bytes):
            .error(
                "transport.address", "Address has \(bytes) bytes, more than \(Address.longest)",
                hints: ["shorten the query"])
        case .character:
            .error(
                "transport.address", "Address may only hold printable ASCII characters of a URL",
                hints: ["percent-encode other characters; write a host name in punycode"])
        case .scheme(let scheme):
            .error(
                "transport.scheme", "Address must begin with https://, http:// or file://",
                details: scheme.isEmpty ? [] : ["found: \(printable(scheme))"],
                hints: ["write the address with its scheme"])
        case .userInformation:
            .error(
                "transport.address", "Address must not hold a user name or password",
                hints: ["use a token instead"])
        case .host:
            .error("transport.address", "Address has no valid host", hints: ["write the host after ://"])
        case .segment(let segment):
            .error(
                "transport.address", "Path segment '\(printable(segment))' would change the path",
                hints: ["correct the name it was made from"])
        case .malformed(let text):
            .error(
                "transport.address", "Address is not a URL", details: [printable(text)],
                hints: ["correct the address"])
        }
    }
}
