import Diagnostics
import Transport

/// One address of an API like Sentry's.
protocol SentryAPIEndpoint: Sendable {
    /// The parts of its path below the base; every path ends with a slash, which is added.
    var segments: [String] { get }
    var query: [(String, String)] { get }
    /// What a person calls what is learnt from it, in the plural.
    var part: String { get }
    /// What the service limits together; after an answer of 429 no more of it is asked.
    var family: String { get }
}

extension SentryAPIEndpoint {
    /// Its address; ids are percent-encoded, and one that would change the path is refused.
    func address(below base: Address, cursor: String?) throws(AddressError) -> Address {
        var address = base
        for segment in segments { address = try address.appending(segment) }
        address = try address.appending("")
        return try address.adding(query: query + (cursor.map { [("cursor", $0)] } ?? []))
    }

    /// Its address for a person, ids as they are.
    func text(below base: Address) -> String {
        let root = base.description
        let path = ([root.hasSuffix("/") ? String(root.dropLast()) : root] + segments).joined(separator: "/")
        let query = query.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        return printable(query.isEmpty ? "\(path)/" : "\(path)/?\(query)")
    }
}
