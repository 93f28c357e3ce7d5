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
    init(_ exchanges: Exchanges, limits: [Origin: RateLimit], client: Client) throws(Diagnostic) {
        self.client = client
        let limiter = RateLimiter(limits)
        do throws(RecordingError) {
            switch exchanges {
            case .live:
                recording = nil
                sender = RetryingClient(RateLimitedClient(client, limiter: limiter))
            case .recorded(let folder):
                let recorder = try RecordingSender(client, folder: folder)
                recording = recorder
                sender = RetryingClient(RateLimitedClient(recorder, limiter: limiter))
            case .replayed(let folder):
                recording = nil
                sender = try ReplayingSender(folder: folder)
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
