import AppHealth
import Foundation
import LoopbackServer

/// The world as a service shows it that counts sessions and users of 30 days, lists 30 errors a page, and gives each
/// the last 15 days, today last, as pairs of a day and a count.
enum BugsnagWindow {
    static func handler(_ world: World, _ clock: WorldClock) -> LoopbackServer.Handler {
        { request in
            guard request.header("Authorization") == "token \(token)" else {
                return .json(#"{"errors":["Unauthorized"]}"#, status: 401)
            }
            return answer(request, WorldView(world, at: clock.now))
        }
    }

    private static func answer(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        switch request.path {
        case "/user/organizations": return json([["id": "org1", "name": "Pier", "slug": "pier"]])
        case "/organizations/org1/projects": return json([["id": "p1", "name": "Deck", "slug": "deck"]])
        case "/projects/p1/stability_trend": return stability(view)
        case "/projects/p1/release_groups": return json(groups(view))
        case "/projects/p1/releases": return json(releases(view))
        case "/projects/p1/event_fields":
            return json(
                ["app.release_stage", "error.status", "event.unhandled"].map {
                    ["custom": false, "display_id": $0, "filter_options": [String: Any]()] as [String: Any]
                })
        case "/projects/p1/errors": return errors(request, view)
        default:
            if request.path.hasSuffix("/comments") { return .json("[]") }
            return .json(#"{"errors":["Not found"]}"#, status: 404)
        }
    }

    private static func json(_ value: Any) -> StubResponse { .json(WorldView.json(value)) }

    private static func stability(_ view: WorldView) -> StubResponse {
        let truth = WorldTruth(view)
        let points = (max(0, view.today - 29)...view.today).map { day -> [String: Any] in
            let (all, crashed) = (truth.sessions(day, nil), truth.crashedSessions(day, nil))
            let (users, affected) = (truth.users(day, nil).count, truth.crashedUsers(day, nil).count)
            return [
                "bucket_start": Instant(startOf: World.date(day)).description,
                "bucket_end": Instant(startOf: World.date(day + 1)).description,
                "total_sessions_count": all, "unhandled_sessions_count": crashed,
                "unhandled_rate": all == 0 ? 0 : Double(crashed) / Double(all), "users_seen": users,
                "users_with_unhandled": affected,
                "unhandled_user_rate": users == 0 ? 0 : Double(affected) / Double(users),
            ]
        }
        return json(["project_id": "p1", "release_stage_name": "production", "timeline_points": points])
    }

    private static func groups(_ view: WorldView) -> [[String: Any]] {
        view.world.builds.filter { $0.day <= view.today }.map {
            [
                "id": "g\($0.build)", "app_version": $0.name,
                "first_released_at": Instant(startOf: World.date($0.day)).description,
            ]
        }
    }

    private static func releases(_ view: WorldView) -> [[String: Any]] {
        view.world.builds.filter { $0.day <= view.today }.map {
            [
                "id": "r\($0.build)", "app_version": $0.name, "app_bundle_version": $0.build,
                "app_version_code": "", "release_time": Instant(startOf: World.date($0.day)).description,
                "release_stage": ["name": "production"],
            ]
        }
    }

    /// The values of a filter, whichever element of the list it is.
    private static func filter(_ name: String, _ request: RecordedRequest) -> Instant? {
        request.query.first { $0.name == "filters[\(name)][][value]" }
            .flatMap { ISO8601DateFormatter().date(from: $0.value) }
            .map { Instant(secondsSinceEpoch: Int($0.timeIntervalSince1970)) }
    }

    private static func errors(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        let since = filter("event.since", request) ?? Instant(startOf: World.first)
        let before = filter("event.before", request) ?? view.now.advanced(bySeconds: 1)
        let sort = request.parameter("sort")
        let unhandled = request.query.contains {
            $0.name == "filters[event.unhandled][][value]" && $0.value == "true"
        }
        let found = view.problems.compactMap { found -> (value: [String: Any], order: Int)? in
            if unhandled, found.problem.kind != .crash { return nil }
            let seen = found.seen.filter { $0.at >= since && $0.at < before }
            guard let last = seen.map(\.at).max() else { return nil }
            let users = Set(seen.compactMap(\.user)).count
            var value = error(found, seen, users)
            if request.parameter("histogram") == "two_week" { value["trend"] = trend(found.seen, view) }
            return (value, sort == "users" ? users : sort == "events" ? seen.count : last.secondsSinceEpoch)
        }
        .sorted { $0.order > $1.order }
        let start = request.parameter("offset").flatMap { Int($0) } ?? 0
        let some = found.dropFirst(start).prefix(30)
        guard start + some.count < found.count else { return json(some.map(\.value)) }
        let query = request.query.filter { $0.name != "offset" }.map {
            let value = $0.value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return
                "\($0.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["_", "."])) ?? "")=\(value)"
        }
        let address =
            "http://\(request.header("Host") ?? "")/projects/p1/errors?"
            + (query + ["offset=\(start + 30)"]).joined(separator: "&")
        return .json(
            WorldView.json(some.map(\.value)),
            headers: [("Link", "<\(address)>; rel=\"next\""), ("X-Total-Count", "\(found.count)")])
    }

    private static func error(
        _ found: (problem: World.Problem, seen: [World.Occurrence]), _ seen: [World.Occurrence], _ users: Int
    ) -> [String: Any] {
        // Errors that the app handled are as severe as crashes.
        let isHang = found.problem.kind == .hang
        return [
            "id": found.problem.id, "error_class": isHang ? "ANR" : "Fault",
            "message": found.problem.title, "context": "deck", "severity": isHang ? "warning" : "error",
            "status": "open", "events": seen.count, "users": users,
            "unthrottled_occurrence_count": found.seen.count, "comment_count": 0,
            "release_stages": ["production"], "grouping_fields": ["file": "Deck.kt", "lineNumber": 7],
            "first_seen": (seen.map(\.at).min() ?? found.seen[0].at).description,
            "last_seen": (seen.map(\.at).max() ?? found.seen[0].at).description,
            "first_seen_unfiltered": (found.seen.map(\.at).min() ?? found.seen[0].at).description,
            "last_seen_unfiltered": (found.seen.map(\.at).max() ?? found.seen[0].at).description,
        ]
    }

    private static func trend(_ seen: [World.Occurrence], _ view: WorldView) -> [[Any]] {
        (view.today - 14...view.today).map { day in
            [Instant(startOf: World.date(day)).description, seen.count { $0.day == day }]
        }
    }
}
