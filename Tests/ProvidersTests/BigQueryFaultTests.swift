import AppHealth
import Diagnostics
import Foundation
import GoogleStub
import LoopbackServer
import Settings
import Synchronization
import Testing
import Transport

@testable import Providers

/// What the service may answer, over sockets.
struct BigQueryFaultTests {
    static let days = "day DATE, sessions INTEGER, crashed_sessions INTEGER"
    private static let good = page(rows: [["2026-11-18", "30", "4"], ["2026-11-19", "20", nil]])

    /// A page of an answer.
    static func page(
        _ columns: String = days, rows: [[String?]], total: Int? = nil, token: String? = nil
    ) -> String {
        let fields = columns.split(separator: ", ").map { column in
            let parts = column.split(separator: " ")
            let mode = parts.count > 2 ? parts[2] : "NULLABLE"
            return #"{"name":"\#(parts[0])","type":"\#(parts[1])","mode":"\#(mode)"}"#
        }.joined(separator: ",")
        let cells = rows.map { row in
            let values = row.map { value in
                value.map { $0.hasPrefix("{") ? #"{"v":\#($0)}"# : #"{"v":"\#($0)"}"# } ?? #"{"v":null}"#
            }
            return #"{"f":[\#(values.joined(separator: ","))]}"#
        }.joined(separator: ",")
        let next = token.map { #","pageToken":"\#($0)""# } ?? ""
        return """
            {"jobComplete":true,"jobReference":\(job),"schema":{"fields":[\(fields)]},"rows":[\(cells)],\
            "totalRows":"\(total ?? rows.count)","totalBytesProcessed":"1000"\(next)}
            """
    }

    private static let job = #"{"projectId":"deck-1","jobId":"job_7","location":"EU"}"#
    private static let running = #"{"jobComplete":false,"jobReference":\#(job)}"#

    /// Google's envelope of an error, as this API fills it.
    private static func refusal(_ status: Int, _ reason: String, _ message: String = "said") -> String {
        """
        {"error":{"code":\(status),"message":"\(message)","errors":[{"message":"\(message)","domain":"global",\
        "reason":"\(reason)"}],"status":"X"}}
        """
    }

    private func setup(_ stub: StubGoogle, _ values: [String: SourceSetup.Value]) -> SourceSetup {
        let account = StubAccount.shared.file(tokenAddress: stub.server.origin + "/token")
        let usual: [String: SourceSetup.Value] = [
            "project": .text("deck-1"), "url": .text(stub.server.origin),
            "account": .secret(SecretBytes(account, from: "The test")),
        ]
        return SourceSetup(
            id: Slug(anyText: "bigquery"), values: usual.merging(values) { $1 }, sender: client(),
            shared: SharedResources(), kept: nil, timeoutMilliseconds: 60_000)
    }

    private func provider(
        _ stub: StubGoogle, _ values: [String: SourceSetup.Value],
        change: (inout BigQueryConfiguration) -> Void = { _ in }
    ) throws -> BigQueryProvider {
        var configuration = try BigQueryConfiguration(setup(stub, values))
        configuration.pause = { _ in }
        change(&configuration)
        return BigQueryProvider(
            configuration, sender: RetryingClient(client()), now: { runTime.secondsSinceEpoch })
    }

    private func fetch(
        _ text: String = "SELECT day", _ values: [String: SourceSetup.Value] = [:],
        also: [String: String] = [:], change: (inout BigQueryConfiguration) -> Void = { _ in },
        _ answer: @escaping @Sendable (RecordedRequest) async throws -> StubResponse?
    ) async throws -> (outcome: FetchOutcome, asked: [RecordedRequest]) {
        let stub = try await StubGoogle.start({ _ in .google(404, "NOT_FOUND", "Not found") }) { request in
            request.path == "/token" ? nil : try await answer(request)
        }
        let outcome = try await withTemporaryDirectory { folder in
            try text.write(toFile: "\(folder)/days.sql", atomically: true, encoding: .utf8)
            for (name, text) in also {
                try text.write(toFile: "\(folder)/\(name).sql", atomically: true, encoding: .utf8)
            }
            let path = SourceSetup.Value.path(folder, shownAs: "queries")
            let all = ["sql": path].merging(values) { $1 }
            return await stub.fetch(try provider(stub, all, change: change))
        }
        return (outcome, stub.asked)
    }

    // MARK: Requests

    @Test func sendsLimitsAndOnlyTheParametersOfTheQuery() async throws {
        let text = "SELECT day FROM t WHERE app = @app AND day >= @from AND at < @end -- @hours_end '"
        let (outcome, asked) = try await fetch(
            text, ["location": .text("EU"), "app": .text("it's `; DROP TABLE t"), "seconds": .text("60")]
        ) { _ in .json(Self.good) }
        #expect(outcome.diagnostics.map(\.everything) == [])
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.health.map { [$0.sessions, $0.crashedSessions] } == [[30, 4], [20, nil]])
        #expect(spans(snapshot, .sessions) == ["2026-11-18…2026-11-18 complete"])
        let request = try #require(asked.first)
        #expect(asked.count == 1 && request.method == "POST" && request.path == "/projects/deck-1/queries")
        let body =
            try JSONSerialization.jsonObject(with: Data(request.body), options: .mutableContainers)
            as? NSMutableDictionary
        #expect((body?["requestId"] as? String)?.count == 32)
        body?["requestId"] = nil
        let expected: NSDictionary = [
            "query": text, "useLegacySql": false, "parameterMode": "NAMED", "location": "EU",
            "timeoutMs": 2000, "jobTimeoutMs": "60000", "maximumBytesBilled": "100000000000",
            "maxResults": 10_000, "formatOptions": ["useInt64Timestamp": true],
            "labels": ["program": "plimsoll"],
            "queryParameters": [
                [
                    "name": "app", "parameterType": ["type": "STRING"],
                    "parameterValue": ["value": "it's `; DROP TABLE t"],
                ],
                [
                    "name": "from", "parameterType": ["type": "DATE"],
                    "parameterValue": ["value": "2026-08-22"],
                ],
                [
                    "name": "end", "parameterType": ["type": "TIMESTAMP"],
                    "parameterValue": ["value": "2026-11-20 00:00:00+00:00"],
                ],
            ],
        ]
        #expect(body == expected)
    }

    @Test func waitsForAQueryAndReadsItsPages() async throws {
        let polls = Mutex(0)
        let (outcome, asked) = try await fetch { request in
            guard request.method == "GET" else { return .json(Self.running) }
            switch request.parameter("pageToken") {
            case nil:
                let poll = polls.withLock { polls in
                    polls += 1
                    return polls
                }
                return .json(
                    poll < 3
                        ? Self.running
                        : Self.page(rows: [["2026-11-17", "1", "0"]], total: 3, token: "a+b/c="))
            case "a+b/c=":
                return .json(Self.page(rows: [["2026-11-18", "2", "0"]], total: 3, token: "last"))
            default: return .json(Self.page(rows: [["2026-11-19", "3", "0"]], total: 3))
            }
        }
        #expect(outcome.diagnostics.map(\.everything) == [])
        #expect(outcome.snapshots.first?.health.map(\.sessions) == [1, 2, 3])
        #expect(
            asked.map { "\($0.method) \($0.path) \($0.parameter("pageToken") ?? "–")" } == [
                "POST /projects/deck-1/queries –", "GET /projects/deck-1/queries/job_7 –",
                "GET /projects/deck-1/queries/job_7 –", "GET /projects/deck-1/queries/job_7 –",
                "GET /projects/deck-1/queries/job_7 a+b/c=", "GET /projects/deck-1/queries/job_7 last",
            ])
        #expect(asked.dropFirst().allSatisfy { $0.parameter("location") == "EU" })
        #expect(asked.last?.parameter("formatOptions.useInt64Timestamp") == "true")
    }

    // MARK: Answers that are none

    /// A first answer, how often the query is sent, and what is said; a second answer is always good.
    @Test(
        arguments: [
            (503, refusal(503, "backendError"), 2, ""), (503, "Service Unavailable", 2, ""),
            (500, refusal(500, "internalError"), 2, ""), (403, refusal(403, "rateLimitExceeded"), 2, ""),
            (400, refusal(400, "jobRateLimitExceeded"), 2, ""),
            (400, refusal(400, "tableUnavailable"), 2, ""),
            (500, refusal(500, "bytesBilledLimitExceeded"), 1, "raise 'maximumBytes'"),
            (403, refusal(403, "quotaExceeded"), 1, "wait until tomorrow"),
            (403, refusal(403, "accessDenied"), 1, "BigQuery Data Viewer"),
            (404, refusal(404, "notFound"), 1, "'location'"),
            (400, refusal(400, "invalidQuery", "Syntax error at [1:8]"), 1, "Syntax error at [1:8]"),
            (400, refusal(400, "resourcesExceeded"), 1, "request fewer days"),
            (400, refusal(400, "stopped"), 1, "raise 'seconds'"), (500, "oops", 1, "500"),
            (403, refusal(403, "responseTooLarge"), 1, "request fewer days"),
            (
                200,
                #"{"jobComplete":true,"schema":{"fields":[]},"rows":[],"totalRows":"0","errors":[{"reason":"notFound","message":"Table x was not found"}]}"#,
                1, "notFound: Table x was not found"
            ),
            (200, #"{"jobComplete":false}"#, 1, "names no job"), (200, "{}", 1, "names no job"),
            (200, page(rows: [["2026-11-18", "30", "4"]], total: 2), 1, "cut off"),
            (200, page(rows: [["2026-11-18", "30", "4"]], total: 2_000_000), 1, "has 2000000 rows"),
            (200, page(rows: [["2026-11-18", "30", "4"]], total: 2, token: "same"), 1, "cut off"),
            (200, String(good.dropLast(40)), 1, "invalid JSON"),
            (200, "<html>proxy</html>", 1, "an HTML page"),
            (200, "", 1, "empty response"),
            (200, "[" + String(repeating: "[", count: 5_000), 1, "invalid JSON"),
            (200, page("day DATE, sesions INTEGER", rows: []), 1, "name 'sesions' AS sessions"),
            (200, page("day DATE, sessions FLOAT", rows: []), 1, "found FLOAT"),
            (200, page("day DATE, sessions INTEGER REPEATED", rows: []), 1, "found ARRAY<INTEGER>"),
            (200, page("day DATETIME, sessions INTEGER", rows: []), 1, "expected a date, found DATETIME"),
            (200, page("day DATE, sessions RECORD", rows: []), 1, "found RECORD"),
            (200, page("day DATE, sessions INTEGER, extra STRING", rows: []), 1, "Unknown column 'extra'"),
        ] as [(Int, String, Int, String)])
    func answersThatAreNone(status: Int, body: String, sent: Int, words: String) async throws {
        let count = Mutex(0)
        let (outcome, asked) = try await fetch { request in
            if request.method == "GET" { return .json(body, status: status) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1 ? .json(body, status: status) : .json(Self.good)
        }
        #expect(asked.count { $0.method == "POST" } == sent)
        // What was not refused by the service itself may have begun: it is sent as the same query, billed once.
        let ids = asked.filter { $0.method == "POST" }.compactMap { request in
            (try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])?["requestId"]
                as? String
        }
        #expect(Set(ids).count == (body.contains("reason") ? sent : 1))
        let said = outcome.diagnostics.map(\.everything).joined(separator: "\n")
        #expect(words.isEmpty || said.contains(words), "\(said)")
        #expect(outcome.snapshots.isEmpty == (sent == 1), "\(said)")
    }

    /// A quota that is used up is not asked for again by the other queries.
    @Test func aQuotaEndsTheRound() async throws {
        let (outcome, asked) = try await fetch(also: ["release_days": "SELECT day", "usage": "SELECT day"]) {
            _ in .json(Self.refusal(403, "quotaExceeded"), status: 403)
        }
        #expect(asked.count == 1 && outcome.snapshots.isEmpty)
    }

    /// What is refused, how often each query is sent, whether those that follow are sent, and what is said.
    @Test(
        arguments: [
            (["rel", "crash", "hour"], 500, "bytesBilledLimitExceeded", 1, true, "raise 'maximumBytes'"),
            (["rel"], 503, "backendError", 3, true, "said"),
            (["rel", "crash", "hour"], 503, "backendError", 3, false, "Service unavailable"),
        ] as [([String], Int, String, Int, Bool, String)])
    func whatCameOutlivesQueriesThatFail(
        refused: [String], status: Int, reason: String, sent: Int, goesOn: Bool, words: String
    ) async throws {
        let (outcome, asked) = try await fetch(also: [
            "release_days": "SELECT rel", "crash_days": "SELECT crash", "hours": "SELECT hour",
            "usage": "SELECT used",
        ]) { request in
            if refused.contains(where: { request.text.contains("SELECT \($0)") }) {
                return .json(Self.refusal(status, reason), status: status)
            }
            if request.text.contains("SELECT day") { return .json(Self.good) }
            return request.text.contains("SELECT used")
                ? .json(Self.page("day DATE, active_users INTEGER", rows: [["2026-11-19", "7"]]))
                : .json(Self.refusal(404, "notFound"), status: 404)
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(outcome.failures.isEmpty && snapshot.health.count == 2)
        #expect(snapshot.usage.map(\.activeUsers) == (goesOn ? [7] : []))
        #expect(asked.contains { $0.text.contains("SELECT used") } == goesOn)
        #expect(asked.count { $0.text.contains("SELECT rel") } == sent)
        let said = snapshot.warnings.filter { $0.id == "bigquery.part-missing" }
        #expect(said.contains { $0.everything.contains(words) }, "\(said.map(\.everything))")
        #expect(said.contains { $0.summary.hasSuffix("active users") } == !goesOn)
    }

    /// That results are requested changes nothing: they are requested again.
    @Test(arguments: ["", "p"])
    func resultsAreRequestedAgain(token: String) async throws {
        let count = Mutex(0)
        let (outcome, asked) = try await fetch { request in
            guard request.method == "GET" else {
                return .json(
                    token.isEmpty
                        ? Self.running
                        : Self.page(rows: [["2026-11-18", "30", "4"]], total: 2, token: token))
            }
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 { return .json(Self.refusal(503, "backendError"), status: 503) }
            return .json(
                token.isEmpty ? Self.good : Self.page(rows: [["2026-11-19", "20", nil]], total: 2))
        }
        #expect(outcome.diagnostics.map(\.everything) == [])
        #expect(outcome.snapshots.first?.health.map(\.sessions) == [30, 20])
        #expect(asked.map(\.method) == ["POST", "GET", "GET"])
    }

    /// A warning next to rows ends nothing.
    @Test func aWarningOfTheServiceIsShown() async throws {
        let (outcome, _) = try await fetch { _ in
            .json(
                Self.good.replacingOccurrences(
                    of: #""rows""#, with: #""errors":[{"reason":"slow","message":"<b>"}],"rows""#))
        }
        #expect(outcome.snapshots.first?.health.count == 2)
        #expect(outcome.diagnostics.contains { $0.everything.contains("slow: <b>") })
    }

    /// A row that cannot be true costs itself, and the day is not said to be whole.
    @Test(
        arguments: [
            (["2026-11-18", "-1", "0"], "a whole number"),
            (["2026-11-18", "NaN", "0"], "a whole number"), (["2026-11-18", nil, "0"], ""),
            ([nil, "3", "0"], "a date such as"), (["20261118", "3", "0"], "a date such as"),
            (["2026-11-19", "20", "1"], "one entry for"),
            (["2026-11-18", "99999999999999999999", "0"], "a whole number"),
            (["2026-11-18", #"{"f":[]}"#, "0"], "a text or a number"), (["2026-11-18"], ""),
        ] as [([String?], String)])
    func aRowThatCannotBeTrueCostsItself(row: [String?], words: String) async throws {
        let (outcome, _) = try await fetch { _ in
            .json(
                Self.page(rows: [
                    row[0] == "2026-11-19" ? ["2026-11-19", "20", "1"] : row,
                    row[0] == "2026-11-19" ? row : ["2026-11-19", "20", "1"],
                ]))
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.health.map(\.sessions) == [20])
        let said = snapshot.warnings.map(\.everything).joined(separator: "\n")
        #expect(words.isEmpty || said.contains(words), "\(said)")
    }

    /// More crashed sessions than sessions are none that are known; the sessions are.
    @Test func moreCrashedThanAllIsUnknown() async throws {
        let (outcome, _) = try await fetch { _ in
            .json(Self.page(rows: [["2026-11-18", "30", "31"], ["2026-11-19", "20", "1"]]))
        }
        let snapshot = try #require(outcome.snapshots.first)
        let days = snapshot.health.sorted { $0.date < $1.date }
        #expect(days.map(\.sessions) == [30, 20] && days.map(\.crashedSessions) == [nil, 1])
        #expect(snapshot.warnings.contains { $0.everything.contains("at most 30") })
    }

    /// A time comes as microseconds, as seconds with a fraction, or as a whole number of seconds.
    @Test(arguments: [
        ("TIMESTAMP", "1795068000000000"), ("TIMESTAMP", "1.795068E9"), ("INTEGER", "1795068000"),
    ]) func timesAreRead(type: String, value: String) async throws {
        let (outcome, _) = try await fetch(also: ["hours": "SELECT hour"]) { request in
            request.text.contains("SELECT hour")
                ? .json(Self.page("hour \(type), sessions INTEGER", rows: [[value, "5"]])) : .json(Self.good)
        }
        #expect(outcome.snapshots.first?.healthHours.map { "\($0.hour)" } == ["2026-11-19T06:00:00Z"])
    }

    // MARK: Before a query

    /// A dry run says how much a query would read; it is not run.
    @Test func aDryRunSaysHowMuchIsRead() async throws {
        let stub = try await StubGoogle.start({ _ in .json("{}") }) { request in
            if request.path == "/token" { return nil }
            switch request.text {
            case let text where text.contains("SELECT 1"):
                return .json(
                    #"{"jobComplete":true,"schema":{"fields":[{"name":"day","type":"DATE"},{"name":"sessions","type":"INTEGER"}]},"totalBytesProcessed":"9007199254740993"}"#
                )
            case let text where text.contains("SELECT 2"):
                return .json(
                    #"{"jobComplete":true,"schema":{"fields":[{"name":"day","type":"DATE"},{"name":"crashes","type":"INTEGER"}]}}"#
                )
            default: return .json(Self.refusal(400, "invalidQuery", "no"), status: 400)
            }
        }
        let forecasts = try await withTemporaryDirectory { folder in
            for (name, text) in [("days", "SELECT 1"), ("crash_days", "SELECT 2"), ("usage", "SELECT 3")] {
                try text.write(toFile: "\(folder)/\(name).sql", atomically: true, encoding: .utf8)
            }
            let provider = try provider(stub, ["sql": .path(folder, shownAs: "queries")])
            return await provider.forecasts(for: app("deck"), at: runTime)
        }
        await stub.server.stop()
        #expect(forecasts.map(\.name) == ["days", "crash_days", "usage"])
        #expect(try forecasts[0].amount.get() == .bytes(9_007_199_254_740_993))
        #expect(try forecasts[1].amount.get() == .unknown("the response does not say"))
        #expect(throws: Diagnostic.self) { try forecasts[2].amount.get() }
        #expect(stub.asked.count == 3 && stub.asked.allSatisfy { $0.text.contains(#""dryRun":true"#) })
    }

    @Test(
        arguments: [
            ("6.25 USD", 6.25, "USD"), ("5", 5, ""), ("0.5 €", nil, ""), ("-1 USD", nil, ""), ("", nil, ""),
            ("1e9 USD", nil, ""), ("5 US dollars", nil, ""), ("USD 5", nil, ""), ("1.2.3", nil, ""),
        ] as [(String, Double?, String)])
    func pricesAreRead(text: String, amount: Double?, currency: String) {
        let price = WarehousePrice(text)
        #expect(price?.amount == amount && price?.currency ?? "" == currency)
        if amount == 5 { #expect(price?.cost(of: 1 << 39) == 2.5) }
    }

    // MARK: The end of a query

    /// A night that is called off ends its query at the service, also when the query had no name yet.
    @Test(arguments: [true, false]) func aCanceledFetchEndsItsQuery(isKnown: Bool) async throws {
        let (begun, begins) = AsyncStream.makeStream(of: Void.self)
        let (ended, ends) = AsyncStream.makeStream(of: Void.self)
        let (released, releases) = AsyncStream.makeStream(of: Void.self)
        let stub = try await StubGoogle.start({ _ in .json("{}") }) { request in
            if request.path.hasSuffix("/cancel") {
                ends.finish()
                return .json("{}")
            }
            if request.path == "/token" { return nil }
            if request.method == "POST" {
                guard !isKnown else { return .json(Self.running) }
                begins.finish()
                for await _ in released {}
                return .json(Self.running)
            }
            begins.finish()
            for await _ in ended {}
            return .json(Self.good)
        }
        let outcome = try await withTemporaryDirectory { folder in
            try "SELECT day".write(toFile: "\(folder)/days.sql", atomically: true, encoding: .utf8)
            let provider = try provider(stub, ["sql": .path(folder, shownAs: "queries")])
            let fetch = Task { await provider.fetch(app("deck"), at: runTime) }
            for await _ in begun {}
            fetch.cancel()
            releases.finish()
            return await fetch.value
        }
        await stub.server.stop()
        #expect(outcome.failures.map(\.why.id) == ["transport.canceled"])
        let last = try #require(stub.asked.last)
        #expect(last.method == "POST" && last.path == "/projects/deck-1/jobs/job_7/cancel")
        #expect(last.parameter("location") == "EU")
        // Queries are sent with a token that only reads.
        #expect(stub.tokens.tokens.count == 2)
        #expect(last.header("Authorization") != stub.asked.first?.header("Authorization"))
    }

    @Test func aQueryThatDoesNotEndIsEnded() async throws {
        let (outcome, asked) = try await fetch(values: ["seconds": .text("5")]) { request in
            request.path.hasSuffix("/cancel") ? .json("{}") : .json(Self.running)
        }
        #expect(outcome.diagnostics.contains { $0.everything.contains("did not end within 5 seconds") })
        #expect(asked.count == 8 && asked.last?.path == "/projects/deck-1/jobs/job_7/cancel")
    }

    private func fetch(
        values: [String: SourceSetup.Value],
        _ answer: @escaping @Sendable (RecordedRequest) async throws -> StubResponse?
    ) async throws -> (outcome: FetchOutcome, asked: [RecordedRequest]) {
        try await fetch("SELECT day", values, answer)
    }

    // MARK: The export

    private static let export: [String: SourceSetup.Value] = [
        "preset": .text("firebase"), "app": .text("org.example.my-deck"), "platform": .text("android"),
    ]

    /// The tables that are there decide what the queries read.
    @Test func anExportMayLackTables() async throws {
        let table =
            #"{"schema":{"fields":[{"name":"event_id","type":"STRING"}COLUMN]},"timePartitioning":{"type":"DAY"}}"#
        func run(
            _ there: [String], titles: Bool = false, datasets: [String: String] = [:]
        ) async throws -> (outcome: FetchOutcome, texts: [String: String]) {
            let title = titles ? #",{"name":"issue_title","type":"STRING"}"# : ""
            let body = table.replacingOccurrences(of: "COLUMN", with: title)
            let stub = try await StubGoogle.start({ _ in .json("{}") }) { request in
                if request.path == "/token" { return nil }
                if request.path.contains("/tables/") {
                    return there.contains { request.path.hasSuffix($0) }
                        ? .json(body) : .google(404, "NOT_FOUND", "no")
                }
                return .json(Self.refusal(400, "invalidQuery"), status: 400)
            }
            let outcome = await stub.fetch(
                try provider(stub, Self.export.merging(["datasets": .names(datasets)]) { $1 }))
            let queries = stub.asked.filter { $0.method == "POST" }.compactMap { request in
                (try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])?["query"]
                    as? String
            }
            return (
                outcome,
                Dictionary(queries.map { (String($0.prefix(40)), $0) }) { first, _ in first }
            )
        }
        let stem = "org_example_my_deck_ANDROID"
        let all = try await run([
            "firebase_crashlytics/tables/\(stem)", "firebase_crashlytics/tables/\(stem)_REALTIME",
            "firebase_sessions/tables/\(stem)", "firebase_sessions/tables/\(stem)_REALTIME",
        ])
        let days = try #require(
            all.texts.values.first { $0.contains("crashed_sessions") && $0.contains("r_day AS day") })
        for name in [
            "`deck-1`.`firebase_sessions`.`\(stem)`", "`deck-1`.`firebase_sessions`.`\(stem)_REALTIME`",
            "`deck-1`.`firebase_crashlytics`.`\(stem)_REALTIME`", "UNION ALL", "_PARTITIONTIME IS NULL",
        ] { #expect(days.contains(name), "\(days)") }
        #expect(all.texts.count >= 9)

        let night = try await run(
            ["firebase_crashlytics/tables/\(stem)", "firebase_sessions/tables/\(stem)"], titles: true)
        #expect(night.texts.values.allSatisfy { !$0.contains("REALTIME") })
        #expect(night.texts.values.contains { $0.contains("issue_title AS r_title") })

        let crashes = try await run(["firebase_crashlytics/tables/\(stem)_REALTIME"])
        #expect(!crashes.texts.values.contains { $0.contains("firebase_sessions") })
        #expect(!crashes.texts.values.contains { $0.contains("first_seen") })

        let analytics = try await run(
            ["firebase_crashlytics/tables/\(stem)"], datasets: ["analytics": "analytics_42"])
        let users = try #require(analytics.texts.values.first { $0.contains("new_users") })
        #expect(users.contains("`deck-1`.`analytics_42`.`events_*`") && users.contains("app_info.id = @app"))
        #expect(users.contains("_TABLE_SUFFIX BETWEEN FORMAT_DATE('%Y%m%d', @from)"))
        #expect(analytics.texts.values.contains { $0.contains("app_exception") })

        let none = try await run([])
        #expect(none.texts.isEmpty && none.outcome.snapshots.isEmpty)
        #expect(
            none.outcome.diagnostics.contains {
                $0.everything.contains("No table of crashes is exported") && $0.everything.contains(stem)
            })
    }

    @Test func withoutSessionsTheRestIsThere() async throws {
        let stub = try await StubGoogle.start({ _ in .json("{}") }) { request in
            if request.path == "/token" { return nil }
            if request.path.contains("/tables/") {
                return request.path.contains("firebase_crashlytics")
                    ? .json(#"{"schema":{"fields":[]}}"#) : .google(404, "NOT_FOUND", "no")
            }
            return request.text.contains("AS crashes")
                ? .json(Self.page("day DATE, crashes INTEGER", rows: [["2026-11-18", "3"]]))
                : .json(Self.refusal(400, "invalidQuery"), status: 400)
        }
        let outcome = await stub.fetch(try provider(stub, Self.export))
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.health.map(\.crashes) == [3])
        #expect(!snapshot.source.capabilities.contains(.sessions))
        #expect(
            snapshot.warnings.contains { $0.everything.contains("No table of sessions is exported") })
    }

    /// An account with rights on single datasets is denied what is not there, too. One dataset is passed over where the
    /// other is readable, with both causes in words.
    @Test(
        arguments: [
            (["firebase_sessions/"], "accessDenied", [], ["crashes"], "sessions", nil),
            (["firebase_crashlytics/"], "accessDenied", [], ["sessions"], "crashes", nil),
            (
                ["firebase_sessions/"], "accessDenied", [.sessions], ["crashes"], "sessions",
                "transport.status-403"
            ),
            (["firebase_sessions/"], "accessDenied", [.issues], ["crashes"], "sessions", nil),
            (["firebase_"], "accessDenied", [], [], nil, "transport.status-403"),
            (["firebase_sessions/"], "accessNotConfigured", [], [], nil, "transport.status-403"),
            (["firebase_sessions/"], "quotaExceeded", [], [], nil, "transport.status-403"),
            (["_REALTIME"], "accessDenied", [], [], nil, "transport.status-403"),
        ] as [([String], String, Set<Capability>, [String], String?, String?)])
    func aDatasetThatIsDeniedMayNotBeThere(
        denied: [String], reason: String, before: Set<Capability>, read: [String], warned: String?,
        failure: String?
    ) async throws {
        let stub = try await StubGoogle.start({ _ in .json("{}") }) { request in
            if request.path == "/token" { return nil }
            if request.path.contains("/tables/") {
                return denied.contains { request.path.contains($0) }
                    ? .json(Self.refusal(403, reason, "or it may not exist"), status: 403)
                    : .json(#"{"schema":{"fields":[]}}"#)
            }
            if request.text.contains("AS crashes") {
                return .json(Self.page("day DATE, crashes INTEGER", rows: [["2026-11-18", "3"]]))
            }
            return request.text.contains("AS sessions") && !request.text.contains("release")
                ? .json(Self.page("day DATE, sessions INTEGER", rows: [["2026-11-18", "30"]]))
                : .json(Self.refusal(400, "invalidQuery"), status: 400)
        }
        let outcome = await stub.fetch(
            try provider(stub, Self.export) { $0.describedBefore = { Self.source(before) } })
        let day = outcome.snapshots.first?.health.first
        #expect((day?.crashes == 3) == read.contains("crashes"))
        #expect((day?.sessions == 30) == read.contains("sessions"))
        #expect(outcome.failures.map(\.why.id) == (failure.map { [$0] } ?? []))
        let warnings = (outcome.snapshots.first?.warnings ?? []).filter { $0.id == "bigquery.table" }
        #expect(
            warnings.map(\.summary)
                == (warned.map {
                    ["bigquery: No table of \($0) is exported, or the account may not read it"]
                } ?? []))
        #expect(warnings.allSatisfy { $0.everything.contains("or it may not exist") })
    }

    /// A source as a version described it that did not say which sessions it has.
    private static func source(_ capabilities: Set<Capability>) -> Source {
        Source(
            id: Slug(anyText: "bigquery"), provider: "bigquery",
            sessionDefinition: BigQuerySessionOrigin.eitherDefinition, userDefinition: "", zone: "UTC",
            delay: "", capabilities: capabilities)
    }

    /// Crashes and sessions may not be read, and Google Analytics, or queries of the owner, are enough. What was there before
    /// is missed, and stays what the source provides.
    @Test(arguments: [([], []), ([.issues], ["transport.status-403"])] as [(Set<Capability>, [String])])
    func aReadableAnalyticsDatasetSavesTheFetch(before: Set<Capability>, failures: [String]) async throws {
        let stub = try await StubGoogle.start({ _ in .json("{}") }) { request in
            if request.path == "/token" { return nil }
            if request.path.contains("/tables/") {
                return .json(Self.refusal(403, "accessDenied", "or it may not exist"), status: 403)
            }
            return request.text.contains("AS sessions") && !request.text.contains("release")
                ? .json(Self.page("day DATE, sessions INTEGER", rows: [["2026-11-18", "30"]]))
                : .json(Self.refusal(400, "invalidQuery"), status: 400)
        }
        let values = Self.export.merging(["datasets": .names(["analytics": "analytics_42"])]) { $1 }
        let outcome = await stub.fetch(
            try provider(stub, values) { $0.describedBefore = { Self.source(before) } })
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.health.map(\.sessions) == [30])
        #expect(snapshot.warnings.filter { $0.id == "bigquery.table" }.count == 2)
        #expect(outcome.failures.map(\.why.id) == failures)
        #expect(snapshot.source.capabilities.contains(.issues) == before.contains(.issues))
        #expect(snapshot.source.capabilities.isSuperset(of: [.sessions, .usage]))
    }

    /// Sessions of Google Analytics are in the place of those that may not be read; that is said.
    @Test func sessionsThatAreDeniedAreThoseOfAnalytics() async throws {
        let stub = try await StubGoogle.start({ _ in .json("{}") }) { request in
            if request.path == "/token" { return nil }
            guard request.path.contains("/tables/") else {
                return .json(Self.refusal(400, "invalidQuery"), status: 400)
            }
            return request.path.contains("firebase_sessions/")
                ? .json(Self.refusal(403, "accessDenied"), status: 403)
                : .json(#"{"schema":{"fields":[]}}"#)
        }
        let values = Self.export.merging(["datasets": .names(["analytics": "analytics_42"])]) { $1 }
        var run = try provider(stub, values).run(app("deck"), at: runTime, kept: nil)
        try await run.meetServer()
        await stub.server.stop()
        #expect(run.text(.days)?.text.contains("analytics_42") == true)
        #expect(run.parts.warnings.map(\.id) == ["bigquery.table"] && run.parts.failure == nil)
    }

    /// A night by the dataset of sessions, which is there, denied or gone, or `all` are denied: the sessions of its day, 30
    /// of that dataset or 99 of Google Analytics, and whether it failed.
    struct Night: Sendable {
        var dataset: String
        var sessions: Int?
        var hasFailed = false
    }

    /// Stored sessions are of one dataset: those of Google Analytics never take the place of exported ones.
    @Test(
        arguments: [
            [
                Night(dataset: "there", sessions: 30), Night(dataset: "denied", hasFailed: true),
                Night(dataset: "gone", hasFailed: true), Night(dataset: "all", hasFailed: true),
                Night(dataset: "there", sessions: 30),
            ],
            [
                Night(dataset: "denied", sessions: 99), Night(dataset: "denied", sessions: 99),
                Night(dataset: "gone", sessions: 99),
            ],
        ] as [[Night]])
    func storedSessionsStayOfOneDataset(nights: [Night]) async throws {
        let dataset = Mutex("")
        let stub = try await StubGoogle.start({ _ in .json("{}") }) { request in
            if request.path == "/token" { return nil }
            guard request.path.contains("/tables/") else { return Self.counts(request.text) }
            switch dataset.withLock({
                request.path.contains("firebase_sessions/") || $0 == "all" ? $0 : "there"
            }) {
            case "there": return .json(#"{"schema":{"fields":[]}}"#)
            case "gone": return .google(404, "NOT_FOUND", "no")
            default: return .json(Self.refusal(403, "accessDenied", "or it may not exist"), status: 403)
            }
        }
        let values = Self.export.merging(["datasets": .names(["analytics": "analytics_42"])]) { $1 }
        var source: Source?
        for (index, night) in nights.enumerated() {
            dataset.withLock { $0 = night.dataset }
            let provider = try provider(stub, values) { $0.describedBefore = { [source] in source } }
            let outcome = await provider.fetch(app("deck"), at: runTime)
            let snapshot = try #require(outcome.snapshots.first, "night \(index)")
            #expect(
                snapshot.health.compactMap(\.sessions) == [night.sessions].compactMap(\.self),
                "night \(index)")
            #expect(outcome.failures.isEmpty != night.hasFailed, "night \(index)")
            if let why = outcome.failures.first?.why, night.dataset != "all" {
                #expect(why.details.contains("couldn't fetch sessions") && why.hints.count > 1)
                #expect(why.hints.last?.contains("another 'id' for sessions of Google Analytics") == true)
            }
            source = snapshot.source
            #expect(source?.capabilities.contains(.sessions) == true, "night \(index)")
            #expect(source?.sessionDefinition.contains("Google Analytics") == (nights[0].sessions == 99))
        }
        await stub.server.stop()
    }

    private static func counts(_ text: String) -> StubResponse {
        switch text {
        case let text where text.contains("AS crashes"):
            .json(page("day DATE, crashes INTEGER", rows: [["2026-11-18", "3"]]))
        case let text where text.contains("AS new_users"):
            .json(page("day DATE, new_users INTEGER", rows: [["2026-11-18", "4"]]))
        case let text where text.contains("AS sessions") && !text.contains("release"):
            .json(
                page(
                    "day DATE, sessions INTEGER",
                    rows: [["2026-11-18", text.contains("analytics_42") ? "99" : "30"]]))
        default: .json(refusal(400, "invalidQuery"), status: 400)
        }
    }

    // MARK: Configurations and texts

    @Test(
        arguments: [
            (
                ["url": .text("http://warehouse.example")],
                "The token would go to warehouse.example without TLS"
            ),
            (["url": .text("http://warehouse.example"), "plainHTTP": .flag(true)], ""),
            (["price": .text("much")], "'much' is no price"), (["price": .text("6.25 USD")], ""),
            (["zone": .text("Mars/Phobos")], "Unknown time zone 'Mars/Phobos'"),
            (["project": .text("deck` x")], "is no id of a Google project"),
            (["project": .text("example.com:deck")], ""),
            (["platform": .text("")], "needs 'platform'"), (["app": .text("a`b")], "is no package name"),
            (["app": .text("")], "is no package name"),
            (["datasets": .names(["crashlytics": "a.b"])], "is no name of a dataset"),
            (["datasets": .names(["analytics": "a`"])], "is no name of a dataset"),
            (["dataProject": .text("x y")], "is no id of a Google project"),
            (
                ["crashes": .names(["table": "d.t", "time": "t", "event": "e", "issue": "i"])],
                "has a preset and tables"
            ),
        ] as [([String: SourceSetup.Value], String)])
    func configurations(values: [String: SourceSetup.Value], expected: String) throws {
        try check(Self.export.merging(values) { $1 }, expected)
    }

    @Test(
        arguments: [
            ([:], [:], "names no tables"),
            (["table": "d.t", "time": "t"], [:], "'sessions' has no 'session'"),
            (["table": "d.t", "time": "t", "session": "s"], [:], "names neither 'crashed'"),
            (["table": "t", "time": "t", "session": "s", "crashed": "c"], [:], "names no table"),
            (["table": "a.b.c.d", "time": "t", "session": "s", "crashed": "c"], [:], "names no table"),
            (["table": "p.d.t`x", "time": "t", "session": "s", "crashed": "c"], [:], "names no table"),
            (["table": "p.d.t", "time": "t`", "session": "s", "crashed": "c"], [:], "which is no column"),
            (["table": "p.d.t", "time": "a..b", "session": "s", "crashed": "c"], [:], "which is no column"),
            (["table": "p.d.t", "time": "a.b", "session": "s", "crashed": "c"], [:], ""),
            (
                [:], ["table": "d.t", "time": "t", "event": "e", "issue": "i", "where": "a = 1) OR (1"],
                "has a 'where'"
            ),
            (
                [:], ["table": "d.t", "time": "t", "event": "e", "issue": "i", "where": "a = 'x"],
                "has a 'where'"
            ),
        ] as [([String: String], [String: String], String)])
    func mappings(sessions: [String: String], crashes: [String: String], expected: String) throws {
        try check(["sessions": .names(sessions), "crashes": .names(crashes)], expected)
    }

    private func check(_ values: [String: SourceSetup.Value], _ expected: String) throws {
        let account = StubAccount.shared.file(tokenAddress: "https://oauth2.example/token")
        let usual: [String: SourceSetup.Value] = [
            "project": .text("deck-1"), "url": .text(BigQueryConfiguration.usualBase),
            "account": .secret(SecretBytes(account, from: "The test")),
        ]
        let setup = SourceSetup(
            id: Slug(anyText: "bigquery"), values: usual.merging(values) { $1 }, sender: client(),
            shared: SharedResources(), kept: nil, timeoutMilliseconds: 1000)
        var words = ""
        do { _ = try BigQueryConfiguration(setup) } catch let error as Diagnostic {
            words = error.everything
        }
        #expect(
            (expected.isEmpty || words.contains(expected)) && words.isEmpty == expected.isEmpty, "\(words)")
    }

    @Test(
        arguments: [
            ("a", "`a`"), ("a.b-c", "`a`.`b-c`"), ("a b; DROP TABLE y --", "`a b; DROP TABLE y --`"),
            ("events_*", "`events_*`"), ("a`b", nil), (#"a\b"#, nil), ("a..b", nil), ("", nil), ("a\n", nil),
        ] as [(String, String?)])
    func namesStayNames(name: String, expected: String?) {
        #expect(bigQueryName(name) == expected)
    }

    @Test func theQueryOfTheManualIsOne() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Content/manual/providers/bigquery.md").standardizedFileURL
        let fences = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```sql\n")
            .dropFirst()
        #expect(fences.count == 1)
        for fence in fences {
            let text = try BigQueryText(fence.components(separatedBy: "```")[0])
            #expect(text.parameters == ["begin", "end"])
        }
    }

    /// A text and its parameters; nil when it is none that may be sent.
    @Test(
        arguments: [
            ("SELECT @app, @from, @app", ["app", "from"]), ("select '@app' -- @from\n", []),
            ("WITH a AS (SELECT 1) SELECT * FROM a # @x\n;\n", []), ("(SELECT @@x, @y)", ["y"]),
            ("FROM t |> WHERE a = @app", ["app"]), ("SELECT '''it's @a''', @b", ["b"]),
            (#"SELECT r'\'', "\"@a", @b"#, ["b"]), ("SELECT `@a`, /* @b ' */ @c", ["c"]),
            ("SELECT @app; -- @from", ["app"]), ("SELECT 1; /* a; */\n# b", []),
            ("SELECT 1; -- a\nSELECT 2", nil), ("SELECT 1; /* a", nil),
            ("-- a query\nSELECT 1", []), ("SELECT 1; DROP TABLE x", nil), ("DROP TABLE x", nil),
            ("INSERT INTO x SELECT 1", nil), ("", nil), ("SELECT 'a", nil), ("SELECT 'a\n'", nil),
            ("SELECT /* a", nil), ("SELECT (1", nil), ("SELECT 1) , (2", nil), ("SELECT '''a''", nil),
            ("EXECUTE IMMEDIATE 'x'", nil), (";", nil),
        ] as [(String, [String]?)])
    func textsAreQueries(text: String, expected: [String]?) {
        #expect((try? BigQueryText(text).parameters) == expected)
    }

    @Test(
        arguments: [
            ("DATE", nil, "date"), ("TIMESTAMP", "NULLABLE", "instant"), ("INTEGER", nil, "count"),
            ("INT64", "REQUIRED", "count"), ("STRING", nil, "text"), ("INT64", "REPEATED", nil),
            ("FLOAT64", nil, nil), ("NUMERIC", nil, nil), ("BOOL", nil, nil), ("JSON", nil, nil),
            ("RECORD", nil, nil), ("DATETIME", nil, nil), ("", nil, nil),
        ] as [(String, String?, String?)])
    func typesAreKinds(type: String, mode: String?, kind: String?) {
        #expect(bigQueryKind(of: type, mode: mode)?.rawValue == kind)
    }

    /// Sessions and users are counted by a sketch of a stated precision; what crashed never is.
    @Test(arguments: [
        (WarehouseQuery.days, 3, 2), (.releaseDays, 3, 2), (.hours, 1, 1), (.usage, 3, 0), (.crashDays, 0, 2),
        (.issues, 0, 4),
    ])
    func countsMayBeApproximate(query: WarehouseQuery, sketches: Int, exact: Int) throws {
        let tables = try #require(
            try BigQueryTables.mapped(
                sessions: [
                    "table": "a.s", "time": "t", "session": "id", "user": "who", "release": "v",
                    "crashed": "c",
                ],
                crashes: ["table": "a.c", "time": "t", "event": "id", "issue": "i", "user": "who"],
                zone: "UTC"))
        func count(_ part: String, _ distinct: WarehouseDistinct) throws -> Int {
            let queries = BigQueryQueries(tables: tables, distinct: distinct)
            let isSketched = distinct == .approximate && sketches > 0
            #expect((queries.deviation(query) > 0) == isSketched)
            return try #require(queries.text(query)).split(separator: part, omittingEmptySubsequences: false)
                .count - 1
        }
        #expect(try count("HLL_COUNT.EXTRACT(HLL_COUNT.INIT(", .approximate) == sketches)
        #expect(try count("HLL_COUNT", .exact) == 0)
        // A part that is counted exactly is also the least that a sketch of its whole may be.
        #expect(try count("COUNT(DISTINCT ", .approximate) >= exact)
        #expect(abs(sketchDeviation(precision: BigQueryQueries.precision) - 0.005_745) < 1e-6)
    }
}
