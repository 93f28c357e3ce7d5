import AppHealth
import Diagnostics
import LoopbackServer
import Testing
import Transport

@testable import Providers

struct BugsnagFaultTests {
    private static let project = "/projects/65c000000000000000000001"

    private func fetch(
        token: String = StubBugsnag.token, hurrying path: String = "", most bytes: Int = 1 << 20,
        providedBefore: Set<Capability> = [],
        _ fault: @escaping StubBugsnag.Fault = { _ in nil }
    ) async throws -> FetchOutcome {
        let stub = try await StubBugsnag.start(fault: fault)
        var configuration = try stub.configuration(token: token)
        configuration.limits.bodyBytes = bytes
        let outcome = try await stub.fetch(configuration, hurrying: path, providedBefore: providedBefore)
        #expect(outcome.diagnostics.allSatisfy { !$0.everything.contains(token) })
        return outcome
    }

    /// Responds so at one path and lets every other path be.
    private func at(_ path: String, _ answer: StubResponse) -> StubBugsnag.Fault {
        { $0.path == path ? answer : nil }
    }

    @Test func aWrongTokenIsAFailureWithAHint() async throws {
        let outcome = try await fetch(token: "wrong-one")
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.requests == 1)
        let why = try #require(outcome.failures.first?.why)
        #expect(why.id == "transport.status-401")
        #expect(why.quotes.first == #"response: {"errors":["Bad credentials"]}"#)
        #expect(why.hints == ["make a new personal auth token in BugSnag under My account"])
    }

    /// Accounts on the newer host are refused on the usual one, whatever their token.
    @Test(arguments: [("https://api.bugsnag.com", 2), ("https://api.bugsnag.smartbear.com", 0)])
    func aRefusedTokenNamesTheOtherHost(host: String, hints: Int) throws {
        let response = Response(status: 401, address: try Address("\(host)/user/organizations"))
        let refusal = #expect(throws: HTTPStatusError.self) { try response.checked() }
        let error = try #require(refusal)
        let explained = ServiceProfile.bugsnag.explain(error, response).hints ?? []
        #expect(explained.count == hints)
        #expect(
            explained.allSatisfy { $0.contains("token") || $0.contains("https://api.bugsnag.smartbear.com") })
    }

    @Test func theWrongKindOfTokenHasItsOwnHint() async throws {
        let outcome = try await fetch(
            at("/user/organizations", .json(#"{"errors":["User not found"]}"#, status: 404)))
        #expect(outcome.failures.map(\.why.id) == ["transport.status-404"])
        #expect(
            outcome.failures.first?.why.hints
                == ["use a personal auth token; a project's API key does not open this API"])
    }

    @Test func theTokenIsHiddenEvenWhenTheServiceEchoesIt() async throws {
        let echo = #"{"errors":["token \#(StubBugsnag.token) is blocked"]}"#
        let refused = try await fetch(at("/user/organizations", .json(echo, status: 403)))
        #expect(refused.failures.first?.why.everything.contains("<redacted> is blocked") == true)
        let mismatch = #"{"timeline_points":"you sent \#(StubBugsnag.token)"}"#
        let found = try await fetch(at("\(Self.project)/stability_trend", .json(mismatch)))
        #expect(found.failures.first?.why.everything.contains("<redacted>") == true)
    }

    private static let trendFaults: [(StubResponse, String)] = [
        (
            .json(#"{"errors":["slow down"]}"#, status: 429, headers: [("Retry-After", "60")]),
            "transport.status-429"
        ),
        (.text("oops", status: 500), "transport.status-500"),
        (.text("<!doctype html><p>Sign in"), "decoding.not-json"), (.text(""), "decoding.not-json"),
        (.json(#"{"release_stage_name":"production","timeline_points":[{"bucket"#), "decoding.not-json"),
        (.json(#"{"release_stage_name":"production","timeline_points":{"a":1}}"#), "decoding.mismatch"),
        (.json(#"{"release_stage_name":"production","timeline_point":[]}"#), "decoding.missing-key"),
        (.redirect(to: "http://elsewhere.example/"), "transport.redirect"),
    ]

    @Test(arguments: trendFaults.indices)
    func withoutTheTrendTheFetchFails(index: Int) async throws {
        let (answer, id) = Self.trendFaults[index]
        let outcome = try await fetch(at("\(Self.project)/stability_trend", answer))
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.map(\.why.id) == [id])
    }

    /// A plan without stability, a project without a primary release stage, and one whose app sent no session yet.
    @Test(arguments: [
        (403, "bugsnag: couldn't fetch sessions and users"),
        (404, "bugsnag: couldn't fetch sessions and users"),
        (204, "bugsnag: the project has no sessions yet"),
    ])
    func withoutSessionsTheRestStays(status: Int, warning: String) async throws {
        let body = status == 204 ? "" : #"{"errors":["none here"]}"#
        let outcome = try await fetch(
            at("\(Self.project)/stability_trend", .json(body, status: status)))
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.source.capabilities == [.releases, .issues, .issueDays, .notes])
        #expect(snapshot.issues.count == 5)
        #expect(!snapshot.coverage.contains { [.sessions, .users].contains($0.fact) })
        #expect(snapshot.warnings.map(\.summary) == [warning])
    }

    /// Without sessions the errors are all there is.
    @Test func withoutSessionsAndErrorsTheFetchFails() async throws {
        let outcome = try await fetch { request in
            switch request.path {
            case "\(Self.project)/stability_trend": .json(#"{"errors":["none here"]}"#, status: 403)
            case "\(Self.project)/errors": .text("gone", status: 500)
            default: nil
            }
        }
        #expect(outcome.failures.map(\.why.id) == ["transport.status-500"])
        #expect(outcome.failures.first?.why.details.last == "couldn't fetch issues")
        #expect(outcome.snapshots.first?.releases.count == 4)
        // Next to sessions they are one part of several.
        #expect(
            try await fetch(at("\(Self.project)/errors", .text("gone", status: 500))).failures.isEmpty)
    }

    /// A refusal of one night must not make of what was fetched something not provided.
    @Test(arguments: [403, 404]) func aRefusalOfSessionsThatWereProvidedIsAFailure(status: Int) async throws {
        let outcome = try await fetch(
            providedBefore: [.sessions, .users],
            at("\(Self.project)/stability_trend", .json(#"{"errors":["none here"]}"#, status: status)))
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.map(\.why.id) == ["transport.status-\(status)"])
    }

    /// Nor does a night in which the project is said to have no sessions.
    @Test func sessionsThatWereProvidedStayProvided() async throws {
        let outcome = try await fetch(
            providedBefore: [.sessions, .users], at("\(Self.project)/stability_trend", .json("", status: 204))
        )
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.source.capabilities.isSuperset(of: [.sessions, .users]))
        #expect(snapshot.health.isEmpty && snapshot.issues.count == 5)
        #expect(snapshot.warnings.map(\.summary) == ["bugsnag: the project has no sessions yet"])
    }

    @Test func skipsOnlyTheBadDay() async throws {
        let trend = """
            {"release_stage_name":"production","timeline_points":[
            {"bucket_start":"2026-11-18T00:00:00.000Z","bucket_end":"2026-11-19T00:00:00.000Z",
            "total_sessions_count":"12","unhandled_sessions_count":0},
            {"bucket_start":"2026-11-17T00:00:00.000Z","bucket_end":"2026-11-18T00:00:00.000Z",
            "total_sessions_count":16,"unhandled_sessions_count":20,"users_seen":0,"users_with_unhandled":0},
            {"bucket_start":"2026-11-16T00:00:00.000Z","bucket_end":"2026-11-16T12:00:00.000Z",
            "total_sessions_count":16,"unhandled_sessions_count":2},
            {"bucket_start":"2026-11-15T00:00:00.000Z","bucket_end":"2026-11-16T00:00:00.000Z",
            "total_sessions_count":16,"unhandled_sessions_count":2}]}
            """
        let snapshot = try #require(
            try await fetch(at("\(Self.project)/stability_trend", .json(trend))).snapshots.first)
        #expect(snapshot.health.map(\.date.description) == ["2026-11-17", "2026-11-15"])
        // Of a day on which more crashed than there were, the sessions are known.
        #expect(
            snapshot.health.map(\.sessions) == [16, 16] && snapshot.health.map(\.crashedSessions) == [nil, 2])
        #expect(
            snapshot.warnings.map(\.summary) == [
                #"bugsnag: timeline_points[0].total_sessions_count: expected a whole number, found "12""#,
                "bugsnag: timeline_points[1].unhandled_sessions_count: "
                    + "expected at most the 16 sessions of that day, found 20, which counts as unknown",
                "bugsnag: timeline_points[2].bucket_end: expected the end of a day that begins at "
                    + "2026-11-16T00:00:00Z, found 2026-11-16T12:00:00Z",
            ])
        #expect(
            snapshot.warnings.first?.location.map { "\($0)".contains("/stability_trend: timeline_points[0]") }
                == true)
    }

    private static let partFaults: [(path: String, missing: String, keeps: [Int])] = [
        ("\(project)/release_groups", "versions", [14, 3, 5, 3]),
        ("\(project)/releases", "builds", [14, 3, 5, 3]),
        ("\(project)/event_fields", "event fields", [14, 4, 5, 3]),
        ("\(project)/errors", "issues", [14, 4, 0, 0]),
        ("\(project)/errors/e1/comments", "notes on issue e1", [14, 4, 5, 1]),
    ]

    @Test(
        arguments: partFaults.indices,
        [
            StubResponse.text("<html>"), .text("gone", status: 500), .json("{"), .json(#"{"a":1}"#),
            .json("[]", status: 422),
        ].indices)
    func aFaultInOnePartLeavesTheOthers(part: Int, kind: Int) async throws {
        let answers = [
            StubResponse.text("<html>"), .text("gone", status: 500), .json("{"), .json(#"{"a":1}"#),
            .json("[]", status: 422),
        ]
        let fault = Self.partFaults[part]
        let outcome = try await fetch(at(fault.path, answers[kind]))
        let snapshot = try #require(outcome.snapshots.first)
        let counts = [
            snapshot.health.count, snapshot.releases.count, snapshot.issues.count, snapshot.notes.count,
        ]
        #expect(counts == fault.keeps)
        #expect(snapshot.warnings.map(\.summary) == ["bugsnag: couldn't fetch \(fault.missing)"])
        #expect(snapshot.source.capabilities == [.sessions, .users, .releases, .issues, .issueDays, .notes])
    }

    @Test func afterTooManyRequestsNothingMoreIsRequested() async throws {
        let outcome = try await fetch(
            at("\(Self.project)/releases", .json("{}", status: 429, headers: [("Retry-After", "60")])))
        #expect(outcome.requests == 7)
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.health.count == 14)
        #expect(
            snapshot.warnings.map(\.summary) == [
                "bugsnag: couldn't fetch builds", "bugsnag: couldn't fetch issues",
            ])
        #expect(snapshot.warnings.first?.details.contains("Retry-After: 60") == true)
        #expect(snapshot.warnings.last?.details == ["bugsnag: stopped after status 429"])
    }

    @Test func aLinkToAnotherHostIsNotFollowed() async throws {
        let other = try await LoopbackServer.start(answering: .json("[]"))
        let link = (name: "Link", value: "<\(other.origin)/steal>; rel=\"next\"")
        let outcome = try await fetch(
            at("\(Self.project)/releases", .json(#"[{"app_version":"9.9"}]"#, headers: [link])))
        let snapshot = try #require(outcome.snapshots.first)
        #expect(other.requests.isEmpty)
        #expect(snapshot.issues.count == 5)
        #expect(snapshot.releases.first?.version.label == "9.9")
        #expect(snapshot.warnings.map(\.id) == ["bugsnag.pages-cut"])
        #expect(
            snapshot.warnings.first?.details.first?.hasPrefix(
                "bugsnag: Token not sent: URL is on another host")
                == true)
        await other.stop()
    }

    @Test(arguments: [
        "</projects/65c000000000000000000001/releases?release_stage=production&sort=timestamp>", "<?a=1>",
    ])
    func pagesThatGoInCirclesEnd(link: String) async throws {
        let outcome = try await fetch(
            at(
                "\(Self.project)/releases",
                .json(#"[{"app_version":"9.9"}]"#, headers: [("Link", "\(link); rel=\"next\"")])))
        let warning = try #require(outcome.snapshots.first?.warnings.first)
        #expect(warning.details == ["the next page is one that was read already"])
        #expect(outcome.snapshots.first?.issues.count == 5)
    }

    @Test func skipsOnlyThePartWhoseBodyIsTooLarge() async throws {
        let long = "[" + String(repeating: " ", count: 70_000) + "]"
        let outcome = try await fetch(most: 60_000, at("\(Self.project)/errors", .json(long)))
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.warnings.map(\.summary) == ["bugsnag: couldn't fetch issues"])
        #expect(
            snapshot.warnings.first?.details.first?.hasPrefix("bugsnag: Response too large")
                == true)
        #expect(snapshot.releases.count == 4)
    }

    @Test func skipsOnlyThePartWithoutAResponse() async throws {
        let path = "\(Self.project)/errors/e1/comments"
        let outcome = try await fetch(hurrying: path) { request in
            if request.path == path { try await Task.sleep(for: .seconds(3600)) }
            return nil
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.notes.map(\.id) == ["n3"])
        #expect(snapshot.warnings.first?.details.first?.hasPrefix("bugsnag: Request timed out") == true)
    }

    @Test func aGigabyteAnnouncedAndSilenceAreFailures() async throws {
        let announced = try FaultServer.start(
            .text("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n["), .stall)
        let silent = try FaultServer.start(.stall)
        #expect(try await failure(at: announced.origin) == ["transport.too-large"])
        #expect(try await failure(at: silent.origin) == ["transport.timeout"])
        let port = try FaultServer.refusedPort()
        #expect(try await failure(at: "http://127.0.0.1:\(port)") == ["transport.refused"])
    }

    private func failure(at origin: String) async throws -> [String] {
        let token = try #require(Secret(StubBugsnag.token))
        var configuration = try BugsnagConfiguration(project: "a", token: token, base: origin)
        configuration.limits.totalMilliseconds = 400
        let provider = try BugsnagProvider(configuration, sender: client())
        return await provider.fetch(app("sketchbook"), at: runTime).failures.map(\.why.id)
    }

    /// The days are requested once more as every other part is, where nothing but the end of its connection ends them.
    @Test(arguments: [(1, true), (2, false)])
    func aTrendThatEndsWithItsConnectionIsRequestedOnceMore(cuts: Int, isRead: Bool) async throws {
        let head = "HTTP/1.0 200 OK\r\n\r\n"
        let trend = #"{"release_stage_name":"production","timeline_points":[]}"#
        let server = try FaultServer.start(
            scripts: Array(repeating: [.text(head + trend.prefix(40))], count: cuts)
                + [[.text(head + trend)]])
        var service = ServiceClient(
            .bugsnag, base: try Address(server.origin), limits: Limits(), most: 9, over: .sender(client()))
        let answer = try? await service.valueIfAny(
            BugsnagTrend.self, at: BugsnagEndpoint.stabilityTrend(project: "p"))
        #expect((answer?.value.stage?.text == "production") == isRead)
        #expect(server.requests.count == 2)
    }

    @Test func aRunThatIsCalledOffStoresNothing() async throws {
        let path = "\(Self.project)/releases"
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let run = Task {
            try await fetch { request in
                guard request.path == path else { return nil }
                arrived.yield()
                try await Task.sleep(for: .seconds(3600))
                return nil
            }
        }
        for await _ in arrivals { break }
        run.cancel()
        let outcome = try await run.value
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.map(\.why.id) == ["transport.canceled"])
    }

    @Test func idsThatWouldChangeThePathAreRefused() async throws {
        let projects = #"[{"id":"..","slug":"sketchbook-ios"}]"#
        let path = "/organizations/65b0000000000000000000a1/projects"
        let outcome = try await fetch(at(path, .json(projects)))
        #expect(outcome.failures.map(\.why.id) == ["transport.address"])
        let odd = try await fetch(at(path, .json(#"[{"id":"a/b?c","slug":"sketchbook-ios"}]"#)))
        #expect(
            odd.diagnostics.contains { $0.everything.contains("/projects/a%2Fb%3Fc/stability_trend") })
    }
}
