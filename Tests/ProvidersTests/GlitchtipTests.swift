import AppHealth
import Diagnostics
import Foundation
import LoopbackServer
import Testing
import Transport

@testable import Providers

struct GlitchtipTests {
    private static let token = "gt-5d20b7c4e1"
    private static let root = "/api/0/organizations/harbour-lab"

    typealias Fault = @Sendable (RecordedRequest) -> StubResponse?

    private func fetch(
        token: String = token, _ change: (inout GlitchtipConfiguration) -> Void = { _ in },
        fault: @escaping Fault = { _ in nil }
    ) async throws -> (outcome: FetchOutcome, requests: [RecordedRequest]) {
        let server = try await LoopbackServer.start { request in try fault(request) ?? Self.answer(request) }
        let secret = try #require(Secret(token))
        var configuration = try GlitchtipConfiguration(
            organization: "harbour-lab", project: "sketchbook", token: secret, base: server.origin)
        change(&configuration)
        let outcome = await (try GlitchtipProvider(configuration, sender: client())).fetch(
            app("sketchbook"), at: runTime)
        await server.stop()
        #expect(outcome.diagnostics.allSatisfy { !$0.everything.contains(token) })
        return (outcome, server.requests)
    }

    private static func text(_ name: String) throws -> String {
        try String(contentsOfFile: fixture("glitchtip/\(name).json"), encoding: .utf8)
    }

    /// A link header with the braces and quotes that the server puts around it by mistake.
    private static func link(_ target: String, results: Bool, cursor: String?) -> (
        name: String, value: String
    ) {
        let cursor = cursor.map { "; cursor=\"\($0)\"" } ?? ""
        return ("Link", "{'<http://web:8000\(target)>; rel=\"next\"; results=\"\(results)\"\(cursor)'}")
    }

    private static let page = "<!doctype html>\n<html><head><title>GlitchTip</title></head></html>"

    private static func answer(_ request: RecordedRequest) throws -> StubResponse {
        guard request.header("Authorization") == "Bearer \(token)" else {
            return .json(#"{"detail":"Unauthorized"}"#, status: 401)
        }
        switch request.path {
        case "\(root)/projects/": return .json(try text("projects"))
        case "\(root)/issues/": return try issues(request)
        case "\(root)/issues-stats/": return .json(try text("stats"))
        case "/api/0/issues/21/comments/": return .json(try text("comments-21"))
        case "/api/0/issues/22/events/latest/": return .json(try text("event-22"))
        case let path where path.hasPrefix("/api/0/"): return .json(#"{"detail":"Not found"}"#, status: 404)
        default: return .text(page, status: 404)
        }
    }

    private static func issues(_ request: RecordedRequest) throws -> StubResponse {
        let sorts = ["last_seen", "first_seen", "count", "priority"].flatMap { [$0, "-\($0)"] }
        guard request.parameter("project") == "7", sorts.contains(request.parameter("sort") ?? "-last_seen")
        else {
            return .json(#"{"detail":[{"type":"literal_error","loc":["query","sort"]}]}"#, status: 422)
        }
        switch request.parameter("cursor") {
        case nil:
            return .json(try text("issues-1"), headers: [link(request.target, results: true, cursor: "bz0x")])
        case "bz0x":
            // The last page's link has no cursor: it would lead to itself for ever.
            return .json(try text("issues-2"), headers: [link(request.target, results: false, cursor: nil)])
        default: return .json(#"{"detail":"invalid cursor"}"#, status: 422)
        }
    }

    @Test func fetchesIssuesAndNothingThatTheServerCannotKnow() async throws {
        let (outcome, requests) = try await fetch()
        let snapshot = try #require(outcome.snapshots.first)
        #expect(outcome.diagnostics.isEmpty)
        #expect(snapshot.source.capabilities == [.issues, .issueDays, .notes])
        #expect(snapshot.health.isEmpty && snapshot.usage.isEmpty && snapshot.releases.isEmpty)
        #expect(snapshot.issues.map(\.id) == ["21", "22", "23", "24"])
        #expect(snapshot.issues.map(\.users) == [nil, nil, nil, nil])
        #expect(snapshot.issues.map(\.url) == [nil, nil, nil, nil])
        #expect(snapshot.issues.map(\.events) == [40, 400, 40, 40])
        #expect(snapshot.issues.map(\.kind) == [.error, .crash, .error, .error])
        #expect(snapshot.issues.map(\.state) == [.open, .open, .closed, .muted])
        #expect(snapshot.issues.map(\.title)[1] == "main")
        #expect(
            snapshot.issues.map(\.place) == [
                CodePlace(file: "sync/pages.py", line: nil), CodePlace(file: "sync/pages.py", line: 41),
                CodePlace(file: "sync/pages.py", line: nil), nil,
            ])
        #expect(snapshot.issues[0].firstSeen?.description == "2026-11-01T08:00:00Z")
        #expect(requests.count == outcome.requests)
        #expect(requests[1].target == "\(Self.root)/issues/?project=7&sort=-last_seen&limit=100")
        #expect(
            requests[3].target
                == "\(Self.root)/issues-stats/?groups=21&groups=22&groups=23&groups=24&statsPeriod=14d")
    }

    @Test func bucketsOfADayAreAddedUpAndUsersAreNotTaken() async throws {
        let days = try #require(try await fetch().outcome.snapshots.first).issueDays
        #expect(
            days.map { "\($0.issue) \($0.date) \($0.events ?? -1)" } == [
                "21 2026-11-18 3", "21 2026-11-19 6", "22 2026-11-19 400",
            ])
        #expect(days.allSatisfy { $0.users == nil })
    }

    @Test func commentsBecomeNotes() async throws {
        let notes = try #require(try await fetch().outcome.snapshots.first).notes
        #expect(notes.map(\.id) == ["6", "5"])
        #expect(notes.map(\.author) == ["someone", ""])
        #expect(notes.map(\.text) == ["Two.", "One."])
    }

    @Test func theRequestsLastForTheBudgetAndTheRestIsSaid() async throws {
        let (outcome, _) = try await fetch({ $0.mostRequests = 8 })
        #expect(outcome.requests == 8)
        #expect(outcome.diagnostics.map(\.summary) == ["glitchtip: skipped notes of 1 issue"])
    }

    private static let refusals: [(StubResponse, id: String, hint: String)] = [
        (
            .json("{}", status: 403), "transport.status-403",
            "give the token the scopes org:read, project:read and event:read"
        ),
        (
            .text(page, status: 404), "transport.status-404",
            "check the address and the organization: the server returns a page for unknown paths"
        ),
        (
            .text(page, status: 500), "transport.status-500",
            "check the address and the organization: the server returns a page for unknown paths"
        ),
        (
            .json("{}", status: 422), "transport.status-422",
            "check whether the server is newer than this program; it refused the query"
        ),
        (
            .text(page), "decoding.not-json",
            "check whether a proxy or login page responded"
        ),
    ]

    @Test(arguments: refusals.indices, ["projects", "issues"])
    func withoutProjectOrIssuesTheFetchFails(index: Int, path: String) async throws {
        let (answer, id, hint) = Self.refusals[index]
        let (outcome, _) = try await fetch(fault: { $0.path == "\(Self.root)/\(path)/" ? answer : nil })
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.map(\.why.id) == [id])
        #expect(outcome.failures.first?.why.hints == [hint])
    }

    @Test func aWrongTokenIsAFailureWithAHint() async throws {
        let (outcome, requests) = try await fetch(token: "wrong-one")
        #expect(requests.count == 1)
        #expect(
            outcome.failures.first?.why.hints == [
                "make a new auth token in GlitchTip under Profile, Auth Tokens"
            ])
    }

    @Test(arguments: [
        ("40", "2026-11-20T06:00:40Z"), ("Fri, 20 Nov 2026 06:01:00 GMT", "2026-11-20T06:01:00Z"),
    ])
    func theWaitIsTakenInSecondsAndAsADate(wait: String, until: String) async throws {
        let limited = StubResponse.json(
            #"{"message":"Please retry later"}"#, status: 429, headers: [("Retry-After", wait)])
        let (outcome, _) = try await fetch(fault: { $0.path.hasSuffix("/issues-stats/") ? limited : nil })
        let warning = try #require(outcome.snapshots.first?.warnings.first)
        #expect(warning.summary == "glitchtip: couldn't fetch days of issues")
        #expect(warning.details.last == "the service takes requests again at \(until)")
        #expect(outcome.snapshots.first?.notes.count == 2)
    }

    @Test(
        arguments: ["/issues-stats/", "/issues/21/comments/", "/issues/22/events/latest/"],
        [
            StubResponse.text(page, status: 500), .text(page), .json("{"), .json("7"),
        ].indices)
    func aFaultInOnePartLeavesTheOthers(path: String, kind: Int) async throws {
        let answers: [StubResponse] = [
            .text(Self.page, status: 500), .text(Self.page), .json("{"), .json("7"),
        ]
        let (outcome, _) = try await fetch(fault: { $0.path.hasSuffix(path) ? answers[kind] : nil })
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.warnings.map(\.id) == ["glitchtip.part-missing"])
        #expect(snapshot.issues.count == 4)
        #expect(snapshot.issueDays.count == (path == "/issues-stats/" ? 0 : 3))
        #expect(snapshot.notes.count == (path.contains("comments") ? 0 : 2))
    }

    @Test func plansItsRequests() throws {
        let secret = try #require(Secret(Self.token))
        let configuration = try GlitchtipConfiguration(
            organization: "harbour-lab", project: "sketchbook", token: secret,
            base: "https://bugs.example.org")
        let plan = try GlitchtipProvider(configuration, sender: client()).plan(for: app("sketchbook"))
        #expect(plan.map(\.most) == [10, 3, 2, 10, 58])
        #expect(
            plan[2].address
                == "https://bugs.example.org/api/0/organizations/harbour-lab/issues-stats/?groups={issue}&statsPeriod=14d"
        )
    }
}
