/// One hop of a request on its way through the loop, with the way to answer it.
struct Job: Identifiable, Sendable {
    let id: UInt64
    var request: Request
    /// Milliseconds left of the request's total.
    var milliseconds: Int
    var continuation: CheckedContinuation<Result<Response, TransportError>, Never>

    func fail(_ kind: TransportError.Kind, doing: String, _ text: String = "") {
        continuation.resume(
            returning: .failure(
                TransportError(kind, request.address, doing: doing, text, redaction: request.redaction)))
    }
}
