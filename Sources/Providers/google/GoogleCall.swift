import Diagnostics
import Transport

/// One request to an API of Google.
struct GoogleCall: Sendable {
    /// The path below the base, slashes and colons as they are meant.
    var segments: [String]
    var query: [(String, String)] = []
    /// The JSON of a POST; nil makes it a GET.
    var body: [UInt8]?
    /// What a person calls what is learnt from it.
    var part: String

    /// The same call for a page that an earlier answer named, with every other parameter repeated.
    func page(_ token: String?) -> GoogleCall {
        guard let token else { return self }
        var call = self
        call.query.append(("pageToken", token))
        return call
    }

    var method: String { body == nil ? "GET" : "POST" }

    /// Its address. Each segment is percent-encoded whole, but for the colon: the ids of Firebase apps have
    /// some, and one divides a name from the verb after it.
    func address(below base: Address) throws(GoogleFault) -> Address {
        do throws(AddressError) {
            for segment in segments where ["", ".", ".."].contains(segment) { throw .segment(segment) }
            let path = segments.map { percentEncoded($0).replacing("%3A", with: ":") }
            return try Address(([root(base)] + path).joined(separator: "/")).adding(query: query)
        } catch {
            throw .address(error)
        }
    }

    /// Its address for a person, names as they are.
    func text(below base: Address) -> String {
        let path = ([root(base)] + segments).joined(separator: "/")
        let query = query.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    private func root(_ base: Address) -> String {
        let text = String(base.text.prefix { $0 != "?" })
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
