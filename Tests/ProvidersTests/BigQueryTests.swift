import AppHealth
import BigQueryEmulator
import Diagnostics
import Foundation
import GoogleStub
import LoopbackServer
import Settings
import Testing
import Transport

@testable import Providers

/// The queries in an emulator of the service.
@Suite(.enabled(if: BigQueryEmulator.isInstalled, "bqemulator is not installed"), .serialized)
struct BigQueryTests {
    private static let table = "org_example_deck_ANDROID"
    private static let preset: [String: SourceSetup.Value] = [
        "preset": .text("firebase"), "app": .text("org.example.deck"), "platform": .text("android"),
    ]

    /// An export with rows that are in both tables and others that are in one.
    private func export(_ project: String) async throws -> BigQueryEmulator {
        let emulator = try await BigQueryEmulator.shared.value
        try emulator.firebase(project, app: Self.table)
        typealias Row = BigQueryEmulator
        let sessions = [
            Row.session("1", user: "7", release: "2.0", at: "2026-11-18 09:00:00 UTC"),
            Row.session("2", user: "7", release: "2.1", at: "2026-11-18 23:30:00 UTC"),
            Row.session("3", user: "8", release: "2.1", at: "2026-11-18 12:00:00 UTC"),
            Row.session("4", user: nil, release: "2.1", at: "2026-11-19 12:00:00 UTC"),
        ]
        let crashes = [
            Row.crash(
                "a", issue: "i-1", user: "x7", session: "1", release: "2.0", symbol: "It's a <b>fault</b>",
                at: "2026-11-18 09:10:00 UTC"),
            Row.crash(
                "b", issue: "i-1", user: nil, session: "4", release: "2.1", symbol: "It's a <b>fault</b>",
                at: "2026-11-19 22:10:00 UTC"),
            Row.crash(
                "c", kind: "ANR", issue: "i-2", user: "x9", session: "3", release: "2.1", symbol: "Slow",
                file: nil, at: "2026-11-19 22:11:00 UTC"),
        ]
        for (rows, table) in [
            (Array(sessions.prefix(3)), Self.table), (Array(sessions.suffix(3)), Self.table + "_REALTIME"),
        ] {
            try emulator.insert(rows, into: table, in: "firebase_sessions", of: project)
        }
        for (rows, table) in [
            (Array(crashes.prefix(2)), Self.table), (Array(crashes.suffix(2)), Self.table + "_REALTIME"),
        ] {
            try emulator.insert(rows, into: table, in: "firebase_crashlytics", of: project)
        }
        return emulator
    }

    /// The emulator behind a server of tokens; pages are short.
    private func with<Result>(
        _ emulator: BigQueryEmulator, _ project: String, _ values: [String: SourceSetup.Value],
        _ body: (BigQueryProvider, StubGoogle) async throws -> Result
    ) async throws -> Result {
        let stub = try await StubGoogle.start({ request in
            let answer = emulator.answer(request.method, request.target, request.text)
            return .json(answer.body, status: answer.status)
        }) { _ in nil }
        let account = StubAccount.shared.file(tokenAddress: stub.server.origin + "/token")
        let usual: [String: SourceSetup.Value] = [
            "project": .text(project), "url": .text(stub.server.origin),
            "account": .secret(SecretBytes(account, from: "The test")),
        ]
        var configuration = try BigQueryConfiguration(
            SourceSetup(
                id: Slug(anyText: "bigquery"), values: usual.merging(values) { $1 }, sender: client(),
                shared: SharedResources(), kept: nil, timeoutMilliseconds: 60_000))
        configuration.rowsOfPage = 2
        let provider = BigQueryProvider(
            configuration, sender: client(), now: { runTime.secondsSinceEpoch })
        let result = try await body(provider, stub)
        await stub.server.stop()
        return result
    }

    private func days(_ snapshot: Snapshot) -> [String] {
        snapshot.health.map { day in
            let counts = [day.sessions, day.crashedSessions, day.users, day.crashedUsers, day.crashes]
            return "\(day.date) \(day.version ?? "all"): "
                + counts.map { $0.map(String.init) ?? "–" }.joined(separator: " ")
        }
    }

    /// Events and users of an issue are of days that are over, as its days are.
    @Test func countsOfIssuesEndWithYesterday() async throws {
        let emulator = try await export("today")
        let outbreak = (1...4).map { number in
            BigQueryEmulator.crash(
                "o\(number)", issue: "i-1", user: "y\(number)", session: "4", release: "2.1",
                at: "2026-11-20 05:0\(number):00 UTC")
        }
        try emulator.insert(outbreak, into: Self.table, in: "firebase_crashlytics", of: "today")
        let outcome = try await with(emulator, "today", Self.preset) { provider, stub in
            await stub.fetch(provider)
        }
        let snapshot = try #require(outcome.snapshots.first)
        let issue = try #require(snapshot.issues.first { $0.id == "i-1" })
        #expect(issue.events == 2 && issue.users == 1)
        #expect(issue.lastSeen?.description == "2026-11-20T05:04:00Z")
    }

    @Test func everyNumberOfAnExport() async throws {
        let emulator = try await export("export")
        let outcome = try await with(emulator, "export", Self.preset) { provider, stub in
            await stub.fetch(provider)
        }
        #expect(outcome.diagnostics.map(\.everything) == [])
        let snapshot = try #require(outcome.snapshots.first)
        #expect(
            days(snapshot) == [
                "2026-11-18 all: 3 1 2 1 1", "2026-11-19 all: 1 1 – – 1", "2026-11-18 2.0: 1 1 1 1 –",
                "2026-11-18 2.1: 2 0 2 0 –", "2026-11-19 2.1: 1 1 – – –",
            ])
        #expect(
            snapshot.releases.map { "\($0.version) \($0.releasedAt?.description ?? "–")" } == [
                "2.0 –", "2.1 –",
            ])
        #expect(snapshot.issues.map(\.id) == ["i-1", "i-2"])
        let issue = try #require(snapshot.issues.first)
        #expect(issue.title == "It's a <b>fault</b>" && issue.kind == .crash && issue.place?.line == 7)
        #expect(issue.firstSeen == nil && issue.lastSeen?.description == "2026-11-19T22:10:00Z")
        #expect(issue.lastVersion == Version("2.1") && issue.events == 2 && issue.users == 1)
        let second = try #require(snapshot.issues.last)
        #expect(second.kind == .hang && second.place == nil)
        #expect(second.firstSeen?.description == "2026-11-19T22:11:00Z")
        #expect(
            snapshot.issueDays.map {
                "\($0.issue) \($0.date) \($0.version ?? "all") \($0.events ?? -1) \($0.users ?? -1)"
            }
                == [
                    "i-1 2026-11-18 all 1 1", "i-1 2026-11-19 all 1 -1", "i-2 2026-11-19 all 1 1",
                    "i-1 2026-11-18 2.0 1 1", "i-1 2026-11-19 2.1 1 -1", "i-2 2026-11-19 2.1 1 1",
                ])
        #expect(
            snapshot.usage.map { [$0.activeUsers, $0.weeklyActiveUsers, $0.sessions] } == [
                [2, nil, 3], [nil, nil, 1],
            ])
        #expect(snapshot.issues.map(\.namedShare) == [0.5, nil])
        #expect(snapshot.health.map(\.namedShare) == [nil, 0, nil, nil, 0])
        #expect(
            snapshot.healthHours.map { "\($0.hour) \($0.sessions ?? -1) \($0.crashedSessions ?? -1)" } == [
                "2026-11-18T09:00:00Z 1 1", "2026-11-18T12:00:00Z 1 0", "2026-11-18T23:00:00Z 1 0",
                "2026-11-19T12:00:00Z 1 1",
            ])
        for fact in [
            CoveredFact.sessions, .crashes, .releaseHealth, .issueDays, .issueReleases,
        ] {
            #expect(spans(snapshot, fact) == ["2026-11-18…2026-11-19 complete"], "\(fact)")
        }
        // On the second day no session names a user, and one of two issues.
        #expect(spans(snapshot, .users) == ["2026-11-18…2026-11-18 complete"])
        #expect(
            spans(snapshot, .issueUsers) == [
                "2026-11-18…2026-11-18 complete", "2026-11-19…2026-11-19 partial 1/2",
            ])
    }

    @Test func eachQueryIsTriedForTenRows() async throws {
        let emulator = try await export("trial")
        let (trials, statements) = try await with(emulator, "trial", Self.preset) { provider, _ in
            (
                await provider.trials(of: app("deck"), at: runTime),
                provider.statements(for: app("deck"), at: runTime)
            )
        }
        let expected = WarehouseQuery.allCases.filter { $0 != .newUsers }.map(\.rawValue)
        #expect(trials.map(\.name) == expected)
        #expect(
            try trials.first?.rows.get() == [
                ["day", "sessions", "crashed_sessions", "users", "crashed_users", "unnamed_sessions"],
                ["2026-11-18", "3", "1", "2", "1", "0"],
                ["2026-11-19", "1", "1", "null", "null", "1"],
            ])
        for trial in trials { #expect(try trial.rows.get().count > 1, "\(trial.name)") }
        #expect(statements.map(\.name) == expected)
        #expect(
            statements.first?.parameters == [
                "begin": "2026-08-22 00:00:00+00:00", "end": "2026-11-20 00:00:00+00:00",
            ])
    }

    @Test func tablesOfOnesOwnAreMapped() async throws {
        let emulator = try await BigQueryEmulator.shared.value
        typealias Column = BigQueryEmulator.Column
        try emulator.dataset("own", in: "own")
        try emulator.table(
            "launches",
            [
                Column("launched_at", "TIMESTAMP"), Column("id", "STRING"), Column("who", "STRING"),
                Column("v", "STRING"), Column("kind", "STRING"),
            ], in: "own", of: "own")
        try emulator.insert(
            [
                ("22:59:59", "a", "\"x\"", "\"1\"", "ios"), ("23:00:00", "b", "\"x\"", "\"1\"", "ios"),
                ("23:05:00", "b", "null", "\"1\"", "ios"),
                ("23:10:00", "c", "null", "null", "ios"), ("23:10:00", "d", "\"y\"", "\"1\"", "android"),
            ].map { time, id, who, version, kind in
                """
                {"launched_at":"2026-11-18 \(time) UTC","id":"\(id)","who":\(who),"v":\(version),"kind":"\(kind)"}
                """
            }, into: "launches", in: "own", of: "own")
        try emulator.table(
            "reports",
            [
                Column("t", "TIMESTAMP"), Column("id", "STRING"), Column("finger", "INT64"),
                Column("launch", "STRING"), Column("fatal", "BOOL"),
            ], in: "own", of: "own")
        try emulator.insert(
            [("00:01:00", "r", "b", true), ("00:02:00", "s", "c", false)].map { time, id, launch, fatal in
                """
                {"t":"2026-11-19 \(time) UTC","id":"\(id)","finger":9223372036854775807,"launch":"\(launch)",\
                "fatal":\(fatal)}
                """
            }, into: "reports", in: "own", of: "own")
        let values: [String: SourceSetup.Value] = [
            "zone": .text("Europe/Berlin"),
            "sessions": .names([
                "table": "own.launches", "time": "launched_at", "session": "id", "user": "who",
                "release": "v", "where": "kind = 'ios' -- only",
            ]),
            "crashes": .names([
                "table": "own.own.reports", "time": "t", "event": "id", "issue": "finger",
                "session": "launch",
                "fatal": "fatal",
            ]),
        ]
        let outcome = try await with(emulator, "own", values) { provider, stub in await stub.fetch(provider) }
        #expect(outcome.diagnostics.map(\.everything) == [])
        let snapshot = try #require(outcome.snapshots.first)
        #expect(
            days(snapshot) == [
                "2026-11-18 all: 1 0 1 0 0", "2026-11-19 all: 2 1 1 1 1", "2026-11-18 1: 1 0 1 0 –",
                "2026-11-19 1: 1 1 1 1 –",
            ])
        // On the second day one of two sessions names a user.
        #expect(snapshot.health.map(\.namedShare) == [nil, 0.5, nil, nil])
        #expect(snapshot.issues.map(\.id) == ["9223372036854775807"])
        #expect(snapshot.source.zone == "Europe/Berlin" && snapshot.source.datesReleasesByDay)
    }

    /// Every query of one's own is a file, and what is wrong with it is said with its place.
    @Test(arguments: [
        ("SELECT DATE '2026-11-18' AS day, 3 AS sessions", []),
        ("SELECT @from AS day, @issues AS sessions", []),
        (
            "SELECT DATE '2026-11-18' AS day, '3' AS sessions",
            [
                "Column 'sessions' is of another type", "expected a whole number, found STRING",
                "queries/days.sql",
            ]
        ),
        (
            "SELECT DATE '2026-11-18' AS day, 3 AS sesions",
            ["Column 'sessions' is missing", "name 'sesions' AS sessions", "queries/days.sql"]
        ),
        (
            "SELECT DATE '2026-11-18' AS day, 3 AS sessions, 1 AS crashed_sesions",
            ["Unknown column 'crashed_sesions'", "did you mean 'crashed_sessions'?"]
        ),
        ("SELECT @fron AS day, 1 AS sessions", ["Unknown parameter 'fron'", "did you mean 'from'?"]),
        ("SELECT 1; DROP TABLE x", ["More than one statement", "queries/days.sql"]),
        ("SELECT 'open AS day", ["A quote does not end"]),
        ("DROP TABLE x", ["The text is no query"]),
        ("SELECT nothing FROM nowhere.none", ["bigquery"]),
        ("SELECT DATE '2026-11-18' AS day, 0.5 AS sessions", ["another type"]),
        ("SELECT @app AS day, 1 AS sessions", ["found STRING"]),
    ])
    func queriesOfOnesOwn(text: String, expected: [String]) async throws {
        let emulator = try await BigQueryEmulator.shared.value
        try await withTemporaryDirectory { folder in
            try text.write(toFile: "\(folder)/days.sql", atomically: true, encoding: .utf8)
            let outcome = try await with(emulator, "sql", ["sql": .path(folder, shownAs: "queries")]) {
                provider, stub in await stub.fetch(provider)
            }
            let words = outcome.diagnostics.map(\.everything).joined(separator: "\n")
            #expect(words.isEmpty == expected.isEmpty, "\(words)")
            for part in expected { #expect(words.contains(part), "\(words)") }
        }
    }
}
