import AppHealth
import Foundation
import LoopbackServer

/// The world as two services of one vendor show it: one counts events and affected users of issues, and has no total;
/// the other counts all users, those with a crash, and sessions.
enum FirebaseWindow {
    static let parent = "/v1alpha/projects/123456789012/apps/1:123456789012:android:0a1b/"

    static func answer(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        if request.path == "/v1beta/properties/4242:runReport" { return analytics(request, view) }
        if request.path == "/v1beta/properties/4242:checkCompatibility" || request.path.hasSuffix("/metadata")
        {
            return .json("{}")
        }
        guard request.path.hasPrefix(parent) else { return ServiceStub.notFound }
        switch String(request.path.dropFirst(parent.count)) {
        case "reports":
            let reports = ["topIssues", "topVersions"].map {
                ["name": "\(parent.dropFirst(9))reports/\($0)", "usage": "Counts events and impacted users."]
            }
            return .json(WorldView.json(["reports": reports]))
        case "reports/topIssues": return issues(request, view)
        case "reports/topVersions": return versions(request, view)
        case "events", "events:batchGet": return .json(#"{"events":[]}"#)
        case let path where path.hasSuffix("/notes"): return .json("{}")
        default: return ServiceStub.notFound
        }
    }

    // MARK: Crashes

    private static func days(_ request: RecordedRequest, _ view: WorldView) -> ClosedRange<Int> {
        func day(_ name: String) -> Int? {
            request.parameter("filter.interval.\(name)").flatMap { Instant($0) }.map {
                World.first.days(to: $0.date)
            }
        }
        let last = min((day("endTime") ?? view.today + 1) - 1, view.today)
        return min(max(day("startTime") ?? last - 6, 0), last)...last
    }

    private static func seen(_ request: RecordedRequest, _ view: WorldView) -> [World.Occurrence] {
        let days = days(request, view)
        let types = Set(request.query.filter { $0.name == "filter.issue.errorTypes" }.map(\.value))
        return view.occurrences.filter { seen in
            days.contains(seen.day)
                && (types.isEmpty || types.contains(type(view.world.problems[seen.problem].kind)))
        }
    }

    private static func type(_ kind: Issue.Kind) -> String {
        switch kind {
        case .crash: "FATAL"
        case .hang: "ANR"
        case .error: "NON_FATAL"
        }
    }

    /// The whole interval, or its days; a day without anything has no counts.
    private static func metrics(
        _ seen: [World.Occurrence], _ request: RecordedRequest, _ view: WorldView
    ) -> [[String: Any]] {
        let days = days(request, view)
        guard request.parameter("granularity") == "TIME_GRANULARITY_DAY" else {
            return [metric(seen, days.lowerBound, days.upperBound)]
        }
        return days.map { day in metric(seen.filter { $0.day == day }, day, day) }
    }

    private static func metric(_ seen: [World.Occurrence], _ first: Int, _ last: Int) -> [String: Any] {
        var metric: [String: Any] = [
            "startTime": Instant(startOf: World.date(first)).description,
            "endTime": Instant(startOf: World.date(last + 1)).description,
        ]
        guard !seen.isEmpty else { return metric }
        metric["eventsCount"] = "\(seen.count)"
        let users = Set(seen.compactMap(\.user)).count
        // Events that name no user leave the count out.
        if users > 0 { metric["impactedUsersCount"] = "\(users)" }
        return metric
    }

    private static func page(_ groups: [[String: Any]], _ request: RecordedRequest) -> StubResponse {
        let size = min(request.parameter("pageSize").flatMap { Int($0) } ?? 25, 100)
        let start = request.parameter("pageToken").flatMap { Int($0) } ?? 0
        let some = Array(groups.dropFirst(start).prefix(size))
        var answer: [String: Any] = ["groups": some, "totalSize": groups.count]
        if start + some.count < groups.count { answer["nextPageToken"] = "\(start + some.count)" }
        return .json(WorldView.json(answer))
    }

    private static func issues(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        let byProblem = Dictionary(grouping: seen(request, view), by: \.problem)
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        let groups = byProblem.map { place, seen -> [String: Any] in
            let problem = view.world.problems[place]
            let all = view.problem(problem.id)?.seen ?? seen
            let issue: [String: Any] = [
                "id": problem.id, "title": "Deck.kt", "subtitle": problem.title,
                "errorType": type(problem.kind),
                "state": "OPEN", "firstSeenTime": (all.map(\.at).min() ?? view.now).description,
                "lastSeenTime": (all.map(\.at).max() ?? view.now).description,
            ]
            return ["issue": issue, "metrics": metrics(seen, request, view)]
        }
        return page(groups, request)
    }

    private static func versions(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        let byVersion = Dictionary(grouping: seen(request, view), by: \.version).sorted { $0.key < $1.key }
        let groups = byVersion.map { place, seen -> [String: Any] in
            let build = view.world.builds[place]
            let version: [String: Any] = [
                "displayVersion": build.name, "buildVersion": build.build,
                "displayName": "\(build.name) (\(build.build))",
            ]
            return ["version": version, "metrics": metrics(seen, request, view)]
        }
        return page(groups, request)
    }

    // MARK: Users

    private static func analytics(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        let body = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any] ?? [:]
        func names(_ key: String) -> [String] {
            (body[key] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        }
        let (dimensions, metrics) = (names("dimensions"), names("metrics"))
        let known = ["date", "appVersion"]
        guard dimensions.allSatisfy({ known.contains($0) }) else {
            return .json(
                #"{"error":{"code":400,"message":"Field is not a valid dimension.","status":"INVALID_ARGUMENT"}}"#,
                status: 400)
        }
        let start = ((body["dateRanges"] as? [[String: Any]])?.first?["startDate"] as? String) ?? "28daysAgo"
        let back =
            Int(start.replacing("daysAgo", with: "")) ?? CivilDate(start).map { World.first.days(to: $0) }
            .map { view.today - $0 } ?? 28
        let days = max(0, view.today - back)..<view.today
        let truth = WorldTruth(view)
        let versions: [Int?] =
            dimensions.contains("appVersion") ? view.world.builds.indices.map { $0 } : [nil]
        var rows: [[String: Any]] = []
        for day in days {
            for version in versions where version == nil || truth.sessions(day, version) > 0 {
                rows.append([
                    "dimensionValues": dimensions.map { name in
                        [
                            "value": name == "date"
                                ? "\(World.date(day))".replacing("-", with: "")
                                : version.map { view.world.builds[$0].name } ?? ""
                        ]
                    },
                    "metricValues": metrics.map { ["value": value($0, day, version, truth)] },
                ])
            }
        }
        return .json(
            WorldView.json([
                "dimensionHeaders": dimensions.map { ["name": $0] }, "rows": rows, "rowCount": rows.count,
                "metricHeaders": metrics.map { ["name": $0, "type": "TYPE_INTEGER"] },
                "metadata": ["currencyCode": "EUR", "timeZone": "Etc/UTC"],
            ]))
    }

    private static func value(_ metric: String, _ day: Int, _ version: Int?, _ truth: WorldTruth) -> String {
        let (users, crashed) = (truth.users(day, version).count, truth.crashedUsers(day, version).count)
        func distinct(_ length: Int) -> Int {
            (max(0, day - length + 1)...day).reduce(into: Set<Int>()) {
                $0.formUnion(truth.users($1, version))
            }.count
        }
        switch metric {
        case "totalUsers", "activeUsers", "active1DayUsers": return "\(users)"
        case "active7DayUsers": return "\(distinct(7))"
        case "active28DayUsers": return "\(distinct(28))"
        case "crashAffectedUsers": return "\(crashed)"
        case "crashFreeUsersRate": return users == 0 ? "0" : "\(1 - Double(crashed) / Double(users))"
        case "sessions": return "\(truth.sessions(day, version))"
        default: return "0"
        }
    }
}
