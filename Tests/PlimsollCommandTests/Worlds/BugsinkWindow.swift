import AppHealth
import Foundation
import LoopbackServer
import Synchronization

/// A moment that a test moves on.
final class WorldClock: Sendable {
    private let instant: Mutex<Instant>

    init(_ now: Instant) { instant = Mutex(now) }

    var now: Instant {
        get { instant.withLock { $0 } }
        set { instant.withLock { $0 = newValue } }
    }
}

/// The world as a server shows it that counts events by the hour of their arrival, and knows no sessions.
enum BugsinkWindow {
    static func handler(_ world: World, _ clock: WorldClock) -> LoopbackServer.Handler {
        { request in
            ServiceStub.bearer(request) { answer(request, WorldView(world, at: clock.now)) }
        }
    }

    private static func answer(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        let parts = request.path.replacing("/api/canonical/0/", with: "").split(separator: "/").map(
            String.init)
        switch (parts.first, parts.count) {
        case ("projects", 1): return page([["id": 2, "team": "t", "name": "Deck", "slug": "deck"]])
        case ("projects", 3): return counts(view.occurrences, request, view)
        case ("issues", 1):
            let problems = view.problems.filter {
                request.parameter("q") != "handled:false" || $0.problem.kind == .crash
            }
            return page(problems.sorted { $0.seen.count > $1.seen.count }.map { issue($0, view) })
        case ("issues", 3):
            guard let found = view.problem(parts[1]) else { return ServiceStub.notFound }
            return parts[2] == "tags" ? tags(found, request, view) : counts(found.seen, request, view)
        case ("events", 1): return page([["id": "e\(request.parameter("issue") ?? "")"]])
        case ("events", 2): return event(String(parts[1].dropFirst()), view)
        case ("releases", 1):
            return page(view.world.builds.filter { $0.day <= view.today }.map { release($0) })
        case ("issue-history", 1): return page([])
        default: return ServiceStub.notFound
        }
    }

    private static func page(_ results: [[String: Any]]) -> StubResponse {
        .json(WorldView.json(["next": NSNull(), "previous": NSNull(), "results": results]))
    }

    private static func issue(
        _ found: (problem: World.Problem, seen: [World.Occurrence]), _ view: WorldView
    ) -> [String: Any] {
        let arrivals = found.seen.map(\.arrived)
        let versions = Set(found.seen.map(\.version)).sorted().map { label(view.world.builds[$0]) }
        return [
            "id": found.problem.id, "friendly_id": "DECK-\(found.problem.id)", "project": 2,
            "digest_order": 1,
            "first_seen": arrivals.min()?.description ?? "", "last_seen": arrivals.max()?.description ?? "",
            "digested_event_count": found.seen.count, "stored_event_count": found.seen.count,
            "calculated_type": "Fault", "calculated_value": found.problem.title, "transaction": "deck",
            "events_at": versions, "is_resolved": false, "is_muted": false,
        ]
    }

    private static func label(_ build: World.Build) -> String {
        "org.example.deck@\(build.name)+\(build.build)"
    }

    private static func release(_ build: World.Build) -> [String: Any] {
        [
            "id": build.build, "project": 2, "version": label(build),
            "date_released": Instant(startOf: World.date(build.day)).description,
        ]
    }

    /// Hours from the start, at most 90 days back, to the hour that has begun; empty ones are zero.
    private static func counts(
        _ seen: [World.Occurrence], _ request: RecordedRequest, _ view: WorldView
    ) -> StubResponse {
        let current = UTCHour(of: view.now)
        let dates = ISO8601DateFormatter()
        func hour(_ name: String) -> UTCHour? {
            request.parameter(name).flatMap { dates.date(from: $0) }.map {
                UTCHour(of: Instant(secondsSinceEpoch: Int($0.timeIntervalSince1970)))
            }
        }
        let first = hour("start") ?? current.advanced(by: -24)
        let end = hour("end") ?? current.advanced(by: 1)
        guard current.hoursSinceEpoch - first.hoursSinceEpoch <= 90 * 24 + 24 else {
            return .json(#"{"start":["May not be more than 90 days ago."]}"#, status: 400)
        }
        let byHour = Dictionary(grouping: seen) { UTCHour(of: $0.arrived) }
        let buckets = (first.hoursSinceEpoch..<max(end.hoursSinceEpoch, first.hoursSinceEpoch)).map { place in
            let hour = UTCHour(hoursSinceEpoch: place)
            return ["timestamp": hour.start.description, "count": byHour[hour]?.count ?? 0] as [String: Any]
        }
        return .json(
            WorldView.json([
                "start": first.start.description, "end": end.start.description, "interval_seconds": 3600,
                "buckets": buckets,
            ]))
    }

    private static func tags(
        _ found: (problem: World.Problem, seen: [World.Occurrence]), _ request: RecordedRequest,
        _ view: WorldView
    ) -> StubResponse {
        let key = request.parameter("key") ?? ""
        let values = found.seen.compactMap { seen -> String? in
            switch key {
            case "release": label(view.world.builds[seen.version])
            case "user": seen.user.map { "\($0)" }
            case "handled": found.problem.kind == .crash ? "false" : "true"
            case "mechanism": found.problem.kind == .hang ? "AppHang" : "generic"
            default: nil
            }
        }
        let counted = Dictionary(grouping: values, by: \.self).sorted { $0.key < $1.key }
        return page(
            counted.enumerated().map { place, entry in
                ["id": place + 1, "key": key, "value": entry.key, "count": entry.value.count]
            })
    }

    private static func event(_ id: String, _ view: WorldView) -> StubResponse {
        guard let found = view.problem(id) else { return ServiceStub.notFound }
        let isHang = found.problem.kind == .hang
        let mechanism: [String: Any] = [
            "type": isHang ? "AppHang" : "generic", "handled": found.problem.kind != .crash,
        ]
        let exception: [String: Any] = [
            "type": isHang ? "App Hanging" : "Fault", "mechanism": mechanism,
            "stacktrace": ["frames": [["filename": "Deck.swift", "lineno": 7, "in_app": true]]],
        ]
        let level = found.problem.kind == .crash ? "fatal" : "error"
        let data: [String: Any] = ["level": level, "exception": ["values": [exception]]]
        return .json(WorldView.json(["id": "e\(id)", "data": data]))
    }
}
