package import AppHealth
import Diagnostics
import Settings
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
                MetricKit reports crashes and hangs without a number of sessions, so there is no crash-free rate.
                """,
            userDefinition: "Payloads name no user and no device.", zone: "UTC",
            delay: ProviderDescriptor.metrickit.delay,
            capabilities: ProviderDescriptor.metrickit.capabilities,
            settling: SettlingAge(settlesAfterHours: 72, finalAfterHours: 720), issueTotals: .lifetime,
            countsSteadyShare: true)
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

extension ProviderDescriptor {
    /// MetricKit payloads of Apple's systems.
    package static let metrickit = ProviderDescriptor(
        BlockSchema(
            "metrickit", title: "MetricKit", summary: "MetricKit payloads that an app sent home",
            keys: [
                .required("path", .path, example: "payloads", "a folder or a file of MetricKit payloads")
            ],
            usesTLS: false),
        capabilities: [.issues, .issueDays], limitSource: "files have no limit",
        delay: """
            A device delivers once a day, crashes when the app is opened next; only devices that share diagnostics \
            deliver. An event counts on the day in which the middle of its payload's span lies.
            """
    ) { setup in
        var configuration = MetricKitConfiguration(path: try setup.required("path"), id: setup.id)
        configuration.limits = setup.limits
        configuration.knownIssues = setup.knownIssues
        if case .path(_, let shown)? = setup.values["path"] { configuration.shownAs = shown }
        return MetricKitProvider(configuration, sender: setup.sender)
    }
}

/// Where the MetricKit payloads of one app lie: JSON files as `jsonRepresentation()` writes them.
package struct MetricKitConfiguration: Sendable {
    /// A directory, or one file.
    package var path: String
    /// The name of the source within its app.
    package var id: Slug
    /// The most bytes of one file.
    package var mostBytes = 16 << 20
    /// The most files of the directory; of more, none is read.
    package var mostFiles = 100_000
    /// The issues that earlier runs named: their files may be elsewhere since.
    package var knownIssues: @Sendable () -> KnownIssues = { KnownIssues() }
    /// How messages name the place; nil for the path itself.
    package var shownAs: String?
    /// What reading one file may cost in time.
    package var limits = Limits()

    /// Reads the payloads below the path.
    package init(path: String, id: Slug = Slug(anyText: "metrickit")) {
        self.path = path
        self.id = id
    }
}
