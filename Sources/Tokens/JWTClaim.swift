/// The value of a claim in a signed token (RFC 7519 §4).
package enum JWTClaim: Hashable, Sendable, Encodable {
    /// A text, such as an issuer.
    case text(String)
    /// A whole number, such as seconds since 1970.
    case number(Int)

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        }
    }
}
