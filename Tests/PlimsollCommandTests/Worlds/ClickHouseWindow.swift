import AppHealth
import ClickHouseServer
import Foundation
import LoopbackServer
import Synchronization

/// The world as events in the tables of a real warehouse: what has arrived by each night is written there, some of it
/// twice, and the warehouse counts.
enum ClickHouseWindow {
    static func handler(_ world: World, _ clock: WorldClock) -> LoopbackServer.Handler {
        let loader = Mutex(ClickHouseWorld(world))
        return { request in
            let server = try await ClickHouseServer.shared.value
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

/// Writes a world into a database, as far as it has arrived.
private struct ClickHouseWorld {
    private let world: World
    private let name: String
    private var last: Instant?

    init(_ world: World) {
        self.world = world
        name = "world_\(world.seed)"
    }

    /// The name of the database that holds what has arrived by then.
    mutating func load(until now: Instant, into server: ClickHouseServer) throws -> String {
        if last == nil {
            let fences = try ManualPage.named("providers/clickhouse").fences("sql").filter(\.isRun)
            _ = try server.database(name, fences.first?.body ?? "")
        }
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
        let late = world.occurrences.enumerated().compactMap { place, seen -> String? in
            // What arrived on the day itself is written again when the sessions of the day are.
            let isNew = days.contains(seen.day) && seen.arrived <= before
            return isNew ? session(of: place, seen) : nil
        }
        try insert(sessions + crashed + late, "sessions", server)
        try insert(arrived.map { crash($0.offset, $0.element) }, "crashes", server)
        last = now
        return name
    }

    private func insert(_ rows: [String], _ table: String, _ server: ClickHouseServer) throws {
        guard !rows.isEmpty else { return }
        // The second time is one that a pipeline repeated.
        for some in [rows, Array(rows.prefix(rows.count / 3))] {
            try server.run(
                "INSERT INTO \(table) FORMAT TabSeparated\n\(some.joined(separator: "\n"))\n", in: name)
        }
    }

    // MARK: Rows

    private static func row(
        _ session: Int, _ user: Int?, _ version: String, crashed: Bool, at: Instant
    ) -> String {
        let time = "\(at.secondsSinceEpoch)"
        return [
            "deck", "\(at.date)", time, "\(session)", "\(user.map { $0 + 1 } ?? 0)", version,
            crashed ? "1" : "0",
            time,
        ].joined(separator: "\t")
    }

    /// The session that a crash ended; nil for what ends none.
    private func session(of place: Int, _ seen: World.Occurrence) -> String? {
        guard world.problems[seen.problem].kind == .crash else { return nil }
        return Self.row(
            worldSession(of: place), seen.user, world.builds[seen.version].name, crashed: true, at: seen.at)
    }

    /// All sessions of a day, none of them known to have crashed.
    private static func sessions(_ world: World, _ day: Int) -> [String] {
        worldSessions(world, day).map { session in
            row(
                session.id, session.user, world.builds[session.version].name, crashed: false, at: session.at)
        }
    }

    private func crash(_ place: Int, _ seen: World.Occurrence) -> String {
        let problem = world.problems[seen.problem]
        let kind = [Issue.Kind.crash: "fatal", .hang: "hang", .error: "nonfatal"][problem.kind] ?? "fatal"
        let hex = String(place, radix: 16)
        let event = "61f0c404-5cb3-11e7-907b-" + String(repeating: "0", count: 12 - hex.count) + hex
        let time = "\(seen.at.secondsSinceEpoch)"
        return [
            "deck", "\(seen.at.date)", time, event, problem.id, kind, world.builds[seen.version].name,
            "\(seen.user.map { $0 + 1 } ?? 0)", problem.kind == .crash ? "\(worldSession(of: place))" : "0",
            problem.title, "Deck.swift", "7", "\(seen.arrived.secondsSinceEpoch)",
        ].joined(separator: "\t")
    }
}
