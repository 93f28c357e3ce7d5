import Synchronization
import Transport

/// What was seen of a service while it was tried.
struct Observation: Sendable {
    /// The addresses' origins in the order of their first request.
    var origins: [String] = []
    /// How many requests were answered.
    var answers = 0
    /// How many were refused for want of rights: 401 and 403.
    var refusals = 0
    /// The first of those answers, their bodies cut.
    var refused: [Response] = []
    /// Seconds by which the service's clock is ahead of ours; nil when it did not say.
    var clockAhead: Int?
    /// Requests that the service still admits; nil when it did not say.
    var requestsLeft: Int?
}

/// Keeps what a service says of itself beside its answers; a request that would change something is not sent.
final class ObservingSender: Sender {
    private let base: any Sender
    private let pacing: Pacing
    private let seen = Mutex(Observation())

    /// Observes what goes through another sender.
    init(_ base: some Sender, pacing: Pacing = .system) {
        self.base = base
        self.pacing = pacing
    }

    /// What was seen so far.
    var observation: Observation { seen.withLock { $0 } }

    func send(_ request: Request) async throws(TransportError) -> Response {
        guard request.isIdempotent else {
            throw TransportError(
                .failed, request.address, doing: "trying the source",
                "the request would change something at the service, which only a fetch does",
                redaction: request.redaction)
        }
        let origin = request.address.origin
        seen.withLock { seen in
            let text = origin.scheme == .file ? "files on this machine" : "\(origin.host):\(origin.port)"
            if !seen.origins.contains(text) { seen.origins.append(text) }
        }
        let response = try await base.send(request)
        let now = pacing.now()
        seen.withLock { seen in
            seen.answers += 1
            if response.status == 401 || response.status == 403 { seen.note(refusal: response) }
            if let server = response.serverSeconds { seen.clockAhead = server - now }
            let limit = response.rateLimitStatus(request.limitFields, now: now)
            if let left = limit.remaining { seen.requestsLeft = left }
        }
        return response
    }
}

extension Observation {
    fileprivate mutating func note(refusal response: Response) {
        refusals += 1
        guard refused.count < 20 else { return }
        var response = response
        response.body = Array(response.body.prefix(1 << 16))
        refused.append(response)
    }
}
