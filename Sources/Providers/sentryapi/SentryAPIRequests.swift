import AppHealth
import Diagnostics
import Transport

/// Sends the requests of one fetch, within its budget, and follows pages.
struct SentryAPIRequests: Sendable {
    let service: SentryAPIService
    private let sender: AuthenticatedClient
    private let now: Instant
    /// How many were sent, retries included.
    private(set) var used = 0
    /// How many were sent, retries not counted: those are bounded elsewhere, so that a bad night brings what a
    /// good one does.
    private(set) var asked = 0
    private var haltedBy: Int?
    private var limited: Set<String> = []
    private var failures: [String: Int] = [:]
    /// After so many failures of one kind no more of it is worth asking for, when it is asked issue by issue.
    private static let patience = 3

    init(service: SentryAPIService, sender: AuthenticatedClient, now: Instant) {
        self.service = service
        self.sender = sender
        self.now = now
    }

    /// How many may still be sent; none after an answer that the next would meet too.
    var left: Int { haltedBy == nil ? max(0, service.mostRequests - asked) : 0 }

    /// Whether another request to this endpoint may be sent and is worth it.
    func allows(_ endpoint: some SentryAPIEndpoint) -> Bool {
        let family = endpoint.family
        return left > 0 && !limited.contains(family) && failures[family, default: 0] < Self.patience
    }

    /// One answer, decoded.
    mutating func value<Value: Decodable>(
        _ type: Value.Type, at endpoint: some SentryAPIEndpoint
    ) async throws(SentryAPIFault) -> (value: Value, losses: Losses) {
        try decoded(type, from: try await response(of: endpoint, cursor: nil))
    }

    /// The elements of a list over its pages, until enough is known. Only when its first page fails does the
    /// whole fail.
    mutating func pages<Element: Decodable & Sendable>(
        of type: Element.Type, from endpoint: some SentryAPIEndpoint, most: Int,
        until isEnough: ([Element]) -> Bool = { _ in false }
    ) async throws(SentryAPIFault) -> SentryAPIPages<Element> {
        try await pages(of: type, from: endpoint, most: most, until: isEnough) { $0 }
    }

    /// The same, where only what `kept` makes of an element is held, so that a long list costs the memory of one
    /// page.
    mutating func pages<Element: Decodable & Sendable, Kept: Sendable>(
        of type: Element.Type, from endpoint: some SentryAPIEndpoint, most: Int,
        until isEnough: ([Kept]) -> Bool = { _ in false }, keeping kept: (Element) -> Kept?
    ) async throws(SentryAPIFault) -> SentryAPIPages<Kept> {
        var pages = SentryAPIPages<Kept>(provider: service.provider)
        var seen: Set<String?> = [nil]
        var cursor: String?
        let address = endpoint.text(below: service.base)
        while true {
            let next: NextCursor
            do throws(SentryAPIFault) {
                next = try await read(type, endpoint, cursor: cursor, into: &pages, kept)
            } catch {
                guard pages.count > 0 else { throw error }
                pages.end(by: error)
                return pages
            }
            if isEnough(pages.elements) { return pages }
            switch next {
            case .none: return pages
            case .missing: pages.end(because: "the next page has no cursor", at: address)
            case .cursor(let text) where !seen.insert(text).inserted:
                pages.end(because: "the next page is one that was read already", at: address)
            case .cursor where pages.count >= most:
                pages.end(because: "no more pages are read in one fetch", at: address)
            case .cursor(let text):
                cursor = text
                continue
            }
            return pages
        }
    }

    private mutating func read<Element: Decodable & Sendable, Kept: Sendable>(
        _ type: Element.Type, _ endpoint: some SentryAPIEndpoint, cursor: String?,
        into pages: inout SentryAPIPages<Kept>, _ kept: (Element) -> Kept?
    ) async throws(SentryAPIFault) -> NextCursor {
        let response = try await response(of: endpoint, cursor: cursor)
        let (list, losses) = try decoded(LossyArray<Element>.self, from: response)
        pages.add(list.items.compactMap { kept($0.value) }, losses)
        return NextCursor(in: response.headers.values(for: "Link"))
    }
}

// MARK: One request

extension SentryAPIRequests {
    private mutating func response(
        of endpoint: some SentryAPIEndpoint, cursor: String?
    ) async throws(SentryAPIFault) -> Response {
        if let haltedBy { throw fault(.halted(status: haltedBy)) }
        if limited.contains(endpoint.family) { throw fault(.halted(status: 429)) }
        guard left > 0 else { throw fault(.budget(service.mostRequests)) }
        let request = try request(endpoint, cursor)
        asked += 1
        let response: Response
        do throws(TransportError) {
            response = try await sender.send(request)
        } catch {
            used += error.attempts
            failures[endpoint.family, default: 0] += 1
            throw fault(.request(.transport(error), hint: nil, until: nil))
        }
        used += response.attempts
        do throws(HTTPStatusError) {
            return try response.checked()
        } catch {
            throw refusal(error, of: endpoint, response)
        }
    }

    private func request(
        _ endpoint: some SentryAPIEndpoint, _ cursor: String?
    ) throws(SentryAPIFault) -> Request {
        let address: Address
        do throws(AddressError) {
            address = try endpoint.address(below: service.base, cursor: cursor)
        } catch {
            throw fault(.address(error))
        }
        var request = Request(.get, address, limits: service.limits)
        request.limitFields = .sentry
        do throws(HeaderError) {
            try request.headers.append("Accept", "application/json")
        } catch {
            let error = TransportError(.header, address, doing: "writing the headers")
            throw fault(.request(.transport(error), hint: nil, until: nil))
        }
        return request
    }

    /// A bad token ends everything; too many requests end those of their kind, for limits are counted so.
    private mutating func refusal(
        _ error: HTTPStatusError, of endpoint: some SentryAPIEndpoint, _ response: Response
    ) -> SentryAPIFault {
        if error.status == 401 { haltedBy = 401 }
        // What is not there says nothing of the next.
        if error.status != 404 { failures[endpoint.family, default: 0] += 1 }
        if error.status == 429 { limited.insert(endpoint.family) }
        let wait = error.status == 429 ? response.waitSeconds(now: now.secondsSinceEpoch) : nil
        return fault(
            .request(
                .status(error), hint: service.hint(error), until: wait.map { now.advanced(bySeconds: $0) }))
    }

    private func decoded<Value: Decodable>(
        _ type: Value.Type, from response: Response
    ) throws(SentryAPIFault) -> (value: Value, losses: Losses) {
        let address = response.redaction.masked(response.address.text.prefix { $0 != "?" }.description)
        let decoder = AnswerDecoder(
            provider: service.provider, endpoint: address, redaction: response.redaction)
        do throws(DecodingFailure) {
            return try decoder.decode(type, from: response.body)
        } catch {
            throw fault(.decoding(error))
        }
    }

    func fault(_ kind: SentryAPIFault.Kind) -> SentryAPIFault {
        SentryAPIFault(provider: service.provider, kind: kind)
    }
}

extension Response {
    /// How long the service asks to wait after an answer of 429: by Retry-After, otherwise until the instant in
    /// seconds since 1970 that Sentry sends, at least one second.
    fileprivate func waitSeconds(now: Int) -> Int? {
        if let seconds = retryAfterSeconds(now: now) { return seconds }
        let reset = headers["X-Sentry-Rate-Limit-Reset"].flatMap { Int($0) }
        return reset.flatMap { $0 > 0 ? max(1, $0 &- now) : nil }
    }
}
