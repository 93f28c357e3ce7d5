import Diagnostics
import Tokens
import Transport

/// Sends the requests of one fetch, within its budget, and follows pages.
struct GoogleRequests {
    let service: GoogleService
    let base: Address
    let sender: TokenSender
    let limits: Limits
    let most: Int
    /// How many were sent, retries included; those to the token server are not counted.
    private(set) var used = 0
    // Retries are bounded elsewhere, so that a bad night brings what a good one does.
    private var asked = 0
    private var halted: String?

    init(_ service: GoogleService, base: Address, sender: TokenSender, limits: Limits, most: Int) {
        self.service = service
        self.base = base
        self.sender = sender
        self.limits = limits
        self.most = most
    }

    /// How many may still be sent; none after an answer that the next would meet too.
    var left: Int { halted == nil ? max(0, most - asked) : 0 }

    /// One answer, decoded.
    mutating func value<Value: Decodable>(
        _ type: Value.Type, _ call: GoogleCall
    ) async throws(GoogleFault) -> (value: Value, losses: Losses) {
        let response = try await response(to: call)
        let decoder = AnswerDecoder(
            provider: service.name, endpoint: endpoint(response), redaction: response.redaction)
        do throws(DecodingFailure) {
            return try decoder.decode(type, from: response.body)
        } catch {
            throw .decoding(error)
        }
    }

    /// The elements of a list over its pages. Only when its first page fails does the whole fail.
    /// - Parameter call: The request for the page with this token; nil for the first.
    mutating func pages<Page: GooglePage>(
        of type: Page.Type, most: Int, _ call: (String?) -> GoogleCall
    ) async throws(GoogleFault) -> GooglePages<Page.Element> {
        var pages = GooglePages<Page.Element>()
        var token: String?
        var seen: Set<String> = []
        repeat {
            do throws(GoogleFault) {
                let (page, losses) = try await value(type, call(token))
                pages.add(page, losses)
                token = page.next.flatMap { $0.text.isEmpty ? nil : $0.text }
            } catch {
                guard pages.count > 0, !error.isCancelled else { throw error }
                pages.end(service, because: error.diagnostic(service))
                return pages
            }
            if let token, !seen.insert(token).inserted {
                pages.end(service, because: .warning("", "the next page is one that was read already"))
                return pages
            }
        } while token != nil && pages.count < most
        if token != nil {
            pages.end(service, because: .warning("", "no more pages are read in one fetch"))
        }
        return pages
    }

    private mutating func response(to call: GoogleCall) async throws(GoogleFault) -> Response {
        if let halted { throw .halted(halted) }
        guard left > 0 else { throw .budget(most) }
        asked += 1
        do throws(GoogleFault) {
            let response = try await answer(to: try request(call))
            return try checked(response)
        } catch {
            halted = error.halting
            throw error
        }
    }

    private mutating func answer(to request: Request) async throws(GoogleFault) -> Response {
        do throws(TokenSender.Fault) {
            let response = try await sender.response(to: request)
            used += response.attempts
            return response
        } catch {
            switch error {
            case .token(let error): throw .token(error)
            case .transport(let error):
                used += error.attempts
                throw .transport(error)
            }
        }
    }

    private func checked(_ response: Response) throws(GoogleFault) -> Response {
        do throws(HTTPStatusError) {
            return try response.checked()
        } catch {
            throw .refused(GoogleRefusal(error, body: response.body, redaction: response.redaction))
        }
    }

    private func request(_ call: GoogleCall) throws(GoogleFault) -> Request {
        let address = try call.address(below: base)
        var request = Request(
            call.body == nil ? .get : .post, address, body: call.body ?? [], limits: limits)
        // Each POST here is a query that changes nothing.
        request.isIdempotent = true
        do throws(HeaderError) {
            try request.headers.append("Accept", "application/json")
            if call.body != nil { try request.headers.append("Content-Type", "application/json") }
        } catch {
            throw .transport(TransportError(.header, address, doing: "writing the headers"))
        }
        return request
    }

    private func endpoint(_ response: Response) -> String {
        response.redaction.masked(String(response.address.text.prefix { $0 != "?" }))
    }
}
