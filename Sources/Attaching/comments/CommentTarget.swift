import AppHealth
import Diagnostics
import Publishing
import Settings
import Transport

private let commentKeys: [SettingKey] = [
    .optional(
        "author", .textOrVariable, example: "github-actions[bot]",
        "account of the comment, where the token cannot tell (default: that of the token)"),
    AttachSchedule.key,
]

extension AttachDescriptor {
    /// A comment on GitHub.
    package static let githubComment = AttachDescriptor(
        BlockSchema(
            "github-comment", title: "GitHub comment",
            summary: "One comment on an issue or a pull request on GitHub, which is updated",
            keys: [
                .required(
                    "repository", .textOrVariable, example: "example/sketchbook", "repository as owner/name"),
                .required("issue", .textOrVariable, example: "12", "number of the issue or the pull request"),
                .hostToken("GITHUB_TOKEN"),
                .optional("api", .textOrVariable, else: "https://api.github.com", "URL of the API"),
            ] + commentKeys),
        needs: "A token with Issues: write, or Pull requests: write"
    ) { setup throws(Diagnostic) in try CommentTarget(RepositoryHost(.github, setup), setup) }

    /// A comment on GitLab.
    package static let gitlabComment = AttachDescriptor(
        BlockSchema(
            "gitlab-comment", title: "GitLab comment",
            summary: "One comment on an issue or a merge request on GitLab, which is updated",
            keys: [
                .required(
                    "project", .textOrVariable, example: "example/sketchbook", "project: path or number"),
                .optional("issue", .textOrVariable, example: "12", "number of the issue"),
                .optional("mergeRequest", .textOrVariable, example: "34", "number of the merge request"),
                .hostToken("GITLAB_TOKEN"),
                .optional("api", .textOrVariable, else: "https://gitlab.com/api/v4", "URL of the API"),
            ] + commentKeys),
        needs: "A token with the scope api and the role Reporter"
    ) { setup throws(Diagnostic) in try CommentTarget(GitLabHost(setup), setup) }

    /// A comment on Forgejo and Gitea.
    package static let forgejoComment = AttachDescriptor(
        BlockSchema(
            "forgejo-comment", title: "Forgejo or Gitea comment",
            summary: "One comment on an issue or a pull request on Forgejo or Gitea, which is updated",
            keys: [
                .required(
                    "repository", .textOrVariable, example: "example/sketchbook", "repository as owner/name"),
                .required("issue", .textOrVariable, example: "12", "number of the issue or the pull request"),
                .required(
                    "api", .textOrVariable, example: "https://codeberg.org/api/v1", "URL of the API"),
                .hostToken("FORGEJO_TOKEN"),
            ] + commentKeys),
        needs: "A token with write:issue"
    ) { setup throws(Diagnostic) in try CommentTarget(RepositoryHost(.forgejo, setup), setup) }
}

/// A comment for each app on an issue, a pull request or a merge request.
struct CommentTarget: AttachTarget {
    private let host: any CodeHost
    private let id: String
    private let issue: CommentedIssue
    private let author: String?
    let schedule: AttachSchedule?

    init(_ host: any CodeHost, _ setup: TargetSetup) throws(Diagnostic) {
        self.host = host
        id = setup.id
        schedule = setup.text("when").flatMap(AttachSchedule.init) ?? .daily
        let isJob = setup.environment["GITHUB_ACTIONS"] == "true"
        author = setup.text("author") ?? (isJob ? "github-actions[bot]" : nil)
        if setup.text("mergeRequest") != nil, setup.text("issue") != nil {
            throw .usage(
                "attach.issue", "Target '\(setup.id)' names an issue and a merge request",
                hints: ["keep one of 'issue' and 'mergeRequest'; make a second target for the other"])
        }
        let number = setup.text("mergeRequest") ?? setup.text("issue") ?? ""
        guard let count = Int(number), count > 0 else {
            throw .usage(
                "attach.issue", "Target '\(setup.id)' names no issue",
                details: number.isEmpty ? [] : ["'\(number)' is not a number"],
                hints: ["add its number, such as 'issue: 12'"])
        }
        issue = CommentedIssue(number: String(count), isMergeRequest: setup.text("mergeRequest") != nil)
    }

    var place: String {
        "\(issue.isMergeRequest ? "!" : "#")\(issue.number) of \(host.repository) on \(host.name)"
    }
    var repetition: Repetition { .replaces }

    private func marked(_ summary: AttachedSummary) -> MarkedComment {
        MarkedComment(
            mark: "<!-- plimsoll:comment target=\(id) app=\(summary.app.isEmpty ? "*" : summary.app) -->",
            keepsMixed: summary.isForReadersOfBefore)
    }

    /// The summary between its marks, with as much of it as there is room for next to other text.
    private func text(_ summary: AttachedSummary, next other: Int) -> String {
        let (marked, limit) = (marked(summary), host.limits.comment)
        return marked.text(
            summary.markdown(
                max(0, limit - marked.overhead - other),
                "\(limit) characters is the most that a comment holds at \(host.name)"))
    }

    func draft(_ summary: AttachedSummary) throws(Diagnostic) -> String { text(summary, next: 0) }

    func isPublic() async throws(AttachFailure) -> Bool? { try await host.isPublic() }

    func send(
        _ summary: AttachedSummary, over remotes: Set<String>, isDryRun: Bool
    ) async throws(AttachFailure) -> AttachReceipt {
        let own = try await ownAuthor()
        if let found = try await comment(marked(summary), by: own, or: remotes) {
            let body = try placed(summary, in: found)
            if isSameText(found.body, body) { return AttachReceipt(.none, remote: found.id) }
            if isDryRun { return AttachReceipt(.replaced, remote: found.id) }
            if try await replace(found, body, own) { return AttachReceipt(.replaced, remote: found.id) }
        }
        if isDryRun { return AttachReceipt(.created) }
        let made = try await host.add(text(summary, next: 0), to: issue)
        await host.pause()
        return AttachReceipt(.created, remote: made)
    }

    /// The comment with the summary in the place of the one that it has.
    private func placed(
        _ summary: AttachedSummary, in comment: HostComment
    ) throws(AttachFailure) -> String {
        let marked = marked(summary)
        let parts = marked.parts(of: comment.body) ?? .nothing
        if case .mixed = parts.within, !marked.keepsMixed {
            throw AttachFailure(SummaryRegion.Fault.edited.diagnostic(at: "the comment on \(place)"))
        }
        guard host.limits.comment - parts.size > marked.overhead + 400 else {
            throw AttachFailure(noRoom)
        }
        let text = text(summary, next: parts.size)
        let body = parts.around(text, like: comment.body)
        guard body.utf16.count > host.limits.comment else { return body }
        // Each line end became two characters.
        let lineEnds = text.utf8.count { $0 == UInt8(ascii: "\n") }
        return parts.around(self.text(summary, next: parts.size + lineEnds), like: comment.body)
    }

    private var noRoom: Diagnostic {
        .error(
            "attach.no-room", "The comment on \(place) has no room for a summary",
            details: ["the most is \(host.limits.comment) characters"], hints: ["shorten the text around it"])
    }

    /// Whose comments are ours: anyone may write our mark.
    private func ownAuthor() async throws(AttachFailure) -> String {
        if let name = try await host.account() ?? author { return name }
        throw AttachFailure(
            .error(
                "attach.author", "\(host.name) does not say whose the token is",
                hints: ["add 'author' with the account that the comment is of"]))
    }

    /// The comment that has the mark and is ours: one of the account, also where people wrote above the mark, or else one
    /// that the ledger names, which an account before this one wrote.
    private func comment(
        _ marked: MarkedComment, by author: String, or remotes: Set<String>
    ) async throws(AttachFailure) -> HostComment? {
        var (edited, older): (HostComment?, HostComment?)
        // More pages than an issue that people read has.
        for page in 1...200 {
            let (comments, hasMore) = try await host.comments(of: issue, page: page)
            for comment in comments where marked.parts(of: comment.body) != nil {
                if isSameAccount(comment.author, author) {
                    if comment.body.hasPrefix(marked.mark) { return comment }
                    edited = edited ?? comment
                } else if remotes.contains(comment.id) {
                    older = older ?? comment
                }
            }
            if !hasMore { break }
        }
        return edited ?? older
    }

    /// Puts a text in the place of a comment; false where another account wrote it, and this one may not change it.
    private func replace(
        _ comment: HostComment, _ body: String, _ own: String
    ) async throws(AttachFailure) -> Bool {
        do throws(AttachFailure) {
            try await host.write(body, to: comment, of: issue)
        } catch {
            let isForeign = !isSameAccount(comment.author, own)
            guard isForeign, error.status == 403 || error.status == 404 else { throw error }
            return false
        }
        await host.pause()
        return true
    }

    func obstacles() async -> [Diagnostic] {
        do throws(AttachFailure) {
            _ = try await ownAuthor()
            _ = try await host.comments(of: issue, page: 1)
            return []
        } catch {
            return [error.diagnostic]
        }
    }
}

private func isSameAccount(_ first: String, _ second: String) -> Bool {
    accountName(first) == accountName(second)
}

/// An account as its service tells accounts apart: whatever the case, and whether it is called a bot or not. No app has
/// the name of another's account.
private func accountName(_ text: String) -> String {
    let name = text.lowercased()
    return name.hasSuffix("[bot]") ? String(name.dropLast(5)) : name
}
