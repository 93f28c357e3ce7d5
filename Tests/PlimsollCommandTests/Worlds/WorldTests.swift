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
        /// Whether its days are those of arrival.
        var byArrival = false
        /// How far its users of a day are rounded.
        var rounding = 0
        /// A file that is there in the morning.
        var file: (@Sendable (WorldView) -> (path: String, text: String))?
        /// Whether it counts what happened.
        var counts: @Sendable (World, World.Occurrence) -> Bool = { _, _ in true }
        let handler: @Sendable (World, WorldClock) -> LoopbackServer.Handler
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

    static let windows = [
        Window(
            testDescription: "bugsink", sources: ["provider: bugsink, project: deck, \(bearer)"],
            byArrival: true,
            handler: { BugsinkWindow.handler($0, $1) }),
        Window(
            testDescription: "glitchtip",
            sources: ["provider: glitchtip, organization: pier, project: deck, \(bearer)"], byArrival: true,
            handler: { GlitchtipWindow.handler($0, $1) }),
        Window(
            testDescription: "sentry",
            sources: ["provider: sentry, organization: pier, project: deck, \(bearer)"],
            handler: { SentryWindow.handler($0, $1) }),
        Window(
            testDescription: "bugsnag", sources: ["provider: bugsnag, project: deck, \(bearer)"],
            handler: { BugsnagWindow.handler($0, $1) }),
        Window(
            testDescription: "socorro", sources: ["provider: socorro, product: Deck"], byArrival: true,
            counts: { world, seen in world.problems[seen.problem].kind == .crash },
            handler: { SocorroWindow.handler($0, $1) }),
        Window(
            testDescription: "crashlytics",
            sources: ["provider: crashlytics, app: \"1:123456789012:android:0a1b\", \(account)"],
            handler: google(FirebaseWindow.answer)),
        Window(
            testDescription: "crashlytics+ga4",
            sources: [
                "provider: crashlytics, app: \"1:123456789012:android:0a1b\", \(account)",
                "provider: ga4, property: 4242, \(account)",
            ], handler: google(FirebaseWindow.answer)),
        Window(
            testDescription: "files", sources: ["provider: files, path: tables"], file: FilesWindow.table,
            handler: { _, _ in { _ in ServiceStub.notFound } }),
        Window(
            testDescription: "sentry+files",
            sources: [
                "provider: files, path: tables",
                "provider: sentry, organization: pier, project: deck, \(bearer)",
            ], file: FilesWindow.table, handler: { SentryWindow.handler($0, $1) }),
        Window(
            testDescription: "play", sources: ["provider: play, package: org.example.deck, \(account)"],
            rounding: 5,
            counts: { world, seen in
                PlayWindow.isPerceived(seen) && world.problems[seen.problem].kind != .error
            },
            handler: google(PlayWindow.answer)),
    ]

    /// The seeds: five, or as many as the environment says.
    static let seeds: [UInt64] = {
        let count = ProcessInfo.processInfo.environment["WORLDS"].flatMap { Int($0) } ?? 5
        return (1...UInt64(max(1, count))).map { $0 }
    }()

    /// The mornings on which a night's work is done, by the days of the world.
    private static let nights = [48, 49, 51]

    @Test(arguments: windows, seeds) func everyNumberIsOfTheWorld(window: Window, seed: UInt64) async throws {
        let world = World(seed: seed)
        let clock = WorldClock(World.morning(of: 0))
        let server = try await LoopbackServer.start(handler: window.handler(world, clock))
        let folder = try Folder()
        let account = StubAccount.shared.file(tokenAddress: server.origin + "/token")
        try folder.write("key.json", String(decoding: account, as: UTF8.self))
        let sources = window.sources.map {
            $0.hasPrefix("provider: files") ? "{\($0)}" : "{\($0), url: \"\(server.origin)\"}"
        }.joined(separator: ", ")
        var truths: [WorldTruth] = []
        for night in Self.nights {
            clock.now = World.morning(of: night)
            let view = WorldView(world, at: clock.now)
            if let file = window.file?(view) { try folder.write(file.path, file.text) }
            truths.append(
                WorldTruth(view, byArrival: window.byArrival) {
                    window.counts(world, $0)
                })
            try folder.write(
                "plimsoll.yml", "asOf: \(clock.now)\napps:\n  - id: deck\n    sources: [\(sources)]\n")
            let run = try await Program.run("run", in: folder, environment: ["QUAY_TOKEN": token])
            #expect(run.status == 0, "\(run.errors)")
        }
        await server.stop()
        let site = WorldSite(
            try folder.tree("site"), truths, world, rounding: window.rounding,
            lastDay: Self.nights.last.map { $0 - 1 })
        print("world \(seed) \(window.testDescription): \(site.result)")
        #expect(site.result.right > 0)
        #expect(site.result.wrong == [], "world \(seed) by \(window.testDescription)")
    }
}
