import Diagnostics
import Tokens
import Transport

/// Sends the requests of one fetch of one service, within its budget, and follows pages.
///
/// What differs between services is picked by the provider: who it is to the service (`Connection`), how lists are
/// divided (`Paging`), and what refusals mean (`ServiceProfile`).
struct ServiceClient: Sendable {
    /// Who sends: as anybody or with a fixed credential, or with tokens that are refreshed.
    enum Connection: Sendable {
        case sender(any Sender)
        case tokens(TokenSender)
    }

    let profile: ServiceProfile
    let base: Address
    /// What one request may cost.
    let limits: Limits
    /// The most requests of the fetch.
    let most: Int
    private let connection: Connection
    /// How many were sent, retries included; those to a token server are not counted.
    private(set) var used = 0
    /// How many were sent, retries not counted.
    private(set) var count = 0
    /// That the service went down; nil while it has not.
    private(set) var outage: ServiceFault?
    private var halted: ServiceFault.Kind?
    /// The address that failed last. It names a service that is down: the next request is not sent.
    private var failedAddress: String?
    private var haltedGroups: [String: Int] = [:]
    private var failures: [String: Int] = [:]
    /// After so many failures of one group no more of it is worth a request, when it is requested issue by issue.
    static let patience = 3

    init(
        _ profile: ServiceProfile, base: Address, limits: Limits, most: Int, over connection: Connection
    ) {
        self.profile = profile
        self.base = base
        self.limits = limits
        self.most = most
        self.connection = connection
    }

    /// How many may still be sent; none after a response that the next would meet too, and none to a service that is down.
    var left: Int { halted == nil ? max(0, most - (profile.countsRetries ? used : count)) : 0 }

    /// Why nothing more may be sent; nil while something may.
    var refusal: ServiceFault? {
        if let halted { return fault(halted) }
        return left > 0 ? nil : fault(.budget(most: most))
    }

    /// Whether another request of the endpoint's group may be sent and is worth it.
    func allows(_ endpoint: some ServiceEndpoint) -> Bool { refusal(of: endpoint) == nil }

    /// Why no other request of the endpoint's group may be sent, or is worth it; nil while one is.
    func refusal(of endpoint: some ServiceEndpoint) -> ServiceFault? {
        let group = endpoint.call.group
        if let refusal { return refusal }
        if let status = haltedGroups[group] {
            return fault(.halted("after status \(status)", status: status))
        }
        let failures = failures[group, default: 0]
        return failures < Self.patience
            ? nil : fault(.halted("after \(failures) failed requests of this kind", status: nil))
    }

    func fault(_ kind: ServiceFault.Kind) -> ServiceFault {
        ServiceFault(kind: kind, profile: profile)
    }

    /// One response, decoded.
    mutating func value<Value: Decodable>(
        _ type: Value.Type, at endpoint: some ServiceEndpoint
    ) async throws(ServiceFault) -> (value: Value, losses: SkippedValues) {
        let (value, losses, _) = try await page(type, endpoint.call)
        return (value, losses)
    }

    /// One response, decoded; nil where the service has nothing yet (204).
    mutating func valueIfAny<Value: Decodable>(
        _ type: Value.Type, at endpoint: some ServiceEndpoint
    ) async throws(ServiceFault) -> (value: Value, losses: SkippedValues)? {
        let response = try await response(to: endpoint.call)
        guard response.status != 204 else { return nil }
        let (value, losses, _) = try await page(type, endpoint.call, answered: response)
        return (value, losses)
    }

    /// The file at an address that the service named. No credential goes there, and its refusals end nothing.
    mutating func file(
        _ request: Request, through sender: some Sender
    ) async throws(ServiceFault) -> Response {
        if let refusal { throw refusal }
        count += 1
        do throws(TransportError) {
            let response = try await sender.send(request)
            used += response.attempts
            return response
        } catch {
            used += error.attempts
            throw noted(.transport(error))
        }
    }

    /// A fault, which is kept when the service is down: whoever meets it may pass over it.
    private mutating func noted(_ kind: ServiceFault.Kind) -> ServiceFault {
        let fault = fault(kind)
        if fault.isOutage { outage = outage ?? fault }
        return fault
    }
}

// MARK: Pages

extension ServiceClient {
    /// The elements of a list over its pages. Only when its first page fails does the whole fail.
    mutating func pages<Wire: Decodable, Element: Sendable>(
        from endpoint: some ServiceEndpoint, by paging: Paging<Wire, Element>, most: Int,
        until isEnough: ([Element]) -> Bool = { _ in false }
    ) async throws(ServiceFault) -> ServicePages<Element> {
        try await pages(from: endpoint, by: paging, most: most, until: isEnough) { $0 }
    }

    /// The same, where only what `kept` makes of an element is held, so that a long list costs the memory of one
    /// page.
    mutating func pages<Wire: Decodable, Element: Sendable, Kept: Sendable>(
        from endpoint: some ServiceEndpoint, by paging: Paging<Wire, Element>, most: Int,
        until isEnough: ([Kept]) -> Bool = { _ in false }, keeping kept: (Element) -> Kept?
    ) async throws(ServiceFault) -> ServicePages<Kept> {
        var pages = ServicePages<Kept>(provider: profile.provider)
        let first = endpoint.call
        var call = first
        var seen: Set<String> = []
        while true {
            let next: Turn
            do throws(ServiceFault) {
                let address = try address(of: call)
                seen.insert(address.text)
                let (page, losses, response) = try await page(Wire.self, call)
                let (elements, end) = paging.read(page, response)
                pages.add(elements.compactMap(kept), losses)
                next = try turn(end, from: first, at: address)
            } catch {
                guard pages.count > 0, !error.isCanceled else { throw error }
                pages.end(by: error)
                return pages
            }
            if isEnough(pages.elements) { return pages }
            switch next {
            case .end(nil): return pages
            case .end(let reason?): pages.end(because: reason, at: first.text(below: base))
            case .page(let following, let key) where !seen.insert(key).inserted:
                pages.end(
                    because: "the next page is one that was read already", at: place(of: following, first))
            case .page(let following, _) where pages.count >= most:
                pages.endAsUsual(at: place(of: following, first))
            case .page(let following, _):
                call = following
                continue
            }
            return pages
        }
    }

    /// The next page as a call, with what distinguishes it from others; or the end, with a reason when it comes early.
    private enum Turn {
        case end(String?)
        case page(ServiceCall, key: String)
    }

    private mutating func page<Wire: Decodable>(
        _ type: Wire.Type, _ call: ServiceCall
    ) async throws(ServiceFault) -> (Wire, SkippedValues, Response) {
        try await page(type, call, answered: try await response(to: call))
    }

    /// One response, decoded. A body without a length that ends early is whole to the connection: what shows only in its
    /// text is requested once more, as any other response that was cut off is.
    private mutating func page<Wire: Decodable>(
        _ type: Wire.Type, _ call: ServiceCall, answered response: Response
    ) async throws(ServiceFault) -> (Wire, SkippedValues, Response) {
        var response = response
        let page: (Wire, SkippedValues)
        do throws(ServiceFault) {
            page = try decoded(type, from: response)
        } catch {
            guard error.isCutOff, response.endsWithConnection, call.isRetried, !call.writes else {
                throw error
            }
            response = try await self.response(to: call)
            page = try decoded(type, from: response)
        }
        return (page.0, page.1, response)
    }

    /// A link for a person; a token says nothing to one.
    private func place(of following: ServiceCall, _ first: ServiceCall) -> String {
        (following.link == nil ? first : following).text(below: base)
    }

    /// A token turns the first call, so that each page has one.
    private func turn(
        _ next: NextPage, from call: ServiceCall, at address: Address
    ) throws(ServiceFault) -> Turn {
        switch next {
        case .none: return .end(nil)
        case .unknown(let reason): return .end(reason)
        case .token(let text, let turn):
            return .page(turn(call, text), key: text)
        case .link(let text):
            var following = call
            do throws(AddressError) {
                let link = try address.resolving(text)
                following.link = link
                return .page(following, key: link.text)
            } catch {
                throw fault(.address(error))
            }
        }
    }
}

// MARK: One request

extension ServiceClient {
    /// The response to a call, whatever is in it.
    mutating func response(to call: ServiceCall) async throws(ServiceFault) -> Response {
        if let refusal { throw refusal }
        if let status = haltedGroups[call.group] {
            throw fault(.halted("after status \(status)", status: status))
        }
        let request = try request(for: call)
        count += 1
        let response: Response
        do throws(ServiceFault) {
            response = try await send(request)
        } catch {
            failures[call.group, default: 0] += 1
            throw error
        }
        do throws(HTTPStatusError) {
            return try response.checked()
        } catch {
            if error.status >= 500 { failedAddress = error.address }
            let explanation = profile.explain(error, response)
            let refusal = fault(.refused(error, explanation))
            note(refusal, with: error.status, of: call.group, endsRun: explanation.endsRun)
            throw refusal
        }
    }

    private mutating func send(_ request: Request) async throws(ServiceFault) -> Response {
        do throws(TokenSender.Fault) {
            let response =
                switch connection {
                case .sender(let sender): try await TokenSender.plain(request, through: sender)
                case .tokens(let sender): try await sender.response(to: request)
                }
            used += response.attempts
            return response
        } catch {
            switch error {
            case .token(let error):
                let fault = fault(.token(error, at: request.address.text.prefix { $0 != "?" }.description))
                halted = .halted("without an access token", status: 401, hints: fault.diagnostic.hints)
                throw fault
            case .transport(let error):
                used += error.attempts
                var error = error
                if error.kind == .outage { error.address = failedAddress ?? error.address }
                failedAddress = error.address
                let fault = noted(.transport(error))
                if fault.isOutage { halted = fault.kind }
                throw fault
            }
        }
    }

    /// What is not there says nothing of the next.
    private mutating func note(
        _ refusal: ServiceFault, with status: Int, of group: String, endsRun: Bool?
    ) {
        if status != 404 { failures[group, default: 0] += 1 }
        if endsRun ?? profile.halting.contains(status) {
            halted = .halted("after status \(status)", status: status, hints: refusal.diagnostic.hints)
        }
        if profile.haltingGroup.contains(status) { haltedGroups[group] = status }
    }

    private func address(of call: ServiceCall) throws(ServiceFault) -> Address {
        do throws(AddressError) {
            return try call.address(below: base)
        } catch {
            throw fault(.address(error))
        }
    }

    private func request(for call: ServiceCall) throws(ServiceFault) -> Request {
        let address = try address(of: call)
        var request = Request(call.method, address, body: call.body ?? [], limits: limits)
        request.isIdempotent = !call.writes
        request.isRetried = call.isRetried
        request.attempt = call.attempt
        request.ownRefusals = profile.ownRefusals
        request.limitFields = profile.limitFields
        do throws(HeaderError) {
            for (name, value) in profile.headers { try request.headers.append(name, value) }
            try request.headers.append("Accept", "application/json")
            if call.body != nil { try request.headers.append("Content-Type", "application/json") }
        } catch {
            throw fault(.transport(TransportError(.header, address, doing: "writing the headers")))
        }
        return request
    }

    func decoded<Value: Decodable>(
        _ type: Value.Type, from response: Response
    ) throws(ServiceFault) -> (value: Value, losses: SkippedValues) {
        let address = response.redaction.masked(response.address.text.prefix { $0 != "?" }.description)
        let decoder = ResponseDecoder(
            provider: profile.provider, endpoint: address, origin: profile.origin,
            redaction: response.redaction)
        do throws(DecodingFailure) {
            return try decoder.decode(type, from: response.body)
        } catch {
            throw fault(.decoding(error))
        }
    }
}

extension ServiceFault {
    /// Whether the text of a response ends before its end.
    fileprivate var isCutOff: Bool {
        if case .decoding(let failure) = kind, case .notJSON(.truncated) = failure.problem {
            true
        } else {
            false
        }
    }
}

extension Response {
    /// Whether nothing but the end of its connection ends the body (RFC 9112 §6.3).
    fileprivate var endsWithConnection: Bool {
        httpVersion.hasPrefix("1") && headers["Content-Length"] == nil && headers["Transfer-Encoding"] == nil
    }
}

extension TokenSender {
    /// A response without tokens, with the faults of one with tokens.
    fileprivate static func plain(
        _ request: Request, through sender: any Sender
    ) async throws(Fault) -> Response {
        do throws(TransportError) {
            return try await sender.send(request)
        } catch {
            throw .transport(error)
        }
    }
}
