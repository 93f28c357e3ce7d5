import AppHealth
import Foundation
import LoopbackServer

/// The world as a server shows it that has the issues of one service's interface without its sessions: days of issues
/// reach 14 days back, of which empty ones are absent and the first is cut; users of a list are always zero.
enum GlitchtipWindow {
    static func handler(_ world: World, _ clock: WorldClock) -> LoopbackServer.Handler {
        { request in
            ServiceStub.bearer(request) { answer(request, WorldView(world, at: clock.now)) }
        }
    }

    private static func answer(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        let parts = request.path.replacing("/api/0/", with: "").split(separator: "/").map(String.init)
        switch (parts.first, parts.count) {
        case (nil, _): return .json(#"{"version":"0","auth":{"scopes":["org:read","event:read"]}}"#)
        case ("organizations", 3) where parts[2] == "projects":
            return .json(WorldView.json([["id": "3", "slug": "deck", "name": "Deck", "platform": "cocoa"]]))
        case ("organizations", 3) where parts[2] == "issues": return issues(request, view)
        case ("organizations", 3) where parts[2] == "issues-stats": return days(request, view)
        case ("organizations", 3) where parts[2] == "stats_v2": return hours(request, view)
        case ("organizations", 3) where parts[2] == "releases": return releases(view)
        case ("issues", 3) where parts[2] == "tags":
            return view.problem(parts[1]).map { tags($0.seen, request, view) } ?? ServiceStub.notFound
        case ("issues", 3) where parts[2] == "comments": return .json("[]")
        case ("issues", 4), ("issues", 5): return .json(#"{"entries":[]}"#)
        default: return ServiceStub.notFound
        }
    }

    private static func list(_ values: [[String: Any]], _ request: RecordedRequest, limit: Int)
        -> StubResponse
    {
        let start = request.parameter("cursor").flatMap { Int($0) } ?? 0
        let some = Array(values.dropFirst(start).prefix(limit))
        let hasMore = start + some.count < values.count
        let link =
            hasMore
            ? #"<http://127.0.0.1/>; rel="next"; results="true"; cursor="\#(start + some.count)""#
            : #"<http://127.0.0.1/>; rel="next"; results="false""#
        return .json(WorldView.json(some), headers: [("Link", link)])
    }

    private static func issues(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        let sort = request.parameter("sort") ?? "-last_seen"
        let sorted = view.problems.sorted { first, second in
            sort.hasSuffix("count")
                ? first.seen.count > second.seen.count
                : (first.seen.last?.arrived ?? view.now) > (second.seen.last?.arrived ?? view.now)
        }
        let values = sorted.map { found -> [String: Any] in
            let type = found.problem.kind == .hang ? "App Hanging" : "Fault"
            return [
                "id": found.problem.id, "count": "\(found.seen.count)", "type": "error",
                "level": found.problem.kind == .crash ? "fatal" : "error", "status": "unresolved",
                "project": ["id": "3", "platform": "cocoa", "slug": "deck", "name": "Deck"],
                "shortId": "DECK-\(found.problem.id)", "numComments": 0, "stats": ["24h": [Int]()],
                "userCount": 0, "permalink": "Not implemented", "culprit": "deck",
                "title": found.problem.title,
                "metadata": ["type": type, "value": found.problem.title],
                "firstSeen": (found.seen.map(\.arrived).min() ?? view.now).description,
                "lastSeen": (found.seen.map(\.arrived).max() ?? view.now).description,
            ]
        }
        return list(values, request, limit: request.parameter("limit").flatMap { Int($0) } ?? 50)
    }

    private static func days(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        let ids = Set(request.query.filter { $0.name == "groups" }.map(\.value))
        let start = view.now.advanced(bySeconds: -14 * 86_400)
        let values = view.problems.filter { ids.contains($0.problem.id) }.map { found -> [String: Any] in
            let kept = found.seen.filter { $0.arrived >= start }
            let days = Dictionary(grouping: kept) { $0.arrived.date }.sorted { $0.key < $1.key }
            let points = days.map { [Instant(startOf: $0.key).secondsSinceEpoch, $0.value.count] }
            return [
                "id": found.problem.id, "count": "\(found.seen.count)", "userCount": found.seen.count,
                "firstSeen": view.now.description, "lastSeen": view.now.description, "isUnhandled": true,
                "stats": ["14d": points],
            ]
        }
        return .json(WorldView.json(values))
    }

    /// Hours of all issues together; an hour without anything is null.
    private static func hours(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        let dates = ISO8601DateFormatter()
        func hour(_ name: String) -> UTCHour? {
            request.parameter(name).flatMap { dates.date(from: $0.hasSuffix("Z") ? $0 : $0 + "Z") }.map {
                UTCHour(of: Instant(secondsSinceEpoch: Int($0.timeIntervalSince1970)))
            }
        }
        guard request.parameter("interval") == "1h", let first = hour("start"), let end = hour("end"),
            end.hoursSinceEpoch - first.hoursSinceEpoch <= 1000
        else { return .json(#"{"detail":"Invalid interval"}"#, status: 422) }
        let byHour = Dictionary(grouping: view.occurrences) { UTCHour(of: $0.arrived) }
        let hours = (first.hoursSinceEpoch..<end.hoursSinceEpoch).map { UTCHour(hoursSinceEpoch: $0) }
        let values = hours.map { byHour[$0].map { $0.count as Any } ?? NSNull() }
        let series: [String: Any] = ["sum(quantity)": values, "sum(times_seen)": values]
        return .json(
            WorldView.json([
                "intervals": hours.map(\.start.description),
                "groups": [["by": [String: String](), "series": series, "totals": [String: Int]()]],
            ]))
    }

    private static func releases(_ view: WorldView) -> StubResponse {
        let values = view.world.builds.filter { $0.day <= view.today }.map { build -> [String: Any] in
            let version = "org.example.deck@\(build.name)+\(build.build)"
            return [
                "version": version, "shortVersion": version, "dateReleased": NSNull(),
                "dateCreated": Instant(startOf: World.date(build.day)).description,
            ]
        }
        return .json(WorldView.json(values))
    }

    private static func tags(
        _ seen: [World.Occurrence], _ request: RecordedRequest, _ view: WorldView
    ) -> StubResponse {
        let key = request.parameter("key") ?? ""
        let values = seen.compactMap { seen -> String? in
            switch key {
            case "release":
                "org.example.deck@\(view.world.builds[seen.version].name)+\(view.world.builds[seen.version].build)"
            case "user.id", "user": seen.user.map { "\($0)" }
            default: nil
            }
        }
        guard !values.isEmpty else { return .json("[]") }
        let counted = Dictionary(grouping: values, by: \.self).sorted { $0.key < $1.key }
        let top = counted.map { ["value": $0.key, "count": $0.value.count] as [String: Any] }
        return .json(
            WorldView.json([
                ["key": key, "uniqueValues": counted.count, "totalValues": values.count, "topValues": top]
            ]))
    }
}
