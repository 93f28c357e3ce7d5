import Foundation
import GoogleStub
import LoopbackServer
import Testing

/// What the doctor says of each source, line by line.
struct DoctorScopeTests {
    private static let bugsnag =
        "provider: bugsnag, project: ferry, url: \"ORIGIN\", token: \"${QUAY_TOKEN}\""
    private static let sentry =
        "provider: sentry, organization: lantern-works, project: sketchbook-ios, url: \"ORIGIN\", token: \"${QUAY_TOKEN}\""
    private static let analytics =
        "provider: ga4, property: 4242, url: \"ORIGIN\", accountFile: key.json"

    private func doctor(
        _ source: String, _ arguments: [String] = [], _ handler: @escaping LoopbackServer.Handler
    ) async throws -> Run {
        let server = try await LoopbackServer.start(handler: handler)
        let folder = try Folder()
        let keys = source.replacing("ORIGIN", with: server.origin)
        try folder.write(
            "plimsoll.yml",
            "asOf: 2026-11-20T06:00:00Z\napps:\n  - id: ferry\n    sources: [{\(keys)}]\n")
        let account = StubAccount.shared.file(tokenAddress: server.origin + "/token")
        try folder.write("key.json", String(decoding: account, as: UTF8.self))
        let run = try await Program.run(
            Program.path, ["doctor"] + arguments, in: folder.path, environment: ["QUAY_TOKEN": token])
        await server.stop()
        #expect(!run.printed.contains(token) && !run.printed.contains("ya29."))
        return run
    }

    private static func google(
        _ answer: @escaping @Sendable (RecordedRequest) throws -> StubResponse
    ) -> LoopbackServer.Handler {
        ServiceStub.google(StubTokenServer { Int(Date().timeIntervalSince1970) }, answer)
    }

    /// The same responses with a real address in the place of one that is reported.
    private static func withoutFaults(_ handler: @escaping LoopbackServer.Handler) -> LoopbackServer.Handler {
        { request in
            var response = try await handler(request)
            let text = String(decoding: response.body, as: UTF8.self)
            response.body = Array(
                text.replacing("javascript:alert(1)", with: "https://issues.example/1").utf8)
            return response
        }
    }

    private static func refusal(_ reason: String) -> StubResponse {
        .json(
            #"{"error":{"code":403,"message":"no","status":"PERMISSION_DENIED","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"\#(reason)"}]}}"#,
            status: 403)
    }

    /// What a service does, and the lines that must be reported.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let source: String
        let handler: @Sendable () -> LoopbackServer.Handler
        let status: Int32
        let lines: [String]

        init(
            _ name: String, _ source: String, status: Int32, _ lines: [String],
            _ handler: @escaping @Sendable () -> LoopbackServer.Handler
        ) {
            (testDescription, self.source, self.handler) = (name, source, handler)
            (self.status, self.lines) = (status, lines)
        }
    }

    static let cases = [
        Case(
            "all scopes", sentry, status: 0,
            [
                "✓ ferry from sentry (sentry)", "    authorized: yes",
                "    permissions: org:read, project:read, event:read: OK",
                "    freshness: data through 2026-11-19 (ended 6 h ago), captured 2026-11-20T06:00:00Z (0 h ago)",
            ]
        ) { withoutFaults(ServiceStub.sentry()) },
        Case(
            "a wider scope holds the narrower", sentry, status: 0,
            ["    permissions: org:read, project:read, event:read: OK"]
        ) { withoutFaults(ServiceStub.sentry(scopes: ["org:admin", "project:write", "event:read"])) },
        Case(
            "a scope that Sentry does not grant", sentry, status: 1,
            [
                "✗ ferry from sentry (sentry)", "    authorized: refused ",
                "    permissions: missing event:read; the token has org:read, project:read",
                "ferry from sentry: the credential lacks event:read",
                "  hint: grant 'event:read' at the service, then run 'plimsoll doctor' again",
            ]
        ) { ServiceStub.sentry(scopes: ["org:read", "project:read"], refuses: "issues") },
        Case(
            "a scope that Google names", analytics, status: 1,
            ["    permissions: missing https://www.googleapis.com/auth/analytics.readonly"]
        ) { google { _ in refusal("ACCESS_TOKEN_SCOPE_INSUFFICIENT") } },
        Case(
            "an API that is off", analytics, status: 1,
            [
                "    permissions: missing the Google Analytics Data API, enabled",
                "  hint: enable the Google Analytics",
            ]
        ) { google { _ in refusal("SERVICE_DISABLED") } },
        Case(
            "a role that Google does not grant", analytics, status: 1,
            ["    permissions: missing Viewer of the property"]
        ) { google { _ in refusal("IAM_PERMISSION_DENIED") } },
        Case(
            "a plan that lacks a feature", bugsnag, status: 1,
            ["    permissions: missing Your plan has no Data Access", "  hint: check that the plan"]
        ) { { _ in .json(#"{"errors":["Your plan has no Data Access"]}"#, status: 403) } },
        Case(
            "a refusal that tells nothing", bugsnag, status: 1,
            [
                "    permissions: not reported by the service; needed: a personal auth token of a user who may see",
                "  hint: make a new personal auth token",
            ]
        ) { { _ in .json(#"{"errors":["Unauthorized"]}"#, status: 401) } },
        Case(
            "a clock and a limit", bugsnag, status: 1,
            [
                "    rate limit: 7 requests remaining; documented limit 30 requests in 60 s",
                " ahead of the service; fix it",
            ]
        ) {
            { _ in
                .json(
                    "[]",
                    headers: [
                        ("X-RateLimit-Remaining", "7"), ("Date", "Fri, 20 Nov 2020 06:00:00 GMT"),
                    ])
            }
        },
    ]

    @Test(arguments: cases) func eachLineIsReported(one: Case) async throws {
        let run = try await doctor(one.source, [], one.handler())
        #expect(run.status == one.status, "\(run.printed)")
        for line in one.lines {
            #expect(run.printed.contains(line), "\(line) is missing in:\n\(run.printed)")
        }
    }

    @Test func aServiceThatDoesNotAnswerIsNotReachable() async throws {
        let folder = try Folder()
        let port = try FaultServer.refusedPort()
        let keys = Self.bugsnag.replacing("ORIGIN", with: "http://127.0.0.1:\(port)")
        try folder.write("plimsoll.yml", "apps:\n  - id: ferry\n    sources: [{\(keys)}]\n")
        let run = try await Program.run("doctor", in: folder, environment: ["QUAY_TOKEN": token])
        #expect(run.status == 1)
        #expect(run.output.contains("    connection: no response\n    freshness: no data\n"))
        #expect(run.errors.contains("  hint: check host, port and proxy"))
    }

    @Test func theSameIsAvailableToPrograms() async throws {
        let run = try await doctor(
            Self.sentry, ["--format", "json"],
            ServiceStub.sentry(scopes: ["org:read", "project:read"], refuses: "issues"))
        #expect(run.status == 1)
        let root = try #require(
            try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(root["format"] as? String == "plimsoll-doctor" && root["version"] as? Int == 1)
        #expect(root["isWell"] as? Bool == false)
        let source = try #require((root["sources"] as? [[String: Any]])?.first)
        #expect(source["isReachable"] as? Bool == true)
        #expect(source["isAuthorised"] as? Bool == false)
        #expect(source["missingScopes"] as? [String] == ["event:read"])
        #expect(source["grantedScopes"] as? [String] == ["org:read", "project:read"])
        #expect(source["newestDay"] as? String == "2026-11-19")
        #expect(source["hoursSinceNewestDay"] as? Int == 6)
        let problems = try #require(source["problems"] as? [[String: Any]])
        #expect(problems.contains { $0["id"] as? String == "doctor.missing-permission" })
        #expect(problems.allSatisfy { ($0["nextSteps"] as? [String])?.isEmpty == false })
    }
}
