import AppHealth
import Diagnostics
import Publishing
import Settings
import Transport

/// A service that keeps releases, issues and their comments.
protocol CodeHost: Sendable {
    /// What it is called.
    var name: String { get }
    /// The repository or project, for people.
    var repository: String { get }
    /// The most characters of a release's body, and of a comment.
    var limits: (release: Int, comment: Int) { get }

    /// Whether everybody may read the repository; nil when the service does not say.
    func isPublic() async throws(AttachFailure) -> Bool?
    /// The release of a tag; nil when there is none.
    func release(_ tag: String) async throws(AttachFailure) -> HostRelease?
    /// Whether there is such a tag.
    func hasTag(_ tag: String) async throws(AttachFailure) -> Bool
    /// Whether the release with the last time is the latest there.
    var datesReleases: Bool { get }
    /// The release that is the latest there; nil when there is none, or when what a release is made with does not change
    /// which it is.
    func latest() async throws(AttachFailure) -> HostLatest?
    /// Puts a body in the place of that of a release.
    func write(_ body: String, to release: HostRelease) async throws(AttachFailure)
    /// Makes the release of a tag.
    func create(_ release: NewRelease) async throws(AttachFailure)

    /// The name of the account that the credential is of; nil when the service does not say.
    func account() async throws(AttachFailure) -> String?
    /// A page of the comments of an issue, from 1, and whether there are more.
    func comments(of issue: CommentedIssue, page: Int) async throws(AttachFailure) -> ([HostComment], Bool)
    /// Adds a comment; gives its name.
    func add(_ body: String, to issue: CommentedIssue) async throws(AttachFailure) -> String
    /// Puts a body in the place of that of a comment.
    func write(_ body: String, to comment: HostComment, of issue: CommentedIssue) async throws(AttachFailure)

    /// Waits between two requests that change something.
    func pause() async
}

/// A release at a service.
struct HostRelease: Sendable, Equatable {
    /// What the service calls it.
    let id: String
    let tag: String
    /// Empty when it has none.
    let body: String
}

/// The release that is the latest at a service.
struct HostLatest: Sendable, Equatable {
    let tag: String
    /// When it was released; nil when the service does not say.
    let releasedAt: Instant?
}

/// A release that is made at a service.
struct NewRelease: Sendable, Equatable {
    let tag: String
    let body: String
    /// Whether its version is one before the release.
    let isPrerelease: Bool
    /// Whether it becomes the latest; nil where that is left to the service.
    let isLatest: Bool?
    /// The day on which it came out; nil when that is not known.
    let cameOut: CivilDate?
    /// The latest there where it is of a later version, and stays the latest.
    let latest: HostLatest?
}

/// A comment at a service.
struct HostComment: Sendable, Equatable {
    let id: String
    let author: String
    let body: String
}

/// What is commented on.
struct CommentedIssue: Sendable, Equatable {
    let number: String
    /// Whether it is a merge request, where a service counts these apart from issues.
    let isMergeRequest: Bool
}

extension SettingKey {
    /// The key for the credential of a code host.
    static func hostToken(_ example: String) -> SettingKey {
        .required("token", .secret(.variable), example: example, "access token")
    }
}

extension TargetSetup {
    /// The address in a key, without a slash at its end.
    func address(_ key: String, else standard: String? = nil) throws(Diagnostic) -> Address {
        let text =
            if let standard { text(key) ?? standard } else { try required(key) }
        do throws(AddressError) {
            return try Address(text)
        } catch {
            throw error.diagnostic
        }
    }

    /// The secret of a key that a target must have.
    func requiredSecret(_ key: String) throws(Diagnostic) -> Secret {
        if let secret = secret(key) { return secret }
        throw .usage("config.missing-key", "Target has no '\(key)'", hints: ["add '\(key)'"])
    }
}
