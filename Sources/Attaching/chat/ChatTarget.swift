import AppHealth
import Diagnostics
import Markup
import Publishing
import Settings
import Transport

/// How one chat service wants a message.
protocol ChatDialect: Sendable {
    /// What the service is called.
    var name: String { get }
    /// The body of the request for a message.
    func body(_ summary: AttachedSummary) -> [UInt8]
    /// The parameters that a request for a new message has.
    var parameters: [(String, String)] { get }
    /// The name of the message in the response to a request; nil where a message cannot be edited, or the
    /// response does not say.
    func message(in response: Response) -> String?
    /// The segments below the webhook's address at which a message is edited; nil where it cannot be.
    func editing(_ message: String) -> [String]?
    /// Whether the response to a request for a message says that it is not there.
    func isGone(_ response: Response) -> Bool
}

extension ChatDialect {
    var parameters: [(String, String)] { [] }
    func message(in response: Response) -> String? { nil }
    func editing(_ message: String) -> [String]? { nil }
    func isGone(_ response: Response) -> Bool { false }
}

/// The keys that a chat has.
let chatKeys: [SettingKey] = [
    .required("url", .secret(.variable), example: "CHAT_URL", "URL of the webhook, which is a secret"),
    AttachSchedule.key,
]

/// A chat behind an incoming webhook. Its address is a secret, and a message that was sent stays.
struct ChatTarget: AttachTarget {
    private let dialect: any ChatDialect
    private let url: Address
    private let caller: ServiceCaller
    let schedule: AttachSchedule?

    init(_ dialect: any ChatDialect, _ setup: TargetSetup) throws(Diagnostic) {
        self.dialect = dialect
        url = try secretAddress(setup)
        caller = ServiceCaller(dialect.name, at: url, setup)
        schedule = setup.text("when").flatMap(AttachSchedule.init) ?? .daily
    }

    var address: String { url.text }
    var place: String { "\(dialect.name) (\(url.origin.host))" }
    var repetition: Repetition { dialect.editing("1") == nil ? .appends : .edits }

    func obstacles() async -> [Diagnostic] { await caller.unreachable() }

    func draft(_ summary: AttachedSummary) throws(Diagnostic) -> String {
        String(decoding: dialect.body(summary), as: UTF8.self) + "\n"
    }

    func send(
        _ summary: AttachedSummary, over remotes: Set<String>, isDryRun: Bool
    ) async throws(AttachFailure) -> AttachReceipt {
        let remote = remotes.first
        let path = remote.flatMap(dialect.editing)
        if isDryRun {
            guard let path else { return AttachReceipt(.created) }
            return try await isGone(path) ? gone : AttachReceipt(.replaced)
        }
        let address = try caller.secretAddress(path ?? [], path == nil ? dialect.parameters : [])
        let response = try await caller.call(
            path == nil ? .post : .patch, address, json: dialect.body(summary), repeats: path != nil
        ) { $0.conceal(addressOf: address) }
        await caller.pause()
        if path != nil, dialect.isGone(response) { return gone }
        guard response.isFine else {
            var refused = RefusedCall(
                "Cannot send the summary to \(place)", by: dialect.name,
                needs: "a webhook that exists and is not turned off")
            refused.repeats = path != nil
            refused.leadsTo = refused.needs
            throw response.refusal(of: refused)
        }
        return AttachReceipt(
            path == nil ? .created : .replaced, remote: dialect.message(in: response) ?? remote)
    }

    /// Whether a message is there no more; what else its service answers is said when the message is edited.
    private func isGone(_ path: [String]) async throws(AttachFailure) -> Bool {
        let address = try caller.secretAddress(path, [])
        return dialect.isGone(try await caller.call(.get, address) { $0.conceal(addressOf: address) })
    }

    private var gone: AttachReceipt {
        .gone("the message is no longer there, or is of another webhook or thread")
    }
}

/// The address in the key `url`, which no text shows.
func secretAddress(_ setup: TargetSetup) throws(Diagnostic) -> Address {
    let secret = try setup.requiredSecret("url")
    if let address = try? Address(String(decoding: secret.signingBytes, as: UTF8.self)) { return address }
    throw .usage(
        "attach.url", "The URL of the target '\(setup.id)' is not valid",
        hints: ["copy it again from the service; it begins with https://"])
}

extension ServiceCaller {
    /// The address below a webhook's; what is wrong with it is not shown, as it is a secret.
    func secretAddress(
        _ segments: [String], _ query: [(String, String)]
    ) throws(AttachFailure) -> Address {
        if let address = try? address(segments, query) { return address }
        throw AttachFailure(.error("attach.url", "The URL of \(name) is not valid", hints: ["copy it again"]))
    }
}

extension Request {
    /// Hides an address that is itself a secret, but for its origin.
    mutating func conceal(addressOf address: Address) {
        for part in [address.text, address.path, address.query ?? ""] where part.count > 1 {
            if let secret = Secret(part) { conceal(secret) }
        }
        // Part of the path may be quoted.
        for part in address.path.split(separator: "/") where part.count > 7 {
            if let secret = Secret(String(part)) { conceal(secret) }
        }
    }
}

/// The blocks without folds: what a chat cannot fold is under a title.
func unfolded(_ blocks: [Block]) -> [Block] {
    blocks.flatMap { block -> [Block] in
        guard case .folded(let title, let inner) = block else { return [block] }
        return [.lines([[.strong(title)]])] + unfolded(inner)
    }
}
