import Foundation
import LoopbackServer
import Synchronization

/// A code host on loopback that keeps releases and comments, and checks each request and each of its answers against
/// what its vendor describes.
final class HostStub: Sendable {
    enum Kind: String, Sendable, CaseIterable { case github, forgejo, gitlab }

    /// A release; one of GitLab without a time was released when the tests run.
    struct Release: Equatable { var tag: String, body: String, isDraft = false, releasedAt: String? = nil }
    /// A comment; its author is empty when the account is gone.
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
    private let contract: VendorContract
    /// Whether its answers have no more than they must.
    private let isSparse: Bool
    /// Whether the token is that of a job, for which GitLab has neither private projects nor their tags.
    private let isJob: Bool
    private let state: Mutex<State>
    private let holder: Holder

    private final class Holder: Sendable {
        let answer = Mutex<(@Sendable (RecordedRequest) -> StubResponse)?>(nil)
    }

    /// Starts a host.
    ///
    /// - Parameter isSparse: whether its answers have no more than they must, instead of all that is described.
    /// - Parameter fault: answers in the place of serving a request, by its number from 1; no vendor describes it.
    static func start(
        _ kind: Kind, isPrivate: Bool = true, account: String? = "plimsoll-bot", isSparse: Bool = false,
        isJob: Bool = false,
        fault: @escaping @Sendable (Int, RecordedRequest) -> StubResponse? = { _, _ in nil }
    ) async throws -> HostStub {
        let (contract, holder) = (try VendorContract(kind.rawValue), Holder())
        let server = try await LoopbackServer.start { request in
            holder.answer.withLock { $0 }?(request) ?? StubResponse(status: 503)
        }
        let stub = HostStub(kind, contract, isSparse, isJob, server, holder)
        holder.answer.withLock {
            $0 = { [weak stub] request in
                guard let stub else { return StubResponse(status: 503) }
                let number = stub.state.withLock { state in
                    state.count += 1
                    return state.count
                }
                stub.contract.faults(of: VendorCall(request)).forEach(stub.complain)
                if let response = fault(number, request) { return response }
                guard stub.check(request) else {
                    return .json(#"{"message":"Bad credentials"}"#, status: 401)
                }
                let response = stub.answer(request, isPrivate: isPrivate, account: account)
                stub.contract.faults(of: response, to: VendorCall(request)).forEach(stub.complain)
                return response
            }
        }
        return stub
    }

    private init(
        _ kind: Kind, _ contract: VendorContract, _ isSparse: Bool, _ isJob: Bool, _ server: LoopbackServer,
        _ holder: Holder
    ) {
        (self.kind, self.contract, self.isSparse, self.isJob) = (kind, contract, isSparse, isJob)
        (self.server, self.holder) = (server, holder)
        state = Mutex(State())
    }

    /// The URL of its API.
    var api: String { server.origin + contract.base }
    var now: State { state.withLock { $0 } }
    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    // MARK: Headers and fields, of which documents say little

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
            case .gitlab: [(isJob ? "JOB-TOKEN" : "PRIVATE-TOKEN", Self.token)]
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

    private func fields(
        _ request: RecordedRequest, _ names: Set<String>, optional: Set<String> = []
    ) -> [String: String] {
        let body = json(request.body)
        if Set(body.keys).subtracting(optional) != names {
            complain("\(request.method) \(request.target): fields \(body.keys.sorted())")
        }
        return body.compactMapValues { $0 as? String }
    }

    private func answer(_ request: RecordedRequest, isPrivate: Bool, account: String?) -> StubResponse {
        let target = request.target.prefix { $0 != "?" }.dropFirst(contract.base.count)
        let path = target.split(separator: "/").map { $0.removingPercentEncoding ?? "" }
        if request.target.contains("//") { complain("empty segment in \(request.target)") }
        let root = kind == .gitlab ? ["projects", "team/lamp"] : ["repos", "team", "lamp"]
        if path == ["user"] {
            guard let account else {
                return .json(#"{"message":"Resource not accessible by integration"}"#, status: 403)
            }
            let name = kind == .gitlab ? "username" : "login"
            return whole([name: account], request)
        }
        guard path.starts(with: root) else { return notFound }
        let rest = Array(path.dropFirst(root.count))
        if isJob, isPrivate, rest.first != "releases" { return notFound }
        if rest.isEmpty {
            return kind == .gitlab
                ? whole(["visibility": isPrivate ? "private" : "public"], request)
                : whole(["private": isPrivate], request)
        }
        return kind == .gitlab ? gitlab(request, rest) : repository(request, rest)
    }

    private let notFound = StubResponse.json(#"{"message":"404 Not Found"}"#, status: 404)

    /// What is said, within all that the vendor describes of the answer.
    private func whole(
        _ said: Any, _ request: RecordedRequest, status: Int = 200, next: Bool = false
    ) -> StubResponse {
        let link = #"<http://127.0.0.1/x?page=9>; rel="next", <http://x>; rel="last""#
        return contract.answer(
            to: VendorCall(request), status: status, saying: said, isSparse: isSparse,
            headers: next ? [("Link", link)] : [])
    }

    private func shown(_ release: Release, _ id: Int) -> [String: Any] {
        var said: [String: Any] = ["tag_name": release.tag]
        if kind != .gitlab {
            said["id"] = id
            said["draft"] = release.isDraft
        } else {
            said["upcoming_release"] = false
            said["released_at"] = release.releasedAt ?? "\(runAt)"
        }
        // Notes that are empty need not be there.
        if !isSparse || !release.body.isEmpty {
            said[kind == .gitlab ? "description" : "body"] = release.body
        }
        return said
    }

    private func repository(_ request: RecordedRequest, _ path: [String]) -> StubResponse {
        let now = now
        switch (request.method, path.first ?? "", path.count) {
        case ("GET", "releases", 3) where path[1] == "tags":
            guard let id = now.releases.firstIndex(where: { $0.tag == path[2] && !$0.isDraft }) else {
                return notFound
            }
            return whole(shown(now.releases[id], id), request)
        case ("GET", "releases", 2) where kind == .github && path[1] == "latest":
            guard let id = now.releases.lastIndex(where: { !$0.isDraft }) else { return notFound }
            return whole(shown(now.releases[id], id), request)
        case ("GET", "releases", 1):
            return whole(now.releases.enumerated().map { shown($0.element, $0.offset) }, request)
        case ("PATCH", "releases", 2):
            let body = fields(request, ["body"])["body"] ?? ""
            guard let id = Int(path[1]), now.releases.indices.contains(id) else { return notFound }
            if body.utf16.count > 125_000 { return tooLong }
            change { ($0.releases[id].body, $0.writes) = (body, $0.writes + 1) }
            return whole(shown(self.now.releases[id], id), request)
        case ("POST", "releases", 1):
            let new = fields(
                request, ["tag_name", "name", "body", "prerelease"],
                optional: kind == .github ? ["make_latest"] : [])
            let release = Release(tag: new["tag_name"] ?? "", body: new["body"] ?? "")
            change {
                $0.releases.append(release)
                $0.writes += 1
            }
            return whole(shown(release, now.releases.count), request, status: 201)
        case ("GET", "git", 4) where kind == .github && path[1...2] == ["ref", "tags"]:
            return now.tags.contains(path[3]) ? whole(["ref": "refs/tags/\(path[3])"], request) : notFound
        case ("GET", "tags", 2) where kind == .forgejo:
            return now.tags.contains(path[1]) ? whole(["name": path[1]], request) : notFound
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
            return whole(shown(self.now.releases[id], id), request)
        case ("GET", "releases", 1):
            if request.parameter("order_by") != "released_at" || request.parameter("sort") != "desc" {
                complain("order: \(request.target)")
            }
            let newest = now.releases.enumerated().reversed().sorted {
                ($0.element.releasedAt ?? "\(runAt)") > ($1.element.releasedAt ?? "\(runAt)")
            }
            return whole(newest.map { shown($0.element, $0.offset) }, request)
        case ("POST", "releases", 1):
            let new = fields(
                request, ["tag_name", "name", "description"], optional: ["released_at"])
            let release = Release(
                tag: new["tag_name"] ?? "", body: new["description"] ?? "", releasedAt: new["released_at"])
            guard now.tags.contains(release.tag) else {
                return .json(#"{"message":"Ref is not specified"}"#, status: 422)
            }
            change {
                $0.releases.append(release)
                $0.writes += 1
            }
            return whole(shown(release, now.releases.count), request, status: 201)
        case ("GET", "repository", 3):
            return now.tags.contains(path[2]) ? whole(["name": path[2]], request) : notFound
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

    // MARK: Comments, two a page; Forgejo gives all at once

    private func comments(_ request: RecordedRequest, _ person: String, _ name: String) -> StubResponse {
        let all = now.comments.enumerated().map { id, comment -> [String: Any] in
            var said: [String: Any] = ["id": id, "body": comment.body]
            if !comment.author.isEmpty { said[person] = [name: comment.author] }
            return said
        }
        if kind == .forgejo { return whole(all, request) }
        if request.parameter("per_page") != "100" { complain("per_page") }
        let page = Int(request.parameter("page") ?? "") ?? 1
        return whole(Array(all.dropFirst((page - 1) * 2).prefix(2)), request, next: all.count > page * 2)
    }

    private func addComment(_ request: RecordedRequest) -> StubResponse {
        let body = fields(request, ["body"])["body"] ?? ""
        change {
            $0.comments.append(Comment(author: "plimsoll-bot", body: body))
            $0.writes += 1
        }
        let said: [String: Any] = ["id": now.comments.count - 1, "body": body]
        return whole(said, request, status: 201)
    }

    private func writeComment(_ request: RecordedRequest, _ id: String) -> StubResponse {
        let body = fields(request, ["body"])["body"] ?? ""
        guard let id = Int(id), now.comments.indices.contains(id) else { return notFound }
        change { ($0.comments[id].body, $0.writes) = (body, $0.writes + 1) }
        let said: [String: Any] = ["id": id, "body": body]
        return whole(said, request)
    }
}
