import AppHealth
import ClickHouseServer
import Foundation
import LoopbackServer
import Synchronization

/// The world as events in the tables of a real warehouse: what has arrived by each night is written there, some of it
/// twice, and the warehouse counts.
enum ClickHouseWindow {
    static func handler(
        _ engine: ClickHouseServer.Engine, _ schema: ClickHouseSchema
    ) -> @Sendable (World, WorldClock) -> LoopbackServer.Handler {
        { world, clock in
            let loader = Mutex(ClickHouseWorld(world, schema))
            return { request in
                let server = try await ClickHouseServer.shared(engine)
                let database = try loader.withLock { try $0.load(until: clock.now, into: server) }
                let headers = ["X-ClickHouse-User", "X-ClickHouse-Key"].compactMap { name in
                    request.header(name).map { (name: name, value: $0) }
                }
                let query = request.target.split(separator: "?", maxSplits: 1).last.map(String.init) ?? ""
                let answer = server.answer(
                    to: request.text, query: query.replacing("database=deck", with: "database=\(database)"),
                    headers: headers)
                return StubResponse(
                    status: answer.status,
                    headers: answer.headers.filter {
                        !["connection", "content-length", "transfer-encoding"].contains($0.name.lowercased())
                    },
                    body: Array(answer.body.utf8))
            }
        }
    }
}

/// Writes a world into a database, as far as it has arrived.
private struct ClickHouseWorld {
    private let world: World
    private let schema: ClickHouseSchema
    private let name: String
    private var last: Instant?

    init(_ world: World, _ schema: ClickHouseSchema) {
        (self.world, self.schema) = (world, schema)
        name = "world_\(schema.name)_\(world.seed)"
    }

    /// The name of the database that holds what has arrived by then.
    mutating func load(until now: Instant, into server: ClickHouseServer) throws -> String {
        if last == nil { _ = try server.database(name, try schema.statements()) }
        guard last != now else { return name }
        let before = last ?? Instant(startOf: World.first)
        let days = world.sessions.indices.filter { day in
            let end = Instant(startOf: World.date(day + 1))
            return end > before && end <= now
        }
        let sessions = days.flatMap { Self.sessions(world, $0) }
        let arrived = world.occurrences.enumerated().filter {
            $0.element.arrived > before && $0.element.arrived <= now
        }
        let crashed = arrived.compactMap { place, seen in
            seen.at.date < now.date ? session(of: place, seen) : nil
        }
        let late = world.occurrences.enumerated().compactMap { place, seen in
            // What arrived on the day itself is written again when the sessions of the day are.
            let isNew = days.contains(seen.day) && seen.arrived <= before
            return isNew ? session(of: place, seen) : nil
        }
        try insert(schema.sessionInsertion, (sessions + crashed + late).map(schema.session), server)
        let crashes = arrived.map { place, seen in
            ClickHouseSchema.Crash(
                place: place, seen: seen, problem: world.problems[seen.problem],
                version: world.builds[seen.version].name)
        }
        try insert(schema.crashInsertion, crashes.map(schema.crash), server)
        last = now
        return name
    }

    private func insert(_ statement: String, _ rows: [String], _ server: ClickHouseServer) throws {
        guard !rows.isEmpty else { return }
        // The second time is one that a pipeline repeated.
        for some in [rows, Array(rows.prefix(rows.count / 3))] {
            try server.run("\(statement)\(some.joined(separator: "\n"))\n", in: name)
        }
    }

    /// The session that a crash ended; nil for what ends none.
    private func session(of place: Int, _ seen: World.Occurrence) -> ClickHouseSchema.Session? {
        guard world.problems[seen.problem].kind == .crash else { return nil }
        return ClickHouseSchema.Session(
            id: worldSession(of: place), user: seen.user, version: world.builds[seen.version].name,
            hasCrashed: true, at: seen.at)
    }

    /// All sessions of a day, none of them known to have crashed.
    private static func sessions(_ world: World, _ day: Int) -> [ClickHouseSchema.Session] {
        worldSessions(world, day).map { session in
            ClickHouseSchema.Session(
                id: session.id, user: session.user, version: world.builds[session.version].name,
                hasCrashed: false, at: session.at)
        }
    }
}
