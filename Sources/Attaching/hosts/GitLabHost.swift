import AppHealth
import Diagnostics
import Foundation
import Publishing
import Transport

/// GitLab.
struct GitLabHost: CodeHost {
    /// The number of the project, or its path.
    let project: String
    private let caller: ServiceCaller
    private let isJobToken: Bool

    init(_ setup: TargetSetup) throws(Diagnostic) {
        let token = try setup.requiredSecret("token")
        isJobToken = setup.text("tokenKind") == "job"
        let header = isJobToken ? "JOB-TOKEN" : "PRIVATE-TOKEN"
        project = try setup.required("project")
        caller = ServiceCaller(
            "GitLab", at: try setup.address("api", else: "https://gitlab.com/api/v4"), setup
        ) { request throws(HeaderError) in
            try request.headers.append(header, token)
        }
    }

    let name = "GitLab"
    var repository: String { project }
    var limits: (release: Int, comment: Int) { (1_000_000, 1_000_000) }

    func pause() async { await caller.pause() }

    private func address(
        _ segments: String..., query: [(String, String)] = []
    ) throws(AttachFailure) -> Address {
        try caller.address(["projects", project] + segments, query)
    }

    private func refusal(
        _ response: Response, _ summary: String, wasRead: Bool = false, issue: CommentedIssue? = nil
    ) -> AttachFailure {
        var call = RefusedCall(
            "\(summary) of \(project) at GitLab", by: name, needs: "scope api, role Developer or above")
        (call.key, call.wasRead, call.issue) = ("project", wasRead, issue)
        return response.refusal(of: call)
    }

    func isPublic() async throws(AttachFailure) -> Bool? {
        struct Project: Decodable { let visibility: String? }
        let response = try await caller.call(.get, try address())
        // The token of a job may write releases and not read the project: GitLab answers it as it answers strangers, with
        // 404 unless the project is public (https://docs.gitlab.com/ci/jobs/ci_job_token/).
        if [401, 403].contains(response.status) || isJobToken && response.status == 404 { return nil }
        guard response.isFine else { throw refusal(response, "Cannot read the project") }
        return try decoded(Project.self, from: response, of: name).visibility.map { $0 == "public" }
    }

    // MARK: Releases

    func release(_ tag: String) async throws(AttachFailure) -> HostRelease? {
        struct Release: Decodable { let description: String? }
        let response = try await caller.call(.get, try address("releases", tag))
        if response.status == 404 { return nil }
        guard response.isFine else { throw refusal(response, "Cannot read the release") }
        let body = try decoded(Release.self, from: response, of: name).description ?? ""
        return HostRelease(id: tag, tag: tag, body: body)
    }

    func hasTag(_ tag: String) async throws(AttachFailure) -> Bool {
        let response = try await caller.call(.get, try address("repository", "tags", tag))
        if isJobToken, [401, 403, 404].contains(response.status) {
            // Where a job may not read the tags, the release is refused unless its tag is there, as it names no other place.
            return try await isPublic() != true
        }
        if response.status == 404 { return false }
        guard response.isFine else { throw refusal(response, "Cannot read the tag") }
        return true
    }

    let datesReleases = true

    func latest() async throws(AttachFailure) -> HostLatest? {
        struct Release: Decodable {
            let tag_name: String?
            let released_at: String?
            let upcoming_release: Bool?
        }
        // The latest is the one with the last time that has come.
        let query = [("order_by", "released_at"), ("sort", "desc"), ("per_page", "20")]
        let response = try await caller.call(.get, try address("releases", query: query))
        guard response.isFine else { throw refusal(response, "Cannot list the releases") }
        let found = try decoded([Release].self, from: response, of: name)
        return found.first { $0.upcoming_release != true }.flatMap { latest in
            latest.tag_name.map { HostLatest(tag: $0, releasedAt: latest.released_at.flatMap(Instant.init)) }
        }
    }

    func write(_ body: String, to release: HostRelease) async throws(AttachFailure) {
        struct Change: Encodable { let description: String }
        let response = try await caller.call(
            .put, try address("releases", release.tag), json: jsonBody(Change(description: body)))
        guard response.isFine else { throw refusal(response, "Cannot write the release", wasRead: true) }
    }

    func create(_ release: NewRelease) async throws(AttachFailure) {
        struct New: Encodable {
            let tag_name, name, description: String
            let released_at: String?
        }
        let new = New(
            tag_name: release.tag, name: release.tag, description: release.body,
            released_at: release.timeThere?.description)
        let response = try await caller.call(
            .post, try address("releases"), json: jsonBody(new), repeats: false)
        guard response.isFine else { throw refusal(response, "Cannot make the release", wasRead: true) }
    }

    // MARK: Comments

    func account() async throws(AttachFailure) -> String? {
        struct User: Decodable { let username: String }
        let response = try await caller.call(.get, try caller.address(["user"]))
        if response.status == 403 || response.status == 404 { return nil }
        guard response.isFine else { throw refusal(response, "Cannot read the account") }
        return try decoded(User.self, from: response, of: name).username
    }

    private struct Note: Decodable {
        struct User: Decodable { let username: String }
        let id: Int
        let author: User?
        let body: String?
    }

    private struct Body: Encodable { let body: String }

    private func notes(
        _ issue: CommentedIssue, _ more: String..., query: [(String, String)] = []
    ) throws(AttachFailure) -> Address {
        let kind = issue.isMergeRequest ? "merge_requests" : "issues"
        return try caller.address(["projects", project, kind, issue.number, "notes"] + more, query)
    }

    func comments(
        of issue: CommentedIssue, page: Int
    ) async throws(AttachFailure) -> ([HostComment], Bool) {
        let response = try await caller.call(
            .get, try notes(issue, query: [("per_page", "100"), ("page", "\(page)")]))
        guard response.isFine else { throw refusal(response, "Cannot read the comments", issue: issue) }
        let found = try decoded([Note].self, from: response, of: name).map {
            HostComment(id: String($0.id), author: $0.author?.username ?? "", body: $0.body ?? "")
        }
        return (found, response.hasNextPage)
    }

    func add(_ body: String, to issue: CommentedIssue) async throws(AttachFailure) -> String {
        let response = try await caller.call(
            .post, try notes(issue), json: jsonBody(Body(body: body)), repeats: false)
        guard response.isFine else {
            throw refusal(response, "Cannot add a comment", wasRead: true, issue: issue)
        }
        return String(try decoded(Note.self, from: response, of: name).id)
    }

    func write(
        _ body: String, to comment: HostComment, of issue: CommentedIssue
    ) async throws(AttachFailure) {
        let response = try await caller.call(
            .put, try notes(issue, comment.id), json: jsonBody(Body(body: body)))
        guard response.isFine else {
            throw refusal(response, "Cannot change the comment", wasRead: true, issue: issue)
        }
    }
}

extension NewRelease {
    /// When it was released, for GitLab, which wants no time of a current release, and whose latest is the one with the last
    /// time: a fix of an older version that came out after the latest is dated before that.
    fileprivate var timeThere: Instant? {
        if isLatest == true { return nil }
        let times = [cameOut.map(Instant.init(startOf:)), latest?.releasedAt?.advanced(bySeconds: -1)]
        return times.compactMap(\.self).min()
    }
}
