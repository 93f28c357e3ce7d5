import Foundation
import GRDB
import LoopbackServer
import Synchronization
import Transport

@testable import PlimsollCommand

/// A project with Bugsnag, Sentry and files over HTTP, each behind a connection that fails with a probability,
/// fetched by the real stage over real sockets into a real archive, with a clock that only waits move.
struct BadNight {
    let folder: Folder
    /// How many requests came in all.
    let count: Int
    /// What the fetch made of each source.
    let results: [SourceResult]
    /// How many virtual seconds passed.
    let seconds: Int

    /// Fetches into a new folder, or into a copy of an earlier night's.
    static func fetch(
        probability: Double, seed: UInt64, day: Int = 19, after earlier: Folder? = nil
    ) async throws -> BadNight {
        let folder = try earlier.map { try Folder(copyOf: $0) } ?? Folder()
        let services = [
            try await BugsnagStub.start(lastDay: day - 1), try await SentryStub.start(),
            try await files(day: day),
        ]
        let fronts = try services.enumerated().map { index, service in
            try FlakyFront.start(before: service, probability: probability, seed: seed &* 31 &+ UInt64(index))
        }
        try folder.write("token", token)
        try folder.write(
            "plimsoll.yml", configuration(fronts.map(\.origin), day: day, timeout: probability > 0 ? 10 : 300)
        )
        let console = Console()
        let project = try loadProject(folder.path + "/plimsoll.yml", console, data: folder.path)
        let clock = Clock()
        let results = try await fetchAll(
            project, waiting: 1, exchanges: .live, pacing: clock.pacing(seed: seed), console)
        for service in services { await service.stop() }
        return BadNight(
            folder: folder, count: fronts.reduce(0) { $0 + $1.count }, results: results,
            seconds: clock.milliseconds / 1000)
    }

    /// The attempts are those of every fetch; only silence costs less than usual. Where no service is silent, a busy
    /// machine must not look so.
    private static func configuration(_ origins: [String], day: Int, timeout: Int) -> String {
        """
        title: Quay
        asOf: 2026-11-\(day)T06:00:00Z
        timeout: \(timeout)
        apps:
          - id: ferry
            name: Ferry
            sources:
              - {provider: bugsnag, project: ferry, url: "\(origins[0])", tokenFile: token}
          - id: tug
            name: Tug
            sources:
              - {provider: sentry, organization: quay, project: tug, url: "\(origins[1])", tokenFile: token}
              - {provider: files, id: table, path: "\(origins[2])/tug.csv"}
          - id: buoy
            name: Buoy
            sources:
              - {provider: files, id: first, path: "\(origins[2])/buoy.json"}
              - {provider: files, id: second, path: "\(origins[2])/more/buoy.json", tokenFile: token}

        """
    }

    private static func files(day: Int) async throws -> LoopbackServer {
        let days = Quay.days(to: day - 1).map { "2026-11-\(Quay.padded($0)),\(6000 + $0),30,2000,20" }
        let table =
            "# capturedAt: 2026-11-\(day)T05:00:00Z\ndate,sessions,crashed_sessions,users,crashed_users\n"
            + days.joined(separator: "\n") + "\n"
        return try await LoopbackServer.start { request in
            switch request.path {
            case "/tug.csv": .text(table)
            case "/buoy.json": .json(Quay.snapshot(of: "buoy", day: day))
            case "/more/buoy.json": .json(Quay.snapshot(of: "buoy", day: day, users: 7000))
            default: .text("", status: 404)
            }
        }
    }

    /// Every row of every table, as text, in order. Sources, versions and issues have their names in the place of
    /// their numbers, which depend on who answers first.
    func rows() throws -> [String] {
        var options = GRDB.Configuration()
        options.readonly = true
        let database = try DatabaseQueue(path: folder.path + "/archive.sqlite", configuration: options)
        return try database.read { database in
            let tables = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            let names = try RowNames(database)
            return try tables.flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \"\(table)\"")
                    .map { "\(table) \(names.text(of: $0, in: table))" }.sorted()
            }
        }
    }
}

/// A clock that goes on only when somebody waits.
private final class Clock: Sendable {
    private let now = Mutex(0)

    var milliseconds: Int { now.withLock { $0 } }

    func pacing(seed: UInt64) -> Pacing {
        let random = Mutex(seed)
        return Pacing(
            now: { self.milliseconds / 1000 },
            random: {
                random.withLock { state in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return Double(state >> 11) / 0x1p53
                }
            }, sleep: { wait in self.now.withLock { $0 += wait } }, milliseconds: { self.milliseconds })
    }
}
