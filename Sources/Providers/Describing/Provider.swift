package import AppHealth
package import Transport

/// A service, or a set of files, that knows something of an app.
package protocol Provider: Sendable {
    /// What it is and what it is able to know; a snapshot may say it more exactly.
    var source: Source { get }

    /// The requests that a fetch would make, without making them.
    func plan(for app: App) -> [PlannedRequest]

    /// What its service documents about requests; nil when there is no service, as for files.
    var terms: ServiceTerms? { get }

    /// The permissions that the service says the credential has, by its own names; nil when it does not say.
    /// Sends at most one request.
    func grantedPermissions() async -> [String]?

    /// The permissions that a refusal says are missing; empty when it does not say.
    func missingPermissions(in refusal: Response) -> [String]

    /// Everything it knows of the app. It never throws: what is good is returned beside what failed.
    /// - Parameter now: The instant of this run; a snapshot that names no time of its own is captured then.
    func fetch(_ app: App, at now: Instant) async -> FetchOutcome
}

extension Provider {
    package var terms: ServiceTerms? { nil }
    package func grantedPermissions() async -> [String]? { nil }
    package func missingPermissions(in refusal: Response) -> [String] { [] }
}
