import Foundation
import LoopbackServer
import Synchronization

/// A code host on loopback that keeps releases and comments, and checks each request against what its API documents.
final class HostStub: Sendable {
    enum Kind: String, Sendable, CaseIterable { case github, forgejo, gitlab }

    struct Release: Equatable { var tag: String, body: String, isDraft = false }
    struct Comment: Equatable { var author: String, body: String }

    struct State {
        var releases: [Release] = []
        var tags: Set<String> = []
        var comments: [Comment] = []
        var complaints: [String] = []
        var writes = 0
        var count = 0
    }

    static let token = "t0k/en+secret"
    let kind: Kind
    let server: LoopbackServer
    private let state: Mutex<State>
    private let holder: Holder

    private final class Holder: Sendable {
        let answer = Mutex<(@Sendable (RecordedRequest) -> StubResponse)?>(nil)
    }

    /// Starts a host.
    ///
    /// - Parameter fault: answers in the place of serving a request, by its number from 1.
    static func start(
        _ kind: Kind, isPrivate: Bool = true, account: String? = "plimsoll-bot",
        fault: @escaping @Sendable (Int, RecordedRequest) -> StubResponse? = { _, _ in nil }
    ) async throws -> HostStub {
        let holder = Holder()
        let server = try await LoopbackServer.start { request in
            holder.answer.withLock { $0 }?(request) ?? StubResponse(status: 503)
        }
        let stub = HostStub(kind, server, holder)
        holder.answer.withLock {
            $0 = { [weak stub] request in
                guard let stub else { return StubResponse(status: 503) }
                let number = stub.state.withLock { state in
                    state.count += 1
                    return state.count
                }
                if let response = fault(number, request) { return response }
                return stub.answer(request, isPrivate: isPrivate, account: account)
            }
        }
        return stub
    }

    private init(_ kind: Kind, _ server: LoopbackServer, _ holder: Holder) {
        (self.kind, self.server, self.holder) = (kind, server, holder)
        state = Mutex(State())
    }

    var now: State { state.withLock { $0 } }
    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    // MARK: What the API documents

    private func complain(_ text: String) { state.withLock { $0.complaints.append(text) } }

    private func check(_ request: RecordedRequest) -> Bool {
        let expected: [(String, String)] =
            switch kind {
            case .github:
                [
                    ("Authorization", "Bearer \(Self.token)"), ("X-GitHub-Api-Version", "2022-11-28"),
                    ("Accept", "application/vnd.github+json"),
                ]
            case .forgejo: [("Authorization", "token \(Self.token)")]
            case .gitlab: [("PRIVATE-TOKEN", Self.token)]
            }
        for (name, value) in expected where request.header(name) != value {
            complain("\(name): \(request.header(name) ?? "missing")")
        }
        if request.header("User-Agent") != "plimsoll/1.2.3" { complain("User-Agent") }
        if ["POST", "PATCH", "PUT"].contains(request.method),
            request.header("Content-Type") != "application/json"
        {
            complain("Content-Type")
        }
        return request.header(expected[0].0) == expected[0].1
    }

    private func fields(_ request: RecordedRequest, _ names: Set<String>) -> [String: String] {
        let body = json(request.body)
        if Set(body.keys) != names {
            complain("\(request.method) \(request.target): fields \(body.keys.sorted())")
        }
        return body.compactMapValues { $0 as? String }
    }

    private func answer(_ request: RecordedRequest, isPrivate: Bool, account: String?) -> StubResponse {
        guard check(request) else { return .json(#"{"message":"Bad credentials"}"#, status: 401) }
        let target = request.target.split(separator: "?")[0]
        let path = target.split(separator: "/").map { $0.removingPercentEncoding ?? "" }
        if request.target.contains("//") { complain("empty segment in \(request.target)") }
        let root = kind == .gitlab ? ["projects", "team/lamp"] : ["repos", "team", "lamp"]
        if path == ["user"] {
            guard let account else {
                return .json(#"{"message":"Resource not accessible by integration"}"#, status: 403)
            }
            return object(["login": account, "username": account])
        }
        guard path.starts(with: root) else { return notFound }
        let rest = Array(path.dropFirst(root.count))
        if rest.isEmpty {
            return object(
                kind == .gitlab ? ["visibility": isPrivate ? "private" : "public"] : ["private": isPrivate])
        }
        return kind == .gitlab ? gitlab(request, rest) : repository(request, rest)
    }

    private let notFound = StubResponse.json(#"{"message":"404 Not Found"}"#, status: 404)

    private func object(_ value: Any, status: Int = 200, next: Bool = false) -> StubResponse {
        let bytes = (try? JSONSerialization.data(withJSONObject: value)).map(Array.init) ?? []
        let link = next ? [("Link", #"<http://127.0.0.1/x?page=9>; rel="next", <http://x>; rel="last""#)] : []
        return StubResponse(
            status: status, headers: [("Content-Type", "application/json")] + link, body: bytes)
    }

    private func shown(_ release: Release, _ id: Int) -> [String: Any] {
        [
            "id": id, "tag_name": release.tag, "body": release.body, "draft": release.isDraft,
            "description": release.body,
        ]
    }

    private func repository(_ request: RecordedRequest, _ path: [String]) -> StubResponse {
        let now = now
        switch (request.method, path.first ?? "", path.count) {
        case ("GET", "releases", 3) where path[1] == "tags":
            guard let id = now.releases.firstIndex(where: { $0.tag == path[2] && !$0.isDraft }) else {
                return notFound
            }
            return object(shown(now.releases[id], id))
        case ("GET", "releases", 1):
            return object(now.releases.enumerated().map { shown($0.element, $0.offset) })
        case ("PATCH", "releases", 2):
            let body = fields(request, ["body"])["body"] ?? ""
            guard let id = Int(path[1]), now.releases.indices.contains(id) else { return notFound }
            if body.utf16.count > 125_000 { return tooLong }
            change { ($0.releases[id].body, $0.writes) = (body, $0.writes + 1) }
            return object(shown(Release(tag: "", body: body), id))
        case ("POST", "releases", 1):
            let new = fields(request, ["tag_name", "name", "body"])
            change {
                $0.releases.append(Release(tag: new["tag_name"] ?? "", body: new["body"] ?? ""))
                $0.writes += 1
            }
            return object(["id": now.releases.count], status: 201)
        case ("GET", "git", 4) where kind == .github && path[1...2] == ["ref", "tags"]:
            return now.tags.contains(path[3]) ? object(["ref": "refs/tags/\(path[3])"]) : notFound
        case ("GET", "tags", 2) where kind == .forgejo:
            return now.tags.contains(path[1]) ? object(["name": path[1]]) : notFound
        case ("GET", "issues", 3) where path[2] == "comments": return comments(request, "user", "login")
        case ("POST", "issues", 3) where path[2] == "comments": return addComment(request)
        case ("PATCH", "issues", 3) where path[1] == "comments": return writeComment(request, path[2])
        default:
            complain("\(request.method) \(request.target)")
            return notFound
        }
    }

    private func gitlab(_ request: RecordedRequest, _ path: [String]) -> StubResponse {
        let now = now
        switch (request.method, path.first ?? "", path.count) {
        case ("GET", "releases", 2), ("PUT", "releases", 2):
            if !request.target.contains("team%2Flamp") { complain("project: \(request.target)") }
            guard let id = now.releases.firstIndex(where: { $0.tag == path[1] }) else { return notFound }
            if request.method == "PUT" {
                let body = fields(request, ["description"])["description"] ?? ""
                change { ($0.releases[id].body, $0.writes) = (body, $0.writes + 1) }
            }
            return object(shown(self.now.releases[id], id))
        case ("POST", "releases", 1):
            let new = fields(request, ["tag_name", "name", "description"])
            change {
                $0.releases.append(Release(tag: new["tag_name"] ?? "", body: new["description"] ?? ""))
                $0.writes += 1
            }
            return object(["tag_name": new["tag_name"] ?? ""], status: 201)
        case ("GET", "repository", 3):
            return now.tags.contains(path[2]) ? object(["name": path[2]]) : notFound
        case ("GET", "merge_requests", 3), ("GET", "issues", 3):
            return comments(request, "author", "username")
        case ("POST", "merge_requests", 3), ("POST", "issues", 3): return addComment(request)
        case ("PUT", "merge_requests", 4), ("PUT", "issues", 4): return writeComment(request, path[3])
        default:
            complain("\(request.method) \(request.target)")
            return notFound
        }
    }

    private var tooLong: StubResponse {
        .json(#"{"message":"Validation Failed","errors":["body is too long"]}"#, status: 422)
    }

    // MARK: Comments, two a page

    private func comments(_ request: RecordedRequest, _ person: String, _ name: String) -> StubResponse {
        if request.parameter("per_page") != "100" { complain("per_page") }
        let page = Int(request.parameter("page") ?? "") ?? 1
        let all = now.comments.enumerated().map {
            ["id": $0.offset, "body": $0.element.body, person: [name: $0.element.author]] as [String: Any]
        }
        return object(Array(all.dropFirst((page - 1) * 2).prefix(2)), next: all.count > page * 2)
    }

    private func addComment(_ request: RecordedRequest) -> StubResponse {
        let body = fields(request, ["body"])["body"] ?? ""
        change {
            $0.comments.append(Comment(author: "plimsoll-bot", body: body))
            $0.writes += 1
        }
        return object(["id": now.comments.count - 1], status: 201)
    }

    private func writeComment(_ request: RecordedRequest, _ id: String) -> StubResponse {
        let body = fields(request, ["body"])["body"] ?? ""
        guard let id = Int(id), now.comments.indices.contains(id) else { return notFound }
        change { ($0.comments[id].body, $0.writes) = (body, $0.writes + 1) }
        return object(["id": id])
    }
}
