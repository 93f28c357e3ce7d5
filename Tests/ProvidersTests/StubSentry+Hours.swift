import AppHealth
import LoopbackServer

@testable import Providers

extension StubSentry {
    /// 100 sessions an hour of which 2 crashed; the hour that is not over is returned too, with less.
    static func sessionsByHour(_ request: RecordedRequest) -> StubResponse {
        guard let start = request.parameter("start").flatMap({ Instant($0 + "Z") }),
            let end = request.parameter("end").flatMap({ Instant($0 + "Z") }), start < end
        else { return bad("Invalid date range") }
        let first = UTCHour(of: start)
        let hours = (0...start.seconds(to: end) / 3600 + 1).map { first.advanced(by: $0) }
        let intervals = hours.map { "\"\($0)\"" }.joined(separator: ",")
        let groups = StubSessions.names.enumerated().map { index, name in
            let values = hours.map { $0.start < end ? [95, 2, 2, 1, 0][index] : 1 }
            return
                "{\"by\":{\"session.status\":\"\(name)\"},\"series\":{\"sum(session)\":\(values)}}"
        }
        return .json(
            "{\"end\":\"\(runTime)\",\"intervals\":[\(intervals)],\"groups\":[\(groups.joined(separator: ","))]}"
        )
    }

    /// One issue that rises in the last hours, one that the longer list does not have, and no more.
    static var issuesByHour: String {
        let now = UTCHour(of: runTime)
        let points = (0..<24).map { back in
            "[\(now.advanced(by: back - 23).start.secondsSinceEpoch),\(back < 20 ? 0 : back)]"
        }
        let stats = "{\"24h\":[\(points.joined(separator: ","))]}"
        return """
            [{"id":"5001","title":"a","stats":\(stats)},{"id":"9999","title":"b","stats":\(stats)},
            {"id":"5002","title":"c"}]
            """
    }
}
