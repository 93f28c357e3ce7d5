import Providers
import Tokens
import Transport

/// What all sources of one run are asked with.
struct Means: Sendable {
    /// The sender for a source; the scope keeps the kept answers of one credential from those of another.
    let sender: @Sendable (_ scope: String) -> any Sender
    /// The tokens of service accounts, so that one account makes one token.
    let tokens = SharedTokens()
    /// The snapshot files that were read, so that each is read once for all apps.
    let files = SnapshotShelf()

    /// Every source is asked by the same sender.
    init(_ sender: some Sender) {
        self.sender = { _ in sender }
    }

    /// A sender for each scope.
    init(sender: @escaping @Sendable (_ scope: String) -> any Sender) {
        self.sender = sender
    }

    /// For looking at sources without asking any.
    static let unsent = Means(UnsentSender())
}

/// Sends nothing.
private struct UnsentSender: Sender {
    func send(_ request: Request) async throws(TransportError) -> Response {
        throw TransportError(.closed, request.address, doing: "planning", redaction: request.redaction)
    }
}
