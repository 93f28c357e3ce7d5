import AppHealth
import Diagnostics
import Transport

/// Sends the requests of one fetch, within its budget, and follows pages.
struct BugsnagRequests {
    let configuration: BugsnagConfiguration
    let sender: AuthenticatedClient
    /// How many were sent, retries included.
    private(set) var used = 0
    // Retries are bounded elsewhere, so that a bad night brings what a good one does.
    private var asked = 0
    private var haltedBy: Int?

    init(configuration: BugsnagConfiguration, sender: AuthenticatedClient) {
        self.configuration = configuration
        self.sender = sender
    }

    /// How many may still be sent; none after an answer that the next would meet too.
    var left: Int { haltedBy == nil ? max(0, configuration.mostRequests - asked) : 0 }

    /// One answer, decoded.
    mutating func value<Value: Decodable>(
        _ type: Value.Type, at endpoint: BugsnagEndpoint
    ) async throws(BugsnagFault) -> (value: Value, losses: Losses) {
        try decoded(type, from: try await response(at: try endpoint.address(below: configuration.base)))
    }

    /// The elements of a list over its pages. Only when its first page fails does the whole fail.
    mutating func pages<Element: Decodable & Sendable>(
        of type: Element.Type, from endpoint: BugsnagEndpoint, most: Int
    ) async throws(BugsnagFault) -> BugsnagPages<Element> {
        var pages = BugsnagPages<Element>()
        var next: Address? = try endpoint.address(below: configuration.base)
        var seen: Set<Address> = []
        while let address = next, pages.count < most, seen.insert(address).inserted {
            do throws(BugsnagFault) {
                next = try await read(page: address, into: &pages)
            } catch {
                guard pages.count > 0 else { throw error }
                pages.end(by: error)
                return pages
            }
        }
        if let next { pages.end(at: next, isLoop: seen.contains(next)) }
        return pages
    }

    private mutating func read<Element: Decodable & Sendable>(
        page address: Address, into pages: inout BugsnagPages<Element>
    ) async throws(BugsnagFault) -> Address? {
        let response = try await response(at: address)
        let (list, losses) = try decoded(LossyArray<Element>.self, from: response)
        pages.add(list.values, losses)
        guard let link = response.headers.values(for: "Link").lazy.compactMap(nextLink).first else {
            return nil
        }
        do {
            return try address.resolving(link)
        } catch {
            throw .address(error)
        }
    }

    private mutating func response(at address: Address) async throws(BugsnagFault) -> Response {
        if let haltedBy { throw .halted(status: haltedBy) }
        guard left > 0 else { throw .budget(configuration.mostRequests) }
        asked += 1
        do throws(RequestFault) {
            let response = try await sender.goodResponse(to: try request(address))
            used += response.attempts
            return response
        } catch {
            used += error.attempts
            let fault = BugsnagFault.request(error)
            haltedBy = fault.haltingStatus
            throw fault
        }
    }

    private func request(_ address: Address) throws(RequestFault) -> Request {
        var request = Request(.get, address, limits: configuration.limits)
        do throws(HeaderError) {
            try request.headers.append("X-Version", "2")
            try request.headers.append("Accept", "application/json")
        } catch {
            throw .transport(TransportError(.header, address, doing: "writing the headers"))
        }
        return request
    }

    private func decoded<Value: Decodable>(
        _ type: Value.Type, from response: Response
    ) throws(BugsnagFault) -> (value: Value, losses: Losses) {
        let address = response.redaction.masked(response.address.text.prefix { $0 != "?" }.description)
        let decoder = AnswerDecoder(
            provider: BugsnagProvider.name, endpoint: address, redaction: response.redaction)
        do throws(DecodingFailure) {
            return try decoder.decode(type, from: response.body)
        } catch {
            throw .decoding(error)
        }
    }
}

extension RequestFault {
    fileprivate var attempts: Int {
        switch self {
        case .transport(let error): error.attempts
        case .status(let error): error.attempts
        }
    }
}
