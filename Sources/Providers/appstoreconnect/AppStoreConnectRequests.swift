import Diagnostics
import Tokens
import Transport

/// Sends the requests of one fetch within its budget: with tokens to the API, without any to where files lie.
struct AppStoreConnectRequests {
    let configuration: AppStoreConnectConfiguration
    /// For the API.
    let sender: TokenSender
    /// For the files, which lie elsewhere.
    let plainSender: any Sender
    /// The files of instances that earlier fetches read; nil when every file is to be asked for.
    let kept: KeptBytes?
    /// How many were sent, retries included.
    private(set) var used = 0
    /// Why every further request to the API would fare the same.
    private var halted: ServiceFault.Kind?

    init(
        _ configuration: AppStoreConnectConfiguration, sender: TokenSender, plainSender: any Sender,
        kept: KeptBytes?
    ) {
        self.kept = kept
        self.configuration = configuration
        self.sender = sender
        self.plainSender = plainSender
    }

    var words: ServiceWords { .appStoreConnect }

    /// Why nothing more may be sent; nil while something may.
    var refusal: ServiceFault? {
        if let halted { return fault(halted) }
        let most = configuration.mostRequests
        return used < most ? nil : fault(.budget(most: most))
    }

    func fault(_ kind: ServiceFault.Kind) -> ServiceFault {
        ServiceFault(kind: kind, words: words)
    }

    /// One answer, decoded.
    mutating func value<Value: Decodable>(
        _ type: Value.Type, _ endpoint: AppStoreConnectEndpoint, body: [UInt8] = []
    ) async throws(ServiceFault) -> (value: Value, losses: Losses) {
        try await value(type, try request(endpoint.method, try address(endpoint), body: body))
    }

    /// The elements of a list over its pages. Only when its first page fails does the whole fail.
    mutating func pages<Page: WirePage>(
        _ type: Page.Type, _ endpoint: AppStoreConnectEndpoint
    ) async throws(ServiceFault) -> ServicePages<Page.Element> {
        var pages = ServicePages<Page.Element>(provider: words.provider)
        var next: Address? = try address(endpoint)
        var seen: Set<Address> = []
        while let address = next, pages.count < configuration.mostPages, seen.insert(address).inserted {
            do throws(ServiceFault) {
                let (page, losses) = try await value(type, try request(.get, address))
                pages.add(page.elements, losses)
                next = try following(page.next, after: address)
            } catch {
                guard pages.count > 0, !error.isCancelled else { throw error }
                pages.end(by: error)
                return pages
            }
        }
        if let next { pages.end(at: next, isLoop: seen.contains(next)) }
        return pages
    }

    /// A file, asked for without any credential; its status is good.
    mutating func file(_ request: Request) async throws(ServiceFault) -> Response {
        if let refusal { throw refusal }
        do throws(TransportError) {
            let response = try await plainSender.send(request)
            used += response.attempts
            return response
        } catch {
            used += error.attempts
            throw fault(.request(.transport(error)))
        }
    }

    private mutating func value<Value: Decodable>(
        _ type: Value.Type, _ request: Request
    ) async throws(ServiceFault) -> (value: Value, losses: Losses) {
        let response = try await response(to: request)
        let place = response.redaction.masked(String(response.address.text.prefix { $0 != "?" }))
        let decoder = AnswerDecoder(
            provider: words.provider, endpoint: place, redaction: response.redaction)
        do throws(DecodingFailure) {
            return try decoder.decode(type, from: response.body)
        } catch {
            throw fault(.decoding(error))
        }
    }

    private mutating func response(to request: Request) async throws(ServiceFault) -> Response {
        if let refusal { throw refusal }
        let response: Response
        do throws(TokenSender.Fault) {
            response = try await sender.response(to: request)
            used += response.attempts
        } catch {
            switch error {
            case .token(let error):
                halted = .halted(status: 401)
                throw .noToken(error)
            case .transport(let error):
                used += error.attempts
                throw fault(.request(.transport(error)))
            }
        }
        do throws(HTTPStatusError) {
            return try response.checked()
        } catch {
            if words.halting.contains(error.status) { halted = .halted(status: error.status) }
            throw .refused(error, body: response.body, redaction: response.redaction)
        }
    }

    private func address(_ endpoint: AppStoreConnectEndpoint) throws(ServiceFault) -> Address {
        do throws(AddressError) {
            return try endpoint.address(below: configuration.base)
        } catch {
            throw fault(.address(error))
        }
    }

    private func following(_ link: String?, after address: Address) throws(ServiceFault) -> Address? {
        guard let link else { return nil }
        do throws(AddressError) {
            return try address.resolving(link)
        } catch {
            throw fault(.address(error))
        }
    }

    private func request(
        _ method: Request.Method, _ address: Address, body: [UInt8] = []
    ) throws(ServiceFault) -> Request {
        var request = Request(method, address, body: body, limits: configuration.limits)
        request.limitFields = .appStoreConnect
        do throws(HeaderError) {
            try request.headers.append("Accept", "application/json")
            if method == .post { try request.headers.append("Content-Type", "application/json") }
        } catch {
            throw fault(.request(.transport(TransportError(.header, address, doing: "writing the headers"))))
        }
        return request
    }
}

extension RateLimitFields {
    /// `X-Rate-Limit: user-hour-lim:3600;user-hour-rem:3121;`
    static let appStoreConnect = RateLimitFields(
        remaining: [Field("X-Rate-Limit", member: "user-hour-rem")])
}
