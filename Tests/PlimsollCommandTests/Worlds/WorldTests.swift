import AppHealth
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
        /// A file that is there in the morning.
        var file: (@Sendable (WorldView) -> (path: String, text: String))?
        let handler: @Sendable (World, WorldClock) -> LoopbackServer.Handler
    }

    /// What a service counts, and on which day.
    struct Counting: Sendable {
        /// Whether its days are those of arrival.
        var byArrival = false
        var counts: @Sendable (World, World.Occurrence) -> Bool

        init(
            byArrival: Bool = false,
            _ counts: @escaping @Sendable (World, World.Occurrence) -> Bool = { _, _ in true }
        ) {
            (self.byArrival, self.counts) = (byArrival, counts)
        }

        func truth(_ view: WorldView) -> WorldTruth {
            WorldTruth(view, byArrival: byArrival) { counts(view.world, $0) }
        }
    }

    private static let arrivals = Counting(byArrival: true)
    private static let perceived = Counting { world, seen in
        PlayWindow.isPerceived(seen) && world.problems[seen.problem].kind != .error
    }
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
        rounding: Int = 0,
        handler: @escaping @Sendable (World, WorldClock) -> LoopbackServer.Handler
    ) -> Window {
        Window(
            testDescription: name, sources: sources, issues: issues, days: days, rounding: rounding,
            handler: handler)
    }

    private static let crashlytics = "provider: crashlytics, app: \"1:123456789012:android:0a1b\", \(account)"
    private static let bugsink = "provider: bugsink, project: deck, \(bearer)"
    private static let play = "provider: play, package: org.example.deck, \(account)"

    static let windows = [
        fetched("bugsink", bugsink, issues: arrivals) { BugsinkWindow.handler($0, $1) },
        fetched(
            "glitchtip", "provider: glitchtip, organization: pier, project: deck, \(bearer)", issues: arrivals
        ) { GlitchtipWindow.handler($0, $1) },
        fetched("sentry", "provider: sentry, organization: pier, project: deck, \(bearer)") {
            SentryWindow.handler($0, $1)
        },
        fetched("bugsnag", "provider: bugsnag, project: deck, \(bearer)") { BugsnagWindow.handler($0, $1) },
        fetched(
            "socorro", "provider: socorro, product: Deck",
            issues: Counting(byArrival: true) { world, seen in world.problems[seen.problem].kind == .crash }
        ) { SocorroWindow.handler($0, $1) },
        fetched("crashlytics", crashlytics, handler: google(FirebaseWindow.answer)),
        fetched(
            "crashlytics+ga4", crashlytics, "provider: ga4, property: 4242, \(account)",
            handler: google(FirebaseWindow.answer)),
        fetched("play", play, issues: perceived, rounding: 5, handler: google(PlayWindow.answer)),
        fetched(
            "crashlytics+play", crashlytics, play, days: perceived, rounding: 5,
            handler: google { request, view in
                request.path.hasPrefix("/v1beta1/")
                    ? PlayWindow.answer(request, view) : FirebaseWindow.answer(request, view)
            }),
        Window(
            testDescription: "files", sources: ["provider: files, path: tables"], file: FilesWindow.table,
            handler: { _, _ in { _ in ServiceStub.notFound } }),
        Window(
            testDescription: "bugsink+files", sources: ["provider: files, path: tables", bugsink],
            issues: arrivals,
            days: Counting(), file: FilesWindow.table, handler: { BugsinkWindow.handler($0, $1) }),
    ]

    /// Each window with its seeds: one of five, or as many of them as the environment says.
    static let shown: [(window: Window, seed: UInt64)] = {
        let count = ProcessInfo.processInfo.environment["WORLDS"].flatMap { Int($0) }
        return windows.enumerated().flatMap { place, window in
            (count.map { 1...max(1, $0) } ?? (place % 5 + 1)...(place % 5 + 1)).map { (window, UInt64($0)) }
        }
    }()

    /// The mornings on which a night's work is done, by the days of the world.
    private static let nights = [48, 49, 51]

    @Test(arguments: shown) func everyNumberIsOfTheWorld(window: Window, seed: UInt64) async throws {
        let world = World(seed: seed)
        let clock = WorldClock(World.morning(of: 0))
        let server = try await LoopbackServer.start(handler: window.handler(world, clock))
        let folder = try Folder()
        let account = StubAccount.shared.file(tokenAddress: server.origin + "/token")
        try folder.write("key.json", String(decoding: account, as: UTF8.self))
        let sources = window.sources.map {
            $0.hasPrefix("provider: files") ? "{\($0)}" : "{\($0), url: \"\(server.origin)\"}"
        }.joined(separator: ", ")
        var (issues, days): ([WorldTruth], [WorldTruth]) = ([], [])
        for night in Self.nights {
            clock.now = World.morning(of: night)
            let view = WorldView(world, at: clock.now)
            if let file = window.file?(view) { try folder.write(file.path, file.text) }
            issues.append(window.issues.truth(view))
            days.append((window.days ?? window.issues).truth(view))
            try folder.write(
                "plimsoll.yml", "asOf: \(clock.now)\napps:\n  - id: deck\n    sources: [\(sources)]\n")
            let run = try await Program.run("run", in: folder, environment: ["QUAY_TOKEN": token])
            #expect(run.status == 0, "\(run.errors)")
        }
        await server.stop()
        let site = WorldSite(
            try folder.tree("site"), issues: issues, days: days, world, rounding: window.rounding,
            lastDay: (Self.nights.last ?? 0) - 1)
        print("world \(seed) \(window.testDescription): \(site.result)")
        #expect(site.result.right > 0)
        #expect(site.result.wrong == [], "world \(seed) by \(window.testDescription)")
    }
}
