package import AppHealth
package import Diagnostics
package import Tokens
package import Transport

/// Everything that a provider is made from for one source: its values, with secrets and paths resolved, and what
/// it sends with.
package struct SourceSetup: Sendable {
    /// A value that is ready for use.
    package enum Value: Sendable {
        case text(String)
        case flag(Bool)
        /// A path, and how messages name it.
        case path(String, shownAs: String)
        case secret(SecretBytes)
        /// Texts by word.
        case names([String: String])
    }

    /// The name of the source within its app.
    package var id: Slug
    /// The values by key.
    package var values: [String: Value]
    /// What sends the requests.
    package var sender: any Sender
    /// What all sources of a run share.
    package var shared: SharedResources
    /// What earlier runs kept of what never changes; nil when everything is to be requested.
    package var kept: KeptBytes?
    /// The releases that the source named in earlier runs, for services that forget names which their figures keep.
    package var knownReleases: @Sendable () -> [Release] = { [] }
    /// The issues that the source named in earlier runs, for files that may be moved away since.
    package var knownIssues: @Sendable () -> KnownIssues = { KnownIssues() }
    /// What earlier runs stored of days, for tables that lose their oldest rows.
    package var knownCounts: @Sendable () -> KnownCounts = { KnownCounts() }
    /// The source as its last run described it, for services whose refusal may be one of a night.
    package var describedBefore: @Sendable () -> Source? = { nil }
    /// When the source was last read, for services of which the days since are requested.
    package var lastFetch: @Sendable () -> LastFetch = { .unknown }
    /// When the newest snapshot that is stored of the source from before an instant was captured, for files that are
    /// written over.
    package var captureBefore: @Sendable (Instant) -> Instant? = { _ in nil }
    /// Whether the configuration gives the time of the run with `asOf`, in place of the clock.
    package var isTimeGiven = false
    /// Milliseconds that one request may take.
    package var timeoutMilliseconds: Int

    /// Makes a setup.
    package init(
        id: Slug, values: [String: Value], sender: any Sender, shared: SharedResources,
        kept: KeptBytes?,
        timeoutMilliseconds: Int
    ) {
        self.id = id
        self.values = values
        self.sender = sender
        self.shared = shared
        self.kept = kept
        self.timeoutMilliseconds = timeoutMilliseconds
    }
}

extension SourceSetup {
    /// What the source provided in its last run.
    package var providedBefore: @Sendable () -> Set<Capability> {
        { [describedBefore] in describedBefore()?.capabilities ?? [] }
    }
}

/// The issues that a source named in earlier runs.
package struct KnownIssues: Sendable {
    /// The issues, as they are known now.
    package let issues: [Issue]
    /// Their days, all releases together.
    package let days: [IssueDay]

    /// Nothing is known, unless stated.
    package init(issues: [Issue] = [], days: [IssueDay] = []) {
        (self.issues, self.days) = (issues, days)
    }
}

/// What a source counted in earlier runs, by day, all releases together.
package struct KnownCounts: Sendable {
    /// The sessions.
    package let sessions: [CivilDate: Int]
    /// The active users.
    package let activeUsers: [CivilDate: Int]

    /// Nothing is known, unless stated.
    package init(sessions: [CivilDate: Int] = [:], activeUsers: [CivilDate: Int] = [:]) {
        (self.sessions, self.activeUsers) = (sessions, activeUsers)
    }
}

/// What all sources of one run share.
package struct SharedResources: Sendable {
    /// The tokens of service accounts, so that one account makes one token.
    package let tokens = SharedTokens()
    /// The snapshot files that were read, so that each is read once for all apps.
    package let files: SnapshotFileCache

    /// Nothing is shared yet.
    ///
    /// - Parameter stored: snapshot files that need not be decoded again.
    package init(stored: StoredFiles = StoredFiles()) { files = SnapshotFileCache(stored: stored) }
}

/// The bytes of a secret with the words that name where they are from.
package struct SecretBytes: Sendable {
    /// The bytes, never empty.
    package let bytes: [UInt8]
    /// `The variable SENTRY_TOKEN` or `The file 'key.json'`.
    package let origin: String

    /// Names the bytes.
    package init(_ bytes: [UInt8], from origin: String) {
        self.bytes = bytes
        self.origin = origin
    }

    /// The secret as a header carries it.
    package func headerValue() throws(Diagnostic) -> Secret {
        if let secret = Secret(text) { return secret }
        throw .error(
            "config.bad-token", "\(origin) is not a valid token",
            hints: ["write the token into it, on one line"])
    }

    /// The secret as a text, such as a key file.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension SourceSetup {
    /// The text of a key; nil when there is none.
    package func text(_ key: String) -> String? {
        switch values[key] {
        case .text(let text)?: text
        case .path(let path, _)?: path
        default: nil
        }
    }

    /// The text of a key that a source must have.
    package func required(_ key: String) throws(Diagnostic) -> String {
        if let text = text(key) { return text }
        throw .error("config.missing-key", "Source has no '\(key)'", hints: ["add '\(key)'"])
    }

    /// The whole number of a key, or what holds without one.
    package func number(_ key: String, else standard: Int) -> Int {
        text(key).flatMap { Int($0) } ?? standard
    }

    /// Whether the key is `true`.
    package func flag(_ key: String) -> Bool {
        if case .flag(true)? = values[key] { true } else { false }
    }

    /// The texts of a key by word; empty when there are none.
    package func names(_ key: String) -> [String: String] {
        if case .names(let names)? = values[key] { names } else { [:] }
    }

    /// The secret of a key; nil when there is none.
    package func secret(_ key: String) -> SecretBytes? {
        if case .secret(let secret)? = values[key] { secret } else { nil }
    }

    /// The secret of a key that a source must have, as a header carries it.
    package func token(_ key: String = "token") throws(Diagnostic) -> Secret {
        try requiredSecret(key).headerValue()
    }

    /// The secret of a key that a source must have.
    package func requiredSecret(_ key: String) throws(Diagnostic) -> SecretBytes {
        if let secret = secret(key) { return secret }
        throw .error("config.no-\(key)", "Source has no \(key)", hints: ["add '\(key)'"])
    }

    /// What one request may cost.
    package var limits: Limits {
        var limits = Limits()
        limits.totalMilliseconds = timeoutMilliseconds
        return limits
    }
}
