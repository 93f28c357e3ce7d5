import Diagnostics
import Transport

/// Where the answers of a fetch come from.
enum Exchanges: Sendable {
    /// The services.
    case live
    /// The services; each exchange is written to a folder, free of secrets.
    case recorded(folder: String)
    /// A folder that an earlier fetch recorded; nothing is asked.
    case replayed(folder: String)
}

/// The layers through which every request of a fetch goes.
struct SenderChain: Sendable {
    /// Retries, then limits, then records or answers.
    let sender: any Sender
    private let client: Client
    private let recording: RecordingSender?

    /// Makes the layers.
    ///
    /// - Throws: a `Diagnostic` when the folder of exchanges cannot be used.
    init(
        _ exchanges: Exchanges, limits: [Origin: RateLimit], client: Client,
        policy: RetryPolicy = RetryPolicy(), pacing: Pacing = .system
    ) throws(Diagnostic) {
        self.client = client
        let limiter = RateLimiter(limits, pacing: pacing)
        func retrying(_ base: some Sender) -> RetryingClient {
            RetryingClient(
                RateLimitedClient(base, limiter: limiter, pacing: pacing), policy: policy, pacing: pacing)
        }
        do throws(RecordingError) {
            switch exchanges {
            case .live:
                recording = nil
                sender = retrying(client)
            case .recorded(let folder):
                let recorder = try RecordingSender(client, folder: folder)
                recording = recorder
                sender = retrying(recorder)
            case .replayed(let folder):
                recording = nil
                var immediate = pacing
                immediate.sleep = { _ in }
                sender = RetryingClient(
                    try ReplayingSender(folder: folder), policy: policy, pacing: immediate)
            }
        } catch {
            throw error.diagnostic
        }
    }

    /// Ends the client; tells what could not be recorded.
    func close() async -> Diagnostic? {
        await client.close()
        return recording?.fault?.diagnostic
    }
}
