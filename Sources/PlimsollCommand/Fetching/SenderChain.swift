import AppHealth
import Diagnostics
import Providers
import Transport

/// Where the responses of a fetch come from.
enum Exchanges: Sendable {
    /// The services.
    case live
    /// The services; each exchange is written to a folder, free of secrets.
    case recorded(folder: String)
    /// A folder that an earlier fetch recorded; nothing is sent.
    case replayed(folder: String)

    /// Whether nothing is sent.
    var isReplayed: Bool {
        if case .replayed = self { true } else { false }
    }
}

/// The layers through which every request of a fetch goes.
struct SenderChain: Sendable {
    /// Kept responses, then the clocks, then the time of the run, then retries, then limits, then recording or replaying.
    let services: FetchServices
    /// What the services say of this machine's clock; a replay compares nothing.
    let clocks = ComparedClocks()
    private let client: Client
    private let cache: ResponseCache?
    private let recording: RecordingSender?

    /// Makes the layers. Responses are kept only of live exchanges: a recording must not depend on what an earlier
    /// run kept.
    ///
    /// - Parameter budget: The time of all requests together; a replay knows none.
    /// - Throws: a `Diagnostic` when the folder of exchanges cannot be used.
    init(
        _ exchanges: Exchanges, limits: [Origin: RateLimit], budget: RunBudget, cacheFolder: String,
        client: Client, policy: RetryPolicy = RetryPolicy(), pacing: Pacing = .system
    ) throws(Diagnostic) {
        self.client = client
        let limiter = RateLimiter(limits, pacing: pacing)
        let clocks = clocks
        func layers(over base: some Sender) -> some Sender {
            ClockCheckedClient(
                BudgetedClient(
                    RetryingClient(
                        RateLimitedClient(
                            base, limiter: limiter, pacing: pacing, mostMilliseconds: budget.milliseconds,
                            budget: budget),
                        policy: policy, pacing: pacing, budget: budget),
                    budget: budget), clocks)
        }
        do throws(RecordingError) {
            switch exchanges {
            case .live:
                let cache = ResponseCache(folder: cacheFolder)
                let base = layers(over: client)
                (self.cache, recording) = (cache, nil)
                services = FetchServices(kept: { KeptBytes(cache, scope: $0) }) { scope in
                    ConditionalClient(AccountClient(base, account: scope), cache: cache, scope: scope)
                }
            case .recorded(let folder):
                let recorder = try RecordingSender(client, folder: folder)
                (cache, recording) = (nil, recorder)
                let base = layers(over: recorder)
                services = FetchServices(kept: { _ in nil }) { scope in AccountClient(base, account: scope) }
            case .replayed(let folder):
                (cache, recording) = (nil, nil)
                services = FetchServices(
                    RetryingClient(
                        try ReplayingSender(folder: folder), policy: policy, pacing: .withoutWaiting))
            }
        } catch {
            throw error.diagnostic
        }
    }

    /// Ends the client and brings what was kept or recorded to the disk; reports what could not be.
    func close() async -> [Diagnostic] {
        await client.close()
        cache?.synchronize()
        recording?.synchronize()
        return (cache?.warnings ?? []) + [recording?.fault?.diagnostic].compactMap(\.self)
    }
}

extension Pacing {
    /// A recording holds every attempt: they are made again, but the time between them has passed.
    fileprivate static let withoutWaiting = Pacing(
        now: Pacing.system.now, random: { 0 }, sleep: { _ in }, milliseconds: Pacing.system.milliseconds)
}

/// What all sources of one run send with.
struct FetchServices: Sendable {
    /// The sender for a source; the scope keeps the kept responses of one credential from those of another.
    let sender: @Sendable (_ scope: String) -> any Sender
    /// What earlier runs kept of what never changes, for a scope; nil when everything is to be requested.
    let kept: @Sendable (_ scope: String) -> KeptBytes?
    /// The releases that a source of an app named in earlier runs.
    var knownReleases: @Sendable (_ app: Slug, _ source: Slug) -> [Release] = { _, _ in [] }
    /// The issues that a source of an app named in earlier runs.
    var knownIssues: @Sendable (_ app: Slug, _ source: Slug) -> KnownIssues = { _, _ in KnownIssues() }
    /// What a source of an app counted in earlier runs, by day.
    var knownCounts: @Sendable (_ app: Slug, _ source: Slug) -> KnownCounts = { _, _ in KnownCounts() }
    /// A source of an app as its last run described it.
    var describedBefore: @Sendable (_ app: Slug, _ source: Slug) -> Source? = { _, _ in nil }
    /// Which data of its service a source of an app read when something was last stored of it.
    var storedData: @Sendable (_ app: Slug, _ source: Slug) -> StoredData = { _, _ in StoredData() }
    /// When a source of an app was last read.
    var lastFetch: @Sendable (_ app: Slug, _ source: Slug) -> LastFetch = { _, _ in .unknown }
    /// When the newest stored snapshot of a source of an app from before an instant was captured.
    var captureBefore: @Sendable (_ app: Slug, _ source: Slug, _ instant: Instant) -> Instant? = { _, _, _ in
        nil
    }
    /// Does something once what a source of an app reports is stored.
    var whenStored: @Sendable (_ app: Slug, _ source: Slug, @escaping @Sendable () -> Void) -> Void = {
        $2()
    }
    /// Tokens and files that all sources of the run share.
    var shared = SharedResources()

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
