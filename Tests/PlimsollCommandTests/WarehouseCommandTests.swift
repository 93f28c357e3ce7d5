import ClickHouseServer
import Foundation
import GoogleStub
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

    @Test(.enabled(if: ClickHouseServer.isInstalled, "ClickHouse is not installed"))
    func showsWhatEachQueryAnswers() async throws {
        let server = try await ClickHouseServer.shared.value
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
                "✓ days, 1 rows\n  day  sessions  crashed_sessions  users  crashed_users\n  2026-11-18  1  1  1  1\n"
            ))
        let doctor = try await program(["doctor"], source)
        #expect(doctor.output.contains("✓ deck from clickhouse"), "\(doctor.output) \(doctor.errors)")
        try server.run("DROP TABLE crashes", in: database)
        let broken = try await check(source)
        #expect(broken.status == 1 && broken.output.contains("✗ issues") && broken.output.contains("✓ days"))
        #expect(broken.errors.contains("Code 60"))
    }
}
