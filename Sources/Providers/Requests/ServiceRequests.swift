import Diagnostics
import Transport

/// Sends the requests of one fetch of one service, within its budget, and follows pages.
struct ServiceRequests {
    let words: ServiceWords
    /// The most requests; retries are bounded elsewhere, so that a bad night brings what a good one does.
    let most: Int
    let limits: Limits
    let sender: any Sender
    /// How many were sent, retries included.
    private(set) var used = 0
    private var asked = 0
    private var haltedBy: Int?

    init(_ words: ServiceWords, most: Int, limits: Limits, sender: any Sender) {
        self.words = words
        self.most = most
        self.limits = limits
        self.sender = sender
    }

    /// How many may still be sent; none after an answer that the next would meet too.
    var left: Int { haltedBy == nil ? max(0, most - asked) : 0 }

    /// Why nothing more may be sent; nil while something may.
    var refusal: ServiceFault? {
        if let haltedBy { return fault(.halted(status: haltedBy)) }
        return left > 0 ? nil : fault(.budget(most: most))
    }

    func fault(_ kind: ServiceFault.Kind) -> ServiceFault {
        ServiceFault(kind: kind, words: words)
    }

    private mutating func response(at address: Address) async throws(ServiceFault) -> Response {
        if let refusal { throw refusal }
        asked += 1
        do throws(RequestFault) {
            let response = try await sender.goodResponse(to: try request(address))
            used += response.attempts
            return response
        } catch {
            used += error.attempts
            let fault = fault(.request(error))
            if let status = fault.status, words.halting.contains(status) { haltedBy = status }
            throw fault
        }
    }

    /// One answer, decoded.
    mutating func value<Value: Decodable>(
        _ type: Value.Type, at address: Address
    ) async throws(ServiceFault) -> (value: Value, losses: Losses) {
        try decoded(type, from: try await response(at: address))
    }

    /// The elements of a list whose pages name the next one in their bodies. Only when its first page fails does
    /// the whole fail.
    mutating func pages<Page: WirePage>(
        _ type: Page.Type, from first: Address, most: Int
    ) async throws(ServiceFault) -> ServicePages<Page.Element> {
        try await pages(from: first, most: most) { requests, response throws(ServiceFault) in
            let (page, losses) = try requests.decoded(type, from: response)
            return (page.elements, losses, page.next)
        }
    }

    /// The elements of a list whose pages name the next one in a Link header. Only when its first page fails does
    /// the whole fail.
    mutating func linkedPages<Element: Decodable & Sendable>(
        of type: Element.Type, from first: Address, most: Int
    ) async throws(ServiceFault) -> ServicePages<Element> {
        try await pages(from: first, most: most) { requests, response throws(ServiceFault) in
            let (list, losses) = try requests.decoded(LossyArray<Element>.self, from: response)
            let next = response.headers.values(for: "Link").lazy.compactMap(nextLink).first
            return (list.values, losses, next)
        }
    }

    private typealias DataState<Element> = (ServiceRequests, Response) throws(ServiceFault) -> (
        elements: [Element], losses: Losses, next: String?
    )

    private mutating func pages<Element: Sendable>(
        from first: Address, most: Int, _ read: DataState<Element>
    ) async throws(ServiceFault) -> ServicePages<Element> {
        var pages = ServicePages<Element>(provider: words.provider)
        var next: Address? = first
        var seen: Set<Address> = []
        while let address = next, pages.count < most, seen.insert(address).inserted {
            do throws(ServiceFault) {
                let page = try read(self, try await response(at: address))
                pages.add(page.elements, page.losses)
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

    private func following(_ link: String?, after address: Address) throws(ServiceFault) -> Address? {
        guard let link else { return nil }
        do throws(AddressError) {
            return try address.resolving(link)
        } catch {
            throw fault(.address(error))
        }
    }

    private func request(_ address: Address) throws(RequestFault) -> Request {
        var request = Request(.get, address, limits: limits)
        do throws(HeaderError) {
            for (name, value) in words.headers { try request.headers.append(name, value) }
            try request.headers.append("Accept", "application/json")
        } catch {
            throw .transport(TransportError(.header, address, doing: "writing the headers"))
        }
        return request
    }

    private func decoded<Value: Decodable>(
        _ type: Value.Type, from response: Response
    ) throws(ServiceFault) -> (value: Value, losses: Losses) {
        let address = response.redaction.masked(response.address.text.prefix { $0 != "?" }.description)
        let decoder = AnswerDecoder(
            provider: words.provider, endpoint: address, redaction: response.redaction)
        do throws(DecodingFailure) {
            return try decoder.decode(type, from: response.body)
        } catch {
            throw fault(.decoding(error))
        }
    }
}

extension RequestFault {
    /// How many tries were made.
    fileprivate var attempts: Int {
        switch self {
        case .transport(let error): error.attempts
        case .status(let error): error.attempts
        }
    }
}
