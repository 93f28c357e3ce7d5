import Synchronization
import Transport

/// Counts the bytes of all bodies.
final class CountingSender: Sender {
    private let inner: any Sender
    private let count = Mutex(0)

    init(_ inner: any Sender) { self.inner = inner }

    /// The bytes so far, decompressed.
    var bytes: Int { count.withLock { $0 } }

    func send(_ request: Request) async throws(TransportError) -> Response {
        let response = try await inner.send(request)
        count.withLock { $0 += response.body.count }
        return response
    }
}
