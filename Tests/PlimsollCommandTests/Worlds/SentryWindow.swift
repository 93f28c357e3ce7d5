import AppHealth
import Foundation
import LoopbackServer

/// The world as a service shows it that counts sessions and users, lists the hundred issues of a span, counts what
/// happened on the day on which it happened, and reports users of an issue in the span of the list only.
enum SentryWindow {
    static func handler(_ world: World, _ clock: WorldClock) -> LoopbackServer.Handler {
        { request in
            ServiceStub.bearer(request) { answer(request, WorldView(world, at: clock.now)) }
        }
    }

    private static func answer(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        let parts = request.path.replacing("/api/0/", with: "").split(separator: "/").map(String.init)
        guard parts.first == "organizations" else {
            return parts.isEmpty
                ? .json(#"{"version":"0","auth":{"scopes":["org:read","project:read","event:read"]}}"#)
                : ServiceStub.notFound
        }
        switch parts.dropFirst(2).first {
        case "projects":
            return .json(
                WorldView.json([["id": "4501", "slug": "deck", "name": "Deck", "hasSessions": true]]))
        case "sessions": return sessions(request, view)
        case "releases":
            return .json(WorldView.json(view.world.builds.filter { $0.day <= view.today }.map(release)))
        case "issues" where parts.count == 3: return issues(request, view)
        case "events" where parts.count == 3: return table(request, view)
        case "issues" where parts.count == 4: return detail(parts[3], view)
        case "issues" where parts.last == "latest": return .json(#"{"entries":[]}"#)
        default: return ServiceStub.notFound
        }
    }

    private static func name(_ build: World.Build) -> String {
        "org.example.deck@\(build.name)+\(build.build)"
    }

    private static func release(_ build: World.Build) -> [String: Any] {
        [
            "version": name(build), "shortVersion": name(build), "status": "open", "dateReleased": NSNull(),
            "dateCreated": Instant(startOf: World.date(build.day)).description,
            "projects": [["id": 4501, "slug": "deck", "hasHealthData": true] as [String: Any]],
            "versionInfo": ["version": ["raw": "\(build.name)+\(build.build)", "buildCode": build.build]],
        ]
    }

    // MARK: Sessions

    /// The beginnings of the buckets that a request spans, whole days or hours, up to now.
    private static func buckets(_ request: RecordedRequest, _ view: WorldView) -> [Instant] {
        let dates = ISO8601DateFormatter()
        func instant(_ name: String) -> Int? {
            request.parameter(name).flatMap { dates.date(from: $0.hasSuffix("Z") ? $0 : $0 + "Z") }
                .map { Int($0.timeIntervalSince1970) }
        }
        let step = request.parameter("interval") == "1h" ? 3600 : 86_400
        guard let start = instant("start"), let end = instant("end") else { return [] }
        let last = min(end, view.now.secondsSinceEpoch)
        return stride(from: start - start % step, through: max(last, start), by: step).map {
            Instant(secondsSinceEpoch: $0)
        }
    }

    private static func sessions(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        let values = { (name: String) in request.query.filter { $0.name == name }.map(\.value) }
        guard request.parameter("interval") != "1h" else {
            return .json(#"{"detail":"Sessions by hour are not kept."}"#, status: 400)
        }
        let (fields, groupBy, days) = (values("field"), values("groupBy"), buckets(request, view))
        let versions: [Int?] = groupBy.contains("release") ? view.world.builds.indices.map { $0 } : [nil]
        let statuses: [String?] =
            groupBy.contains("session.status") ? ["healthy", "errored", "crashed", "abnormal"] : [nil]
        let truth = WorldTruth(view)
        var groups: [[String: Any]] = []
        for version in versions {
            for status in statuses {
                let counted = days.map { count($0, version, status, truth) }
                if version != nil, counted.allSatisfy({ $0.sessions == 0 }) { continue }
                var by: [String: Any] = [:]
                if let version { by["release"] = name(view.world.builds[version]) }
                if let status { by["session.status"] = status }
                groups.append(["by": by, "series": series(fields, counted), "totals": [String: Int]()])
            }
        }
        return .json(
            WorldView.json([
                "start": days.first?.description ?? "", "end": view.now.description, "query": "",
                "intervals": days.map(\.description), "groups": groups,
            ]))
    }

    private struct Counted {
        var sessions: Int
        var users: Set<Int>
        var crashed: Set<Int>
    }

    private static func count(
        _ day: Instant, _ version: Int?, _ status: String?, _ truth: WorldTruth
    ) -> Counted {
        let place = World.first.days(to: day.date)
        let all = truth.sessions(place, version), crashed = truth.crashedSessions(place, version)
        let sessions =
            switch status {
            case nil: all
            case "healthy": all - crashed
            case "crashed": crashed
            default: 0
            }
        return Counted(
            sessions: sessions, users: truth.users(place, version),
            crashed: truth.crashedUsers(place, version))
    }

    private static func series(_ fields: [String], _ counted: [Counted]) -> [String: Any] {
        var series: [String: Any] = [:]
        for field in fields {
            series[field] = counted.map { counted -> Any in
                switch field {
                case "sum(session)": return counted.sessions
                case "count_unique(user)": return counted.users.count
                case "crash_free_rate(user)":
                    guard !counted.users.isEmpty else { return NSNull() }
                    return 1 - Double(counted.crashed.count) / Double(counted.users.count)
                default: return NSNull()
                }
            }
        }
        return series
    }

    // MARK: Issues

    /// The span that a list is of, from its first to before its last second.
    private static func span(_ request: RecordedRequest, _ view: WorldView) -> Range<Instant> {
        let dates = ISO8601DateFormatter()
        func instant(_ name: String) -> Instant? {
            request.parameter(name).flatMap { dates.date(from: $0.hasSuffix("Z") ? $0 : $0 + "Z") }
                .map { Instant(secondsSinceEpoch: Int($0.timeIntervalSince1970)) }
        }
        if let start = instant("start"), let end = instant("end"), start < end { return start..<end }
        let length = request.parameter("statsPeriod") ?? "14d"
        let number = Int(length.dropLast()) ?? 14
        let seconds = length.hasSuffix("h") ? number * 3600 : number * 86_400
        return view.now.advanced(bySeconds: -seconds)..<view.now.advanced(bySeconds: 1)
    }

    private static func issues(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        let span = span(request, view)
        let limit = min(request.parameter("limit").flatMap { Int($0) } ?? 100, 100)
        let found = view.problems.compactMap { found -> [String: Any]? in
            let seen = found.seen.filter { span.contains($0.at) }
            return seen.isEmpty ? nil : issue(found, seen, request, view)
        }
        .sorted { (Int($0["count"] as? String ?? "") ?? 0) > (Int($1["count"] as? String ?? "") ?? 0) }
        let start =
            request.parameter("cursor").flatMap { $0.split(separator: ":").dropFirst().first }
            .flatMap { Int($0) } ?? 0
        let some = Array(found.dropFirst(start).prefix(limit))
        let hasMore = start + some.count < found.count
        let link =
            #"<http://127.0.0.1/>; rel="previous"; results="false"; cursor="0:0:1", "#
            + #"<http://127.0.0.1/>; rel="next"; results="\#(hasMore)"; cursor="0:\#(start + limit):0""#
        return .json(WorldView.json(some), headers: [("Link", link)])
    }

    private static func issue(
        _ found: (problem: World.Problem, seen: [World.Occurrence]), _ seen: [World.Occurrence],
        _ request: RecordedRequest, _ view: WorldView
    ) -> [String: Any] {
        let isCrash = found.problem.kind == .crash
        var issue: [String: Any] = [
            "id": found.problem.id, "shortId": "DECK-\(found.problem.id)", "title": found.problem.title,
            "culprit": NSNull(), "level": isCrash ? "fatal" : "error", "status": "unresolved",
            "substatus": "ongoing", "isUnhandled": isCrash, "issueCategory": "error", "numComments": 0,
            "metadata": ["type": found.problem.kind == .hang ? "App Hanging" : "Fault"],
        ]
        // With this the service leaves out every count and time, not the time lines alone.
        if request.query.contains(where: { $0.name == "collapse" && $0.value == "stats" }) { return issue }
        let counts: [String: Any] = [
            "count": "\(seen.count)", "userCount": Set(seen.compactMap(\.user)).count,
            "firstSeen": (seen.map(\.at).min() ?? view.now).description,
            "lastSeen": (seen.map(\.at).max() ?? view.now).description,
            "lifetime": [
                "count": "\(found.seen.count)", "userCount": Set(found.seen.compactMap(\.user)).count,
                "firstSeen": (found.seen.map(\.at).min() ?? view.now).description,
                "lastSeen": (found.seen.map(\.at).max() ?? view.now).description,
            ] as [String: Any],
        ]
        issue.merge(counts) { $1 }
        if let period = request.parameter("groupStatsPeriod"), !period.isEmpty {
            issue["stats"] = [
                period: period == "auto"
                    ? days(seen, of: span(request, view), view) : points(found.seen, period, view)
            ]
        }
        return issue
    }

    /// Fourteen days, or 24 hours, of which the last has begun.
    private static func points(_ seen: [World.Occurrence], _ period: String, _ view: WorldView) -> [[Int]] {
        let (step, count) = period == "24h" ? (3600, 24) : (86_400, 14)
        let last = view.now.secondsSinceEpoch - view.now.secondsSinceEpoch % step
        return (0..<count).map { place in
            let start = last - (count - 1 - place) * step
            let span = Instant(secondsSinceEpoch: start)..<Instant(secondsSinceEpoch: start + step)
            return [start, seen.count { span.contains($0.at) }]
        }
    }

    /// The days of a span, of which the last has begun; those before the service's reach are not there.
    private static func days(
        _ seen: [World.Occurrence], of span: Range<Instant>, _ view: WorldView
    ) -> [[Int]] {
        let last = min(span.upperBound.advanced(bySeconds: -1), view.now).date
        let count = span.lowerBound.date.days(to: last)
        return (0...max(0, count)).map { place in
            let day = span.lowerBound.date.advanced(by: place)
            return [Instant(startOf: day).secondsSinceEpoch, seen.count { $0.at.date == day }]
        }
    }

    // MARK: Tables

    /// Events as a table: crashes by day, or issues by release, at most a hundred rows.
    private static func table(_ request: RecordedRequest, _ view: WorldView) -> StubResponse {
        let (span, fields) = (span(request, view), request.query.filter { $0.name == "field" }.map(\.value))
        let onlyCrashes = request.parameter("query")?.hasPrefix("level:fatal") == true
        var groups: [[String]: [World.Occurrence]] = [:]
        for found in view.problems where !onlyCrashes || found.problem.kind == .crash {
            for seen in found.seen where span.contains(seen.at) {
                let key = fields.compactMap { field -> String? in
                    switch field {
                    case "issue.id": found.problem.id
                    case "release": name(view.world.builds[seen.version])
                    case "timestamp.to_day": "\(seen.at.date)T00:00:00+00:00"
                    default: nil
                    }
                }
                groups[key, default: []].append(seen)
            }
        }
        let named = fields.filter { !$0.hasSuffix(")") }
        let rows = groups.sorted { ($1.value.count, $0.key[0]) < ($0.value.count, $1.key[0]) }.prefix(100).map
        {
            key, seen -> [String: Any] in
            var row: [String: Any] = ["count()": seen.count]
            if fields.contains("count_unique(user)") {
                row["count_unique(user)"] = Set(seen.compactMap(\.user)).count
            }
            for (field, value) in zip(named, key) { row[field] = value }
            return row
        }
        return .json(WorldView.json(["data": Array(rows), "meta": ["dataset": "errors"]]))
    }

    private static func detail(_ id: String, _ view: WorldView) -> StubResponse {
        guard let found = view.problem(id) else { return ServiceStub.notFound }
        let versions = found.seen.map(\.version)
        func named(_ version: Int?) -> Any {
            version.map { ["version": name(view.world.builds[$0])] as [String: Any] as Any } ?? NSNull()
        }
        return .json(
            WorldView.json([
                "id": id, "activity": [Any](), "firstRelease": named(versions.min()),
                "lastRelease": named(versions.max()),
            ]))
    }
}
