import AppHealth
import Settings
import Transport

@testable import Providers

/// A made-up service: sessions by day as a list in pages, with a bearer token.
struct BeaconProvider: Provider {
    let id: Slug
    let station: String
    let base: Address
    let limits: Limits
    let sender: AuthenticatedClient

    var source: Source {
        Source(
            id: id, provider: "beacon", sessionDefinition: "A session is one flash of the light.",
            userDefinition: "Beacons count no users.", zone: "UTC", delay: ProviderDescriptor.beacon.delay,
            capabilities: ProviderDescriptor.beacon.capabilities)
    }

    var terms: ServiceTerms? { ServiceTerms(.beacon, origin: base.origin, mostRequests: 5) }

    func plan(for app: App) -> [PlannedRequest] { [endpoint.planned(below: base, most: 3)] }

    func missingPermissions(in refusal: Response) -> [String] { refusal.status == 403 ? ["log:read"] : [] }

    func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        let client = ServiceClient(
            .beacon, base: base, limits: limits, most: 5, over: .sender(sender))
        return await outcome(of: BeaconRun(parts: PartialFetch(client)), at: now, \.parts) {
            run throws(ServiceFault) in
            let (pages, _) =
                await run.parts.list(
                    from: endpoint, by: .linkInBody(BeaconPage.self), most: 3) ?? (
                    .init(provider: "beacon"), SkippedValues(provider: "beacon", endpoint: "")
                )
            try run.parts.checkParts()
            var snapshot = Snapshot(app: app, source: source, capturedAt: now)
            snapshot.health = pages.elements.map {
                HealthDay(date: $0.date.date, sessions: $0.flashes.value, crashedSessions: $0.failures.value)
            }
            snapshot.warnings = run.parts.warnings
            return snapshot
        }
    }

    private var endpoint: ServiceCall {
        ServiceCall(segments: ["stations", station, "log"], part: "flashes")
    }
}

struct BeaconRun {
    var parts: PartialFetch
}

struct BeaconPage: WirePage {
    struct Day: Decodable, Sendable {
        var date: WireDate
        var flashes: Count
        var failures: Count
    }

    var days: LossyArray<Day>
    var next: String?

    var elements: [Day] { days.values }
}

extension ServiceProfile {
    static let beacon = ServiceProfile(
        provider: "beacon", hints: [401: "ask the keeper for a new token"], halting: [401])
}

extension ProviderDescriptor {
    static let beacon = ProviderDescriptor(
        BlockSchema(
            "beacon", title: "Beacon", summary: "The log of a made-up light",
            keys: [
                .required("station", example: "north-pier", "name of the station"),
                .required("url", example: "https://host", "URL of the server"),
                .required("token", .secret(.file), example: "beacon.token", "a token"),
            ]),
        capabilities: [.sessions], permissions: ["log:read"], limit: RateLimit(60, perSeconds: 60),
        limitSource: "Beacon, limits", delay: "None."
    ) { setup in
        let base = try Address(setup.required("url"))
        return BeaconProvider(
            id: setup.id, station: try setup.required("station"), base: base, limits: setup.limits,
            sender: try AuthenticatedClient(
                setup.sender, origin: base.origin, credential: .bearer(setup.token())))
    }
}
