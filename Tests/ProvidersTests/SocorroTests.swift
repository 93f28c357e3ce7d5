import AppHealth
import Diagnostics
import Foundation
import LoopbackServer
import Testing
import Transport

@testable import Providers

struct SocorroTests {
    private typealias Fault = @Sendable (RecordedRequest) async throws -> StubResponse?

    private static let token = "5f2d-lantern-token"
    private static let days = """
        {"term":"2026-11-18T00:00:00+00:00","count":12,"facets":{"signature":[
        {"term":"mozalloc_abort | Brush::Paint","count":9},{"term":"hang | Canvas::Flush","count":3}],
        "cardinality_install_time":{"value":8}}},
        {"term":"2026-11-19T00:00:00+00:00","count":20,"facets":{"signature":[
        {"term":"mozalloc_abort | Brush::Paint","count":12}]}}
        """

    private static func signatures(_ days: String = days, errors: String = "") -> String {
        """
        {"hits":[],"total":32,"facets":{"signature":[{"term":"mozalloc_abort | Brush::Paint","count":21},
        {"term":"hang | Canvas::Flush","count":10},{"term":"Rare<Thing>::Call","count":1}],
        "histogram_date":[\(days)]},"errors":[\(errors)]}
        """
    }

    private static let versions = """
        {"hits":[],"total":32,"facets":{"signature":[
        {"term":"mozalloc_abort | Brush::Paint","count":21,"facets":{"version":[
        {"term":"9.10.0","count":20},{"term":"9.9.1","count":1}],"cardinality_install_time":{"value":17}}},
        {"term":"hang | Canvas::Flush","count":10,"facets":{"version":[{"term":"9.9.1","count":4}]}}]},"errors":[]}
        """

    private static func answer(_ request: RecordedRequest) -> StubResponse {
        guard request.path == "/api/SuperSearch/" else {
            return .json(#"{"error":"Not found"}"#, status: 404)
        }
        if let sent = request.header("Auth-Token"), sent != token {
            return .json(#"{"error":"API Token not valid"}"#, status: 403)
        }
        guard request.parameter("product") == "Fenix" else {
            return .json(#"{"errors":{"product":["Not a valid product"]}}"#, status: 400)
        }
        guard let date = request.parameter("date"), date.hasPrefix(">="),
            request.parameter("_results_number") == "0"
        else { return .json(#"{"error":"Bad request: BadArgumentError: date"}"#, status: 400) }
        return .json(request.parameter("_aggs.signature") == "version" ? versions : signatures())
    }

    private func fetch(
        product: String = "Fenix", token: String? = nil, stored: KnownIssues = KnownIssues(),
        change: (inout SocorroConfiguration) -> Void = { _ in },
        _ fault: @escaping Fault = { _ in nil }
    ) async throws -> (outcome: FetchOutcome, requests: [RecordedRequest]) {
        let server = try await LoopbackServer.start { request in
            if let answer = try await fault(request) { return answer }
            return Self.answer(request)
        }
        var configuration = try SocorroConfiguration(
            product: product, token: token.flatMap { Secret($0) }, base: server.origin)
        configuration.days = 3
        change(&configuration)
        var provider = try SocorroProvider(configuration, sender: client())
        provider.knownIssues = { stored }
        let outcome = await provider.fetch(app("fenix"), at: runTime)
        await server.stop()
        if let token { #expect(outcome.diagnostics.allSatisfy { !$0.everything.contains(token) }) }
        return (outcome, server.requests)
    }

    private func at(_ name: String, _ answer: StubResponse) -> Fault {
        { $0.parameter(name) == nil ? nil : answer }
    }

    @Test func asksAsAnybodyAndMakesIssuesOfSignatures() async throws {
        let (outcome, requests) = try await fetch()
        #expect(outcome.diagnostics.map(\.everything) == [])
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.source.capabilities == [.issues, .issueDays])
        #expect(snapshot.source.zone == "UTC")
        #expect(
            snapshot.issues.map(\.title) == [
                "mozalloc_abort | Brush::Paint", "hang | Canvas::Flush", "Rare<Thing>::Call",
            ])
        #expect(snapshot.issues.map(\.kind) == [.crash, .hang, .crash])
        #expect(snapshot.issues.map(\.events) == [21, 10, 1])
        #expect(snapshot.issues.map(\.users) == [17, nil, nil])
        #expect(snapshot.issues.map(\.lastVersion) == [Version("9.10.0"), nil, nil])
        #expect(snapshot.issues[2].url?.hasSuffix("/signature/?signature=Rare%3CThing%3E%3A%3ACall") == true)
        #expect(requests.map(\.target) == Self.targets)
        #expect(requests.allSatisfy { $0.header("Auth-Token") == nil && $0.header("Authorization") == nil })
    }

    private static let targets = [
        "/api/SuperSearch/?product=Fenix&date=%3E%3D2026-11-18&date=%3C2026-11-21&_results_number=0&_facets=signature"
            + "&_histogram.date=signature&_histogram_interval.date=day"
            + "&_facets_size=1000",
        "/api/SuperSearch/?product=Fenix&date=%3E%3D2026-11-18&date=%3C2026-11-21&_results_number=0&_aggs.signature=version"
            + "&_aggs.signature=_cardinality.install_time&_facets_size=200",
    ]

    /// The first day lists all its reports, the second only 12 of 20, the third has none.
    @Test func aCountIsZeroOnlyWhereTheDayIsWhole() async throws {
        let days = try #require(try await fetch().outcome.snapshots.first).issueDays
        let table = days.map { "\($0.date) \($0.issue.prefix(4)) \($0.events ?? -1)" }
        #expect(
            table == [
                "2026-11-18 moza 9", "2026-11-18 hang 3", "2026-11-18 Rare 0", "2026-11-19 moza 12",
                "2026-11-20 moza 0", "2026-11-20 hang 0", "2026-11-20 Rare 0",
            ])
    }

    /// A hang is no crash. Which of the reports are hangs is known as far as signatures are listed.
    @Test func eachDayHasTheCrashesOfTheProduct() async throws {
        let snapshot = try #require(try await fetch().outcome.snapshots.first)
        #expect(snapshot.health.map(\.crashes) == [9, 20, 0])
        #expect(
            snapshot.health.allSatisfy { $0.crashedUsers == nil && $0.users == nil && $0.sessions == nil })
        #expect(spans(snapshot, .crashes) == ["2026-11-18…2026-11-20 complete"])
        #expect(
            spans(snapshot, .issueDays) == [
                "2026-11-18…2026-11-18 complete", "2026-11-19…2026-11-19 partial 1/?",
                "2026-11-20…2026-11-20 complete",
            ])
        let few = try #require(
            try await fetch(change: { ($0.mostIssues, $0.mostIssuesOfDay) = (1, 0) }).outcome.snapshots.first)
        #expect(spans(few, .issueDays).first == "2026-11-18…2026-11-18 partial 1/2")
    }

    /// Before the first report a product may not have been there, unless an earlier one is stored.
    @Test(
        arguments: [
            (nil, "2026-11-18…2026-11-20 complete", 3), ("2026-11-16", "2026-11-16…2026-11-20 complete", 5),
            ("2026-09-01", "2026-11-11…2026-11-20 complete", 10),
        ] as [(String?, String, Int)])
    func daysBeforeTheFirstReportAreUnknown(day: String?, crashes: String, days: Int) async throws {
        let rows = day.flatMap { CivilDate($0) }.map {
            [IssueDay(issue: "s", date: $0, events: 1, users: nil)]
        }
        let snapshot = try #require(
            try await fetch(stored: KnownIssues(days: rows ?? []), change: { $0.days = 10 }).outcome.snapshots
                .first)
        #expect(spans(snapshot, .crashes) == [crashes])
        #expect(snapshot.health.count == days)
        #expect(snapshot.issueDays.map(\.date).min() == snapshot.health.map(\.date).min())
    }

    /// The server keeps a part of the reports of desktop Firefox.
    @Test func aSampledProductIsCoveredInPart() async throws {
        let snapshot = try #require(
            try await fetch(product: "Firefox", at("product", .json(Self.signatures()))).outcome.snapshots
                .first)
        #expect(spans(snapshot, .crashes) == ["2026-11-18…2026-11-20 partial ?/?"])
    }

    @Test func aDayWithoutABucketIsUnknownWhereAnIndexIsMissing() async throws {
        let body = Self.signatures(errors: #"{"type":"missing_index","index":"socorro_202648"}"#)
        let snapshot = try #require(try await fetch(at("_facets", .json(body))).outcome.snapshots.first)
        #expect(snapshot.health.map(\.date.description) == ["2026-11-18", "2026-11-19"])
        #expect(spans(snapshot, .crashes) == ["2026-11-18…2026-11-19 complete"])
    }

    /// Without a length, a body that is cut off looks whole to the connection: it is requested once more.
    @Test(arguments: [(1, 3, [String]()), (2, 2, ["decoding.not-json"])])
    func aResponseThatEndsWithItsConnectionIsRequestedOnceMore(
        cut: Int, requests: Int, failures: [String]
    ) async throws {
        let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
        let server = try FaultServer.start(
            scripts: Array(repeating: [.text(head + Self.signatures().prefix(80))], count: cut)
                + [[.text(head + Self.signatures())], [.text(head + Self.versions)]])
        let configuration = try SocorroConfiguration(product: "Fenix", base: server.origin)
        let provider = try SocorroProvider(configuration, sender: client())
        let outcome = await provider.fetch(app("fenix"), at: runTime)
        #expect(outcome.failures.map(\.why.id) == failures)
        #expect(outcome.snapshots.first?.issues.count == (failures.isEmpty ? 3 : nil))
        #expect(server.requests.count == requests && outcome.requests == requests)
    }

    @Test func aTokenIsSentInItsOwnHeader() async throws {
        let (outcome, requests) = try await fetch(token: Self.token)
        #expect(outcome.snapshots.count == 1)
        #expect(requests.map { $0.header("Auth-Token") } == [Self.token, Self.token])
        let (wrong, asked) = try await fetch(token: "expired-token")
        #expect(wrong.failures.map(\.why.id) == ["transport.status-403"])
        #expect(
            wrong.failures.first?.why.hints == [
                "make a new token on the server, or leave it out: counts are public"
            ])
        #expect(asked.count == 1)
    }

    @Test func anUnknownProductIsAFailureWithAHint() async throws {
        let why = try #require(try await fetch(product: "fenix").outcome.failures.first?.why)
        #expect(why.id == "transport.status-400")
        #expect(why.quotes.first == #"response: {"errors":{"product":["Not a valid product"]}}"#)
        #expect(why.hints == ["write the product as the server names it, with its capitals"])
    }

    private static let mainFaults: [(StubResponse, String)] = [
        (.text("Too many requests", status: 429), "transport.status-429"),
        (.text("", status: 500), "transport.status-500"),
        (.json("{}", status: 429, headers: [("Retry-After", "5")]), "transport.status-429"),
        (.text("<html>"), "decoding.not-json"),
        (.text(#"{"total":3,"facets":{"signature":["#), "decoding.not-json"),
        (.json(#"{"total":"3","facets":{}}"#), "decoding.mismatch"),
        (.json(#"{"total":3}"#), "decoding.missing-key"),
        (.json(#"{"total":3,"facets":{"signature":{"term":"a"}}}"#), "decoding.mismatch"),
        (
            .json(signatures(errors: #"{"type":"shards","index":"socorro_201647","shards_count":2}"#)),
            "socorro.partial"
        ),
        (.json(signatures(errors: #"{"type":"unheard"}"#)), "socorro.partial"),
    ]

    @Test(arguments: mainFaults.indices)
    func withoutTheSignaturesTheFetchFails(index: Int) async throws {
        let (answer, id) = Self.mainFaults[index]
        let outcome = try await fetch(at("_facets", answer)).outcome
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.failures.map(\.why.id) == [id])
        #expect(outcome.requests == 1)
    }

    @Test func aPartialAnswerNamesWhatIsMissing() async throws {
        let why = try #require(
            try await fetch(at("_facets", Self.mainFaults[8].0)).outcome.failures.first?.why)
        #expect(why.details == ["shards socorro_201647 (2 shards)"])
        #expect(why.everything.contains("/api/SuperSearch/"))
    }

    @Test func oneShardIsOne() async throws {
        let body = Self.signatures(errors: #"{"type":"shards","index":"socorro_201647","shards_count":1}"#)
        let why = try #require(try await fetch(at("_facets", .json(body))).outcome.failures.first?.why)
        #expect(why.details == ["shards socorro_201647 (1 shard)"])
    }

    @Test func anIndexThatIsMissingIsReported() async throws {
        let body = Self.signatures(errors: #"{"type":"missing_index","index":"socorro_202648"}"#)
        let snapshot = try #require(try await fetch(at("_facets", .json(body))).outcome.snapshots.first)
        #expect(snapshot.issues.count == 3)
        #expect(snapshot.warnings.map(\.details) == [["missing_index socorro_202648"]])
    }

    @Test(arguments: [
        StubResponse.text("slow down", status: 429), .text("<html>"), .json("[]"), .json("{}", status: 500),
        .json(versions.replacing(#""errors":[]"#, with: #""errors":[{"type":"shards"}]"#)),
    ])
    func withoutTheVersionsTheRestStays(answer: StubResponse) async throws {
        let snapshot = try #require(try await fetch(at("_aggs.signature", answer)).outcome.snapshots.first)
        #expect(snapshot.issues.count == 3 && snapshot.issueDays.count == 7)
        #expect(snapshot.issues.allSatisfy { $0.lastVersion == nil })
        #expect(
            snapshot.warnings.map(\.summary) == [
                "socorro: couldn't fetch versions and installations of the issues"
            ])
    }

    @Test(arguments: [
        (#"{"term":"yesterday","count":1}"#, 0, 1),
        (#"{"term":"1999-01-01T00:00:00+00:00","count":1}"#, 0, 1),
        // A day that was not asked for costs itself, and what is known of days without a bucket.
        (days + "," + #"{"term":"2026-11-21T00:00:00+00:00","count":1}"#, 4, 1),
        // A day that cannot be read may be any day without a bucket.
        (#"{"term":"2026-11-18T00:00:00+00:00","count":"12"}"#, 0, 1),
        (days + "," + #"{"term":"2026-11-19T00:00:00+00:00","count":1}"#, 6, 0),
        // No day at all is one of a product that is not there.
        ("", 0, 0),
        (
            #"{"term":"2026-11-18T00:00:00+00:00","count":9223372036854775807,"facets":{"signature":["#
                + #"{"term":"a","count":9223372036854775807},{"term":"b","count":1}]}}"#, 12, 0
        ),
    ])
    func skipsOnlyTheInvalidDay(days: String, count: Int, warnings: Int) async throws {
        let snapshot = try #require(
            try await fetch(at("_facets", .json(Self.signatures(days)))).outcome.snapshots.first)
        #expect(snapshot.issueDays.count == count)
        #expect(snapshot.warnings.count == warnings)
    }

    @Test func issuesAreBoundedAndDoubleOnesSkipped() async throws {
        let few = try await fetch(change: { ($0.mostIssues, $0.mostIssuesOfDay) = (1, 0) }).outcome
        #expect(few.snapshots.first?.issues.count == 1)
        let twice =
            #"{"total":2,"facets":{"signature":[{"term":"a","count":1},{"term":"a","count":1},{"term":""}]}}"#
        let snapshot = try #require(try await fetch(at("_facets", .json(twice))).outcome.snapshots.first)
        #expect(snapshot.issues.map(\.id) == ["a"])
        #expect(snapshot.warnings.count == 2)
    }

    /// A new signature has few reports among those of weeks, and may be the first of a day.
    @Test(arguments: [
        (8, 1, ["mozalloc_abort | Brush::Paint", "hang | Canvas::Flush", "New<Thing>::Call"]),
        (1, 1, ["mozalloc_abort | Brush::Paint", "New<Thing>::Call"]),
        (8, 0, ["mozalloc_abort | Brush::Paint"]),
    ])
    func theFirstOfADayAreIssues(lately: Int, ofDay: Int, expected: [String]) async throws {
        let days = """
            {"term":"2026-11-18T00:00:00+00:00","count":12,"facets":{"signature":[
            {"term":"hang | Canvas::Flush","count":9},{"term":"mozalloc_abort | Brush::Paint","count":3}]}},
            {"term":"2026-11-20T00:00:00+00:00","count":5,"facets":{"signature":[
            {"term":"New<Thing>::Call","count":4},{"term":"Rare<Thing>::Call","count":1}]}}
            """
        let snapshot = try #require(
            try await fetch(
                change: {
                    ($0.mostIssues, $0.latelyDays, $0.mostIssuesOfDay) = (1, lately, ofDay)
                }, at("_facets", .json(Self.signatures(days)))
            ).outcome.snapshots.first)
        #expect(snapshot.issues.map(\.id) == expected)
        // Of one that is not among the signatures of the window its reports are not known.
        #expect(snapshot.issues.first { $0.id.hasPrefix("New") }?.events == nil)
        let rows = snapshot.issueDays.filter { $0.issue.hasPrefix("New") && $0.events != 0 }
        #expect(rows.map(\.events) == (expected.contains("New<Thing>::Call") ? [4] : []))
    }

    @Test func plansItsRequests() throws {
        let provider = try SocorroProvider(try SocorroConfiguration(product: "Fenix"), sender: client())
        #expect(
            provider.plan(for: app("fenix")).map(\.address).first
                == "https://crash-stats.mozilla.org/api/SuperSearch/?product=Fenix&date=>={first day}&date=<{next day}&_results_number=0"
                + "&_facets=signature&_histogram.date=signature"
                + "&_histogram_interval.date=day&_facets_size=1000"
        )
        #expect(provider.plan(for: app("fenix")).count == 2)
    }
}
