import Synchronization
import Transport

/// What the responses of a service say of the time.
final class ServiceClock: Sendable {
    private let difference = Mutex<Int?>(nil)

    /// Seconds by which the service's clock is ahead of ours; nil when it did not say.
    var ahead: Int? { difference.withLock { $0 } }

    func note(_ ahead: Int) { difference.withLock { $0 = ahead } }

    /// The difference in words: a few seconds are the way of the response.
    static func text(ahead seconds: Int) -> String {
        if abs(seconds) <= 5 { return "agrees with the service" }
        return
            "this clock is \(abs(seconds)) s \(seconds > 0 ? "behind" : "ahead of") the service; fix it if tokens are refused"
    }
}

/// Compares the time in each response with this machine's.
struct ClockSender: Sender {
    private let base: Client
    private let clock: ServiceClock
    private let pacing: Pacing

    init(_ base: Client, _ clock: ServiceClock, pacing: Pacing = .system) {
        (self.base, self.clock, self.pacing) = (base, clock, pacing)
    }

    func send(_ request: Request) async throws(TransportError) -> Response {
        let response = try await base.send(request)
        if let server = response.serverSeconds { clock.note(server - pacing.now()) }
        return response
    }
}
