import AppHealth
import Foundation
import LoopbackServer
import Transport

@testable import Providers

/// A stand-in for Sentry's web API that refuses as it does, with faults at chosen requests.
final class StubSentry: Sendable {
    typealias Fault = @Sendable (RecordedRequest) async throws -> StubResponse?

    static let token = "sntryu_9c41e2b7d0"
    static let root = "/api/0/organizations/lantern-works"

    let server: LoopbackServer

    /// Responds from the fixtures; a fault that responds goes first.
    static func start(
        sessions: StubSessions = .usual, fault: @escaping Fault = { _ in nil }
    ) async throws -> StubSentry {
        let server = try await LoopbackServer.start { request in
            guard request.header("Authorization") == "Bearer \(token)" else {
                return .json(#"{"detail":"Invalid token"}"#, status: 401)
            }
            if let answer = try await fault(request) { return answer }
            return try Self.answer(request, sessions)
        }
        return StubSentry(server: server)
    }

    private init(server: LoopbackServer) {
        self.server = server
    }

    func configuration(
        _ project: String = "sketchbook-ios", token: String = token
    ) throws -> SentryConfiguration {
        guard let secret = Secret(token) else { throw Missing() }
        var configuration = try SentryConfiguration(
            organization: "lantern-works", project: project, token: secret, base: server.origin)
        configuration.userDays = 0
        return configuration
    }

    func fetch(
        _ configuration: SentryConfiguration, hurrying path: String = "", kept: KeptBytes? = nil,
        providedBefore: Set<Capability>? = nil, in environment: String? = "production",
        stored: KnownIssues = KnownIssues()
    ) async throws -> FetchOutcome {
        let sender = HurryingSender(base: client(), path: path)
        let describedBefore: @Sendable () -> Source? = {
            providedBefore.map { capabilities in
                var described = configuration
                described.environment = environment
                var source = sentrySource(described)
                source.capabilities = capabilities
                return source
            }
        }
        let provider = try SentryProvider(
            configuration, sender: sender, kept: kept, describedBefore: describedBefore,
            knownIssues: { stored })
        let outcome = await provider.fetch(app("sketchbook"), at: runTime)
        await server.stop()
        return outcome
    }

    static func text(_ name: String) throws -> String {
        try String(contentsOfFile: fixture("sentry/\(name).json"), encoding: .utf8)
    }

    /// The links that a response carries whatever comes; the host is an inner one.
    static func link(next cursor: String, results: Bool) -> (name: String, value: String) {
        let inner = "http://sentry-web.internal:9000/api/0/x/?cursor"
        return (
            "Link",
            """
            <\(inner)=0:0:1>; rel="previous"; results="false"; cursor="0:0:1", \
            <\(inner)=\(cursor)>; rel="next"; results="\(results)"; cursor="\(cursor)"
            """
        )
    }

    struct Missing: Error {}
}

// MARK: Responses

extension StubSentry {
    private static func answer(_ request: RecordedRequest, _ sessions: StubSessions) throws -> StubResponse {
        let direct = request.path.split(separator: "/").map(String.init)
        if direct.prefix(4) == ["api", "0", "projects", "lantern-works"], direct.count == 5 {
            return try project(direct[4])
        }
        guard request.path.hasPrefix("\(root)/"), request.path.hasSuffix("/") else { return notFound }
        guard [nil, "production"].contains(request.parameter("environment")) else { return notFound }
        let parts = request.path.dropFirst(root.count + 1).split(separator: "/").map(String.init)
        switch (parts.first, parts.count) {
        case ("projects", 1): return try page(request, of: "projects")
        case ("sessions", 1): return self.sessions(request, sessions)
        case ("releases", 1):
            return .json(try text("releases"), headers: [link(next: "0:100:0", results: false)])
        case ("issues", 1): return try issues(request)
        case ("issues", 2): return try member(parts[1], of: "details")
        case ("issues", 4) where parts[2...] == ["events", "latest"]:
            return try member(parts[1], of: "events")
        default: return notFound
        }
    }

    private static var notFound: StubResponse {
        .json(#"{"detail":"The requested resource does not exist"}"#, status: 404)
    }

    static func bad(_ detail: String) -> StubResponse {
        .json(#"{"detail":"\#(detail)"}"#, status: 400)
    }

    private static func page(_ request: RecordedRequest, of name: String) throws -> StubResponse {
        switch request.parameter("cursor") {
        case nil: .json(try text("\(name)-1"), headers: [link(next: "0:100:0", results: true)])
        case "0:100:0": .json(try text("\(name)-2"), headers: [link(next: "0:200:0", results: false)])
        default: bad("Invalid cursor parameter.")
        }
    }

    /// One project by its slug or id.
    private static func project(_ name: String) throws -> StubResponse {
        for page in ["projects-1", "projects-2"] {
            let all = try JSONSerialization.jsonObject(with: Data(try text(page).utf8)) as? [[String: Any]]
            for project in all ?? []
            where [project["slug"], project["id"]].contains(where: { $0 as? String == name }) {
                let body = try JSONSerialization.data(withJSONObject: project)
                return .json(String(decoding: body, as: UTF8.self))
            }
        }
        return notFound
    }

    private static func member(_ id: String, of name: String) throws -> StubResponse {
        let all = try JSONSerialization.jsonObject(with: Data(try text(name).utf8)) as? [String: Any]
        guard let value = all?[id] else { return notFound }
        return .json(String(decoding: try JSONSerialization.data(withJSONObject: value), as: UTF8.self))
    }

    private static func issues(_ request: RecordedRequest) throws -> StubResponse {
        guard request.parameter("query") == "issue.category:error" else { return .json("[]") }
        guard ["freq", "user", "date", "new", "trends", "inbox"].contains(request.parameter("sort")) else {
            return bad("Invalid sort")
        }
        let spans = ["", "24h", "14d", "auto"]
        guard spans.contains(request.parameter("groupStatsPeriod") ?? ""), scope(request) else {
            return bad("Invalid stats_period")
        }
        if request.parameter("groupStatsPeriod") == "24h" { return .json(issuesByHour) }
        let answer = try collapsed(page(request, of: "issues"), by: request)
        guard request.parameter("groupStatsPeriod") == "auto" else { return answer }
        // Over 29 days the buckets are days, as in the list of 14.
        var named = answer
        named.body = Array(
            String(decoding: answer.body, as: UTF8.self).replacing("\"14d\"", with: "\"auto\"").utf8)
        return named
    }

    /// What the service leaves out of a list: with `stats` it counts neither events nor users.
    static func collapsed(_ answer: StubResponse, by request: RecordedRequest) throws -> StubResponse {
        guard request.query.contains(where: { $0.name == "collapse" && $0.value == "stats" }),
            let items = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]]
        else { return answer }
        let counts = ["count", "userCount", "firstSeen", "lastSeen", "stats", "lifetime", "filtered"]
        let bare = items.map { $0.filter { !counts.contains($0.key) } }
        var answer = answer
        answer.body = Array(try JSONSerialization.data(withJSONObject: bare))
        return answer
    }

    private static func scope(_ request: RecordedRequest) -> Bool {
        ["4501", "4504"].contains(request.parameter("project"))
    }

    private static func sessions(_ request: RecordedRequest, _ sessions: StubSessions) -> StubResponse {
        let fields = request.query.filter { $0.name == "field" }.map(\.value)
        let groupBy = request.query.filter { $0.name == "groupBy" }.map(\.value)
        let known = ["sum(session)", "count_unique(user)", "crash_free_rate(user)"]
        if let odd = fields.first(where: { !known.contains($0) }) { return bad("Invalid field: \(odd)") }
        guard scope(request) else { return notFound }
        if groupBy.contains("session.status"), fields.contains("crash_free_rate(user)") {
            return bad("Cannot group by session.status with crash rates")
        }
        if groupBy.contains("session.status"), request.parameter("orderBy") != nil {
            return bad("Cannot use 'orderBy' when grouping by sessions.status")
        }
        if request.parameter("interval") == "1h" { return sessionsByHour(request) }
        guard request.parameter("interval") == "1d", let start = request.parameter("start"),
            let end = request.parameter("end"), start.hasSuffix("T00:00:00"), end.hasSuffix("T23:59:59"),
            let first = CivilDate(start.prefix(10)), let last = CivilDate(end.prefix(10))
        else { return bad("Invalid date range") }
        return .json(sessions.answer(first: first, last: last, fields: fields, groupBy: groupBy))
    }
}
