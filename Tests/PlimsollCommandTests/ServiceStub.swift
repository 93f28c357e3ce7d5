import Foundation
import GoogleStub
import LoopbackServer

/// Stand-ins for the services that play the fixtures of the providers' tests.
enum ServiceStub {
    /// The text of a fixture of the providers' tests.
    static func fixture(_ path: String) throws -> String {
        try Folder.text(at: fixturePath(path))
    }

    /// The path of a fixture of the providers' tests.
    static func fixturePath(_ path: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("ProvidersTests/Fixtures/\(path)").path
    }

    /// One member of a fixture, as JSON text.
    static func member(_ name: String, of path: String) throws -> String? {
        let root = try JSONSerialization.jsonObject(with: Data(try fixture(path).utf8)) as? [String: Any]
        return try root?[name].map { value in
            String(
                decoding: try JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed]),
                as: UTF8.self)
        }
    }

    static let notFound = StubResponse.json(#"{"detail":"Not found"}"#, status: 404)

    /// Answers only who shows the token of all tests.
    static func bearer(_ request: RecordedRequest, _ answer: () throws -> StubResponse) rethrows
        -> StubResponse
    {
        guard request.header("Authorization") == "Bearer \(token)" else {
            return .json(#"{"detail":"Invalid token"}"#, status: 401)
        }
        return try answer()
    }
}

// MARK: Sentry

extension ServiceStub {
    /// Sentry's web API; its root tells these scopes of the token.
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

// MARK: GlitchTip, Bugsink and Socorro

extension ServiceStub {
    static let glitchtip: LoopbackServer.Handler = { request in
        try bearer(request) {
            switch request.path {
            case "/api/0/": .json(#"{"version":"0","auth":{"scopes":["project:admin","org:read"]}}"#)
            case "/api/0/organizations/harbour-lab/projects/": .json(try fixture("glitchtip/projects.json"))
            case "/api/0/organizations/harbour-lab/issues/": .json(try fixture("glitchtip/issues-1.json"))
            case "/api/0/organizations/harbour-lab/issues-stats/": .json(try fixture("glitchtip/stats.json"))
            case "/api/0/issues/21/comments/": .json(try fixture("glitchtip/comments-21.json"))
            case "/api/0/issues/22/events/latest/": .json(try fixture("glitchtip/event-22.json"))
            default: notFound
            }
        }
    }

    static let bugsink: LoopbackServer.Handler = { request in
        bearer(request) {
            let page = { (results: String) in
                StubResponse.json(#"{"next":null,"previous":null,"results":[\#(results)]}"#)
            }
            return switch request.path.replacing("/api/canonical/0/", with: "") {
            case "projects/": page(#"{"id":2,"team":"t","name":"Sketchbook","slug":"sketchbook"}"#)
            case "issues/":
                page(
                    """
                    {"id":"i1","friendly_id":"SKETCHBOOK-1","project":2,"digest_order":1,
                    "first_seen":"2026-11-14T05:06:43Z","last_seen":"2026-11-19T02:07:45Z",
                    "digested_event_count":8345,"stored_event_count":1,"calculated_type":"RangeError",
                    "calculated_value":"index 7 beyond bounds","transaction":"Canvas"}
                    """)
            case "issues/i1/event-counts/":
                .json(
                    """
                    {"start":"2026-10-24T00:00:00Z","end":"2026-11-20T06:00:00Z","interval_seconds":3600,
                    "buckets":[{"timestamp":"2026-11-19T00:00:00Z","count":5577}]}
                    """)
            case "events/": page(#"{"id":"e1"}"#)
            case "events/e1/": .json(#"{"id":"e1","data":{"level":"fatal"}}"#)
            case "releases/", "issues/i1/tags/", "issue-history/": page("")
            default: notFound
            }
        }
    }

    static let socorro: LoopbackServer.Handler = { request in
        guard request.path == "/api/SuperSearch/", request.parameter("product") == "Fenix" else {
            return .json(#"{"errors":{"product":["Not a valid product"]}}"#, status: 400)
        }
        let isVersions = request.parameter("_aggs.signature") == "version"
        let term = #"{"term":"mozalloc_abort | Brush::Paint","count":2345"#
        let versions = #","facets":{"version":[{"term":"9.10.0","count":2345}]}"#
        let days = #"[{"term":"2026-11-19T00:00:00+00:00","count":2345,"facets":{"signature":[\#(term)}]}}]"#
        return .json(
            #"{"hits":[],"total":2345,"facets":{"signature":[\#(term)\#(isVersions ? versions : "")}],"histogram_date":\#(days)},"errors":[]}"#
        )
    }
}

// MARK: Google

extension ServiceStub {
    /// A service of Google with its token server; asks for tokens that were given.
    static func google(
        _ tokens: StubTokenServer, _ answer: @escaping @Sendable (RecordedRequest) throws -> StubResponse
    ) -> LoopbackServer.Handler {
        { request in
            if request.path == "/token" {
                return tokens.answer(request, address: "http://\(request.header("Host") ?? "")/token")
            }
            guard tokens.admits(request) else { return .json(#"{"error":{"code":401}}"#, status: 401) }
            return try answer(request)
        }
    }

    static func crashlytics(_ request: RecordedRequest) throws -> StubResponse {
        let parent = "/v1alpha/projects/123456789012/apps/1:123456789012:android:0a1b/"
        guard request.path.hasPrefix(parent) else { return notFound }
        let path = String(request.path.dropFirst(parent.count))
        let grain = request.parameter("granularity")?.split(separator: "_").last.map { "/\($0)" } ?? ""
        let page = request.parameter("pageToken").map { "/\($0)" } ?? ""
        let name =
            switch path {
            case "events:batchGet": "events"
            case "issues/a1/notes": "notes"
            default: path.replacing("reports/", with: "") + grain + page
            }
        return try member(name, of: "google/crashlytics.json").map { .json($0) } ?? notFound
    }

    static func play(_ request: RecordedRequest) throws -> StubResponse {
        let path = request.path.replacing("/v1beta1/apps/org.example.sketchbook", with: "")
        let page = request.text.contains("\"pageToken\":\"r2\"") ? "/r2" : ""
        let name =
            switch path {
            case ":fetchReleaseFilterOptions": "releases"
            case "/errorIssues:search": "issues"
            case "/errorCountMetricSet:query": "counts"
            case "/crashRateMetricSet:query":
                request.text.contains("versionCode") ? "rate/versions" : "rate\(page)"
            default: path.hasSuffix("MetricSet") ? "freshness" : "-"
            }
        let text = try member(name, of: "google/play.json")?.replacing("RATE", with: "userPerceivedCrashRate")
        return text.map { .json($0) } ?? notFound
    }

    static func analytics(_ request: RecordedRequest) throws -> StubResponse {
        guard request.path == "/v1beta/properties/4242:runReport" else { return notFound }
        return .json(try fixture("google/ga4.json"))
    }
}
