import Synchronization

/// Refuses the responses of servers by whose clock it is another day than by this machine's: what is requested for a day,
/// and what is stored under an instant, would be of the wrong one.
package struct ClockCheckedClient: Sender {
    private let base: any Sender
    private let clocks: ComparedClocks
    private let now: @Sendable () -> Int

    /// Lays the check over another sender.
    ///
    /// - Parameter now: Seconds since 1970 by this machine's clock.
    package init(
        _ base: some Sender, _ clocks: ComparedClocks, now: @escaping @Sendable () -> Int = Pacing.system.now
    ) {
        self.base = base
        self.clocks = clocks
        self.now = now
    }

    package func send(_ request: Request) async throws(TransportError) -> Response {
        let response = try await base.send(request)
        guard let server = response.serverSeconds else { return response }
        // A response that a cache kept has the time at which it was made.
        let (shown, overflows) = server.addingReportingOverflow(response.ageSeconds)
        guard !overflows, clocks.note(ahead: now() &- shown) else {
            throw differing(request, now() &- shown, response)
        }
        return response
    }

    private func differing(_ request: Request, _ ahead: Int, _ response: Response) -> TransportError {
        var error = TransportError(
            .clock, request.address, doing: "comparing the time in the response with this machine's",
            "this machine's clock is \(ComparedClocks.text(ahead: ahead)) the server's",
            redaction: request.redaction)
        (error.attempts, error.milliseconds) = (response.attempts, response.milliseconds)
        return error
    }
}

/// What the servers of a run say of this machine's clock.
package final class ComparedClocks: Sendable {
    private struct State {
        var agrees = false
        var ahead: Int?
    }

    private let state = Mutex(State())

    /// Nothing is known.
    package init() {}

    /// Seconds by which this machine's clock is ahead of a server's, where every server that stated its time is a day or
    /// more away from it: then it is this machine's that is wrong.
    package var machineAhead: Int? { state.withLock { $0.agrees ? nil : $0.ahead } }

    /// Notes what a response states.
    ///
    /// - Returns: whether it is the same day, within what clocks and zones of careless servers differ by.
    func note(ahead seconds: Int) -> Bool {
        let isClose = abs(max(seconds, -.max)) < Self.leastSeconds
        state.withLock { state in
            if isClose { state.agrees = true } else { state.ahead = state.ahead ?? seconds }
        }
        return isClose
    }

    /// `1,096 days ahead of`, `2 days behind`.
    package static func text(ahead seconds: Int) -> String {
        let days = abs(max(seconds, -.max)) / 86_400
        return "\(days) \(days == 1 ? "day" : "days") \(seconds > 0 ? "ahead of" : "behind")"
    }

    /// A whole day.
    private static let leastSeconds = 86_400
}

extension Response {
    /// For how many seconds a cache between here and the server has had it (RFC 9111 §5.1).
    fileprivate var ageSeconds: Int { headers["Age"].flatMap { Int($0) }.map { max(0, $0) } ?? 0 }
}
