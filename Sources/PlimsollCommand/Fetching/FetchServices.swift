import Providers
import Tokens
import Transport

/// What all sources of one run are asked with.
struct FetchServices: Sendable {
    /// The sender for a source; the scope keeps the kept answers of one credential from those of another.
    let sender: @Sendable (_ scope: String) -> any Sender
    /// What earlier runs kept of what never changes, for a scope; nil when everything is to be asked for.
    let kept: @Sendable (_ scope: String) -> KeptBytes?
    /// The tokens of service accounts, so that one account makes one token.
    let tokens = SharedTokens()
    /// The snapshot files that were read, so that each is read once for all apps.
    let files = SnapshotShelf()

    /// Every source is asked by the same sender, for everything.
    init(_ sender: some Sender) {
        self.sender = { _ in sender }
        kept = { _ in nil }
    }

    /// For each scope a sender, and what was kept.
    init(
        kept: @escaping @Sendable (_ scope: String) -> KeptBytes?,
        sender: @escaping @Sendable (_ scope: String) -> any Sender
    ) {
        self.kept = kept
        self.sender = sender
    }

    /// For looking at sources without asking any.
    static let unsent = FetchServices(UnsentSender())
}

/// Sends nothing.
private struct UnsentSender: Sender {
    func send(_ request: Request) async throws(TransportError) -> Response {
        throw TransportError(.closed, request.address, doing: "planning", redaction: request.redaction)
    }
}
