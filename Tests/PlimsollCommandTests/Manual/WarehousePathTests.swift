import BigQueryEmulator
import ClickHouseServer
import Foundation
import GoogleStub
import LoopbackServer
import Testing

/// The numbered paths of the manual's pages on warehouses, followed word for word in an empty folder: every command is
/// typed as it is there, and of the configuration nothing is changed but where the service is.
struct WarehousePathTests {
    /// What a page says below one of its headings.
    private struct Path {
        let fences: [ManualFence]

        init(_ page: String, _ heading: String) throws {
            let page = try ManualPage.named(page)
            let lines = page.text.split(separator: "\n", omittingEmptySubsequences: false)
            let start = try #require(lines.firstIndex { $0 == "## \(heading)" }, "\(heading)")
            let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("## ") } ?? lines.endIndex
            fences = page.fences.filter { $0.line > start && $0.line <= end }
        }

        /// The statements that it has, in its order.
        func statements(where isWanted: (ManualFence) -> Bool) -> String {
            fences.filter { $0.language == "sql" && isWanted($0) }.map(\.body).joined(separator: "\n")
        }

        /// The folder of the report, as its first command names it.
        var report: String {
            let first = fences.first { $0.language == "sh" }?.body.split(separator: "\n").first
            return first?.split(separator: " ").last.map(String.init) ?? ""
        }

        /// The configuration that is to be written.
        var configuration: String { fences.first { $0.body.contains("\napps:") }?.body ?? "" }
    }

    /// Follows a path to its end: what each of its commands printed.
    private func follow(
        _ path: Path, in folder: Folder, files: [String: String] = [:],
        changed: [(from: String, to: String)], environment: [String: String] = [:]
    ) async throws -> [String] {
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/bin", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/bin/plimsoll", withDestinationPath: Program.path)
        let variables = [
            "PATH": "\(folder.path)/bin:/usr/bin:/bin", "HOME": folder.path, "TZ": "UTC",
        ].merging(environment) { $1 }
        var printed: [String] = []
        for fence in path.fences where fence.language == "sh" {
            for command in fence.body.split(separator: "\n") {
                let run = try await Program.run(
                    "/bin/sh", ["-euc", String(command)], in: folder.path, environment: variables)
                #expect(run.status == 0, "\(fence.line): \(command)\n\(run.printed)")
                printed.append(run.output)
                guard command.contains(" init ") else { continue }
                // The next step is to fill in the file that was written.
                var text = path.configuration
                for change in changed {
                    #expect(text.contains(change.from), "\(change.from)")
                    text = text.replacing(change.from, with: change.to)
                }
                try folder.write("\(path.report)/plimsoll.yml", text)
                for (name, file) in files { try folder.write("\(path.report)/\(name)", file) }
            }
        }
        return printed
    }

    /// The days of the report: sessions, crashed sessions and users of each.
    private func days(_ path: Path, in folder: Folder) throws -> [[Int]] {
        let data = Data(folder.text("\(path.report)/site/apps/sketchbook/data.json").utf8)
        let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let rows = (root["tables"] as? [String: Any])?["health"] as? [[String: Any]] ?? []
        return rows.compactMap { row in
            guard row["version"] == nil || row["version"] is NSNull, row["sessions"] is Int else {
                return nil
            }
            return ["sessions", "crashedSessions", "users"].map { row[$0] as? Int ?? -1 }
        }
    }

    /// Each command did what the page says of it: rows of each query, what a night reads.
    private func check(_ printed: [String], queries: Int) {
        let trials = printed.filter { $0.contains("✓ days") }
        #expect(trials.count == 1 && trials.allSatisfy { !$0.contains("✗") }, "\(trials)")
        #expect((trials.first?.components(separatedBy: "✓ ").count ?? 0) - 1 == queries, "\(trials)")
        #expect(printed.contains { $0.contains("what one fetch would read\n  days: ") }, "\(printed)")
    }
}

/// ClickHouse.
extension WarehousePathTests {
    private static let service = "https://clickhouse.example:8443"
    private static let password = ["CLICKHOUSE_PASSWORD": ClickHouseServer.reader.password]

    @Test(
        .enabled(if: !ClickHouseServer.Engine.installed.isEmpty, "ClickHouse is not installed"),
        arguments: ClickHouseServer.Engine.installed)
    func clickHouseWithOurSchema(engine: ClickHouseServer.Engine) async throws {
        let path = try Path("providers/clickhouse", "ClickHouse with our schema")
        let server = try await ClickHouseServer.shared(engine)
        _ = try server.database(
            "health", path.statements { $0.isRun } + ";" + path.statements { !$0.isRun })
        let folder = try Folder()
        let printed = try await follow(
            path, in: folder, changed: [(Self.service, server.origin)], environment: Self.password)
        check(printed, queries: 11)
        #expect(printed.contains { $0.contains(engine == .old ? "total: at most " : "total: about ") })
        let days = try days(path, in: folder)
        #expect(days.count == 7 && days.allSatisfy { $0[0] == 300 && $0[2] == 300 }, "\(days)")
        #expect(days.reduce(0) { $0 + $1[1] } == 24, "\(days)")
    }

    @Test(
        .enabled(if: !ClickHouseServer.Engine.installed.isEmpty, "ClickHouse is not installed"),
        arguments: ClickHouseServer.Engine.installed)
    func clickHouseWithTablesOfOnesOwn(engine: ClickHouseServer.Engine) async throws {
        let path = try Path("providers/clickhouse", "Your own tables")
        let server = try await ClickHouseServer.shared(engine)
        let rows = """
            INSERT INTO launches VALUES ('2026-11-18 22:59:59', 'a', 'x', '1.0', 'ios', 'production'),
            ('2026-11-18 23:00:00', 'b', 'x', '1.0', 'ios', 'production'),
            ('2026-11-18 23:10:00', 'c', NULL, '1.0', 'ios', 'production'),
            ('2026-11-18 23:10:00', 'd', 'y', '1.0', 'android', 'production'),
            ('2026-11-18 23:10:00', 'e', 'y', '1.0', 'ios', 'testing');
            INSERT INTO reports VALUES ('2026-11-19 00:01:00', 7, 'torn', 'x', 'b', '1.0', 'Torn', 'Deck.swift', 7, 1, 0)
            """
        _ = try server.database("telemetry", path.statements { !$0.isRun } + ";" + rows)
        let folder = try Folder()
        let printed = try await follow(
            path, in: folder,
            changed: [
                (Self.service, server.origin),
                ("title: App stability\n", "title: App stability\nasOf: 2026-11-20T06:00:00Z\n"),
            ], environment: Self.password)
        check(printed, queries: 10)
        #expect(printed[1].contains("-- days: "), "\(printed[1])")
        #expect(try days(path, in: folder) == [[1, 0, 1], [2, 1, 1]])
    }
}

/// BigQuery: an emulator behind a server of tokens, as the key file names it.
extension WarehousePathTests {
    /// Serves an emulator and tokens, and follows a path there.
    private func follow(
        _ path: Path, _ emulator: BigQueryEmulator, project: String, in folder: Folder
    ) async throws -> [String] {
        let tokens = StubTokenServer { Int(Date().timeIntervalSince1970) }
        let server = try await LoopbackServer.start { request in
            if request.path == "/token" {
                return tokens.answer(request, address: "http://\(request.header("Host") ?? "")/token")
            }
            guard tokens.admits(request) else { return .json(#"{"error":{"code":401}}"#, status: 401) }
            let answer = emulator.answer(
                request.method,
                request.target.replacing("/bigquery/v2", with: "").replacing("my-project", with: project),
                request.text.replacing("my-project", with: project))
            return .json(answer.body, status: answer.status)
        }
        let account = StubAccount.shared.file(tokenAddress: server.origin + "/token")
        let printed = try await follow(
            path, in: folder,
            files: ["service-account.json": String(decoding: account, as: UTF8.self)],
            changed: [
                (
                    "project: my-project\n",
                    "project: my-project\n        url: \(server.origin)/bigquery/v2\n"
                ), ("title: App stability\n", "title: App stability\nasOf: 2026-11-20T06:00:00Z\n"),
            ])
        await server.stop()
        return printed
    }

    @Test(.enabled(if: BigQueryEmulator.isInstalled, "\(BigQueryEmulator.reason)"))
    func firebaseInBigQuery() async throws {
        let path = try Path("providers/bigquery", "Firebase in BigQuery in ten minutes")
        let emulator = try await BigQueryEmulator.shared.value
        let table = "org_example_sketchbook_ANDROID"
        try emulator.firebase("path-firebase", app: table)
        try emulator.insert(
            [("1", "7"), ("2", "7"), ("3", "8")].map {
                BigQueryEmulator.session($0, user: $1, release: "2.0", at: "2026-11-18 09:00:00 UTC")
            }, into: table, in: "firebase_sessions", of: "path-firebase")
        try emulator.insert(
            [
                BigQueryEmulator.crash(
                    "a", issue: "i-1", user: "x7", session: "1", release: "2.0", at: "2026-11-18 09:10:00 UTC"
                )
            ], into: table + "_REALTIME", in: "firebase_crashlytics", of: "path-firebase")
        let folder = try Folder()
        let printed = try await follow(path, emulator, project: "path-firebase", in: folder)
        check(printed, queries: 10)
        #expect(try days(path, in: folder) == [[3, 1, 2]])
    }

    @Test(.enabled(if: BigQueryEmulator.isInstalled, "\(BigQueryEmulator.reason)"))
    func bigQueryWithTablesOfOnesOwn() async throws {
        let path = try Path("providers/bigquery", "Your own tables")
        let emulator = try await BigQueryEmulator.shared.value
        typealias Column = BigQueryEmulator.Column
        let (project, dataset) = ("path-own", "telemetry")
        func texts(_ names: [String]) -> [Column] { names.map { Column($0, "STRING") } }
        let app = Column("app", "RECORD", [Column("version", "STRING")])
        try emulator.dataset(dataset, in: project)
        try emulator.table(
            "launches",
            [Column("launched_at", "TIMESTAMP"), app]
                + texts(["launch_id", "installation", "platform", "environment"]), in: dataset, of: project)
        try emulator.table(
            "reports",
            [
                Column("reported_at", "TIMESTAMP"), app, Column("source_line", "INT64"),
                Column("is_fatal", "BOOL"), Column("is_anr", "BOOL"),
            ]
                + texts([
                    "report_id", "fingerprint", "installation", "launch_id", "headline", "source_file",
                ]), in: dataset, of: project)
        try emulator.insert(
            [
                ("22:59:59", "a", "production"), ("23:00:00", "b", "production"),
                ("23:10:00", "c", "testing"),
            ].map { time, id, environment in
                """
                {"launched_at":"2026-11-18 \(time) UTC","launch_id":"\(id)","installation":"x","platform":"ios",\
                "environment":"\(environment)","app":{"version":"1.0"}}
                """
            }, into: "launches", in: dataset, of: project)
        try emulator.insert(
            [
                """
                {"reported_at":"2026-11-19 00:01:00 UTC","report_id":"r","fingerprint":"torn","installation":"x",\
                "launch_id":"b","headline":"Torn","source_file":"Deck.swift","source_line":7,"is_fatal":true,\
                "is_anr":false,"app":{"version":"1.0"}}
                """
            ], into: "reports", in: dataset, of: project)
        let folder = try Folder()
        let printed = try await follow(path, emulator, project: project, in: folder)
        check(printed, queries: 10)
        #expect(try days(path, in: folder) == [[1, 0, 1], [1, 1, 1]])
    }
}
