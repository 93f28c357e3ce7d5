/// Whatever can send a request: the client, a layer over it, or a stub.
package protocol Sender: Sendable {
    /// Sends the request and returns the answer, whatever its status.
    func send(_ request: Request) async throws(TransportError) -> Response
}
