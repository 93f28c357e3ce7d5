import AppHealth
import Foundation
import LoopbackServer

/// The world as a store's vitals show it: rates of users of whole days two days late, users rounded, issues with what
/// the user perceived and what ran in the background (every third event), and no session at all.
enum PlayWindow {
    private static let zone = "America/Los_Angeles"

    static func answer(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        let path = request.path.replacing("/v1beta1/apps/org.example.deck", with: "")
        switch path {
        case ":fetchReleaseFilterOptions": return .json(WorldView.json(["tracks": [tracks(view)]]))
        case "/errorIssues:search": return issues(request, view)
        case "/errorCountMetricSet:query": return counts(request, view)
        case "/anomalies": return .json("{}")
        case "/crashRateMetricSet:query", "/anrRateMetricSet:query": return rates(request, path, view)
        case "/crashRateMetricSet", "/anrRateMetricSet", "/errorCountMetricSet":
            let end: [String: Any] = [
                "aggregationPeriod": "DAILY", "latestEndTime": moment(lastDay(view) + 1),
            ]
            return .json(WorldView.json(["freshnessInfo": ["freshnesses": [end]]]))
        default: return ServiceStub.notFound
        }
    }

    /// The last day that the service has.
    static func lastDay(_ view: WorldView) -> Int { view.today - 2 }

    /// What the user saw; the rest happened in the background.
    static func isPerceived(_ seen: World.Occurrence) -> Bool { seen.at.secondsSinceEpoch % 3 != 0 }

    private static func moment(_ day: Int) -> [String: Any] {
        let (year, month, number) = World.date(day).components
        return ["year": year, "month": month, "day": number, "timeZone": ["id": zone]]
    }

    private static func tracks(_ view: WorldView) -> [String: Any] {
        let releases = view.world.builds.filter { $0.day <= view.today }.map {
            ["displayName": "\($0.build) (\($0.name))", "versionCodes": [$0.build]] as [String: Any]
        }
        return ["displayName": "Production", "type": "Production", "servingReleases": releases]
    }

    private static func body(_ request: RecordedRequest) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any] ?? [:]
    }

    private static func days(_ body: [String: Any], _ view: WorldView) -> Range<Int> {
        let spec = body["timelineSpec"] as? [String: Any]
        func day(_ name: String) -> Int? {
            let time = spec?[name] as? [String: Any]
            guard let year = time?["year"] as? Int, let month = time?["month"] as? Int,
                let day = time?["day"] as? Int
            else { return nil }
            let text = "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
            return CivilDate(text).map { World.first.days(to: $0) }
        }
        let end = min(day("endTime") ?? 0, lastDay(view) + 1)
        return max(0, min(day("startTime") ?? 0, end))..<max(0, end)
    }

    private static func perceivedUsers(_ kind: Issue.Kind, _ day: Int, _ version: Int?, _ view: WorldView)
        -> Int
    {
        let seen = view.on(day).filter {
            view.world.problems[$0.problem].kind == kind && isPerceived($0)
                && (version == nil || $0.version == version)
        }
        return Set(seen.compactMap(\.user)).count
    }

    private static func rates(_ request: RecordedRequest, _ path: String, _ view: WorldView) -> StubResponse {
        let body = body(request)
        let truth = WorldTruth(view)
        let metrics = body["metrics"] as? [String] ?? []
        let isByVersion = (body["dimensions"] as? [String] ?? []).contains("versionCode")
        let versions: [Int?] = isByVersion ? view.world.builds.indices.map { $0 } : [nil]
        var rows: [[String: Any]] = []
        for day in days(body, view) {
            for version in versions {
                let users = truth.users(day, version).count
                guard users > 0 else { continue }
                let crashed = perceivedUsers(path.hasPrefix("/crash") ? .crash : .hang, day, version, view)
                let values = metrics.map { name -> [String: Any] in
                    let value =
                        name == "distinctUsers"
                        ? "\((users + 5) / 10 * 10)" : "\(Double(crashed) / Double(users))"
                    return ["metric": name, "decimalValue": ["value": value]]
                }
                var row: [String: Any] = [
                    "aggregationPeriod": "DAILY", "startTime": moment(day), "metrics": values,
                ]
                if let version {
                    row["dimensions"] = [
                        ["dimension": "versionCode", "int64Value": view.world.builds[version].build]
                    ]
                }
                rows.append(row)
            }
        }
        return .json(WorldView.json(["rows": rows]))
    }

    private static func counted(_ filter: String, _ view: WorldView) -> [World.Occurrence] {
        let onlyPerceived = filter.contains("isUserPerceived") || filter.contains("USER_PERCEIVED")
        return view.occurrences.filter { seen in
            view.world.problems[seen.problem].kind != .error && seen.day <= lastDay(view)
                && (!onlyPerceived || isPerceived(seen))
        }
    }

    private static func issues(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        let seen = counted(request.parameter("filter") ?? "", view)
        let groups = Dictionary(grouping: seen, by: \.problem).sorted {
            ($1.value.count, $0.key) < ($0.value.count, $1.key)
        }
        let values = groups.prefix(100).map { place, seen -> [String: Any] in
            let problem = view.world.problems[place]
            return [
                "name": "apps/org.example.deck/\(problem.id)", "cause": "Fault", "location": problem.title,
                "type": problem.kind == .hang ? "APPLICATION_NOT_RESPONDING" : "CRASH",
                "errorReportCount": "\(seen.count)", "distinctUsers": "\(Set(seen.compactMap(\.user)).count)",
                "lastErrorReportTime": (seen.map(\.at).max() ?? view.now).description,
            ]
        }
        return .json(WorldView.json(["errorIssues": values]))
    }

    private static func counts(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        let body = body(request)
        let days = days(body, view)
        let seen = counted(body["filter"] as? String ?? "", view).filter { days.contains($0.day) }
        let byDay = Dictionary(grouping: seen, by: \.day).sorted { $0.key < $1.key }
        let rows = byDay.flatMap { day, seen in
            Dictionary(grouping: seen, by: \.problem).sorted { $0.key < $1.key }.map {
                place, seen -> [String: Any] in
                let problem = view.world.problems[place]
                return [
                    "startTime": moment(day),
                    "dimensions": [
                        ["dimension": "reportType", "stringValue": problem.kind == .hang ? "ANR" : "CRASH"],
                        ["dimension": "issueId", "stringValue": problem.id],
                    ],
                    "metrics": [
                        ["metric": "errorReportCount", "decimalValue": ["value": "\(seen.count)"]],
                        [
                            "metric": "distinctUsers",
                            "decimalValue": ["value": "\(Set(seen.compactMap(\.user)).count)"],
                        ],
                    ],
                ]
            }
        }
        return .json(WorldView.json(["rows": rows]))
    }
}
