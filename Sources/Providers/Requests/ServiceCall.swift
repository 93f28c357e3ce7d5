import Diagnostics
import Transport

/// One request to a service: an address below its base, and what a person calls what is learned from it.
struct ServiceCall: Sendable {
    /// The parts of the path below the base.
    var segments: [String]
    var query: [(String, String)] = []
    /// The JSON of a POST; nil makes it a GET.
    var body: [UInt8]?
    /// What a person calls what is learned from it, in the plural.
    var part: String
    /// What the service limits together: a response that ends a group leaves the others standing.
    var group = ""
    /// Whether every path ends with a slash.
    var endsWithSlash = false
    /// Whether colons stay as they are: some services divide a name from a verb by one.
    var keepsColons = false
    /// Whether a POST changes something at the service; otherwise it may be tried again.
    var writes = false
    /// Whether a failed try is tried again before the provider sees it.
    var isRetried = true
    /// Which attempt of the provider's own this is, from 1.
    var attempt = 1
    /// The whole address, as an earlier response reported it; nil when it is made from the parts above.
    var link: Address?

    var method: Request.Method { body == nil ? .get : .post }

    /// Its address; names are percent-encoded, and one that would change the path is refused.
    func address(below base: Address) throws(AddressError) -> Address {
        if let link { return link }
        if keepsColons { return try addressWithColons(below: base) }
        var address = base
        for segment in segments { address = try address.appending(segment) }
        if endsWithSlash { address = try address.appending("") }
        return try address.adding(query: query)
    }

    private func addressWithColons(below base: Address) throws(AddressError) -> Address {
        for segment in segments where ["", ".", ".."].contains(segment) { throw .segment(segment) }
        let path = segments.map { percentEncoded($0).replacing("%3A", with: ":") }
        let root = String(base.text.prefix { $0 != "?" })
        let start = root.hasSuffix("/") ? String(root.dropLast()) : root
        return try Address(([start] + path).joined(separator: "/")).adding(query: query)
    }

    /// Its address for a person, names as they are.
    func text(below base: Address) -> String {
        if let link { return link.description }
        let root = base.description
        let start = root.hasSuffix("/") ? String(root.dropLast()) : root
        let path = ([start] + segments).joined(separator: "/") + (endsWithSlash ? "/" : "")
        let query = query.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        return printable(query.isEmpty ? path : "\(path)?\(query)")
    }

    /// The same call for a page that an earlier response named, every other parameter repeated.
    func with(_ name: String, _ value: String?) -> ServiceCall {
        guard let value else { return self }
        var call = self
        call.query.append((name, value))
        return call
    }
}

/// Whatever is for a call, such as the endpoints of a service.
protocol ServiceEndpoint: Sendable {
    var call: ServiceCall { get }
}

extension ServiceCall: ServiceEndpoint {
    var call: ServiceCall { self }
}

extension ServiceEndpoint {
    /// What a person calls what is learned from it.
    var part: String { call.part }

    /// Its address for a person.
    func text(below base: Address) -> String { call.text(below: base) }

    /// As a plan shows it.
    func planned(below base: Address, most: Int = 1) -> PlannedRequest {
        PlannedRequest(
            call.method.rawValue, text(below: base), purpose: call.part, most: most)
    }
}

/// What is particular to one service in how it is used: headers, what its refusals mean and end, and what a
/// person does about them.
struct ServiceProfile: Sendable {
    /// The provider's name, which begins every message and every id: `bugsink`.
    var provider: String
    /// What its responses are.
    var origin = DecodingFailure.Origin.service
    /// What to do about a status, in the place of the transport's own hint.
    var hints: [Int: String] = [:]
    /// What a refusal says in the service's own form; goes before `hints`.
    var explain: @Sendable (HTTPStatusError, Response) -> RefusalExplanation = { _, _ in .init() }
    /// What the service itself refuses of one request, whatever the status: it is not down.
    var ownRefusals = OwnRefusals.none
    /// Header lines of every request, besides what is accepted.
    var headers: [(name: String, value: String)] = []
    /// Statuses that every further request of the run would meet too.
    var halting: Set<Int> = [401, 429]
    /// Statuses that every further request of the same group would meet too.
    var haltingGroup: Set<Int> = []
    /// Whether retries count among the requests of one fetch; where they do not, they are bounded elsewhere, so that
    /// a bad night brings what a good one does.
    var countsRetries = false
    /// The fields in which the service says what is left of its limit.
    var limitFields = RateLimitFields.usual
    /// What to do when a name fits several elements.
    var ambiguousHint = "write the slug or the id"
    /// What to do when the requests of one fetch are used up.
    var budgetHint = "fetch again later"
    /// What to do when a list goes on at another origin.
    var foreignHint: String?
}

/// What a refusal says in a service's own form.
struct RefusalExplanation: Sendable {
    /// What the service says, in the place of the beginning of its response.
    var said: [String] = []
    /// Facts that follow.
    var more: [String] = []
    /// What to do; nil leaves it to the profile.
    var hints: [String]?
    /// The service's own word for why, by which some decide what is sent again.
    var reason: String?
    /// Whether every further request of the run would meet it too; nil leaves it to the profile.
    var endsRun: Bool?
}
