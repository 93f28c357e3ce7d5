import ClickHouseServer
import Foundation
import GoogleStub
import LoopbackServer
import Synchronization
import Testing

/// Trying the queries of sources that are warehouses.
struct WarehouseCommandTests {
    private func check(_ sources: String, _ options: String...) async throws -> Run {
        try await program(["warehouse", "check"] + options, sources)
    }

    private func program(_ arguments: [String], _ sources: String) async throws -> Run {
        let folder = try Folder()
        let account = StubAccount.shared.file(tokenAddress: "http://127.0.0.1:9/token")
        try folder.write("key.json", String(decoding: account, as: UTF8.self))
        try folder.write(
            "plimsoll.yml", "asOf: 2026-11-20T06:00:00Z\napps:\n  - id: deck\n    sources: [\(sources)]\n")
        return try await Program.run(Program.path, arguments, in: folder.path)
    }

    @Test func printsEachQueryWithItsParametersAndSendsNothing() async throws {
        let run = try await check("{provider: clickhouse, url: \"http://127.0.0.1:9\"}", "--print-sql")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(
            run.output.contains("-- release_days: preset plimsoll, release_days\n-- app = deck\n-- from = "))
        #expect(run.output.contains("{from:Date}"))
        let none = try await check("{provider: files, path: data}")
        #expect(none.status == 2 && none.errors.contains("No source is a warehouse"))
        let unknown = try await check("{provider: files, path: data}", "--app", "dek")
        #expect(unknown.status == 2 && unknown.errors.contains("did you mean 'deck'?"))
    }

    @Test func printsTheQueriesOfAnExport() async throws {
        let source = """
            {provider: bigquery, project: deck-1, preset: firebase, app: org.example.deck, platform: ios, \
            datasets: {analytics: analytics_42}, accountFile: key.json, url: \"http://127.0.0.1:9\"}
            """
        let run = try await check(source, "--print-sql")
        #expect(run.status == 0, "\(run.errors)")
        for text in [
            "-- days: preset firebase, days\n-- begin = ",
            "`deck-1`.`firebase_sessions`.`org_example_deck_IOS_REALTIME`",
            "-- new_users: preset firebase, new_users\n-- app = org.example.deck\n-- from = ", "@hours_begin",
        ] { #expect(run.output.contains(text), "\(run.output)") }
        let plan = try await program(["fetch", "--plan"], source)
        #expect(plan.status == 0, "\(plan.errors)")
        #expect(plan.output.contains("/projects/deck-1/queries ×3  active users"))
        #expect(
            plan.output.contains(
                "/datasets/firebase_crashlytics/tables/org_example_deck_IOS_REALTIME  the tables of the export"
            ))
    }

    /// What a night would read is known before it, with its cost; what would be refused is a problem.
    @Test(arguments: [("", 0), (", maximumBytes: 1000", 1)])
    func thePlanSaysWhatANightCosts(limit: String, status: Int32) async throws {
        let tokens = StubTokenServer { Int(Date().timeIntervalSince1970) }
        let server = try await LoopbackServer.start { request in
            if request.path == "/token" {
                return tokens.answer(request, address: "http://\(request.header("Host") ?? "")/token")
            }
            guard tokens.admits(request), request.text.contains(#""dryRun":true"#) else {
                return .json("{}", status: 403)
            }
            return .json(
                #"{"jobComplete":true,"schema":{"fields":[{"name":"day","type":"DATE"},{"name":"sessions","type":"INTEGER"}]},"totalBytesProcessed":"1300000000000"}"#
            )
        }
        let folder = try Folder()
        let account = StubAccount.shared.file(tokenAddress: server.origin + "/token")
        try folder.write("key.json", String(decoding: account, as: UTF8.self))
        try folder.write("queries/days.sql", "SELECT day")
        try folder.write(
            "plimsoll.yml",
            """
            asOf: 2026-11-20T06:00:00Z
            apps:
              - id: deck
                sources: [{provider: bigquery, project: deck-1, sql: queries, accountFile: key.json, \
            url: "\(server.origin)", price: 6.25 USD\(limit.isEmpty ? ", maximumBytes: 2000000000000" : limit)}]

            """)
        let run = try await Program.run("fetch", "--cost", in: folder)
        await server.stop()
        #expect(run.status == status, "\(run.output) \(run.errors)")
        #expect(
            run.output.contains(
                "deck from bigquery: what one fetch would read\n  days: 1.3 TB\n  total: 1.3 TB; 7.39 USD at 6.25 USD for 2^40 bytes"
            ), "\(run.output)")
        #expect(
            run.errors.contains("days would read 1.3 TB, more than 1 kB") == (status == 1), "\(run.errors)")
    }

    /// A dataset that may not be read any more is a failure in each night, not in the first one alone.
    @Test(arguments: ["firebase_sessions", "firebase_crashlytics"])
    func aRefusedDatasetFailsEveryNight(dataset: String) async throws {
        let isRefused = Mutex(false)
        let tokens = StubTokenServer { Int(Date().timeIntervalSince1970) }
        let server = try await LoopbackServer.start { request in
            func refusal(_ status: Int, _ reason: String) -> StubResponse {
                .json(
                    #"{"error":{"code":\#(status),"message":"no","errors":[{"message":"no","reason":"\#(reason)"}]}}"#,
                    status: status)
            }
            func page(_ column: String, _ count: Int) -> StubResponse {
                .json(
                    #"""
                    {"jobComplete":true,"jobReference":{"projectId":"deck-1","jobId":"j","location":"EU"},"schema":
                    {"fields":[{"name":"day","type":"DATE"},{"name":"\#(column)","type":"INTEGER"}]},
                    "rows":[{"f":[{"v":"2026-11-18"},{"v":"\#(count)"}]}],"totalRows":"1","totalBytesProcessed":"9"}
                    """#)
            }
            if request.path == "/token" {
                return tokens.answer(request, address: "http://\(request.header("Host") ?? "")/token")
            }
            guard tokens.admits(request) else { return refusal(401, "authError") }
            if request.path.contains("/tables/") {
                return isRefused.withLock { $0 } && request.path.contains(dataset)
                    ? refusal(403, "accessDenied") : .json(#"{"schema":{"fields":[]}}"#)
            }
            if request.text.contains("AS crashes") { return page("crashes", 3) }
            return request.text.contains("AS sessions") && !request.text.contains("release")
                ? page("sessions", 30) : refusal(400, "invalidQuery")
        }
        let folder = try Folder()
        let account = StubAccount.shared.file(tokenAddress: server.origin + "/token")
        try folder.write("key.json", String(decoding: account, as: UTF8.self))
        var nights: [Run] = []
        for day in 20...23 {
            isRefused.withLock { $0 = day == 21 || day == 22 }
            try folder.write(
                "plimsoll.yml",
                """
                asOf: 2026-11-\(day)T06:00:00Z
                apps:
                  - id: deck
                    sources: [{provider: bigquery, project: deck-1, preset: firebase, app: org.example.deck, \
                platform: ios, accountFile: key.json, url: "\(server.origin)"}]

                """)
            nights.append(try await Program.run("fetch", in: folder))
        }
        await server.stop()
        #expect(nights.map(\.status) == [0, 1, 1, 0], "\(nights.map(\.errors))")
        #expect(
            nights.map { $0.errors.contains("[transport.status-403]") } == [false, true, true, false],
            "\(nights.map(\.errors))")
    }

    @Test(
        .enabled(if: !ClickHouseServer.Engine.installed.isEmpty, "ClickHouse is not installed"),
        arguments: ClickHouseServer.Engine.installed)
    func showsWhatEachQueryAnswers(engine: ClickHouseServer.Engine) async throws {
        let server = try await ClickHouseServer.shared(engine)
        let fences = try ManualPage.named("providers/clickhouse").fences("sql").filter(\.isRun)
        let database = try server.database(
            "tried",
            (fences.first?.body ?? "")
                + """
                INSERT INTO sessions VALUES ('deck', '2026-11-18', '2026-11-18 09:00:00', 1, 7, '2.0', 1,
                '2026-11-18 09:00:00')
                """)
        let source = "{provider: clickhouse, url: \"\(server.origin)\", database: \(database)}"
        let run = try await check(source)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output.contains(
                "✓ days, 1 rows\n  day  sessions  crashed_sessions  users  crashed_users  unnamed_sessions\n  2026-11-18  1  1  1  1  0\n"
            ))
        let doctor = try await program(["doctor"], source)
        #expect(doctor.output.contains("✓ deck from clickhouse"), "\(doctor.output) \(doctor.errors)")
        try server.run("DROP TABLE crashes", in: database)
        let broken = try await check(source)
        #expect(broken.status == 1 && broken.output.contains("✗ issues") && broken.output.contains("✓ days"))
        #expect(broken.errors.contains("Code 60"))
    }
}
