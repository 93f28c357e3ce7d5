import AppHealth
import AppStoreConnectStub
import BigQueryEmulator
import ClickHouseServer
import Foundation
import GoogleStub
import LoopbackServer
import Testing

/// A world, services that show parts of it, several nights, and every number of the site held against the world.
@Suite(.timeLimit(.minutes(20)))
struct WorldTests {
    /// One service, or several as people use them together.
    struct Window: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The keys of each source; the address and what opens it are added.
        let sources: [String]
        /// How its issues are counted.
        var issues = Counting()
        /// How the days of the app are counted; as its issues when nothing is said.
        var days: Counting?
        /// How far its users of a day are rounded.
        var rounding = 0
        /// By how many days the last whole day is earlier than in UTC: in the west yesterday is not over in the morning.
        var daysBehind = 0
        /// The files that are there in the morning.
        var files: @Sendable (WorldView) -> [(path: String, text: String)] = { _ in [] }
        /// How it groups what it sees into issues.
        var seen: @Sendable (World) -> World = { $0 }
        let handler: @Sendable (World, WorldClock) -> LoopbackServer.Handler
    }

    /// What a service counts, and on which day.
    struct Counting: Sendable {
        /// The day that it counts something for.
        var day: @Sendable (World.Occurrence) -> Int
        var counts: @Sendable (WorldView, World.Occurrence) -> Bool

        init(
            by day: @escaping @Sendable (World.Occurrence) -> Int = { $0.day },
            where counts: @escaping @Sendable (WorldView, World.Occurrence) -> Bool = { _, _ in true }
        ) {
            (self.day, self.counts) = (day, counts)
        }

        func truth(_ view: WorldView) -> WorldTruth {
            WorldTruth(view, by: day) { counts(view, $0) }
        }
    }

    private static func arrival(_ seen: World.Occurrence) -> Int { World.first.days(to: seen.arrived.date) }

    private static let arrivals = Counting(by: arrival)
    private static let perceived = Counting(where: { view, seen in
        PlayWindow.isPerceived(seen) && view.world.problems[seen.problem].kind != .error
    })
    private static let shared = Counting(where: { _, seen in AppStoreConnectWindow.shares(seen.user) })
    private static let delivered = Counting(
        by: MetricKitWindow.day, where: { view, seen in MetricKitWindow.isDelivered(seen, view) })
    private static let account = "accountFile: key.json"
    private static let bearer = "token: \"${QUAY_TOKEN}\""

    /// A handler behind the token server of a vendor.
    private static func google(
        _ answer: @escaping @Sendable (RecordedRequest, WorldView) -> StubResponse
    ) -> @Sendable (World, WorldClock) -> LoopbackServer.Handler {
        { world, clock in
            let tokens = StubTokenServer { Int(Date().timeIntervalSince1970) }
            return ServiceStub.google(tokens) { answer($0, WorldView(world, at: clock.now)) }
        }
    }

    private static func fetched(
        _ name: String, _ sources: String..., issues: Counting = Counting(), days: Counting? = nil,
        rounding: Int = 0, daysBehind: Int = 0,
        handler: @escaping @Sendable (World, WorldClock) -> LoopbackServer.Handler
    ) -> Window {
        Window(
            testDescription: name, sources: sources, issues: issues, days: days, rounding: rounding,
            daysBehind: daysBehind, handler: handler)
    }

    private static let crashlytics = "provider: crashlytics, app: \"1:123456789012:android:0a1b\", \(account)"
    private static let sentry = "provider: sentry, organization: pier, project: deck, \(bearer)"
    private static let appstore = """
        provider: appstoreconnect, app: "\(StubAppStoreConnect.appID)", issuer: "${ASC_ISSUER}", \
        keyId: \(StubTeamKey.shared.id), key: "${ASC_KEY}"
        """
    private static let bugsink = "provider: bugsink, project: deck, \(bearer)"
    private static let play = "provider: play, package: org.example.deck, \(account)"

    static let windows =
        [
            fetched("bugsink", bugsink, issues: arrivals) { BugsinkWindow.handler($0, $1) },
            fetched(
                "glitchtip", "provider: glitchtip, organization: pier, project: deck, \(bearer)",
                issues: arrivals
            ) { GlitchtipWindow.handler($0, $1) },
            fetched("sentry", sentry) {
                SentryWindow.handler($0, $1)
            },
            fetched("bugsnag", "provider: bugsnag, project: deck, \(bearer)") {
                BugsnagWindow.handler($0, $1)
            },
            fetched(
                "socorro", "provider: socorro, product: Deck",
                issues: Counting(
                    by: arrival, where: { view, seen in view.world.problems[seen.problem].kind == .crash })
            ) { SocorroWindow.handler($0, $1) },
            fetched("crashlytics", crashlytics, handler: google(FirebaseWindow.answer)),
            fetched(
                "crashlytics+ga4", crashlytics, "provider: ga4, property: 4242, \(account)",
                handler: google(FirebaseWindow.answer)),
            fetched(
                "play", play, issues: perceived, rounding: 5, daysBehind: 1,
                handler: google(PlayWindow.answer)),
            fetched(
                "crashlytics+play", crashlytics, play, days: perceived, rounding: 5,
                handler: google { request, view in
                    request.path.hasPrefix("/v1beta1/")
                        ? PlayWindow.answer(request, view) : FirebaseWindow.answer(request, view)
                }),
            Window(
                testDescription: "files", sources: ["provider: files, path: tables"],
                files: { [FilesWindow.table($0)] },
                handler: { _, _ in { _ in ServiceStub.notFound } }),
            Window(
                testDescription: "bugsink+files", sources: ["provider: files, path: tables", bugsink],
                issues: arrivals,
                days: Counting(), files: { [FilesWindow.table($0)] },
                handler: { BugsinkWindow.handler($0, $1) }),
            Window(
                testDescription: "appstoreconnect", sources: [appstore], issues: shared, days: Counting(),
                seen: AppStoreConnectWindow.seen, handler: { AppStoreConnectWindow.handler($0, $1) }),
            fetched("appstoreconnect+sentry", sentry, appstore) { world, clock in
                let (sentry, store) = (
                    SentryWindow.handler(world, clock), AppStoreConnectWindow.handler(world, clock)
                )
                return { request in
                    try await request.path.hasPrefix("/api/0/") ? sentry(request) : store(request)
                }
            },
            Window(
                testDescription: "metrickit", sources: ["provider: metrickit, path: payloads"],
                issues: delivered, files: MetricKitWindow.files, seen: MetricKitWindow.seen,
                handler: { _, _ in { _ in ServiceStub.notFound } }),
        ] + warehouses + emulators

    /// Real ones, where they are installed: the tables of the manual, tables of one's own, and those of OpenTelemetry, which
    /// an old server cannot have.
    private static let warehouses = ClickHouseServer.Engine.installed.flatMap { engine -> [Window] in
        let name = engine == .old ? "clickhouse" : "clickhouse-current"
        let tables = [
            fetched(
                name, "provider: clickhouse, preset: plimsoll, database: deck",
                handler: ClickHouseWindow.handler(engine, .plimsoll)),
            fetched(
                name + "-own", ClickHouseSchema.ownSource, handler: ClickHouseWindow.handler(engine, .own)),
        ]
        guard engine == .current else { return tables }
        return tables + [
            Window(
                testDescription: "clickhouse-opentelemetry",
                sources: ["provider: clickhouse, preset: opentelemetry, database: deck"],
                seen: ClickHouseSchema.seen, handler: ClickHouseWindow.handler(engine, .telemetry))
        ]
    }

    /// The current engine is a window where it is installed, and otherwise it is said why it is none.
    @Test(
        .enabled(if: ClickHouseServer.Engine.current.isInstalled, "\(ClickHouseServer.Engine.current.reason)")
    )
    func theCurrentEngineIsAWindow() {
        #expect(Self.windows.count { $0.testDescription.hasPrefix("clickhouse-current") } == 2)
    }

    /// An emulator, where it is installed.
    private static let emulators =
        BigQueryEmulator.isInstalled
        ? [
            fetched(
                "bigquery",
                "provider: bigquery, project: deck, preset: firebase, app: org.example.deck, platform: android, \(account)"
            ) { BigQueryWindow.handler($0, $1) }
        ] : []

    /// Each window with its seeds: five, or as many of them as the environment says; of all windows, or of those that
    /// it names.
    static let shown: [(window: Window, seed: UInt64)] = {
        // `50` are the first fifty, `26-30` are these.
        let bounds = (ProcessInfo.processInfo.environment["WORLDS"] ?? "").split(separator: "-").compactMap {
            Int($0)
        }
        let wanted = bounds.last.map { last in min(bounds.count > 1 ? bounds[0] : 1, last)...max(1, last) }
        let names = ProcessInfo.processInfo.environment["WINDOWS"]?.split(separator: " ").map(String.init)
        let chosen = windows.filter { names?.contains($0.testDescription) ?? true }
        return chosen.flatMap { window in (wanted ?? 1...5).map { (window, UInt64($0)) } }
    }()

    /// The mornings on which a night's work is done, by the days of the world.
    private static let nights = [48, 49, 51]

    @Test(arguments: shown) func everyNumberIsOfTheWorld(window: Window, seed: UInt64) async throws {
        let world = window.seen(World(seed: seed))
        let clock = WorldClock(World.morning(of: 0))
        let server = try await LoopbackServer.start(handler: window.handler(world, clock))
        let folder = try Folder()
        let account = StubAccount.shared.file(tokenAddress: server.origin + "/token")
        try folder.write("key.json", String(decoding: account, as: UTF8.self))
        let variables = [
            "QUAY_TOKEN": token, "ASC_KEY": StubTeamKey.shared.pem, "ASC_ISSUER": StubTeamKey.shared.issuer,
        ]
        let sources = window.sources.map {
            $0.contains(", path: ") ? "{\($0)}" : "{\($0), url: \"\(server.origin)\"}"
        }.joined(separator: ", ")
        var (issues, days): ([WorldTruth], [WorldTruth]) = ([], [])
        for night in Self.nights {
            clock.now = World.morning(of: night)
            let view = WorldView(world, at: clock.now)
            for file in window.files(view) { try folder.write(file.path, file.text) }
            issues.append(window.issues.truth(view))
            days.append((window.days ?? window.issues).truth(view))
            try folder.write(
                "plimsoll.yml",
                """
                asOf: \(clock.now)
                outputs: {issue: [json, csv, charts], comparison: [json, csv, charts], day: [json, csv, charts]}
                apps:
                  - id: deck
                    sources: [\(sources)]

                """)
            let run = try await Program.run("run", in: folder, environment: variables)
            #expect(run.status == 0, "\(run.errors)")
        }
        await server.stop()
        let site = WorldSite(
            try folder.tree("site"), issues: issues, days: days, world, rounding: window.rounding,
            lastDay: (Self.nights.last ?? 0) - 1 - window.daysBehind)
        print("world \(seed) \(window.testDescription): \(site.result)")
        if !site.result.wrong.isEmpty, let place = ProcessInfo.processInfo.environment["WORLDS_KEEP"] {
            try? FileManager.default.copyItem(
                atPath: folder.path, toPath: "\(place)/\(window.testDescription)-\(seed)")
        }
        #expect(site.result.right > 0)
        #expect(site.result.wrong == [], "world \(seed) by \(window.testDescription)")
    }
}
