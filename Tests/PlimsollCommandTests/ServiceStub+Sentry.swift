import Foundation
import LoopbackServer

extension ServiceStub {
    /// Sentry's web API; its root reports these scopes of the token.
    static func sentry(
        scopes: [String] = ["org:read", "project:read", "event:read"], refuses: String = "-"
    ) -> LoopbackServer.Handler {
        { request in
            try bearer(request) {
                let root = "/api/0/organizations/lantern-works/"
                if request.path == "/api/0/" {
                    let list = scopes.map { "\"\($0)\"" }.joined(separator: ",")
                    return .json(#"{"version":"0","auth":{"scopes":[\#(list)]},"user":null}"#)
                }
                guard request.path.hasPrefix(root) else { return notFound }
                let parts = request.path.dropFirst(root.count).split(separator: "/").map(String.init)
                if parts.last == refuses || parts.first == refuses {
                    return .json(
                        #"{"detail":"You do not have permission to perform this action."}"#, status: 403)
                }
                switch (parts.first, parts.count) {
                case ("projects", 1): return .json(try fixture("sentry/projects-2.json"))
                case ("sessions", 1): return .json(sessions(request))
                case ("releases", 1): return .json(try fixture("sentry/releases.json"))
                case ("issues", 1): return .json(try fixture("sentry/issues-1.json"))
                case ("issues", 2):
                    return try member(parts[1], of: "sentry/details.json").map { .json($0) } ?? notFound
                case ("issues", 4):
                    return try member(parts[1], of: "sentry/events.json").map { .json($0) } ?? notFound
                default: return notFound
                }
            }
        }
    }

    /// Every day alike: 9,876 sessions of which 12 crashed, and 4,321 users.
    private static func sessions(_ request: RecordedRequest) -> String {
        let values = { (name: String) in request.query.filter { $0.name == name }.map(\.value) }
        let (fields, groupBy) = (values("field"), values("groupBy"))
        let days = days(from: request.parameter("start") ?? "", to: request.parameter("end") ?? "")
        let release = groupBy.contains("release") ? #""release":"com.lantern.sketchbook@4.2.1+371""# : nil
        let counts = ["healthy": 9864, "errored": 0, "crashed": 12, "abnormal": 0, "unhandled": 0]
        let statuses = groupBy.contains("session.status") ? counts.keys.sorted().map(Optional.some) : [nil]
        let groups = statuses.map { status in
            let by = [release, status.map { #""session.status":"\#($0)""# }].compactMap(\.self)
            let series = fields.map { field in
                let value =
                    switch field {
                    case "sum(session)": "\(status.map { counts[$0] ?? 0 } ?? 9876)"
                    case "count_unique(user)": "4321"
                    default: "0.998"
                    }
                return #""\#(field)":[\#(days.map { _ in value }.joined(separator: ","))]"#
            }
            let totals = #""count_unique(user)":7654"#
            return
                #"{"by":{\#(by.joined(separator: ","))},"totals":{\#(totals)},"series":{\#(series.joined(separator: ","))}}"#
        }
        let intervals = days.map { "\"\($0)\"" }.joined(separator: ",")
        return
            #"{"start":"\#(days.first ?? "")","end":"2026-11-20T00:00:00Z","query":"","intervals":[\#(intervals)],"groups":[\#(groups.joined(separator: ","))]}"#
    }

    private static func days(from start: String, to end: String) -> [String] {
        let reader = ISO8601DateFormatter()
        guard let first = reader.date(from: start + "Z"), let last = reader.date(from: end + "Z") else {
            return []
        }
        return stride(from: first, through: last, by: 86_400).map { reader.string(from: $0) }
    }
}
