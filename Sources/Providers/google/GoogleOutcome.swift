import AppHealth
import Tokens
import Transport

/// The outcome of a fetch: what `body` puts into it, or its fault, with the time it took.
func googleOutcome(
    _ service: GoogleService, at now: Instant,
    _ body: (inout FetchOutcome) async throws(GoogleFault) -> Void
) async -> FetchOutcome {
    let start = ContinuousClock.now
    var outcome = FetchOutcome()
    do throws(GoogleFault) {
        try await body(&outcome)
    } catch {
        outcome.failures = [FetchOutcome.Failure(at: now, why: error.diagnostic(service))]
    }
    outcome.milliseconds = start.duration(to: .now).milliseconds
    return outcome
}

/// The requests of a plan, the exchange for an access token first.
func googlePlan(
    _ calls: [(call: GoogleCall, most: Int)], below base: Address, account: ServiceAccountKey
) -> [PlannedRequest] {
    let token = PlannedRequest("POST", account.tokenAddress.description, purpose: "an access token")
    return [token]
        + calls.map { call, most in
            PlannedRequest(call.method, call.text(below: base), purpose: call.part, most: most)
        }
}
