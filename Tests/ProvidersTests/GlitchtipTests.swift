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
        case "\(root)/stats_v2/": return totals(request)
        case "\(root)/releases/":
            return .json(
                """
                [{"version":"a.b@4.2.0+360","shortVersion":"a.b@4.2.0+360","dateCreated":"2026-11-08T07:00:00Z","dateReleased":null},
                 {"version":"a.b@4.2.0+359","dateCreated":"2026-11-05T07:00:00Z","dateReleased":null},
                 {"version":"a.b@4.1.0","dateCreated":"2026-10-05T07:00:00Z","dateReleased":"2026-10-04T07:00:00Z"}]
                """)
        case "/api/0/issues/22/tags/": return .json(tags[request.parameter("key") ?? ""] ?? "[]")
        case let path where path.hasSuffix("/tags/"): return .json("[]")
        case "/api/0/issues/21/comments/": return .json(try text("comments-21"))
        case "/api/0/issues/22/events/latest/": return .json(try text("event-22"))
        case let path where path.hasPrefix("/api/0/"): return .json(#"{"detail":"Not found"}"#, status: 404)
        default: return .text(page, status: 404)
        }
    }

    private static let tags = [
        "user.id":
            #"[{"key":"user.id","uniqueValues":17,"totalValues":30,"topValues":[{"value":"u","count":30}]}]"#,
        "release": """
        [{"key":"release","uniqueValues":2,"totalValues":30,"topValues":[{"value":"a.b@4.10.0","count":20},
         {"value":"a.b@4.9.0+1","count":10}]}]
        """,
    ]

    /// Hours in UTC as the server reports them: without those in which only other projects had events.
    private static let hours = [
        ("2026-10-11T00:00:00Z", "1"), ("2026-11-18T05:00:00Z", "3"), ("2026-11-18T06:00:00Z", "null"),
        ("2026-11-19T22:00:00Z", "2"), ("2026-11-19T23:00:00Z", "4"), ("2026-11-20T01:00:00Z", "2"),
    ]

    private static func totals(
        _ request: RecordedRequest, _ hours: [(String, String)] = hours
    ) -> StubResponse {
        guard request.parameter("category") == "error", request.parameter("field") == "sum(quantity)",
            request.parameter("interval") == "1h", request.parameter("project") == "7",
            request.parameter("start") == "2026-10-11T00:00:00Z", request.parameter("end") != nil
        else { return .json(#"{"detail":[]}"#, status: 422) }
        let intervals = hours.map { #""\#($0.0)""# }.joined(separator: ",")
        let counts = hours.map(\.1).joined(separator: ",")
        return .json(
            """
            {"intervals":[\(intervals)],"groups":[{"by":{},"totals":{"sum(quantity)":12},
            "series":{"sum(quantity)":[\(counts)]}}]}
            """)
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
        #expect(snapshot.source.capabilities == [.releases, .issues, .issueDays, .notes])
        #expect(snapshot.usage.isEmpty)
        #expect(snapshot.health.allSatisfy { $0.sessions == nil && $0.users == nil })
        #expect(snapshot.issues.map(\.id) == ["21", "22", "23", "24"])
        #expect(snapshot.issues.map(\.users) == [nil, 17, nil, nil])
        #expect(snapshot.issues[1].firstVersion == Version("4.9.0", build: "1"))
        #expect(snapshot.issues[1].lastVersion == Version("4.10.0"))
        #expect(snapshot.releases.map(\.version.description) == ["4.2.0 (360)", "4.1.0"])
        #expect(
            snapshot.releases.map { $0.releasedAt?.date.description } == ["2026-11-05", "2026-10-04"])
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
        #expect(requests[1].target == "\(Self.root)/issues/?project=7&sort=-count&limit=100")
        #expect(
            requests[3].target
                == "\(Self.root)/issues-stats/?groups=21&groups=22&groups=23&groups=24&groups=25&statsPeriod=14d"
        )
    }

    @Test func bucketsOfADayAreAddedUpAndUsersAreNotTaken() async throws {
        let days = try #require(try await fetch().outcome.snapshots.first).issueDays
        #expect(
            days.map { "\($0.issue) \($0.date) \($0.events ?? -1)" } == [
                "21 2026-11-18 3", "21 2026-11-19 6", "22 2026-11-19 400",
            ])
        #expect(days.allSatisfy { $0.users == nil })
    }

    /// The days of issues: events by issue on November 18, and on the 19th.
    private static func stats(_ counts: [String: (Int, Int)]) -> Fault {
        { request in
            guard request.path.hasSuffix("/issues-stats/") else { return nil }
            let items = request.query.filter { $0.name == "groups" }.map(\.value).map { id in
                let days = counts[id].map { "[1794960000,\($0.0)],[1795046400,\($0.1)]" } ?? ""
                return #"{"id":"\#(id)","stats":{"14d":[\#(days)]}}"#
            }
            return .json("[\(items.joined(separator: ","))]")
        }
    }

    /// The current day has events of which issues nothing says, and the first one is before those of issues.
    @Test func hoursOfTheProjectBecomeDaysByTheirIntervals() async throws {
        let (outcome, _) = try await fetch(fault: Self.stats(["22": (3, 6)]))
        let snapshot = try #require(outcome.snapshots.first)
        let crashes = snapshot.health.compactMap(\.crashes)
        #expect(snapshot.health.count == 39 && crashes.count == 39)
        #expect(snapshot.health.first?.date.description == "2026-10-12")
        #expect(crashes.suffix(2) == [3, 6] && crashes.reduce(0, +) == 9)
        #expect(spans(snapshot, .crashes) == ["2026-10-12…2026-11-19 complete"])
    }

    /// Events of a day that belong to no issue of the list, as those of a deleted one, are of no known kind. Where the server
    /// drops the events of issues earlier than its hours, they are all of a day's.
    @Test(
        arguments: [
            (
                "all are listed", ["22": (3, 2), "21": (0, 4)], [3, 2], [], ["2026-11-07…2026-11-19 complete"]
            ),
            (
                "one is gone", ["22": (3, 2)], [3, nil], ["2026-11-19…2026-11-19 partial ?/?"],
                ["2026-11-07…2026-11-18 complete", "2026-11-19…2026-11-19 partial 1/?"]
            ),
            (
                "a day is gone", ["22": (0, 2), "21": (0, 4)], [nil, 2], [],
                ["2026-11-07…2026-11-17 complete", "2026-11-19…2026-11-19 complete"]
            ),
        ] as [(String, [String: (Int, Int)], [Int?], [String], [String])])
    func theRestOfADayIsOfNoKnownKind(
        name: String, counts: [String: (Int, Int)], crashes: [Int?], open: [String], issues: [String]
    ) async throws {
        let (outcome, _) = try await fetch(fault: Self.stats(counts))
        let snapshot = try #require(outcome.snapshots.first)
        let days = ["2026-11-18", "2026-11-19"].map { day in
            snapshot.health.first { $0.date.description == day }?.crashes
        }
        #expect(days == crashes, "\(name)")
        #expect(spans(snapshot, .crashes).filter { $0.contains("partial") } == open, "\(name)")
        #expect(spans(snapshot, .issueDays) == issues, "\(name)")
    }

    /// Of a day that the server still has in part, no event that was stored is lost.
    @Test(arguments: [(400, 400), (2, 6)]) func aDayThatIsCutKeepsWhatWasStored(stored: Int, events: Int)
        async throws
    {
        let day = try #require(CivilDate("2026-11-19"))
        let (outcome, _) = try await fetch(
            { configuration in
                configuration.knownIssues = {
                    KnownIssues(days: [IssueDay(issue: "22", date: day, events: stored, users: nil)])
                }
            },
            fault: { request in
                request.path.hasSuffix("/stats_v2/")
                    ? Self.totals(request, [("2026-11-17T05:00:00Z", "1"), ("2026-11-19T05:00:00Z", "900")])
                    : Self.stats(["22": (0, 6)])(request)
            })
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.issueDays.filter { $0.date == day && $0.issue == "22" }.map(\.events) == [events])
    }

    /// A list without issues is no answer where issues with events on its days are stored, unless the totals say so too.
    @Test(arguments: [("2026-11-10", true), ("2026-11-01", false)])
    func anEmptyListNextToStoredEventsSaysNothing(day: String, isDoubted: Bool) async throws {
        let date = try #require(CivilDate(day))
        let (outcome, _) = try await fetch(
            { configuration in
                configuration.environment = "production"
                configuration.knownIssues = {
                    KnownIssues(days: [IssueDay(issue: "22", date: date, events: 3, users: nil)])
                }
            }, fault: { $0.path.hasSuffix("/issues/") ? .json("[]") : nil })
        let snapshot = try #require(outcome.snapshots.first)
        #expect(spans(snapshot, .issueDays) == (isDoubted ? [] : ["2026-11-07…2026-11-19 complete"]))
        #expect(snapshot.warnings.contains { $0.id == "glitchtip.empty-list" } == isDoubted)
    }

    /// The server reports days of issues without totals where one environment is configured: days before the first event are
    /// known where no issue was about.
    @Test(arguments: [
        ("2026-11-18", ["2026-11-07…2026-11-19 complete"]),
        ("2026-11-01", ["2026-11-18…2026-11-19 complete"]),
    ])
    func daysBeforeTheFirstEventAreKnownWithoutIssues(seen: String, expected: [String]) async throws {
        let (outcome, _) = try await fetch({ $0.environment = "production" }) { request in
            if request.path.hasSuffix("/issues/") {
                return .json(
                    #"[{"id":"22","title":"T","count":"9","level":"fatal","firstSeen":"\#(seen)T00:00:00Z","lastSeen":"2026-11-19T00:00:00Z"}]"#
                )
            }
            return Self.stats(["22": (3, 6)])(request)
        }
        #expect(spans(try #require(outcome.snapshots.first), .issueDays) == expected)
    }

    /// Of the days before the first hour with an event the server may have kept nothing, and of its own day a part.
    @Test(
        arguments: [
            (
                [("2026-10-21T14:00:00Z", "1"), ("2026-11-19T05:00:00Z", "5")],
                ["2026-10-22…2026-11-18 complete", "2026-11-20…2026-11-20 complete"]
            ),
            (
                [("2026-10-20T23:00:00Z", "null"), ("2026-10-21T00:00:00Z", "1")],
                ["2026-10-22…2026-11-20 complete"]
            ),
            ([("2026-10-21T00:00:00Z", "null"), ("2026-11-19T05:00:00Z", "0")], []),
        ] as [([(String, String)], [String])])
    func daysThatTheServerMayNotHaveAnyMoreAreUnknown(hours: [(String, String)], expected: [String])
        async throws
    {
        let (outcome, _) = try await fetch(
            fault: {
                if $0.path.hasSuffix("/issues/") { return .json("[]") }
                return $0.path.hasSuffix("/stats_v2/") ? Self.totals($0, hours) : nil
            })
        let snapshot = try #require(outcome.snapshots.first)
        #expect(spans(snapshot, .crashes) == expected)
        let first = expected.first?.prefix(10) ?? ""
        #expect(snapshot.health.map { "\($0.date)" }.min() ?? "" == first)
    }

    /// The service counts reports of a content policy among the events of a day; they are no crashes, and no issue.
    @Test func reportsOfAContentPolicyAreNoCrashes() async throws {
        let (outcome, _) = try await fetch(fault: { request in
            if request.path.hasSuffix("/stats_v2/") {
                return Self.totals(
                    request,
                    [
                        ("2026-11-17T05:00:00Z", "1"), ("2026-11-18T05:00:00Z", "107"),
                        ("2026-11-19T05:00:00Z", "5"),
                    ])
            }
            guard request.path.hasSuffix("/issues-stats/") else { return nil }
            let counts = ["22": "2", "21": "5", "25": "100"]
            let ids = request.query.filter { $0.name == "groups" }.map(\.value)
            return .json(
                "[\(ids.map { #"{"id":"\#($0)","stats":{"14d":[[1794960000,\#(counts[$0] ?? "0")]]}}"# }.joined(separator: ","))]"
            )
        })
        let snapshot = try #require(outcome.snapshots.first)
        let crashes = snapshot.health.filter { $0.date >= .init("2026-11-18") ?? $0.date }.map(\.crashes)
        #expect(crashes == [2, 0])
        #expect(!snapshot.issues.contains { $0.id == "25" })
        #expect(!snapshot.issueDays.contains { $0.issue == "25" })
    }

    @Test(arguments: [
        #"{"intervals":[],"groups":[{"series":{"sum(quantity)":[]}}]}"#,
        #"{"intervals":["2026-11-18T05:00:00Z"],"groups":[]}"#,
        #"{"intervals":["2026-11-18T05:00:00Z"],"groups":[{"series":{"sum(quantity)":[1,2]}}]}"#,
        #"{"intervals":["2026-11-18T05:00:00Z"],"groups":[{"series":{"sum(quantity)":["x"]}}]}"#,
    ])
    func totalsThatCannotBeReadAreUnknown(body: String) async throws {
        let (outcome, _) = try await fetch(fault: { $0.path.hasSuffix("/stats_v2/") ? .json(body) : nil })
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.health.isEmpty && spans(snapshot, .crashes).isEmpty)
        #expect(snapshot.warnings.count == 1)
    }

    @Test func anHourThatIsReportedTwiceSkipsItsDay() async throws {
        let twice = Self.hours + [("2026-11-18T05:00:00Z", "9"), ("2026-11-17T05:30:00Z", "1")]
        let (outcome, _) = try await fetch(
            fault: {
                if $0.path.hasSuffix("/issues/") { return .json("[]") }
                return $0.path.hasSuffix("/stats_v2/") ? Self.totals($0, twice) : nil
            })
        let snapshot = try #require(outcome.snapshots.first)
        #expect(
            spans(snapshot, .crashes) == [
                "2026-10-12…2026-11-16 complete"
            ])
    }

    /// The server reports events of all environments together.
    @Test func totalsAreNotRequestedForOneEnvironment() async throws {
        let (outcome, requests) = try await fetch({ $0.environment = "production" })
        #expect(outcome.snapshots.first?.health.isEmpty == true)
        #expect(!requests.contains { $0.path.hasSuffix("/stats_v2/") })
        // The counts of its issues are of all environments, and the source says so.
        #expect(
            outcome.snapshots.first?.source.userDefinition.hasSuffix(
                "environment 'production'; their counts are of all environments.") == true)
    }

    /// Days of two of four issues were reported; where these make up the day, the others had none.
    @Test func daysAreCoveredForTheIssuesThatWereReported() async throws {
        let snapshot = try #require(try await fetch().outcome.snapshots.first)
        #expect(
            spans(snapshot, .issueDays) == [
                "2026-11-07…2026-11-18 complete", "2026-11-19…2026-11-19 partial 2/4",
            ])
        let (whole, _) = try await fetch(fault: { request in
            guard request.path.hasSuffix("/issues-stats/") else { return nil }
            let ids = request.query.filter { $0.name == "groups" }.map(\.value)
            return .json("[\(ids.map { #"{"id":"\#($0)","stats":{"14d":[]}}"# }.joined(separator: ","))]")
        })
        // On the last two days there were events, and none of an issue.
        #expect(
            spans(try #require(whole.snapshots.first), .issueDays) == ["2026-11-07…2026-11-17 complete"])
    }

    /// Both lists are cut: issues with most events, and those that were seen last.
    @Test func twoListsAreMerged() async throws {
        @Sendable func list(_ issues: [(id: Int, count: Int, seen: String)]) -> StubResponse {
            let elements = issues.map {
                """
                {"id":"\($0.id)","title":"T","count":"\($0.count)","firstSeen":"2026-10-01T00:00:00Z",\
                "lastSeen":"\($0.seen)T08:00:00Z","level":"error","metadata":{"type":"App Hang Fully Blocked"}}
                """
            }
            return .json(
                "[\(elements.joined(separator: ","))]",
                headers: [Self.link("/x", results: true, cursor: "next")])
        }
        let (outcome, requests) = try await fetch({ $0.mostPages = 1 }) { request in
            switch (request.path.hasSuffix("/issues/"), request.parameter("sort")) {
            case (true, "-count"): list([(1, 900, "2026-11-02"), (2, 500, "2026-11-19")])
            case (true, "-last_seen"): list([(2, 500, "2026-11-19"), (3, 4, "2026-11-15")])
            case (false, _) where request.path.hasSuffix("/issues-stats/"):
                .json(
                    "[\((1...3).map { #"{"id":"\#($0)","stats":{"14d":[[1794009600,1]]}}"# }.joined(separator: ","))]"
                )
            default: request.path.hasSuffix("/stats_v2/") ? .json("{}", status: 404) : nil
            }
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.issues.map(\.id) == ["1", "2", "3"])
        #expect(snapshot.issues.map(\.kind) == [.hang, .hang, .hang])
        #expect(
            requests.filter { $0.path.hasSuffix("/issues/") }.map { $0.parameter("sort") } == [
                "-count", "-last_seen",
            ])
        // Every issue that was seen after the 15th is in the second list.
        #expect(
            spans(snapshot, .issueDays) == [
                "2026-11-07…2026-11-15 partial 2/?", "2026-11-16…2026-11-19 complete",
            ])
    }

    /// Without the list of those that were seen last, the list of those with most events is a part.
    @Test func aSecondListThatFailsLeavesTheFirst() async throws {
        let (outcome, _) = try await fetch({ $0.mostPages = 1 }) { request in
            guard request.path.hasSuffix("/issues/") else { return nil }
            if request.parameter("sort") == "-last_seen" { return .json("{}", status: 500) }
            return .json(
                #"[{"id":"1","title":"T","count":"9","lastSeen":"2026-11-19T08:00:00Z"}]"#,
                headers: [Self.link("/x", results: true, cursor: "next")])
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(outcome.failures.isEmpty && snapshot.issues.map(\.id) == ["1"])
        let warnings = snapshot.warnings.map(\.summary)
        #expect(warnings.contains("glitchtip: couldn't fetch issues that were seen last"))
        // Of days without any event of the project all is known.
        let coverage = CoverageHistory(snapshot.coverage)
        #expect(
            (18...19).map { coverage(.issueDays, on: CivilDate(year: 2026, month: 11, day: $0)!).isComplete }
                == [false, false])
    }

    @Test func commentsBecomeNotes() async throws {
        let notes = try #require(try await fetch().outcome.snapshots.first).notes
        #expect(notes.map(\.id) == ["6", "5"])
        #expect(notes.map(\.author) == ["someone", ""])
        #expect(notes.map(\.text) == ["Two.", "One."])
    }

    @Test func theRequestsLastForTheBudgetAndTheRestIsSaid() async throws {
        let (outcome, _) = try await fetch({ $0.mostRequests = 10 })
        #expect(outcome.requests == 10)
        #expect(
            outcome.diagnostics.map(\.summary) == [
                "glitchtip: skipped notes of 1 issue", "glitchtip: skipped users and versions of 4 issues",
            ])
        let more = try await fetch({ $0.mostRequests = 14 }).outcome
        #expect(more.diagnostics.map(\.summary) == ["glitchtip: skipped users and versions of 3 issues"])
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

    /// Without its days a source has no new crash. Where some are stored, such a night is one that has failed, unless the
    /// server never had them. Nothing is stored on the first night.
    @Test(
        arguments: [
            ("/stats_v2/", 403, true, "crashes by day"), ("/stats_v2/", 429, true, "crashes by day"),
            ("/stats_v2/", 404, true, nil), ("/stats_v2/", 403, false, nil),
            ("/issues-stats/", 403, true, "days of issues"), ("/issues-stats/", 429, true, "days of issues"),
            ("/issues-stats/", 403, false, nil), ("/releases/", 403, true, nil),
        ] as [(String, Int, Bool, String?)])
    func daysThatAreRefusedFailTheFetchWhereSomeAreStored(
        path: String, status: Int, isStored: Bool, missing: String?
    ) async throws {
        let date = try #require(CivilDate("2026-11-19"))
        let stored = isStored ? [IssueDay(issue: "22", date: date, events: 3, users: nil)] : []
        let (outcome, _) = try await fetch(
            { $0.knownIssues = { KnownIssues(days: stored) } },
            fault: { $0.path.hasSuffix(path) ? .json(#"{"detail":"no"}"#, status: status) : nil })
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.failure?.details.last == missing.map { "couldn't fetch \($0)" })
        #expect(outcome.failures.map(\.makesStale) == (missing == nil ? [] : [true]))
        // What came is stored.
        #expect(snapshot.issues.count == 4)
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
        #expect(plan.map(\.most) == [10, 3, 3, 3, 1, 3, 10, 148, 30, 30])
        #expect(
            plan[4].address
                == "https://bugs.example.org/api/0/organizations/harbour-lab/stats_v2/?project={project}"
                + "&category=error&field=sum(quantity)&interval=1h&start={first day}T00:00:00Z&end={now}")
        #expect(
            plan[3].address
                == "https://bugs.example.org/api/0/organizations/harbour-lab/issues-stats/?groups={issue}&statsPeriod=14d"
        )
    }
}
