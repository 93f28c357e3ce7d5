import LoopbackServer
import Testing

/// What holds stand-ins against the documents of vendors finds faults itself.
struct VendorContractTests {
    private static let lamp = "/repos/team/lamp"
    private static let webhook = "/api/v10/webhooks/1108440404332990505/token"

    /// A request of a contract, and the fault that is found; nil when it is as described.
    private static let requests: [(contract: String, request: String, body: String, fault: String?)] = [
        ("github", "PATCH \(lamp)/releases/7", #"{"body":"x"}"#, nil),
        ("github", "PATCH \(lamp)/releases/7", #"{"text":"x"}"#, "$: unknown text"),
        ("github", "PATCH \(lamp)/releases/7", #"{"body":7}"#, "$.body: not"),
        ("github", "PATCH \(lamp)/releases/7", "{", "not JSON"),
        ("github", "PATCH \(lamp)/releases/v1", #"{"body":"x"}"#, "$.release_id: not"),
        ("github", "POST \(lamp)/releases", #"{"name":"x"}"#, "$: no tag_name"),
        ("github", "GET \(lamp)/releases?per_page=100&page=2", "", nil),
        ("github", "GET \(lamp)/releases?limit=50", "", "$: unknown limit"),
        ("github", "GET \(lamp)/releases?page=last", "", "$.page: not"),
        ("github", "GET \(lamp)/releases", "{}", "a body is not described"),
        ("github", "GET \(lamp)/git/ref/tags/v1", "", nil),
        ("github", "GET \(lamp)/git/ref/v1", "", "does not match"),
        ("github", "GET \(lamp)/release", "", "not described: GET"),
        ("github", "DELETE \(lamp)/releases/7", "", "not described: DELETE"),
        ("github", "GET \(lamp)/releases/tags/", "", "not described: GET"),
        ("forgejo", "GET /api/v1\(lamp)/issues/12/comments?page=1", "", "$: unknown page"),
        ("forgejo", "GET \(lamp)/issues/12/comments", "", "not described: GET"),
        ("gitlab", "GET /api/v4/projects/team%2Flamp/releases/lamp%2Fv1", "", nil),
        ("gitlab", "GET /api/v4/projects/team/lamp/releases/v1", "", "not described: GET"),
        ("discord", "POST \(webhook)?wait=true", #"{"content":"x"}"#, nil),
        ("discord", "POST \(webhook)?wait=1", #"{"content":"x"}"#, "$.wait: not"),
        ("discord", "GET \(webhook)/messages/77?thread_id=12", "", nil),
        ("discord", "GET \(webhook)/messages/77?wait=true", "", "$: unknown wait"),
        ("discord", "POST \(webhook)", #"{"text":"x"}"#, "$: unknown text"),
        ("discord", "POST /api/v10/webhooks/name/token", #"{"content":"x"}"#, "does not match"),
        (
            "discord", "POST \(webhook)", #"{"content":"\#(String(repeating: "x", count: 2001))"}"#,
            "$.content: too long"
        ),
        ("discord", "POST \(webhook)", #"{"username":""}"#, "$.username: too short"),
        (
            "teams", "POST /hook",
            #"{"attachments":[{"content":{"type":"AdaptiveCard","version":"1.4","body":[{"type":"TextBlock"}]}}]}"#,
            "$.attachments[0].content.body[0]: no text"
        ),
    ]

    @Test(arguments: requests.indices)
    func findsTheFaultsOfARequest(index: Int) throws {
        let row = Self.requests[index]
        let found = try VendorContract(row.contract).faults(of: Self.call(row.request, row.body))
        check(found, row.fault)
    }

    /// An answer to a request, and the fault that is found.
    private static let answers:
        [(contract: String, request: String, status: Int, body: String, fault: String?)] = [
            (
                "github", "GET \(lamp)/git/ref/tags/v1", 200,
                #"{"node_id":"n","object":{},"ref":"refs/tags/v1","url":"u"}"#, nil
            ),
            (
                "github", "GET \(lamp)/git/ref/tags/v1", 200, #"{"node_id":"n","object":{},"url":"u"}"#,
                "$: no ref"
            ),
            ("github", "GET \(lamp)/releases", 200, "{}", "$: not"),
            ("github", "GET \(lamp)/releases", 200, #"[{"id":"7"}]"#, "$[0].id: not"),
            ("github", "GET \(lamp)/releases", 418, "[]", "status 418 is not described"),
            ("github", "GET \(lamp)", 404, "gone", "not JSON"),
            ("gitlab", "GET /api/v4/projects/7", 404, "gone", nil),
            ("discord", "POST \(webhook)", 404, #"{"code":10015,"message":"Unknown Webhook"}"#, nil),
            ("discord", "POST \(webhook)", 404, "{}", "$: no code"),
            ("discord", "POST \(webhook)", 500, "{}", "status 500 is not described"),
        ]

    @Test(arguments: answers.indices)
    func findsTheFaultsOfAnAnswer(index: Int) throws {
        let row = Self.answers[index]
        let answer = StubResponse(status: row.status, body: Array(row.body.utf8))
        let found = try VendorContract(row.contract).faults(of: answer, to: Self.call(row.request))
        check(found, row.fault)
    }

    /// What is made for an answer is as described, with all that it may have and with as little as it may.
    @Test(arguments: ["github", "forgejo", "gitlab", "discord", "google-chat"], [false, true])
    func answersAreAsDescribed(name: String, isSparse: Bool) throws {
        let contract = try VendorContract(name)
        #expect(!contract.operations.isEmpty)
        for (operation, facts) in contract.operations {
            let template = operation.replacing(#/\{\+ref\}/#, with: "tags/1").replacing(
                #/\{[^}]*\}/#, with: "1")
            let words = template.split(separator: " ")
            let call = VendorCall(method: String(words[0]), target: contract.base + words[1])
            for status in (facts["answers"] as? [String: Any] ?? [:]).keys.compactMap({ Int($0) }) {
                let schema = (facts["answers"] as? [String: [String: Any]])?["\(status)"]
                let isList = schema?["type"] as? String == "array"
                let said: Any = isList ? [[String: Any]()] : [String: Any]()
                let answer = contract.answer(to: call, status: status, saying: said, isSparse: isSparse)
                #expect(contract.faults(of: answer, to: call) == [], "\(operation) \(status)")
            }
        }
    }

    private static func call(_ request: String, _ body: String = "") -> VendorCall {
        let words = request.split(separator: " ").map(String.init)
        return VendorCall(method: words[0], target: words[1], body: Array(body.utf8))
    }

    private func check(_ found: [String], _ fault: String?) {
        if let fault {
            #expect(found.contains { $0.contains(fault) }, "\(found)")
        } else {
            #expect(found == [])
        }
    }
}
