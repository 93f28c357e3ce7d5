import LoopbackServer
import Synchronization

/// A chat service of the tests: where its webhook is, and who describes what it takes and answers.
struct ChatService: Sendable {
    let name: String
    /// The path of a webhook, which is a secret.
    let path: String
    /// The parameters of its address, with the question mark.
    var parameters = ""
    /// The vendor's description. There is none of the incoming webhooks of Slack and Mattermost.
    var contract: String?

    static let all: [ChatService] = [
        ChatService(name: "slack", path: "/services/T0SECRET9/B1SECRET8/X2SECRET7"),
        ChatService(name: "mattermost", path: "/hooks/x3SECRET6y"),
        ChatService(name: "teams", path: "/workflows/w4SECRET5/triggers/manual", contract: "teams"),
        ChatService(
            name: "discord", path: "/api/v10/webhooks/1108440404332990505/T5SECRET4-u", contract: "discord"),
        ChatService(
            name: "google-chat", path: "/v1/spaces/A6SECRET3/messages",
            parameters: "?key=SECRETKEY&token=SECRETTOKEN", contract: "google-chat"),
    ]

    /// What it answers when it has taken a message.
    fileprivate func answer(to call: VendorCall, by contract: VendorContract?) -> StubResponse {
        guard let contract else { return .text("ok") }
        let message = json(call.body)
        switch name {
        case "discord":
            let said: [String: Any] = ["id": "77", "content": message["content"] ?? ""]
            return contract.answer(to: call, saying: said)
        case "google-chat":
            // A webhook hears no more than the name of the message.
            let said = message.merging(["name": "spaces/A/messages/B"]) { $1 }
            return contract.answer(to: call, saying: said, isSparse: true)
        default: return StubResponse(status: 202)
        }
    }
}

/// A chat on loopback, which checks each request and each of its answers against what its vendor describes.
final class ChatStub: Sendable {
    let server: LoopbackServer
    private let log: Log

    private final class Log: Sendable {
        let complaints = Mutex<[String]>([])
        let count = Mutex(0)

        func add(_ faults: [String]) { complaints.withLock { $0 += faults } }

        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    /// Starts a chat.
    ///
    /// - Parameter fault: answers in the place of the service, by the request's number from 1; no vendor describes it.
    static func start(
        _ service: ChatService,
        fault: @escaping @Sendable (Int, RecordedRequest) -> StubResponse? = { _, _ in nil }
    ) async throws -> ChatStub {
        let contract = try service.contract.map { try VendorContract($0) }
        let address = VendorCall(method: "POST", target: service.path + service.parameters)
        let given = Set(address.query.map { $0.name })
        let log = Log()
        let server = try await LoopbackServer.start { request in
            let (number, call) = (log.next(), VendorCall(request))
            if let contract { log.add(contract.faults(of: call, given: given)) }
            if let response = fault(number, request) { return response }
            let answer = service.answer(to: call, by: contract)
            if let contract { log.add(contract.faults(of: answer, to: call)) }
            return answer
        }
        return ChatStub(server, log)
    }

    private init(_ server: LoopbackServer, _ log: Log) { (self.server, self.log) = (server, log) }

    /// What did not fit.
    var complaints: [String] { log.complaints.withLock { $0 } }
}
