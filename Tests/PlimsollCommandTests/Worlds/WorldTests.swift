import AppHealth
import Foundation
import LoopbackServer
import Testing

/// A world, a service that shows a part of it, several nights, and every number of the site held against the world.
@Suite(.timeLimit(.minutes(20)))
struct WorldTests {
    struct Window: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The source's keys; `ORIGIN` stands for the address of the service.
        let source: String
        /// Whether its days are those of arrival.
        let byArrival: Bool
        let handler: @Sendable (World, WorldClock) -> LoopbackServer.Handler
    }

    static let windows = [
        Window(
            testDescription: "bugsink", source: "provider: bugsink, project: deck", byArrival: true,
            handler: { BugsinkWindow.handler($0, $1) }),
        Window(
            testDescription: "glitchtip", source: "provider: glitchtip, organization: pier, project: deck",
            byArrival: true, handler: { GlitchtipWindow.handler($0, $1) }),
        Window(
            testDescription: "sentry", source: "provider: sentry, organization: pier, project: deck",
            byArrival: false, handler: { SentryWindow.handler($0, $1) }),
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
        var truths: [WorldTruth] = []
        for night in Self.nights {
            clock.now = World.morning(of: night)
            truths.append(WorldTruth(WorldView(world, at: clock.now), byArrival: window.byArrival))
            try folder.write(
                "plimsoll.yml",
                """
                asOf: \(clock.now)
                apps:
                  - id: deck
                    sources: [{\(window.source), token: "${QUAY_TOKEN}", url: "\(server.origin)"}]

                """)
            let run = try await Program.run("run", in: folder, environment: ["QUAY_TOKEN": token])
            #expect(run.status == 0 || run.status == 1, "\(run.errors)")
        }
        await server.stop()
        let site = WorldSite(try folder.tree("site"), truths, world)
        print("world \(seed) \(window.testDescription): \(site.result)")
        #expect(site.result.right > 0)
        #expect(site.result.wrong == [], "world \(seed) by \(window.testDescription)")
    }
}
