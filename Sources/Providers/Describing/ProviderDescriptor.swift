package import AppHealth
package import Diagnostics
package import Settings
package import Transport

/// What a provider says of itself: everything that `init`, `doctor`, `fetch --plan`, the configuration, its schema
/// and the manual need to know of it before a source is made.
package struct ProviderDescriptor: Sendable {
    /// Its name and the keys of a source.
    package var schema: BlockSchema
    /// What it is able to know.
    package var capabilities: Set<Capability>
    /// The scopes, permissions or roles that the credential needs, by the names the service gives them.
    package var permissions: [String]
    /// How many requests the service admits in which time; nil when it documents no number.
    package var limit: RateLimit?
    /// Where the limit is documented, or why there is no number.
    package var limitSource: String
    /// How late its days are, in words.
    package var delay: String
    /// Finds what is wrong with the settings of a source by themselves, before secrets and files are read. What it throws is
    /// a `DiagnosticConvertible`.
    private var check: @Sendable (SettingValues) throws -> Void = { _ in }
    /// Makes the provider of one source, whose settings have no fault. What it throws is a `DiagnosticConvertible`.
    package var make: @Sendable (SourceSetup) throws -> any Provider

    /// Describes a provider.
    package init(
        _ schema: BlockSchema, capabilities: Set<Capability>, permissions: [String] = [],
        limit: RateLimit? = nil, limitSource: String, delay: String,
        make: @escaping @Sendable (SourceSetup) throws -> any Provider
    ) {
        self.schema = schema
        self.capabilities = capabilities
        self.permissions = permissions
        self.limit = limit
        self.limitSource = limitSource
        self.delay = delay
        self.make = make
    }

    /// The same with a check of the settings of a source.
    func checking(_ check: @escaping @Sendable (SettingValues) throws -> Void) -> ProviderDescriptor {
        var checked = self
        checked.check = check
        return checked
    }

    /// What is wrong with the settings of a source by themselves, whatever its secrets and files are.
    package func fault(of settings: SettingValues) -> Diagnostic? {
        do {
            if let url = settings.text("url") { _ = try Address(url) }
            try check(settings)
            return nil
        } catch let error as any DiagnosticConvertible {
            return error.diagnostic
        } catch {
            return .error("config.source", "Source cannot be used")
        }
    }

    /// The provider's name, as the configuration writes it.
    package var name: String { schema.name }
}

/// The providers, in the order of the configuration's documentation. A new one is a folder and a line here.
package let standardProviders: [ProviderDescriptor] = [
    .files, .metrickit, .bugsnag, .sentry, .glitchtip, .bugsink, .crashlytics, .play, .ga4, .socorro,
    .appstoreconnect, .clickhouse, .bigquery,
]

/// A service, or a set of files, that knows something of an app.
package protocol Provider: Sendable {
    /// What it is and what it is able to know; a snapshot may say it more exactly.
    var source: Source { get }

    /// The requests that a fetch would make, without making them.
    func plan(for app: App) -> [PlannedRequest]

    /// What its service documents about requests; nil when there is no service, as for files.
    var terms: ServiceTerms? { get }

    /// Whether it reads files of this machine: there is no response to wait for while others are requested.
    var isLocal: Bool { get }

    /// The permissions that the service says the credential has, by its own names; nil when it does not say.
    /// Sends at most one request.
    func grantedPermissions() async -> [String]?

    /// The permissions that a refusal says are missing; empty when it does not say.
    func missingPermissions(in refusal: Response) -> [String]

    /// Everything it knows of the app. It never throws: what is good is returned next to what failed.
    /// - Parameter now: The instant of this run; a snapshot that names no time of its own is captured then.
    func fetch(_ app: App, at now: Instant) async -> FetchOutcome

    /// The same, but where there is much of it, whole snapshots are handed over before its end, oldest first; they are
    /// not in the outcome.
    func fetch(_ app: App, at now: Instant, handingOver take: @escaping SnapshotTaker) async -> FetchOutcome
}

/// Takes snapshots; false when no others can be taken.
package typealias SnapshotTaker = @Sendable ([Snapshot]) async -> Bool

extension Provider {
    package var terms: ServiceTerms? { nil }
    package var isLocal: Bool { false }
    package func grantedPermissions() async -> [String]? { nil }
    package func missingPermissions(in refusal: Response) -> [String] { [] }
    package func fetch(
        _ app: App, at now: Instant, handingOver take: @escaping SnapshotTaker
    ) async -> FetchOutcome { await fetch(app, at: now) }
}

/// A request that a fetch would make; `{name}` in its address is for what an earlier response reports.
package struct PlannedRequest: Hashable, Sendable {
    /// `GET`, or `LIST` and `READ` for files.
    package var method: String
    /// The address or the path, free of secrets.
    package var address: String
    /// What is learned from it.
    package var purpose: String
    /// The most requests of this kind.
    package var most: Int

    /// Makes a planned request.
    package init(_ method: String, _ address: String, purpose: String, most: Int = 1) {
        self.method = method
        self.address = address
        self.purpose = purpose
        self.most = most
    }
}

extension PlannedRequest {
    /// Who would get the requests; nil for files.
    package var origin: Origin? {
        // Only the host is read: the rest may hold names that are not known yet.
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[1].isEmpty else { return nil }
        let host = parts[2].prefix { $0 != "?" && $0 != "#" }
        let origin = (try? Address("\(parts[0])//\(host)/"))?.origin
        return origin?.scheme == .file ? nil : origin
    }
}

/// What a service documents about requests to it: how many, and what the credential must be allowed.
package struct ServiceTerms: Hashable, Sendable {
    /// Where the API is.
    package var origin: Origin
    /// How many requests it admits in which time; nil when it documents no number.
    package var limit: RateLimit?
    /// Where the limit is documented, or why there is no number.
    package var limitSource: String
    /// The scopes, permissions or roles that the credential needs, by the names the service gives them.
    package var permissions: [String]
    /// The most requests of one fetch, besides retries.
    package var mostRequests: Int

    /// The terms of a service; what a source does not change is as its provider describes it.
    package init(_ descriptor: ProviderDescriptor, origin: Origin, mostRequests: Int) {
        self.origin = origin
        limit = descriptor.limit
        limitSource = descriptor.limitSource
        permissions = descriptor.permissions
        self.mostRequests = mostRequests
    }
}

/// The needed permissions that are not among the granted ones, in their order. `org:write` and `org:admin` hold
/// `org:read`.
package func missingPermissions(needed: [String], granted: [String]) -> [String] {
    needed.filter { permission in
        guard permission.hasSuffix(":read") else { return !granted.contains(permission) }
        let subject = permission.dropLast("read".count)
        return !["read", "write", "admin"].contains { granted.contains("\(subject)\($0)") }
    }
}
