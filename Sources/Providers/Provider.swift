package import AppHealth

/// A service, or a set of files, that knows something of an app.
package protocol Provider: Sendable {
    /// What it is and what it is able to know; a snapshot may say it more exactly.
    var source: Source { get }

    /// The requests that a fetch would make, without making them.
    func plan(for app: App) -> [PlannedRequest]

    /// Everything it tells of the app. It never throws: what is good is returned beside what failed.
    /// - Parameter now: The instant of this run; a snapshot that names no time of its own is captured then.
    func fetch(_ app: App, at now: Instant) async -> FetchOutcome
}
