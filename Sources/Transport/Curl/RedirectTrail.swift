import Diagnostics

/// The way of one request through redirects; decides whether and how each is followed.
///
/// Only http and https, never from https to http, no place twice, at most `Limits.redirects` times, and only within
/// the origin unless the request says otherwise: a service, or whoever responds in its name, must not make this machine
/// send requests to others. Secret headers stay behind when the origin changes. A POST with a response of 301, 302 or
/// 303 becomes a GET (RFC 9110 §15.4); what changes something never goes to another origin.
struct RedirectTrail {
    private struct Stop: Hashable {
        var method: Request.Method
        var address: Address
    }

    /// The request to send next.
    private(set) var request: Request
    private var visited: Set<Stop>
    private let isHomePrivate: Bool
    private var count = 0

    init(_ request: Request) {
        self.request = request
        isHomePrivate = request.address.origin.isPrivate
        visited = [Stop(method: request.method, address: request.address)]
    }

    /// Moves to where the response points; false when the response is the last one. With a limit of 0
    /// every response is.
    mutating func follow(_ response: Response) throws(TransportError) -> Bool {
        guard [301, 302, 303, 307, 308].contains(response.status), request.limits.redirects > 0,
            let location = response.headers["Location"]
        else { return false }
        let target = try target(location, response)
        let turnsToGet = request.method == .post && response.status <= 303
        if let fault = fault(target, turnsToGet: turnsToGet) {
            throw refusal(fault, response, isElsewhere: target.origin.host != request.address.origin.host)
        }
        move(to: target, turnsToGet: turnsToGet)
        count += 1
        guard visited.insert(Stop(method: request.method, address: target)).inserted else {
            throw refusal("redirect loop, back to \(target)", response, isElsewhere: true)
        }
        return true
    }

    private func target(_ location: String, _ response: Response) throws(TransportError) -> Address {
        do throws(AddressError) {
            return try request.address.resolving(location)
        } catch {
            // Masked before it is cut: the cut could leave half a secret that no longer matches.
            let shown = request.redaction.masked(location).prefix(200)
            throw refusal("\(error.diagnostic.summary): \(shown)", response)
        }
    }

    private func fault(_ target: Address, turnsToGet: Bool) -> String? {
        let (from, to) = (request.address.origin, target.origin)
        if to.scheme == .file { return "it leads to a file" }
        if from.scheme == .https, to.scheme == .http { return "it leads from https to http: \(to)" }
        if count >= request.limits.redirects { return "there were more than \(request.limits.redirects)" }
        if from != to, !request.limits.followsOtherOrigins { return "it leads to another origin: \(to)" }
        if !isHomePrivate, to.isPrivate { return "it leads into a private network: \(to)" }
        if from != to, request.method != .get, !turnsToGet { return "it would send the body to \(to)" }
        return nil
    }

    private mutating func move(to target: Address, turnsToGet: Bool) {
        if request.address.origin != target.origin {
            request.dropCredentials()
            request.staysPublic = !isHomePrivate
        }
        if turnsToGet {
            request.method = .get
            request.body = []
            request.headers.remove("Content-Type")
        }
        request.address = target
    }

    /// - Parameter isElsewhere: Whether it leads to where the service may not be: a login page has a host of its own, or
    ///   leads in circles.
    private func refusal(_ text: String, _ response: Response, isElsewhere: Bool = false) -> TransportError {
        var error = TransportError(
            .redirect, request.address, doing: "following a redirect", text, redaction: request.redaction)
        error.status = response.status
        error.milliseconds = response.milliseconds
        if isElsewhere {
            error.hint = """
                check whether a login page or proxy responded, such as of single sign-on; use the other URL only if the \
                service itself moved there
                """
        }
        return error
    }
}
