import Diagnostics
import Foundation
import Publishing
import Transport

/// GitHub, or Forgejo and Gitea, whose API is of the same shape.
struct RepositoryHost: CodeHost {
    /// What is different between the two.
    enum Kind: Sendable { case github, forgejo }

    let kind: Kind
    let owner: String
    let project: String
    private let caller: ServiceCaller

    init(_ kind: Kind, _ setup: TargetSetup) throws(Diagnostic) {
        let repository = try setup.required("repository")
        let parts = repository.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
            throw .usage(
                "attach.repository", "'\(repository)' is not a repository", hints: ["write it as owner/name"])
        }
        let token = try setup.requiredSecret("token")
        self.kind = kind
        (owner, project) = (parts[0], parts[1])
        let api = try setup.address("api", else: kind == .github ? "https://api.github.com" : nil)
        caller = ServiceCaller(kind == .github ? "GitHub" : "Forgejo", at: api, setup) {
            request throws(HeaderError) in
            if kind == .github {
                try request.headers.append("Accept", "application/vnd.github+json")
                try request.headers.append("X-GitHub-Api-Version", "2022-11-28")
            }
            try request.headers.append(
                "Authorization", prefix: kind == .github ? "Bearer " : "token ", token)
        }
    }

    var name: String { caller.name }
    var repository: String { "\(owner)/\(project)" }
    /// GitHub's are documented by its errors; of Forgejo none is known.
    var limits: (release: Int, comment: Int) { kind == .github ? (125_000, 65_536) : (1_000_000, 65_536) }

    func pause() async { await caller.pause() }

    private func address(
        _ segments: String..., query: [(String, String)] = []
    ) throws(AttachFailure) -> Address {
        try caller.address(["repos", owner, project] + segments, query)
    }

    private func refusal(
        _ response: Response, _ summary: String, needs: String, wasRead: Bool = false,
        issue: CommentedIssue? = nil
    ) -> AttachFailure {
        var call = RefusedCall("\(summary) of \(repository) at \(name)", by: name, needs: needs)
        (call.key, call.wasRead, call.issue) = ("repository", wasRead, issue)
        return response.refusal(of: call)
    }

    func isPublic() async throws(AttachFailure) -> Bool? {
        struct Repository: Decodable { let `private`: Bool? }
        let response = try await caller.call(.get, try address())
        guard response.isFine else {
            throw refusal(
                response, "Cannot read the repository", needs: "access to the repository, with \(rights)")
        }
        return try decoded(Repository.self, from: response, of: name).private.map { !$0 }
    }

    // MARK: Releases

    private struct Release: Decodable {
        let id: Int
        let tag_name: String
        let body: String?
        var found: HostRelease { HostRelease(id: String(id), tag: tag_name, body: body ?? "") }
    }

    func release(_ tag: String) async throws(AttachFailure) -> HostRelease? {
        let response = try await caller.call(.get, try address("releases", "tags", tag))
        if response.isFine { return try decoded(Release.self, from: response, of: name).found }
        guard response.status == 404 else {
            throw refusal(response, "Cannot read the release", needs: rights)
        }
        return try await draft(tag)
    }

    /// A draft is in the list only, for those who may write.
    private func draft(_ tag: String) async throws(AttachFailure) -> HostRelease? {
        for page in 1...3 {
            // The most that each gives.
            let size = kind == .github ? ("per_page", "100") : ("limit", "50")
            let response = try await caller.call(
                .get, try address("releases", query: [size, ("page", "\(page)")]))
            guard response.isFine else {
                throw refusal(response, "Cannot list the releases", needs: rights)
            }
            let found = try decoded([Release].self, from: response, of: name)
            if let release = found.first(where: { $0.tag_name == tag }) { return release.found }
            guard response.hasNextPage else { return nil }
        }
        return nil
    }

    func hasTag(_ tag: String) async throws(AttachFailure) -> Bool {
        let address =
            kind == .github ? try address("git", "ref", "tags", tag) : try address("tags", tag)
        let response = try await caller.call(.get, address)
        if response.status == 404 { return false }
        guard response.isFine else { throw refusal(response, "Cannot read the tag", needs: rights) }
        return true
    }

    var datesReleases: Bool { false }

    func latest() async throws(AttachFailure) -> HostLatest? {
        // Forgejo takes no word on it.
        guard kind == .github else { return nil }
        let response = try await caller.call(.get, try address("releases", "latest"))
        if response.status == 404 { return nil }
        guard response.isFine else {
            throw refusal(response, "Cannot read the latest release", needs: rights)
        }
        return HostLatest(
            tag: try decoded(Release.self, from: response, of: name).tag_name, releasedAt: nil)
    }

    private struct Body: Encodable { let body: String }

    /// The body alone: other fields would publish a draft or move a tag.
    func write(_ body: String, to release: HostRelease) async throws(AttachFailure) {
        let response = try await caller.call(
            .patch, try address("releases", release.id), json: jsonBody(Body(body: body)))
        guard response.isFine else {
            throw refusal(response, "Cannot write the release", needs: writeRights, wasRead: true)
        }
    }

    func create(_ release: NewRelease) async throws(AttachFailure) {
        struct New: Encodable {
            let tag_name, name, body: String
            let prerelease: Bool
            // GitHub alone has it; without it the release that is made last is the latest. With `legacy` it is the one of
            // the newest commit.
            let make_latest: String?
        }
        let latest = release.isLatest.map { "\($0)" } ?? "legacy"
        let new = New(
            tag_name: release.tag, name: release.tag, body: release.body, prerelease: release.isPrerelease,
            make_latest: kind == .github ? latest : nil)
        let response = try await caller.call(
            .post, try address("releases"), json: jsonBody(new), repeats: false)
        guard response.isFine else {
            throw refusal(response, "Cannot make the release", needs: writeRights, wasRead: true)
        }
    }

    private var rights: String { kind == .github ? "Contents: write" : "write:repository" }

    /// What a token has to be allowed to change a release, which may be more than to change the repository.
    private var writeRights: String {
        guard kind == .github else { return rights }
        return
            "\(rights), and Workflows: write where the commit of the release changes workflow files, which the token of a workflow cannot have"
    }

    // MARK: Comments

    func account() async throws(AttachFailure) -> String? {
        struct User: Decodable { let login: String }
        let response = try await caller.call(.get, try caller.address(["user"]))
        // The token of an app is no one's.
        if response.status == 403 || response.status == 404 { return nil }
        guard response.isFine else {
            throw response.refusal(
                of: RefusedCall("Cannot read the account at \(name)", by: name, needs: commentRights))
        }
        return try decoded(User.self, from: response, of: name).login
    }

    private struct Comment: Decodable {
        struct User: Decodable { let login: String }
        let id: Int
        let user: User?
        let body: String?
    }

    func comments(
        of issue: CommentedIssue, page: Int
    ) async throws(AttachFailure) -> ([HostComment], Bool) {
        // Forgejo gives them all at once.
        let query = kind == .github ? [("per_page", "100"), ("page", "\(page)")] : []
        let response = try await caller.call(
            .get, try address("issues", issue.number, "comments", query: query))
        guard response.isFine else {
            throw refusal(
                response, "Cannot read the comments of #\(issue.number)", needs: commentRights, issue: issue)
        }
        let found = try decoded([Comment].self, from: response, of: name).map {
            HostComment(id: String($0.id), author: $0.user?.login ?? "", body: $0.body ?? "")
        }
        return (found, kind == .github && response.hasNextPage)
    }

    func add(_ body: String, to issue: CommentedIssue) async throws(AttachFailure) -> String {
        struct Made: Decodable { let id: Int }
        let response = try await caller.call(
            .post, try address("issues", issue.number, "comments"), json: jsonBody(Body(body: body)),
            repeats: false)
        guard response.isFine else {
            throw refusal(
                response, "Cannot comment on #\(issue.number)", needs: commentRights, wasRead: true,
                issue: issue)
        }
        return String(try decoded(Made.self, from: response, of: name).id)
    }

    func write(
        _ body: String, to comment: HostComment, of issue: CommentedIssue
    ) async throws(AttachFailure) {
        let response = try await caller.call(
            .patch, try address("issues", "comments", comment.id), json: jsonBody(Body(body: body)))
        guard response.isFine else {
            throw refusal(
                response, "Cannot change the comment on #\(issue.number)", needs: commentRights,
                wasRead: true, issue: issue)
        }
    }

    private var commentRights: String {
        kind == .github ? "Issues: write, or Pull requests: write" : "write:issue"
    }
}

extension Response {
    /// Whether a list goes on (RFC 8288).
    var hasNextPage: Bool { headers.values(for: "Link").contains { $0.contains("rel=\"next\"") } }
}
