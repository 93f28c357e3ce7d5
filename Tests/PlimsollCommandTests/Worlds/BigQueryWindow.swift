import AppHealth
import BigQueryEmulator
import Foundation
import GoogleStub
import LoopbackServer
import Synchronization

/// The world as an app's export to BigQuery: what has arrived by each night is in the tables of an emulator, some of it
/// in that of the night and in that of the moment, and the emulator counts.
enum BigQueryWindow {
    static func handler(_ world: World, _ clock: WorldClock) -> LoopbackServer.Handler {
        let tokens = StubTokenServer { Int(Date().timeIntervalSince1970) }
        let loader = Mutex(BigQueryWorld(world))
        return { request in
            if request.path == "/token" {
                return tokens.answer(request, address: "http://\(request.header("Host") ?? "")/token")
            }
            guard tokens.admits(request) else { return .json(#"{"error":{"code":401}}"#, status: 401) }
            let emulator = try await BigQueryEmulator.shared.value
            let project = try loader.withLock { try $0.load(until: clock.now, into: emulator) }
            let answer = emulator.answer(
                request.method, request.target.replacing("/projects/deck/", with: "/projects/\(project)/"),
                request.text.replacing("`deck`", with: "`\(project)`"))
            return .json(answer.body, status: answer.status)
        }
    }
}

/// Writes a world into the tables of an export, as far as it has arrived.
private struct BigQueryWorld {
    private let world: World
    private let project: String
    private var last: Instant?
    private static let table = "org_example_deck_ANDROID"

    init(_ world: World) {
        self.world = world
        project = "world-\(world.seed)"
    }

    /// The project that holds what has arrived by then.
    mutating func load(until now: Instant, into emulator: BigQueryEmulator) throws -> String {
        if last == nil { try emulator.firebase(project, app: Self.table) }
        guard last != now else { return project }
        let before = last ?? Instant(startOf: World.first)
        let days = world.sessions.indices.filter { day in
            let end = Instant(startOf: World.date(day + 1))
            return end > before && end <= now
        }
        let sessions = days.flatMap { worldSessions(world, $0) }.map { session in
            BigQueryEmulator.session(
                "\(session.id)", user: session.user.map(String.init),
                release: world.builds[session.version].name, at: Self.time(session.at))
        }
        let arrived = world.occurrences.enumerated().filter {
            $0.element.arrived > before && $0.element.arrived <= now
        }
        try insert(sessions, "firebase_sessions", emulator)
        try insert(arrived.map { crash($0.offset, $0.element) }, "firebase_crashlytics", emulator)
        last = now
        return project
    }

    /// Two thirds of the rows are in the table of the night, the last two thirds in that of the moment.
    private func insert(_ rows: [String], _ dataset: String, _ emulator: BigQueryEmulator) throws {
        let third = rows.count / 3
        for (table, some) in [
            (Self.table, Array(rows.dropLast(third))),
            (Self.table + "_REALTIME", Array(rows.dropFirst(third))),
        ] where !some.isEmpty {
            try emulator.insert(some, into: table, in: dataset, of: project)
        }
    }

    private static func time(_ instant: Instant) -> String {
        instant.description.replacing("T", with: " ").replacing("Z", with: " UTC")
    }

    private func crash(_ place: Int, _ seen: World.Occurrence) -> String {
        let problem = world.problems[seen.problem]
        let kind = [Issue.Kind.crash: "FATAL", .hang: "ANR", .error: "NON_FATAL"][problem.kind] ?? "FATAL"
        return BigQueryEmulator.crash(
            "event-\(place)", kind: kind, issue: problem.id, user: seen.user.map(String.init),
            session: problem.kind == .crash ? "\(worldSession(of: place))" : nil,
            release: world.builds[seen.version].name, symbol: problem.title, at: Self.time(seen.at))
    }
}
