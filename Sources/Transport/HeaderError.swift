package import Diagnostics

/// Why a header cannot be sent.
package enum HeaderError: Error, Hashable, Sendable {
    /// The name is empty or has a byte that RFC 9110 §5.1 does not allow.
    case name(String)
    /// The value of this header has a line break, NUL or another control character.
    case value(name: String)
    /// The header is written by the client itself, for it frames the message.
    case reserved(String)
    /// The header usually holds a credential, which only a `Secret` may bring.
    case needsSecret(String)
}

extension HeaderError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        switch self {
        case .name(let name):
            .error(
                "transport.header", "Header name '\(printable(name))' is not a token",
                hints: ["use letters, digits and hyphens"])
        case .value(let name):
            .error(
                "transport.header", "Value of header '\(name)' holds a control character",
                hints: ["remove line breaks from the value"])
        case .reserved(let name):
            .error(
                "transport.header", "Header '\(name)' is set by the client itself", hints: ["leave it out"])
        case .needsSecret(let name):
            .error(
                "transport.header", "Header '\(name)' can only be set from a secret",
                hints: ["wrap the value in a Secret"])
        }
    }
}
