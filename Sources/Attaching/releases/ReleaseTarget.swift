import AppHealth
import Diagnostics
import Publishing
import Settings
import Transport

/// The place holders of the version in a tag.
private let versionMarks = ["{number}", "{version}"]
private let standardTag = "v{number}"

private let releaseKeys: [SettingKey] = [
    .optional(
        "tag", else: standardTag,
        "tag of a release; {number} is its version without a build in brackets, {version} all of it, {app} the app's id"
    ),
    .optional("releases", .number(1...50), else: "3", "how many of the newest releases are kept up to date"),
    .optional("create", .flag, else: "false", "whether a tag without a release gets one"),
]

extension AttachDescriptor {
    /// The bodies of releases on GitHub.
    package static let githubRelease = AttachDescriptor(
        BlockSchema(
            "github-release", title: "GitHub release",
            summary: "A region of the release notes of each version on GitHub",
            keys: [
                .required(
                    "repository", .textOrVariable, example: "example/sketchbook", "repository as owner/name"),
                .hostToken("GITHUB_TOKEN"),
                .optional(
                    "api", .textOrVariable, else: "https://api.github.com", "URL of the API"),
            ] + releaseKeys),
        needs: "A token with Contents: write for the repository"
    ) { setup throws(Diagnostic) in try ReleaseTarget(RepositoryHost(.github, setup), setup) }

    /// The descriptions of releases on GitLab.
    package static let gitlabRelease = AttachDescriptor(
        BlockSchema(
            "gitlab-release", title: "GitLab release",
            summary: "A region of the release notes of each version on GitLab",
            keys: [
                .required(
                    "project", .textOrVariable, example: "example/sketchbook", "project: path or number"),
                .hostToken("GITLAB_TOKEN"),
                .optional(
                    "tokenKind", .choice(["private", "job"]), else: "private",
                    "private: an access token; job: CI_JOB_TOKEN of a pipeline"),
                .optional(
                    "api", .textOrVariable, else: "https://gitlab.com/api/v4", "URL of the API"),
            ] + releaseKeys),
        needs: "A token with the scope api and the role Developer, or the token of a CI job"
    ) { setup throws(Diagnostic) in try ReleaseTarget(GitLabHost(setup), setup) }

    /// The bodies of releases on Forgejo and Gitea.
    package static let forgejoRelease = AttachDescriptor(
        BlockSchema(
            "forgejo-release", title: "Forgejo or Gitea release",
            summary: "A region of the release notes of each version on Forgejo, Gitea or Codeberg",
            keys: [
                .required(
                    "repository", .textOrVariable, example: "example/sketchbook", "repository as owner/name"),
                .required(
                    "api", .textOrVariable, example: "https://codeberg.org/api/v1", "URL of the API"),
                .hostToken("FORGEJO_TOKEN"),
            ] + releaseKeys),
        needs: "A token with write:repository"
    ) { setup throws(Diagnostic) in try ReleaseTarget(RepositoryHost(.forgejo, setup), setup) }
}

/// The notes of releases at a code host: the summary is a region of theirs.
struct ReleaseTarget: AttachTarget {
    private let host: any CodeHost
    private let id: String
    private let tag: String
    private let creates: Bool
    let releases: Int

    init(_ host: any CodeHost, _ setup: TargetSetup) throws(Diagnostic) {
        self.host = host
        id = setup.id
        tag = setup.text("tag") ?? standardTag
        creates = setup.flag("create")
        releases = setup.number("releases", else: 3)
        guard versionMarks.contains(where: tag.contains) else {
            throw .usage(
                "attach.tag", "'tag' of the target '\(setup.id)' does not name the version",
                hints: ["write it as 'v{number}', or '{app}-{number}'"])
        }
    }

    var place: String { "\(host.repository) on \(host.name)" }
    var repetition: Repetition { .replaces }
    var schedule: AttachSchedule? { nil }

    func tag(of summary: AttachedSummary) -> String {
        let release = Version(summary.subject)
        return tag.replacing("{number}", with: tagText(release.labelWithoutBuild))
            .replacing("{version}", with: tagText(release.label)).replacing("{app}", with: summary.app)
    }

    func slot(of summary: AttachedSummary) -> String? { tag(of: summary) }

    private func region(_ summary: AttachedSummary) -> SummaryRegion {
        SummaryRegion(
            app: summary.app, release: summary.subject, keepsMixed: summary.isForReadersOfBefore)
    }

    /// The region with as much of the summary as there is room for next to other text.
    private func text(_ summary: AttachedSummary, next other: Int) -> String {
        let limit = host.limits.release
        let room = max(0, limit - other - region(summary).overhead)
        return summary.markdown(
            room, "\(limit) characters is the most that release notes hold at \(host.name)")
    }

    func draft(_ summary: AttachedSummary) throws(Diagnostic) -> String {
        region(summary).text(text(summary, next: 0)) + "\n"
    }

    func isPublic() async throws(AttachFailure) -> Bool? { try await host.isPublic() }

    func send(
        _ summary: AttachedSummary, over remotes: Set<String>, isDryRun: Bool
    ) async throws(AttachFailure) -> AttachReceipt {
        let tag = tag(of: summary)
        guard var release = try await host.release(tag) else {
            return try await create(tag, summary, isDryRun)
        }
        for _ in 0..<3 {
            let body = try placed(summary, in: release)
            if body == release.body { return AttachReceipt(.none, remote: release.id) }
            let change: AttachReceipt.Change = try hasRegion(summary, in: release) ? .replaced : .created
            if isDryRun { return AttachReceipt(change, remote: release.id) }
            try await host.write(body, to: release)
            await host.pause()
            // No service takes a condition with the change: what is there afterwards tells whether it held.
            guard let now = try await host.release(tag) else { throw gone(tag) }
            if isSameText(now.body, body)
                || (try? placed(summary, in: now)).map({ isSameText($0, now.body) }) == true
            {
                return AttachReceipt(change, remote: release.id)
            }
            release = now
        }
        throw AttachFailure(
            .error(
                "attach.overwritten",
                "The notes of \(tag) at \(place) were changed by others at the same time",
                details: ["three times, the summary was not there after it was written"],
                hints: ["attach again when no one else writes them"]))
    }

    private func gone(_ tag: String) -> AttachFailure {
        AttachFailure(
            .error(
                "attach.release-gone",
                "The release of \(tag) at \(place) was removed while its notes were written",
                hints: ["publish it again; the next run attaches the summary"]))
    }

    /// That a release had the summary once: to remove it was a decision, and a new one could be the latest.
    private func removed(_ tag: String, _ summary: AttachedSummary) -> String {
        let options = summary.key(at: id).options
        let command = options.map { "plimsoll attach --to \(id)\($0) --again" }
        return "the release of '\(tag)' was removed; "
            + (command.map { "'\($0)' makes it again" } ?? "'--again' with its '--release' makes it again")
    }

    private func create(
        _ tag: String, _ summary: AttachedSummary, _ isDryRun: Bool
    ) async throws(AttachFailure) -> AttachReceipt {
        // A repository that cannot be seen has no releases either.
        _ = try await host.isPublic()
        guard creates else {
            return AttachReceipt(.absent("no release for the tag '\(tag)'; 'create: true' makes it"))
        }
        guard try await host.hasTag(tag) else { return AttachReceipt(.absent("no tag '\(tag)'")) }
        if summary.staysRemoved { return AttachReceipt(.absent(removed(tag, summary))) }
        if isDryRun { return AttachReceipt(.created) }
        let body = region(summary).text(text(summary, next: 0))
        let rank = try await rank(tag, summary)
        let release = NewRelease(
            tag: tag, body: body, isPrerelease: summary.release.isPrerelease,
            isLatest: rank.isLatest, cameOut: summary.release.cameOut, latest: rank.later)
        try await host.create(release)
        await host.pause()
        return AttachReceipt(.created)
    }

    /// Whether a new release becomes the latest, and what stays it.
    private struct Rank {
        /// Nil where it cannot be compared with the latest there.
        var isLatest: Bool?
        /// The latest there where it is of a later version.
        var later: HostLatest?
    }

    /// A new release becomes the latest where no other of the app has a later version, neither of those that are known nor
    /// what is the latest there, such as one that waits for its review.
    private func rank(_ tag: String, _ summary: AttachedSummary) async throws(AttachFailure) -> Rank {
        let isNewest = summary.release.isLatest
        guard isNewest || host.datesReleases, let latest = try await host.latest() else {
            return Rank(isLatest: isNewest)
        }
        let (own, there) = (version(in: tag, summary.app), version(in: latest.tag, summary.app))
        if own.isAtLeast(there) { return Rank(isLatest: isNewest) }
        guard there.isAtLeast(own) else { return Rank(isLatest: isNewest ? nil : false) }
        return Rank(isLatest: false, later: latest)
    }

    /// The version in a tag of an app; the whole tag where it has another form.
    private func version(in tag: String, _ app: String) -> Version {
        let form = self.tag.replacing("{app}", with: app)
        guard let place = versionMarks.lazy.compactMap({ form.firstRange(of: $0) }).first else {
            return Version(tag)
        }
        let (start, end) = (form[..<place.lowerBound], form[place.upperBound...])
        guard tag.hasPrefix(start), tag.hasSuffix(end), tag.count > start.count + end.count else {
            return Version(tag)
        }
        return Version(String(tag.dropFirst(start.count).dropLast(end.count)))
    }

    private func placed(
        _ summary: AttachedSummary, in release: HostRelease
    ) throws(AttachFailure) -> String {
        let (region, body) = (region(summary), release.body)
        let old = try marked(release) { () throws(SummaryRegion.Fault) in try region.current(in: body) } ?? ""
        let kept = try marked(release) { () throws(SummaryRegion.Fault) in try region.kept(in: body) }
        let others =
            body.utf16.count - old.utf16.count + kept.reduce(0) { $0 + $1.utf16.count + 2 }
        guard host.limits.release - others > region.overhead + 400 else {
            throw AttachFailure(noRoom(release.tag))
        }
        var text = text(summary, next: others)
        if body.contains("\r\n") {
            // Each line end becomes two characters.
            text = self.text(summary, next: others + text.utf8.count { $0 == UInt8(ascii: "\n") })
        }
        return try marked(release) { () throws(SummaryRegion.Fault) in try region.placed(text, in: body) }
    }

    private func hasRegion(
        _ summary: AttachedSummary, in release: HostRelease
    ) throws(AttachFailure) -> Bool {
        try marked(release) { () throws(SummaryRegion.Fault) in try region(summary).current(in: release.body)
        } != nil
    }

    private func marked<Value>(
        _ release: HostRelease, _ work: () throws(SummaryRegion.Fault) -> Value
    ) throws(AttachFailure) -> Value {
        do throws(SummaryRegion.Fault) {
            return try work()
        } catch {
            throw AttachFailure(error.diagnostic(at: "release \(release.tag) of \(place)"))
        }
    }

    private func noRoom(_ tag: String) -> Diagnostic {
        .error(
            "attach.no-room", "The notes of \(tag) at \(place) have no room for a summary",
            details: ["the most is \(host.limits.release) characters"], hints: ["shorten the text around it"])
    }

    func obstacles() async -> [Diagnostic] {
        do throws(AttachFailure) {
            _ = try await host.isPublic()
            return []
        } catch {
            return [error.diagnostic]
        }
    }
}

/// A text as a part of a tag: what Git does not allow in one, and brackets, are hyphens (git-check-ref-format).
private func tagText(_ text: String) -> String {
    let parts = text.split { character in
        character.isWhitespace || "~^:?*[]\\(){}".contains(character)
            || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    return parts.joined(separator: "-").replacing("..", with: ".")
}
