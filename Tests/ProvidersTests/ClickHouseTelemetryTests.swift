import AppHealth
import ClickHouseServer
import Diagnostics
import Foundation
import Settings
import Testing
import Transport

@testable import Providers

/// The table of logs of OpenTelemetry's exporter. A server of 2018 has no maps, so a current engine reads it.
struct ClickHouseTelemetryTests {
    private func configuration(
        _ origin: String = "http://127.0.0.1:9", _ values: [String: SourceSetup.Value] = [:]
    ) throws -> ClickHouseConfiguration {
        let usual: [String: SourceSetup.Value] = [
            "url": .text(origin), "preset": .text("opentelemetry"),
            "user": .text(ClickHouseServer.reader.name),
            "password": .secret(SecretBytes(Array(ClickHouseServer.reader.password.utf8), from: "The test")),
        ]
        return try ClickHouseConfiguration(
            SourceSetup(
                id: Slug(anyText: "clickhouse"), values: usual.merging(values) { $1 }, sender: client(),
                shared: SharedResources(), kept: nil, timeoutMilliseconds: 60_000))
    }

    // MARK: Texts

    @Test(arguments: [
        (true, true, ["EventName IN ('session.start')", "TimestampTime >= toDateTime("]),
        (false, true, ["LogAttributes['event.name'] IN ('session.start')"]),
        (true, false, ["toDateTime(Timestamp) >= toDateTime("]),
    ])
    func eachVersionOfTheTableHasItsQueries(event: Bool, second: Bool, parts: [String]) throws {
        let columns = ClickHouseTelemetry.Columns(hasEventName: event, hasTimestampTime: second)
        let queries = try configuration().queries(columns)
        // Nothing says which users are new.
        #expect(Set(queries.keys) == Set(WarehouseQuery.allCases).subtracting([.newUsers]))
        let text = try #require(queries[.days]).text
        for part in parts + ["ServiceName = {app:String}", "'app.crash', 'device.crash'"] {
            #expect(text.contains(part), "\(text)")
        }
        #expect(text.contains("EventName") == event)
        for (query, file) in queries {
            #expect(throws: Never.self, "\(query)") { try ClickHouseText(file.text) }
            #expect(file.text.contains("TimestampTime") == second, "\(query)")
            // Hours reach further back than few days.
            let parts = file.text.components(separatedBy: "IN (SELECT LogAttributes['session.id'] FROM")
            #expect(
                parts.dropFirst().allSatisfy { $0.contains("least({begin:UInt32}, {hours_begin:UInt32})") })
        }
    }

    @Test(arguments: [
        ("otel_logs", "database = currentDatabase() AND table = 'otel_logs'"),
        ("otel.app logs", "database = 'otel' AND table = 'app logs'"),
        (#"o'\x"#, #"table = 'o\'\\x'"#),
    ])
    func theQuestionNamesTheTable(table: String, expected: String) {
        #expect(ClickHouseTelemetry.question(of: table).contains(expected))
    }

    @Test func anotherPresetOrTablesOfOnesOwnAreNoPart() throws {
        #expect(throws: Diagnostic.self) {
            try configuration(
                "http://127.0.0.1:9",
                ["sessions": .names(["table": "a", "time": "b", "session": "c", "crashed": "d"])])
        }
        #expect(
            try configuration().capabilities == [
                .sessions, .users, .releaseHealth, .releases, .issues, .issueDays, .hours, .usage,
            ])
    }

    // MARK: Counts

    /// Seconds of a time on the 18th.
    private static func seconds(_ hour: Int, _ minute: Int = 0) -> Int {
        Instant(startOf: CivilDate(daysSinceEpoch: 20_775)).secondsSinceEpoch + hour * 3600 + minute * 60
    }

    /// Three sessions of two installations; one crashed, and the next version of the app sent it, twice. Another one did
    /// not answer.
    private static func rows(_ table: TelemetryTable) -> [String] {
        func session(_ id: String, _ user: String?, _ version: String, _ at: Int) -> String {
            let installation = user.map { ["app.installation.id": $0] } ?? [:]
            return table.row(
                "session.start", ["session.id": id],
                resource: ["service.version": version].merging(installation) { $1 }, service: "deck", at: at)
        }
        let crash = table.row(
            "app.crash",
            [
                "session.id": "a", "service.version": "2.0", "app.installation.id": "x",
                "exception.type": "It's a <b>fault</b>", "exception.stacktrace": "at draw(Deck.kt:7)",
            ], resource: ["service.version": "2.1", "app.installation.id": "y"], service: "deck",
            at: seconds(9, 10))
        return [
            session("a", "x", "2.0", seconds(9)), session("a", "x", "2.0", seconds(9)),
            session("b", "x", "2.1", seconds(23)), session("c", nil, "2.1", seconds(12)),
            session("d", nil, "2.1", seconds(24 + 12)), crash, crash,
            table.row(
                "device.anr", ["session.id": "b", "exception.stacktrace": "at wait"],
                resource: ["service.version": "2.1", "user.id": "z"], service: "deck", at: seconds(23, 30)),
            table.row("session.end", ["session.id": "a"], resource: [:], service: "deck", at: seconds(10)),
            table.row("", ["exception.type": "Handled"], resource: [:], service: "deck", at: seconds(10)),
            table.row("session.start", ["session.id": "e"], resource: [:], service: "other", at: seconds(10)),
            table.row(
                "device.crash", ["session.id": "e", "app.crash.id": "1"], resource: [:], service: "other",
                at: seconds(10)),
        ]
    }

    private func fetch(
        _ database: String, _ table: TelemetryTable, _ rows: [String],
        _ values: [String: SourceSetup.Value] = [:]
    ) async throws -> FetchOutcome {
        let server = try await ClickHouseServer.shared(.current)
        _ = try server.database(database, table.statement)
        if !rows.isEmpty {
            try server.run(table.insertion + rows.joined(separator: "\n") + "\n", in: database)
        }
        let usual: [String: SourceSetup.Value] = ["database": .text(database)]
        let configuration = try configuration(server.origin, usual.merging(values) { $1 })
        return try await ClickHouseProvider(configuration, sender: client()).fetch(app("deck"), at: runTime)
    }

    private func days(_ snapshot: Snapshot) -> [String] {
        snapshot.health.map { day in
            let counts = [day.sessions, day.crashedSessions, day.users, day.crashedUsers, day.crashes]
            return "\(day.date) \(day.version ?? "all"): "
                + counts.map { $0.map(String.init) ?? "–" }.joined(separator: " ")
        }
    }

    @Test(
        .enabled(
            if: ClickHouseServer.Engine.current.isInstalled, "\(ClickHouseServer.Engine.current.reason)"),
        arguments: [
            TelemetryTable(), TelemetryTable(hasEventName: false), TelemetryTable(hasTimestampTime: false),
        ])
    func everyNumberOfTheEvents(table: TelemetryTable) async throws {
        let database = "telemetry_\(table.hasEventName)_\(table.hasTimestampTime)"
        let outcome = try await fetch(database, table, Self.rows(table))
        #expect(outcome.diagnostics.map(\.everything) == [])
        let snapshot = try #require(outcome.snapshots.first)
        #expect(
            days(snapshot) == [
                "2026-11-18 all: 3 1 1 1 1", "2026-11-19 all: 1 0 – 0 0", "2026-11-18 2.0: 1 1 1 1 –",
                "2026-11-18 2.1: 2 0 1 0 –", "2026-11-19 2.1: 1 0 – 0 –",
            ])
        #expect(snapshot.issues.map(\.id) == ["It's a <b>fault</b>", "device.anr"])
        #expect(snapshot.issues.map(\.kind) == [.crash, .hang])
        #expect(snapshot.issues.map(\.events) == [1, 1] && snapshot.issues.map(\.users) == [1, 1])
        #expect(snapshot.issues.first?.firstSeen == nil && snapshot.issues.first?.place == nil)
        #expect(
            snapshot.issueDays.map { "\($0.issue) \($0.version ?? "all") \($0.events ?? -1)" } == [
                "It's a <b>fault</b> all 1", "device.anr all 1", "It's a <b>fault</b> 2.0 1",
                "device.anr 2.1 1",
            ])
        #expect(snapshot.usage.map(\.activeUsers) == [1, nil])
        #expect(snapshot.usage.allSatisfy { $0.newUsers == nil })
        #expect(snapshot.source.sessionDefinition.contains("session.start"))
        #expect(outcome.requests == 12)
    }

    /// Hours reach further back than few days: their crashes are looked for as far.
    @Test(
        .enabled(if: ClickHouseServer.Engine.current.isInstalled, "\(ClickHouseServer.Engine.current.reason)")
    )
    func crashesOfTheOldestHoursAreFound() async throws {
        let table = TelemetryTable()
        let outcome = try await fetch(
            "telemetry_hours", table, Self.rows(table), ["days": .text("1"), "history": .text("1")])
        let hour = try #require(outcome.snapshots.first).healthHours.first
        #expect(hour?.hour.start.secondsSinceEpoch == Self.seconds(9))
        #expect(hour?.sessions == 1 && hour?.crashedSessions == 1)
    }

    /// What the events do not say is unknown, and not none.
    @Test(
        .enabled(if: ClickHouseServer.Engine.current.isInstalled, "\(ClickHouseServer.Engine.current.reason)")
    )
    func whatEventsDoNotSayIsUnknown() async throws {
        let table = TelemetryTable()
        let rows = [
            table.row(
                "session.start", ["session.id": "a"], resource: [:], service: "deck", at: Self.seconds(9)),
            table.row("app.crash", [:], resource: [:], service: "deck", at: Self.seconds(10)),
        ]
        let outcome = try await fetch("telemetry_poor", table, rows)
        #expect(outcome.diagnostics.map(\.everything) == [])
        let snapshot = try #require(outcome.snapshots.first)
        // Neither the session of the crash is known nor a user.
        #expect(days(snapshot) == ["2026-11-18 all: 1 – – – 1"])
        #expect(snapshot.issues.map(\.id) == ["app.crash"] && snapshot.issues.first?.users == nil)
        #expect(snapshot.usage.isEmpty)
        for fact in [CoveredFact.sessions, .users, .issueUsers, .usage] {
            #expect(spans(snapshot, fact).isEmpty, "\(fact)")
        }
        #expect(spans(snapshot, .crashes) == ["2026-11-18…2026-11-18 complete"])
    }

    @Test(
        .enabled(
            if: ClickHouseServer.Engine.current.isInstalled, "\(ClickHouseServer.Engine.current.reason)"),
        arguments: [
            ("other_logs", "No table of logs with the name 'other_logs'"),
            ("plain", "of type String, not Map"),
        ])
    func aTableThatIsNoneIsNamed(table: String, expected: String) async throws {
        let server = try await ClickHouseServer.shared(.current)
        let database = try server.database(
            "telemetry_none_\(table)", "CREATE TABLE plain (LogAttributes String) ENGINE = Memory")
        let configuration = try configuration(
            server.origin, ["database": .text(database), "table": .text(table)])
        let outcome = try await ClickHouseProvider(configuration, sender: client()).fetch(
            app("deck"), at: runTime)
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.diagnostics.contains { $0.everything.contains(expected) }, "\(outcome.diagnostics)")
    }

    /// A server without maps has no such table.
    @Test(.enabled(if: ClickHouseServer.Engine.old.isInstalled, "\(ClickHouseServer.Engine.old.reason)"))
    func anOldServerHasNoSuchTable() async throws {
        let server = try await ClickHouseServer.shared(.old)
        let outcome = try await ClickHouseProvider(configuration(server.origin), sender: client()).fetch(
            app("deck"), at: runTime)
        #expect(outcome.diagnostics.contains { $0.everything.contains("No table of logs") })
    }
}
