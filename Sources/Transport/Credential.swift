/// What proves to a service who asks. There is no case for none: without a credential, use the client itself.
package enum Credential: Hashable, Sendable {
    /// `Authorization: Bearer …` (RFC 6750).
    case bearer(Secret)
    /// `Authorization: token …`.
    case token(Secret)
    /// A header of the service's own, such as `Auth-Token`.
    case header(String, Secret)

    var headers: Headers {
        get throws(HeaderError) {
            var headers = Headers()
            switch self {
            case .bearer(let secret): try headers.append("Authorization", prefix: "Bearer ", secret)
            case .token(let secret): try headers.append("Authorization", prefix: "token ", secret)
            case .header(let name, let secret): try headers.append(name, secret)
            }
            return headers
        }
    }
}
