import AppHealth
import LoopbackServer

/// A stand-in for Sentry's web API with one project of one release.
enum SentryStub {
    static func start() async throws -> LoopbackServer {
        try await LoopbackServer.start { request in
            guard request.header("Authorization") == "Bearer \(token)" else {
                return .json(#"{"detail":"Invalid token"}"#, status: 401)
            }
            return answer(to: request)
        }
    }

    private static func answer(to request: RecordedRequest) -> StubResponse {
        let parts = request.path.dropFirst("/api/0/organizations/quay/".count).split(separator: "/")
        switch (parts.first, parts.count) {
        case ("projects", 1): return .json(#"[{"id":"45","slug":"tug","name":"Tug","hasSessions":true}]"#)
        case ("sessions", 1): return sessions(request)
        case ("releases", 1): return page(request, of: ["2.0+7", "1.9+6", "1.8+5"].map(release))
        case ("issues", 1): return page(request, of: (1...9).map(issue))
        case ("issues", 2): return .json(detail(of: String(parts[1])))
        case ("issues", 4): return .json(event)
        default: return .json(#"{"detail":"The requested resource does not exist"}"#, status: 404)
        }
    }

    /// Three elements a page.
    private static func page(_ request: RecordedRequest, of all: [String]) -> StubResponse {
        let start = request.parameter("cursor").flatMap { Int($0.split(separator: ":")[1]) } ?? 0
        let end = min(start + 3, all.count)
        let next =
            #"<http://inner/?cursor>; rel="next"; results="\#(end < all.count)"; cursor="0:\#(end):0""#
        return .json("[\(all[start..<end].joined(separator: ","))]", headers: [("Link", next)])
    }

    private static func release(_ version: String) -> String {
        #"{"version":"com.quay.tug@\#(version)","dateCreated":"2026-11-02T08:00:00Z"}"#
    }

    private static func issue(_ number: Int) -> String {
        #"{"id":"\#(number)","title":"Line \#(number) parted","level":"error","status":"unresolved","#
            + #""culprit":"Winch.pull","metadata":{"type":"Parted","filename":"Winch.swift"},"#
            + #""count":"\#(90 - number)","userCount":\#(40 - number),"numComments":1,"#
            + #""firstSeen":"2026-11-10T01:00:00Z","lastSeen":"2026-11-18T05:00:00Z","#
            + #""stats":{"14d":[[1794873600,\#(number)],[1794960000,\#(2 * number)]]}}"#
    }

    private static func detail(of id: String) -> String {
        #"{"id":"\#(id)","firstRelease":{"version":"com.quay.tug@1.9+6"},"#
            + #""lastRelease":{"version":"com.quay.tug@2.0+7"},"activity":[{"id":"8\#(id)","type":"note","#
            + #""data":{"text":"Seen on line \#(id)"},"user":{"name":"Crew"},"dateCreated":"2026-11-18T12:00:00Z"}]}"#
    }

    private static let event = #"""
        {"id":"aa","entries":[{"type":"exception","data":{"values":[{"type":"Parted","stacktrace":{"frames":[
        {"filename":"Sources/Winch.swift","absPath":"/src/Sources/Winch.swift","lineNo":88,"inApp":true}]}}]}}]}
        """#
}

// MARK: Sessions

extension SentryStub {
    private static let statuses = ["healthy", "errored", "crashed", "abnormal", "unhandled"]

    private static func sessions(_ request: RecordedRequest) -> StubResponse {
        let fields = request.query.filter { $0.name == "field" }.map(\.value)
        let groupBy = request.query.filter { $0.name == "groupBy" }.map(\.value)
        guard let first = CivilDate((request.parameter("start") ?? "").prefix(10)),
            let last = CivilDate((request.parameter("end") ?? "").prefix(10))
        else { return .json(#"{"detail":"Invalid date range"}"#, status: 400) }
        let days = (0...first.days(to: last)).map { first.advanced(by: $0) }
        let release = groupBy.contains("release") ? [#""release":"com.quay.tug@2.0+7""#] : []
        let groups =
            groupBy.contains("session.status")
            ? statuses.indices.map { status in
                group(release + [#""session.status":"\#(statuses[status])""#], fields, days, status)
            } : [group(release, fields, days, nil)]
        let intervals = days.map { "\"\($0)T00:00:00Z\"" }.joined(separator: ",")
        return .json(
            #"{"start":"\#(first)T00:00:00Z","end":"\#(last.advanced(by: 1))T00:00:00Z","query":"","#
                + #""intervals":[\#(intervals)],"groups":[\#(groups.joined(separator: ","))]}"#)
    }

    private static func group(
        _ by: [String], _ fields: [String], _ days: [CivilDate], _ status: Int?
    ) -> String {
        let series = fields.map { field in
            let values = days.map { value(of: field, on: $0, status) }
            return #""\#(field)":[\#(values.joined(separator: ","))]"#
        }
        return
            #"{"by":{\#(by.joined(separator: ","))},"totals":{},"series":{\#(series.joined(separator: ","))}}"#
    }

    private static func value(of field: String, on day: CivilDate, _ status: Int?) -> String {
        let counts = [900 + day.daysSinceEpoch % 30, 20, 5, 1, 0]
        switch field {
        case "sum(session)": return "\(status.map { counts[$0] } ?? counts.reduce(0, +))"
        case "count_unique(user)": return "400"
        default: return "0.99"
        }
    }
}
