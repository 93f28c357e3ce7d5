import AppHealth
import Foundation
import LoopbackServer

/// The world as a service shows it that knows crash reports alone, by the day of their arrival, and lists as many
/// signatures as are requested; hangs and errors never reach it.
enum SocorroWindow {
    static func handler(_ world: World, _ clock: WorldClock) -> LoopbackServer.Handler {
        { request in answer(request, WorldView(world, at: clock.now)) }
    }

    private static func answer(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        guard request.path == "/api/SuperSearch/", request.parameter("product") == "Deck" else {
            return .json(#"{"errors":{"product":["Not a valid product"]}}"#, status: 400)
        }
        let dates = request.query.filter { $0.name == "date" }.map(\.value)
        func bound(_ sign: String) -> Instant? {
            dates.first { $0.hasPrefix(sign) }.flatMap { text in
                let value = String(text.drop { "<>=".contains($0) })
                return Instant(value) ?? CivilDate(String(value.prefix(10))).map { Instant(startOf: $0) }
            }
        }
        let (first, end) = (bound(">"), bound("<") ?? view.now.advanced(bySeconds: 1))
        let seen = view.occurrences.filter { seen in
            view.world.problems[seen.problem].kind == .crash && seen.arrived < end
                && first.map { seen.arrived >= $0 } ?? true
        }
        let size = request.parameter("_facets_size").flatMap { Int($0) } ?? 50
        var facets: [String: Any] = ["signature": signatures(seen, size, view, request)]
        if request.query.contains(where: { $0.name == "_histogram.date" }) {
            facets["histogram_date"] = days(seen, size, view, request)
        }
        return .json(
            WorldView.json([
                "hits": [Any](), "total": seen.count, "facets": facets, "errors": [Any](),
            ]))
    }

    private static func signatures(
        _ seen: [World.Occurrence], _ size: Int, _ view: WorldView, _ request: RecordedRequest
    ) -> [[String: Any]] {
        let byProblem = Dictionary(grouping: seen, by: \.problem).sorted {
            ($1.value.count, $0.key) < ($0.value.count, $1.key)
        }
        let within = Set(request.query.filter { $0.name == "_aggs.signature" }.map(\.value))
        return byProblem.prefix(size).map { problem, seen in
            var inner: [String: Any] = [:]
            if within.contains("version") {
                let versions = Dictionary(grouping: seen, by: \.version).sorted { $0.key < $1.key }
                inner["version"] = versions.prefix(size).map {
                    ["term": view.world.builds[$0.key].name, "count": $0.value.count] as [String: Any]
                }
            }
            if within.contains("_cardinality.install_time") {
                inner["cardinality_install_time"] = installations(seen)
            }
            return ["term": view.world.problems[problem].id, "count": seen.count, "facets": inner]
        }
    }

    private static func days(
        _ seen: [World.Occurrence], _ size: Int, _ view: WorldView, _ request: RecordedRequest
    ) -> [[String: Any]] {
        let within = Set(request.query.filter { $0.name == "_histogram.date" }.map(\.value))
        return Dictionary(grouping: seen) { $0.arrived.date }.sorted { $0.key < $1.key }.map { date, seen in
            var inner: [String: Any] = [:]
            if within.contains("signature") { inner["signature"] = signatures(seen, size, view, request) }
            if within.contains("_cardinality.install_time") {
                inner["cardinality_install_time"] = installations(seen)
            }
            return ["term": "\(date)T00:00:00+00:00", "count": seen.count, "facets": inner]
        }
    }

    private static func installations(_ seen: [World.Occurrence]) -> [String: Any] {
        ["value": Set(seen.compactMap(\.user)).count]
    }
}
