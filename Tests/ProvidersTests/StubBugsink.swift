import AppHealth
import LoopbackServer
import Transport

@testable import Providers

/// A stand-in for Bugsink's canonical API that refuses as the real one does, with faults at chosen paths.
struct StubBugsink {
    typealias Fault = @Sendable (RecordedRequest) async throws -> StubResponse?

    static let token = "0123456789abcdef0123456789abcdef01234567"
    static let root = "/api/canonical/0"
    static let key = "5d1e0c9b8a7f4d3e"

    /// A fault that responses goes first.
    static func start(fault: @escaping Fault = { _ in nil }) async throws -> LoopbackServer {
        try await LoopbackServer.start { request in
            if let answer = try await fault(request) { return answer }
            return answer(request)
        }
    }

    static func configuration(_ server: LoopbackServer, token: String = token) throws -> BugsinkConfiguration
    {
        guard let secret = Secret(token) else { throw NoSecret() }
        return try BugsinkConfiguration(project: "sketchbook-ios", token: secret, base: server.origin)
    }

    private struct NoSecret: Error {}

    private static func answer(_ request: RecordedRequest) -> StubResponse {
        guard request.path.hasPrefix("\(root)/") else {
            return .text("Unimplemented API endpoint: \(request.path)", status: 404)
        }
        if let refusal = refusal(of: request.header("Authorization")) {
            return .json(#"{"detail":"\#(refusal)"}"#, status: 401, headers: [("WWW-Authenticate", "Bearer")])
        }
        let path = String(request.path.dropFirst(root.count + 1))
        let needs = [
            "issues/": "project", "releases/": "project", "events/": "issue", "issue-history/": "issue",
        ]
        if let name = needs[path], request.parameter(name) == nil {
            return .json(#"{"\#(name)":["This field is required."]}"#, status: 400)
        }
        if path == "issue-comments/" {
            return .json(#"{"detail":"Method \"GET\" not allowed."}"#, status: 405)
        }
        return body(of: path, request, at: "http://\(request.header("Host") ?? "")").map { .json($0) }
            ?? .json(#"{"detail":"No Issue matches the given query."}"#, status: 404)
    }

    private static func refusal(of header: String?) -> String? {
        guard let header else { return "Authentication credentials were not provided." }
        let token = header.hasPrefix("Bearer ") ? header.dropFirst(7) : ""
        guard token.count == 40, token.allSatisfy({ "0123456789abcdef".contains($0) }) else {
            return "Malformed Bearer token, must be 40 lowercase hex chars."
        }
        return token == Self.token ? nil : "Invalid Bearer token."
    }

    private static func body(of path: String, _ request: RecordedRequest, at origin: String) -> String? {
        switch path {
        case "projects/": projects
        case "issues/" where request.parameter("q") == "handled:false":
            page(issue("i1", events: 50))
        case "issues/": request.parameter("cursor") == nil ? firstIssues(origin) : secondIssues
        case "projects/2/event-counts/": counts(request, times: 3)
        case "releases/": releases
        case "events/": page(#"{"id":"event-of-\#(request.parameter("issue") ?? "")"},{"id":"older"}"#)
        case "issue-history/": request.parameter("issue") == "i1" ? history : page("")
        default:
            bodies[path]
                ?? (path.hasSuffix("/event-counts/")
                    ? counts(request) : path.hasSuffix("/tags/") ? page("") : nil)
        }
    }
}

// MARK: Bodies

extension StubBugsink {
    static func page(_ results: String, next: String = "null") -> String {
        #"{"next":\#(next),"previous":null,"results":[\#(results)]}"#
    }

    private static let projects = page(
        """
        {"id":1,"team":"t1","name":"Tidepool","slug":"tidepool","dsn":"http://\(key)@h.example/1"},
        {"id":2,"team":"t1","name":"Sketchbook iOS","slug":"sketchbook-ios","dsn":"http://\(key)@h.example/2"}
        """)

    static func issue(_ id: String, events: Int, _ more: String = "") -> String {
        """
        {"id":"\(id)","friendly_id":"SKETCHBOOK-1","project":2,"digest_order":1,
        "first_seen":"2026-10-24T05:06:43.649892Z","last_seen":"2026-11-20T02:07:45.232791Z",
        "digested_event_count":\(events),"stored_event_count":1,"calculated_type":"RangeError",
        "calculated_value":"index 7\\nbeyond bounds","transaction":"Canvas"\(more)}
        """
    }

    private static func firstIssues(_ origin: String) -> String {
        page(
            [
                issue(
                    "i1", events: 50,
                    #","is_resolved":false,"is_muted":false,"events_at":["","a.b@4.2.0+360","a.b@4.10.0+400"]"#
                ),
                issue(
                    "i2", events: 40, #","is_resolved":true,"is_muted":false,"fixed_at":["a.b@4.2.0+360"]"#),
            ].joined(separator: ","), next: "\"\(origin)\(root)/issues/?cursor=cD0y&order=desc&project=2\"")
    }

    private static let secondIssues = page(
        [
            issue("i3", events: 3, #","is_muted":true"#),
            issue("i4", events: 2).replacing("2026-11-20T02", with: "2026-09-01T02"),
        ].joined(separator: ","))

    private static let releases = page(
        """
        {"id":"r1","project":2,"version":"a.b@4.2.0+360","date_released":"2026-11-15T06:07:30.553122Z"},
        {"id":"r2","project":2,"version":"a.b@4.10.0+400","date_released":"2026-11-18T06:07:30Z"},
        {"id":"r3","project":2,"version":"a.b@4.2.0+359","date_released":"2026-11-12T06:07:30Z"},
        {"id":"r4","project":2,"version":"2f5c1e","date_released":null}
        """)

    /// Every hour from the requested start to the present one, empty ones too.
    static func counts(_ request: RecordedRequest, times: Int = 1, leavingOut hour: String = "") -> String {
        let events = ["2026-11-18T22:00:00Z": 3, "2026-11-18T23:00:00Z": 4, "2026-11-19T00:00:00Z": 5]
        let start = request.parameter("start").flatMap { Instant($0) } ?? runTime
        let hours = max(0, start.seconds(to: runTime) / 3600)
        let buckets = (0...hours).map { start.advanced(bySeconds: $0 * 3600).description }
            .filter { $0 != hour }
            .map { #"{"timestamp":"\#($0)","count":\#((events[$0] ?? 0) * times)}"# }
        return #"{"interval_seconds":3600,"buckets":[\#(buckets.joined(separator: ","))]}"#
    }

    private static let history = page(
        """
        {"id":270,"issue":"i1","user":null,"user_display_name":null,"timestamp":"2026-11-19T05:07:55.025240Z",
        "kind":"manual_annotation","comment":"Seen on **two** devices","metadata":{}},
        {"id":271,"issue":"i1","user_display_name":"Team member","timestamp":"2026-11-19T06:07:55Z",
        "kind":"resolved","comment":"should be gone","metadata":{}},
        {"id":1,"issue":"i1","user_display_name":null,"timestamp":"2026-10-24T05:06:43Z","kind":"first_seen",
        "comment":"","metadata":{}}
        """)

    private static let bodies = [
        "issues/i1/tags/": page(
            #"{"id":14,"key":"user","value":"a@b.example","count":40},{"id":15,"key":"user","value":"c","count":9}"#
        ),
        "events/event-of-i1/": """
        {"id":"event-of-i1","issue":"i1","data":{"level":"fatal","exception":{"values":[
        {"type":"Cause","stacktrace":{"frames":[{"filename":"Wrong.swift","lineno":1,"in_app":true}]}},
        {"type":"RangeError","mechanism":{"type":"signalhandler","handled":false},"stacktrace":{"frames":[
        {"filename":"main.swift","lineno":1,"in_app":true},{"filename":"Sources/Brush.swift","lineno":88,"in_app":true},
        {"filename":"libswift","lineno":null,"in_app":false}]}}]}}}
        """,
        "events/event-of-i2/": """
        {"id":"event-of-i2","data":{"level":"error","exception":[{"type":"ANR","mechanism":"odd",
        "stacktrace":{"frames":[{"filename":"Looper.java","lineno":0},{"function":"nameless"}]}}]}}
        """,
        "events/event-of-i3/": #"{"id":"event-of-i3","data":{"message":"only a message"}}"#,
    ]
}
