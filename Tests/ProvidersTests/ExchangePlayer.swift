import Foundation
import LoopbackServer

/// Plays exchanges as a stub service does, and refuses as BugSnag does.
///
/// An exchange is `{"request": {"method", "url"}, "response": {"status", "headers", "body"}}`. The origin in
/// link headers and bodies is replaced by the stub's own.
struct ExchangePlayer: Sendable {
    static let recordedOrigin = "https://api.bugsnag.com"

    struct Exchange: Sendable {
        var target: String
        var status: Int
        var headers: [(name: String, value: String)]
        var body: String
    }

    var exchanges: [Exchange]
    var token: String

    /// Loads files that hold a list of exchanges; only what was read with GET is kept.
    init(files: [String], token: String) throws {
        self.token = token
        exchanges = try files.flatMap(Self.load)
    }

    private static func load(_ path: String) throws -> [Exchange] {
        let root = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        return try (root as? [[String: Any]] ?? []).compactMap { item in
            guard let request = item["request"] as? [String: Any], request["method"] as? String == "GET",
                let url = request["url"] as? String, let response = item["response"] as? [String: Any],
                let status = response["status"] as? Int, let body = response["body"]
            else { return nil }
            let data = try JSONSerialization.data(
                withJSONObject: body, options: [.fragmentsAllowed, .withoutEscapingSlashes])
            return Exchange(
                target: url.replacing(recordedOrigin, with: ""), status: status,
                headers: (response["headers"] as? [String: String] ?? [:]).map { ($0.key, $0.value) },
                body: String(decoding: data, as: UTF8.self))
        }
    }

    func answer(_ request: RecordedRequest, origin: String) -> StubResponse {
        guard request.header("Authorization") == "token \(token)" else {
            return .json(#"{"errors":["Bad credentials"]}"#, status: 401)
        }
        guard request.header("X-Version") == "2" else {
            return .json(#"{"errors":["Missing or unknown API version"]}"#, status: 400)
        }
        guard let exchange = exchange(for: request.target) else {
            return .json(#"{"errors":["Not found"]}"#, status: 404)
        }
        let own = exchange.headers.map { header in
            (name: header.name, value: header.value.replacing(Self.recordedOrigin, with: origin))
        }
        return .json(
            exchange.body.replacing(Self.recordedOrigin, with: origin), status: exchange.status,
            headers: own.filter { $0.name.lowercased() != "content-type" })
    }

    /// The exchange of this very target; otherwise, for a first page, one that was recorded without a query.
    private func exchange(for target: String) -> Exchange? {
        let path = target.prefix { $0 != "?" }
        let isFirst = !target.contains("offset") && !target.contains("page_token")
        return exchanges.first { $0.target == target } ?? exchanges.first { isFirst && $0.target == path }
    }
}
