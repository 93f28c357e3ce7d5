import Providers
import Transport

/// What all sources of one run send with.
struct FetchServices: Sendable {
    /// The sender for a source; the scope keeps the kept responses of one credential from those of another.
    let sender: @Sendable (_ scope: String) -> any Sender
    /// What earlier runs kept of what never changes, for a scope; nil when everything is to be requested.
    let kept: @Sendable (_ scope: String) -> KeptBytes?
    /// Tokens and files that all sources of the run share.
    let shared = SharedResources()

    /// Every source uses the same sender and requests everything.
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

    /// For looking at sources without sending anything.
    static let unsent = FetchServices(UnsentSender())
}

/// Sends nothing.
private struct UnsentSender: Sender {
    func send(_ request: Request) async throws(TransportError) -> Response {
        throw TransportError(.closed, request.address, doing: "planning", redaction: request.redaction)
    }
}
