package import AppHealth
import Diagnostics
package import Transport

/// MetricKit payloads that an app sent home, from a directory: crashes, hangs and ends by the system.
package struct MetricKitProvider: Provider {
    static let name = "metrickit"

    private let configuration: MetricKitConfiguration
    private let sender: any Sender

    /// A provider that reads through the sender, which must allow file addresses.
    package init(_ configuration: MetricKitConfiguration, sender: some Sender) {
        self.configuration = configuration
        self.sender = sender
    }

    package var source: Source {
        Source(
            id: configuration.id, provider: Self.name,
            sessionDefinition: """
                MetricKit tells of crashes and hangs, and of no number of sessions beside them: how many were free of \
                crashes cannot be known.
                """,
            userDefinition: "Payloads name no user and no device.", zone: "UTC",
            delay: ProviderDescriptor.metrickit.delay,
            capabilities: ProviderDescriptor.metrickit.capabilities,
            settling: SettlingAge(settlesAfterHours: 72, finalAfterHours: 720))
    }

    package func plan(for app: App) -> [PlannedRequest] {
        [
            PlannedRequest("LIST", configuration.path, purpose: "the payload files"),
            PlannedRequest(
                "READ", "\(configuration.path)/**.json", purpose: "the payloads of \(app.id)",
                most: configuration.mostFiles),
        ]
    }

    package func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        let start = ContinuousClock.now
        var run = MetricKitRun(configuration: configuration, sender: sender)
        await run.fetch(Snapshot(app: app, source: source, capturedAt: now))
        if let shown = configuration.shownAs { run.outcome.rename(configuration.path, as: shown) }
        run.outcome.milliseconds = start.duration(to: .now).milliseconds
        return run.outcome
    }
}
