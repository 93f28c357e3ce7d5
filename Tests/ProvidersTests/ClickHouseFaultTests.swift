import AppHealth
import Diagnostics
import Foundation
import LoopbackServer
import Settings
import Synchronization
import Testing
import Transport

@testable import Providers

/// What a server may answer, over sockets.
struct ClickHouseFaultTests {
    private static let version = table("version String, readonly String", #"["24.3.1","2"]"#)

    private static func table(_ columns: String, _ rows: String, count: Int? = nil) -> String {
        let meta = columns.split(separator: ", ").map { column in
            let parts = column.split(separator: " ")
            return #"{"name":"\#(parts[0])","type":"\#(parts[1])"}"#
        }.joined(separator: ",")
        let number = count ?? rows.split(separator: "],").count
        return #"{"meta":[\#(meta)],"data":[\#(rows)],"rows":\#(number),"statistics":{"elapsed":0.1}}"#
    }

    private static let days = "day Date, sessions UInt64, crashed_sessions Nullable(UInt64)"

    private func fetch(
        _ version: String = version, seconds: Int = 120, most: String? = nil, queries: [String] = ["day"],
        _ answer: @escaping @Sendable (RecordedRequest) async throws -> StubResponse
    ) async throws -> (outcome: FetchOutcome, requests: [RecordedRequest]) {
        let server = try await LoopbackServer.start { request in
            if request.text.hasPrefix("SELECT version()") { return .json(version) }
            return try await answer(request)
        }
        let outcome = try await withTemporaryDirectory { folder in
            for query in queries {
                try "SELECT \(query)".write(
                    toFile: "\(folder)/\(query == "day" ? "days" : query).sql", atomically: true,
                    encoding: .utf8)
            }
            var configuration = try ClickHouseConfiguration(
                SourceSetup(
                    id: Slug(anyText: "clickhouse"),
                    values: [
                        "url": .text(server.origin), "sql": .path(folder, shownAs: "queries"),
                        "seconds": .text("\(seconds)"), "user": .text("report"),
                        "password": .secret(SecretBytes(Array("w0rd-of-pier".utf8), from: "The test")),
                    ].merging(most.map { ["maximumBytes": .text($0)] } ?? [:]) { $1 }, sender: client(),
                    shared: SharedResources(), kept: nil, timeoutMilliseconds: 60_000))
            configuration.pause = { _ in }
            let sender = RetryingClient(client())
            return try await ClickHouseProvider(configuration, sender: sender).fetch(app("deck"), at: runTime)
        }
        await server.stop()
        #expect(outcome.diagnostics.allSatisfy { !$0.everything.contains("w0rd-of-pier") })
        return (outcome, server.requests)
    }

    /// What the server says of one query, and whether it is about that one alone.
    @Test(arguments: [
        (403, "Code: 497. DB::Exception: Not enough privileges", true),
        (500, "Code: 497. DB::Exception: Not enough privileges", true),
        (403, "Code: 516. DB::Exception: Authentication failed", false),
        (403, "<html>Forbidden", false),
    ])
    func aTableThatMayNotBeReadLeavesTheOthers(status: Int, body: String, goesOn: Bool) async throws {
        let (outcome, requests) = try await fetch(queries: ["day", "crash_days", "hours"]) { request in
            if request.text.hasPrefix("SELECT crash_days") { return .text(body, status: status) }
            return request.text.hasPrefix("SELECT day")
                ? .json(Self.good) : .json(Self.table("hour DateTime('UTC')", ""))
        }
        #expect(outcome.snapshots.first?.health.count == 2 && outcome.failures.isEmpty)
        #expect(requests.contains { $0.text.hasPrefix("SELECT hours") } == goesOn)
    }

    /// A server that ends queries for their memory, by its own word with a status of 500, is not down.
    @Test(arguments: [("Code: 241. DB::Exception: Memory limit exceeded", true), ("oops", false)])
    func queriesThatTheServerEndsLeaveTheOthers(body: String, goesOn: Bool) async throws {
        let (outcome, requests) = try await fetch(
            queries: ["day", "crash_days", "issues", "hours", "usage"]
        ) { request in
            if request.text.hasPrefix("SELECT day") { return .json(Self.good) }
            return request.text.hasPrefix("SELECT usage")
                ? .json(Self.table("day Date, active_users UInt64", #"["2026-11-19",7]"#))
                : .text(body, status: 500)
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(outcome.failures.isEmpty && snapshot.health.count == 2)
        #expect(snapshot.usage.map(\.activeUsers) == (goesOn ? [7] : []))
        #expect(requests.contains { $0.text.hasPrefix("SELECT usage") } == goesOn)
        let missing = snapshot.warnings.filter { $0.id == "clickhouse.part-missing" }
        #expect(missing.count == (goesOn ? 3 : 4))
    }

    /// A quota that is used up is not asked for again by the other queries, of which one warning says that they were skipped.
    @Test func aQuotaEndsTheRound() async throws {
        let (outcome, requests) = try await fetch(queries: ["day", "crash_days", "hours", "usage"]) {
            request in
            if request.text.hasPrefix("SELECT day") { return .json(Self.good) }
            return .text(
                "Code: 201. DB::Exception: Quota for user `report` for 3600s has been exceeded", status: 500)
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(outcome.failures.isEmpty && snapshot.health.count == 2)
        #expect(requests.count { $0.text.hasPrefix("SELECT crash_days") } == 1)
        #expect(!requests.contains { $0.text.hasPrefix("SELECT hours") || $0.text.hasPrefix("SELECT usage") })
        let missing = snapshot.warnings.filter { $0.id == "clickhouse.part-missing" }
        #expect(missing.map(\.summary) == ["clickhouse: couldn't fetch crashes by day"])
        #expect(missing.first?.everything.contains("raise the quota") == true)
        let skipped = snapshot.warnings.map(\.summary).filter { $0.contains("skipped") }
        #expect(skipped == ["clickhouse: skipped sessions by hour, active users"])
        // Its hours show whether a day is there to its end.
        #expect(snapshot.source.statesWholeDays && snapshot.source.countsPartsApart)
    }

    /// A comment at the end of a condition ends before the bracket around it.
    @Test func aConditionMayEndWithAComment() throws {
        let words = ["table": "t", "time": "t", "session": "s", "crashed": "c", "where": "a = 1 -- phones"]
        let tables = try ClickHouseTables.mapped(sessions: words, crashes: [:], zone: "UTC")
        let condition = try #require(tables?.sessions?.conditions.first)
        #expect(condition == "(a = 1 -- phones\n)")
        #expect(throws: Never.self) { try ClickHouseText("SELECT 1 WHERE \(condition)") }
    }

    /// What the source is for must come; other parts may be missing.
    @Test func withoutTheDaysTheFetchHasFailed() async throws {
        let (outcome, _) = try await fetch(queries: ["day", "usage"]) { request in
            if request.text.hasPrefix("SELECT day") {
                return .text("Code: 47. DB::Exception: Missing columns", status: 404)
            }
            return .json(Self.table("day Date, active_users UInt64", #"["2026-11-19",7]"#))
        }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.usage.map(\.activeUsers) == [7])
        #expect(outcome.failures.count == 1 && snapshot.failure?.everything.contains("Code 47") == true)
    }

    private static let good = table(days, #"["2026-11-18","30","4"],["2026-11-19",20,null]"#)

    @Test func sendsLimitsAndParametersAndReadsNumbersInBothForms() async throws {
        let (outcome, requests) = try await fetch { _ in .json(Self.good) }
        #expect(outcome.diagnostics.map(\.everything) == [])
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.health.map { [$0.sessions, $0.crashedSessions] } == [[30, 4], [20, nil]])
        #expect(spans(snapshot, .sessions) == ["2026-11-18…2026-11-18 complete"])
        let request = try #require(requests.last)
        #expect(request.method == "POST" && request.text == "SELECT day\nFORMAT JSONCompact")
        #expect(request.header("X-ClickHouse-User") == "report")
        #expect(request.header("X-ClickHouse-Key") == "w0rd-of-pier")
        let expected = [
            "param_app": "deck", "param_from": "2026-08-22", "param_to": "2026-11-20",
            "max_execution_time": "120", "max_memory_usage": "4000000000", "max_result_rows": "1000000",
            "result_overflow_mode": "throw", "wait_end_of_query": "1",
            "cancel_http_readonly_queries_on_client_close": "1", "http_write_exception_in_output_format": "0",
        ]
        for (name, value) in expected { #expect(request.parameter(name) == value, "\(name)") }
        #expect(request.parameter("readonly") == nil)
        #expect(requests.compactMap { $0.parameter("query_id") }.count == 1)
        #expect(requests.first?.parameter("max_execution_time") == nil)
    }

    @Test(
        arguments: [
            ("24.3.1", "0", "2", true), ("18.16.1", "0", "2", false), ("18.16.1", "2", nil, false),
            ("23.8.2", "2", nil, true),
        ] as [(String, String, String?, Bool)])
    func eachServerGetsWhatItKnows(version: String, readonly: String, forbids: String?, binds: Bool)
        async throws
    {
        let (outcome, requests) = try await fetch(
            Self.table("version String, readonly String", #"["\#(version)","\#(readonly)"]"#)
        ) { _ in .json(Self.good) }
        #expect(outcome.snapshots.count == 1)
        #expect(requests.last?.parameter("readonly") == forbids)
        #expect((requests.last?.parameter("param_app") != nil) == binds)
        #expect(
            requests.last?.parameter("http_write_exception_in_output_format") == (version < "24" ? nil : "0"))
    }

    /// What a console shows of a failed query: where, what the server said, and what to do, not the query.
    @Test(arguments: [
        (404, "Code: 62. DB::Exception: Syntax error: failed at position 8 ('FROM'): "),
        (500, "Code: 43. DB::Exception: Illegal types: "), (500, "<html>"), (503, ""),
    ])
    func failureShowsNoQuery(status: Int, words: String) async throws {
        let (outcome, requests) = try await fetch { _ in
            .text(words + String(repeating: "FROM sessions WHERE version = {v} ", count: 80), status: status)
        }
        let sent = try #require(requests.last { $0.text.hasPrefix("SELECT") })
        #expect(!outcome.failures.isEmpty && sent.target.count > 200)
        for failure in outcome.diagnostics {
            #expect(failure.everything.count < 600, "\(failure.everything)")
            #expect(failure.location.map { $0.description.count < 130 } ?? true)
            #expect(!failure.everything.contains("param_") && !failure.everything.contains("max_result"))
        }
        #expect(outcome.diagnostics.contains { $0.everything.contains("/?database=") })
    }

    /// What the server says of a query names its file, and what to correct: the status of such a response says nothing.
    @Test(arguments: [
        (
            500, "Code: 386. DB::Exception: There is no supertype for types String, Date",
            "correct queries/days.sql"
        ),
        (400, "Code: 62. DB::Exception: Syntax error", "correct queries/days.sql"),
        (404, "Code: 47. DB::Exception: Missing columns", "check the names of the columns"),
        // No query is at fault where the server has no space or no thread.
        (500, "Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space", "fetch again later"),
        (500, "Code: 439. DB::Exception: Cannot schedule a task", "fetch again later"),
    ])
    func aFaultOfAQueryNamesItsFile(status: Int, body: String, hint: String) async throws {
        let (outcome, _) = try await fetch { _ in .text(body, status: status) }
        let said = outcome.diagnostics.map(\.everything).joined(separator: "\n")
        #expect(said.contains("the query is queries/days.sql") && said.contains(hint), "\(said)")
        #expect(!said.contains("on the server's side") && !said.contains("correct the request"), "\(said)")
    }

    /// A first answer, how often the query is sent, and what is said; a second answer is always good.
    @Test(arguments: [
        (503, "Service Unavailable", 2, ""),
        (429, "Too Many Requests", 2, ""),
        (500, "Code: 202. DB::Exception: Too many simultaneous queries. (TOO_MANY)", 2, ""),
        (500, "Code: 216. DB::Exception: Query with id = x is already running.", 2, ""),
        (500, "Code: 241. DB::Exception: Memory limit (for query) exceeded", 1, "raise 'maximumMemory'"),
        (408, "Code: 159. DB::Exception: Timeout exceeded", 1, "raise 'seconds'"),
        (
            500, "Code: 307, e.displayText() = DB::Exception: Limit for bytes, e.what() = DB::Exception", 1,
            "it reads more than the profile of the user 'report' allows"
        ),
        (503, "Code: 158. DB::Exception: Limit for rows", 1, "raise max_bytes_to_read or max_rows_to_read"),
        (500, "Code: 396. DB::Exception: Limit for result exceeded", 1, "request fewer days"),
        (404, "Code: 115. DB::Exception: Unknown setting x", 1, "Code 115: Unknown setting x"),
        (401, "Code: 193. DB::Exception: Wrong password for user report", 1, "check 'user' and 'password'"),
        (403, "Code: 497. DB::Exception: Not enough privileges", 1, "grant the user SELECT"),
        (500, "Code: 201. DB::Exception: Quota for user `report` is exceeded", 1, "raise the quota"),
        (
            200,
            good.replacingOccurrences(of: "],[", with: "],\nCode: 241. DB::Exception: Memory limit exceeded"),
            1, "failed after its first rows"
        ),
        (
            200, good + "\n__exception__\r\nabcdef\r\nCode: 395. DB::Exception: thrown\r\n", 1,
            "failed after its first rows"
        ),
        (200, String(good.prefix(good.count - 60)), 1, "invalid JSON: unexpected end"),
        (200, table(days, #"["2026-11-18","30","4"]"#, count: 2), 1, "The response is cut off"),
        (200, "<html>proxy</html>", 1, "an HTML page"),
        (200, "", 1, "empty response"),
        (200, "[" + String(repeating: "[", count: 5_000), 1, "invalid JSON"),
    ])
    func answersThatAreNone(status: Int, body: String, sent: Int, words: String) async throws {
        let count = Mutex(0)
        let (outcome, requests) = try await fetch { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1 ? .text(body, status: status) : .json(Self.good)
        }
        let queries = requests.filter { $0.text.hasPrefix("SELECT day") }
        #expect(queries.count == sent)
        #expect(Set(queries.map { $0.parameter("query_id") }).count == sent)
        let said = outcome.diagnostics.map(\.everything).joined(separator: "\n")
        #expect(words.isEmpty || said.contains(words), "\(said)")
        #expect(outcome.snapshots.isEmpty == (sent == 1))
    }

    /// A row that cannot be true costs itself, and the day is not said to be whole.
    @Test(arguments: [
        (#"["2026-11-18",-1,0],["2026-11-19",20,1]"#, "a whole number"),
        (#"["2026-11-18",null,0],["2026-11-19",20,1]"#, ""),
        (#"["20261118",3,0],["2026-11-19",20,1]"#, "a date such as"),
        (#"["2026-11-19",20,1],["2026-11-19",21,1]"#, "one entry for"),
        (#"["2026-11-18",99999999999999999999,0],["2026-11-19",20,1]"#, "a whole number"),
        (#"["2026-11-18",1e400,0],["2026-11-19",20,1]"#, ""),
        (#"["2026-11-18",[1],0],["2026-11-19",20,1]"#, "a text or a number"),
        (#"["2026-11-18"],["2026-11-19",20,1]"#, ""),
    ])
    func aRowThatCannotBeTrueCostsItself(rows: String, words: String) async throws {
        let (outcome, _) = try await fetch { _ in .json(Self.table(Self.days, rows, count: 2)) }
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.health.map(\.sessions) == [20])
        let said = snapshot.warnings.map(\.everything).joined(separator: "\n")
        #expect(words.isEmpty || said.contains(words), "\(said)")
    }

    /// More crashed sessions than sessions are none that are known; the sessions are.
    @Test func moreCrashedThanAllIsUnknown() async throws {
        let rows = #"["2026-11-18",30,31],["2026-11-19",20,1]"#
        let (outcome, _) = try await fetch { _ in .json(Self.table(Self.days, rows, count: 2)) }
        let snapshot = try #require(outcome.snapshots.first)
        let days = snapshot.health.sorted { $0.date < $1.date }
        #expect(days.map(\.sessions) == [30, 20] && days.map(\.crashedSessions) == [nil, 1])
        #expect(snapshot.warnings.contains { $0.everything.contains("at most 30") })
    }

    /// A server that can says how many rows a query would read; an older one says nothing.
    @Test(
        arguments: [
            (
                "24.3.1", #"["db","a","1","1000","2"],["db","b","1",234,"2"]"#,
                .reading(rows: 1_234, bytes: nil)
            ),
            ("24.3.1", "", .reading(rows: 0, bytes: nil)),
            (
                "24.3.1", #"["db","a","1","9223372036854775807","2"],["db","b","1","1","2"]"#,
                .unknown("the response is no number of rows")
            ),
            ("21.8.1", "", .unknown("the server's version has no EXPLAIN ESTIMATE; 21.9 has")),
        ] as [(String, String, WarehouseForecast.Amount)])
    func anEstimateSaysHowMuchIsRead(version: String, rows: String, expected: WarehouseForecast.Amount)
        async throws
    {
        let columns = "database String, table String, parts UInt64, rows UInt64, marks UInt64"
        let count = rows.isEmpty ? 0 : rows.split(separator: "],").count
        let server = try await LoopbackServer.start { request in
            request.text.hasPrefix("SELECT version()")
                ? .json(Self.table("version String, readonly String", #"["\#(version)","2"]"#))
                : .json(Self.table(columns, rows, count: count))
        }
        let provider = try ClickHouseProvider(
            ClickHouseConfiguration(base: server.origin), sender: client())
        let forecasts = await provider.forecasts(for: app("deck"), at: runTime)
        await server.stop()
        #expect(forecasts.map(\.name) == WarehouseQuery.allCases.map(\.rawValue))
        for forecast in forecasts { #expect(try forecast.amount.get() == expected) }
        let queries = server.requests.dropFirst()
        #expect(
            queries.allSatisfy {
                $0.text.hasPrefix("EXPLAIN ESTIMATE ") || $0.text.contains("system.columns")
            })
        #expect(queries.contains { $0.text.hasPrefix("EXPLAIN") } == (version != "21.8.1"))
    }

    /// What a query would read is known before it runs, from the rows of each table and the width of the columns that the
    /// query names; what is not known is left to the server.
    @Test(
        arguments: [
            // 1,000 of 10,000 rows, of which each has 8 bytes of `day` and 92 of another column.
            ("24.3.1", "7999", #"["db","a","1","1000","2"]"#, "about 8000 bytes, more than 7999"),
            ("24.3.1", "8000", #"["db","a","1","1000","2"]"#, nil),
            ("24.3.1", "1", #"["db","far","1","1000","2"]"#, nil), ("24.3.1", "1", "", nil),
            ("18.16.1", "1", "", nil),
            // A catalog that may not be read.
            ("24.3.1", "1", #"["db","hidden","1","1000","2"]"#, nil),
        ] as [(String, String, String, String?)])
    func aQueryThatWouldReadTooMuchIsNotSent(version: String, most: String, rows: String, words: String?)
        async throws
    {
        let (outcome, requests) = try await fetch(
            Self.table("version String, readonly String", #"["\#(version)","2"]"#), most: most
        ) { request in
            if request.text.hasPrefix("EXPLAIN ESTIMATE") {
                let columns = "database String, table String, parts UInt64, rows UInt64, marks UInt64"
                return .json(Self.table(columns, rows, count: rows.isEmpty ? 0 : 1))
            }
            if request.text.contains("'hidden'") {
                return .json("Code: 497. DB::Exception: Not enough privileges", status: 403)
            }
            if request.text.contains("system.columns") {
                return .json(
                    Self.table(
                        "database String, table String, column String, bytes UInt64, rows UInt64",
                        #"["db","a","day","80000","0"],["db","a","other","920000","0"],["db","a","","0","10000"]"#
                    ))
            }
            return .json(Self.good)
        }
        let said = outcome.diagnostics.map(\.everything).joined()
        #expect(outcome.snapshots.isEmpty == (words != nil), "\(said)")
        if let words { #expect(said.contains(words) && said.contains("raise 'maximumBytes'"), "\(said)") }
        #expect(requests.contains { $0.text.hasPrefix("SELECT day") } == (words == nil))
        #expect(requests.contains { $0.text.hasPrefix("EXPLAIN") } == (version != "18.16.1"))
        if words == nil { #expect(requests.last?.parameter("max_bytes_to_read") == most) }
    }

    /// A night that is called off ends its query at the server.
    @Test func aCanceledFetchEndsItsQuery() async throws {
        let (begun, begins) = AsyncStream.makeStream(of: Void.self)
        let (ended, ends) = AsyncStream.makeStream(of: Void.self)
        let server = try await LoopbackServer.start { request in
            if request.text.hasPrefix("SELECT version()") { return .json(Self.version) }
            if request.text.hasPrefix("KILL QUERY") {
                ends.finish()
                return .text("")
            }
            begins.finish()
            for await _ in ended {}
            return .json(Self.good)
        }
        let configuration = try ClickHouseConfiguration(base: server.origin)
        let provider = try ClickHouseProvider(configuration, sender: client())
        let fetch = Task { await provider.fetch(app("deck"), at: runTime) }
        for await _ in begun {}
        fetch.cancel()
        let outcome = await fetch.value
        await server.stop()
        #expect(outcome.failures.map(\.why.id) == ["transport.canceled"])
        let id = server.requests.compactMap { $0.parameter("query_id") }.last ?? ""
        let kills = server.requests.map(\.text).filter { $0.hasPrefix("KILL") }
        #expect(id.contains("days") && kills == ["KILL QUERY WHERE query_id = '\(id)' ASYNC"])
    }

    @Test(
        arguments: [
            ("http://warehouse.example:8123", [:], "The password would go to warehouse.example without TLS"),
            ("http://warehouse.example:8123", ["plainHTTP": .flag(true)], ""),
            ("https://warehouse.example", ["zone": .text("Mars/Phobos")], "Unknown time zone 'Mars/Phobos'"),
            ("https://warehouse.example", ["zone": .text("x', '")], "Unknown time zone"),
            (
                "https://warehouse.example",
                [
                    "preset": .text("plimsoll"),
                    "sessions": .names(["table": "t", "time": "t", "session": "s", "crashed": "c"]),
                ], "has a preset and tables"
            ),
            (
                "https://warehouse.example",
                ["preset": .text(""), "sessions": .names(["table": "t", "time": "t"])],
                "'sessions' has no 'session'"
            ),
            (
                "https://warehouse.example",
                ["sessions": .names(["table": "t", "time": "t", "session": "s"])], "names neither 'crashed'"
            ),
            (
                "https://warehouse.example",
                [
                    "crashes": .names([
                        "table": "t", "time": "t", "event": "e", "issue": "i", "where": "a = 1) OR (1",
                    ])
                ], "has a 'where' with an open quote or bracket"
            ),
            (
                "https://warehouse.example",
                [
                    "crashes": .names([
                        "table": "t", "time": "t", "event": "e", "issue": "i", "where": "a = 'x",
                    ])
                ], "has a 'where'"
            ),
        ] as [(String, [String: SourceSetup.Value], String)])
    func configurations(url: String, values: [String: SourceSetup.Value], expected: String) throws {
        var all: [String: SourceSetup.Value] = ["url": .text(url)]
        if values["sessions"] == nil, values["crashes"] == nil { all["preset"] = .text("plimsoll") }
        let setup = SourceSetup(
            id: Slug(anyText: "clickhouse"), values: all.merging(values) { $1 }, sender: client(),
            shared: SharedResources(), kept: nil, timeoutMilliseconds: 1000)
        var words = ""
        do { _ = try ClickHouseConfiguration(setup) } catch let error as Diagnostic {
            words = error.everything
        }
        #expect(
            (expected.isEmpty || words.contains(expected)) && words.isEmpty == expected.isEmpty, "\(words)")
    }

    @Test(arguments: [
        ("a", "`a`"), ("a`b", #"`a\`b`"#), (#"a\b"#, #"`a\\b`"#), ("a.b", "`a`.`b`"), ("a.b.c", "`a`.`b.c`"),
        ("x; DROP TABLE y --", "`x; DROP TABLE y --`"),
    ])
    func namesStayNames(name: String, expected: String) {
        #expect(clickHouseTable(name) == expected)
    }

    @Test(
        arguments: [
            ("SELECT {app:String}", "SELECT 'deck'"), ("SELECT '{app:String}'", "SELECT '{app:String}'"),
            ("SELECT -- {app:String}\n{from:Date}", "SELECT -- {app:String}\ntoDate('2026-11-19')"),
            ("# today's {app:String}; x\nSELECT {issues:UInt32}", "# today's {app:String}; x\nSELECT 5"),
            ("#!it's\nSELECT 1", "#!it's\nSELECT 1"),
            (
                "SELECT /* {app:String} */ `{app:String}`, {issues:UInt32}",
                "SELECT /* {app:String} */ `{app:String}`, 5"
            ),
            (#"SELECT 'it\'s {app:String}', {app:String}"#, #"SELECT 'it\'s {app:String}', 'deck'"#),
            ("SELECT {issues:UInt32}; -- done", "SELECT 5"),
            ("SELECT 1 ; /* a; */\n# b\n-- c", "SELECT 1 "), ("SELECT 1; -- a\nSELECT 2", nil),
            ("SELECT 1; /* a", nil), ("SELECT 1;;", nil), ("SELECT 4 - 2 / 1", "SELECT 4 - 2 / 1"),
            ("SELECT {map: 1}['a'] ;\n", nil), ("SELECT {bad:String}", nil), ("SELECT {odd:String}", nil),
        ] as [(String, String?)])
    func valuesAreBoundInOldServers(text: String, expected: String?) {
        let values: [String: WarehouseParameter] = [
            "app": .text("deck"), "from": .date(CivilDate("2026-11-19") ?? CivilDate(daysSinceEpoch: 0)),
            "issues": .number(5), "bad": .text("x' OR '1"),
        ]
        #expect((try? ClickHouseText(text).bound(values)) == expected)
    }

    @Test(
        arguments: [
            ("UInt64", "count"), ("Nullable(UInt64)", "count"), ("LowCardinality(Nullable(String))", "text"),
            ("SimpleAggregateFunction(min, Date)", "date"), ("DateTime64(3, 'UTC')", "instant"),
            ("Date32", "date"),
            ("Enum8('a' = 1)", "text"), ("Float64", nil), ("Array(String)", nil), ("", nil),
            ("Nullable(", nil),
        ] as [(String, String?)])
    func typesAreKinds(type: String, kind: String?) {
        #expect(clickHouseKind(of: type)?.rawValue == kind)
    }

    @Test(arguments: [
        ("a\tb", "a\\tb"), (#"a\b"#, #"a\\b"#), ("a\nb\0", "a\\nb\\0"), ("it's", "it's"),
    ])
    func parametersAreEscaped(text: String, expected: String) {
        #expect(WarehouseParameter.text(text).clickHouseText == expected)
    }

    /// Past days are asked for again: the usual ones, those since the last good night and the ones before it that could
    /// still grow then, or at first all.
    @Test(
        arguments: [
            (nil, "2026-08-22"), ("2026-11-19", "2026-11-06"), ("2026-11-18", "2026-11-06"),
            ("2026-10-25", "2026-10-13"),
            ("2020-01-01", "2026-08-22"), ("2030-01-01", "2026-11-06"),
        ] as [(String?, String)])
    func windowsReachBack(last: String?, first: String) {
        let window = WarehouseWindow(
            at: runTime, zone: .gmt, revised: 14, history: 90, last: last.flatMap { CivilDate($0) })
        #expect("\(window.days.lowerBound)" == first && "\(window.days.upperBound)" == "2026-11-20")
        // Counts of issues are of the 28 days that are over.
        #expect("\(window.recent)" == "2026-10-23" && window.issueDays.contains(window.recent))
    }
}
