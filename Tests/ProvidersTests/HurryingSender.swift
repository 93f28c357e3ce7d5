import Transport

/// Gives paths with one end little time and every other path all of its own, so that a busy machine changes nothing.
struct HurryingSender: Sender {
    let base: Client
    let path: String

    func send(_ request: Request) async throws(TransportError) -> Response {
        var request = request
        if !path.isEmpty, request.address.path.hasSuffix(path) { request.limits.totalMilliseconds = 200 }
        return try await base.send(request)
    }
}
