import GoogleStub
import LoopbackServer

extension ServiceStub {
    /// A service of Google with its token server; needs tokens that were given.
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
            case "events": "events/\(request.parameter("filter.issue.id") ?? "")"
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
            case "/anomalies": "anomalies" + (request.parameter("pageToken").map { "/\($0)" } ?? "")
            case "/crashRateMetricSet:query":
                request.text.contains("versionCode") ? "rate/versions" : "rate\(page)"
            default: path.hasSuffix("MetricSet") ? "freshness" : "-"
            }
        let text = try member(name, of: "google/play.json")?.replacing("RATE", with: "userPerceivedCrashRate")
        return text.map { .json($0) } ?? notFound
    }

    static func analytics(_ request: RecordedRequest) throws -> StubResponse {
        if request.path == "/v1beta/properties/4242/metadata" {
            return try member("metadata", of: "google/ga4-health.json").map { .json($0) } ?? notFound
        }
        guard request.path == "/v1beta/properties/4242:runReport" else { return notFound }
        guard request.text.contains("crashAffectedUsers") else {
            return .json(try fixture("google/ga4.json"))
        }
        let name = request.text.contains("appVersion") ? "releases" : "health"
        return try member(name, of: "google/ga4-health.json").map { .json($0) } ?? notFound
    }
}
