import AppHealth
import ClickHouseServer
import Diagnostics
import Foundation
import Settings
import Testing
import Transport

@testable import Providers

/// What an old server and the current engine count comes out of the provider.
@Suite(
    .enabled(
        if: !ClickHouseServer.Engine.installed.isEmpty,
        "\(ClickHouseServer.Engine.allCases.map(\.reason).joined(separator: "; "))"))
struct ClickHouseTests {
    /// The statements of the manual.
    private static func manual() throws -> [String] {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Content/manual/providers/clickhouse.md").standardizedFileURL
        let text = try String(contentsOf: path, encoding: .utf8)
        return text.matches(of: /(?ms)^```sql\n(.*?)^```$/).map { String($0.1) }
    }

    /// Two whole days: on the first three sessions, one of them crashed and written twice; on the second one, without a
    /// user; and of another app one more.
    private static let rows = """
        INSERT INTO sessions VALUES \
        ('deck', '2026-11-18', '2026-11-18 09:00:00', 1, 7, '2.0', 0, '2026-11-18 09:00:00'), \
        ('deck', '2026-11-18', '2026-11-18 09:00:00', 1, 7, '2.0', 1, '2026-11-18 10:00:00'), \
        ('deck', '2026-11-18', '2026-11-18 23:30:00', 2, 7, '2.1', 0, '2026-11-18 10:00:00'), \
        ('deck', '2026-11-18', '2026-11-18 12:00:00', 3, 8, '2.1', 0, '2026-11-18 10:00:00'), \
        ('deck', '2026-11-19', '2026-11-19 12:00:00', 4, 0, '2.1', 0, '2026-11-19 12:00:00'), \
        ('other', '2026-11-19', '2026-11-19 12:00:00', 5, 9, '2.1', 1, '2026-11-19 12:00:00');
        INSERT INTO crashes VALUES \
        ('deck', '2026-11-18', '2026-11-18 09:10:00', '61f0c404-5cb3-11e7-907b-a6006ad3dba0', 'i-1', 'fatal', '2.0', \
        7, 1, 'It''s a <b>fault</b>', 'src/Deck.swift', 7, '2026-11-18 10:00:00'), \
        ('deck', '2026-11-19', '2026-11-19 22:10:00', '61f0c404-5cb3-11e7-907b-a6006ad3dba1', 'i-1', 'fatal', '2.1', \
        0, 4, 'It''s a <b>fault</b>', 'src/Deck.swift', 7, '2026-11-19 10:00:00'), \
        ('deck', '2026-11-19', '2026-11-19 22:11:00', '61f0c404-5cb3-11e7-907b-a6006ad3dba2', 'i-2', 'hang', '2.1', \
        9, 4, 'Slow', '', 0, '2026-11-19 10:00:00')
        """

    private func setup(
        _ server: ClickHouseServer, _ database: String, _ values: [String: SourceSetup.Value]
    ) -> SourceSetup {
        let usual: [String: SourceSetup.Value] = [
            "url": .text(server.origin), "database": .text(database),
            "user": .text(ClickHouseServer.reader.name),
            "password": .secret(SecretBytes(Array(ClickHouseServer.reader.password.utf8), from: "The test")),
        ]
        return SourceSetup(
            id: Slug(anyText: "clickhouse"), values: usual.merging(values) { $1 }, sender: client(),
            shared: SharedResources(), kept: nil, timeoutMilliseconds: 60_000)
    }

    private func fetch(
        _ server: ClickHouseServer, _ database: String, _ name: String = "deck",
        _ values: [String: SourceSetup.Value] = ["preset": .text("plimsoll")]
    ) async throws -> FetchOutcome {
        let provider = try ClickHouseProvider(
            ClickHouseConfiguration(setup(server, database, values)), sender: client())
        let outcome = await provider.fetch(app(name), at: runTime)
        #expect(
            outcome.diagnostics.allSatisfy { !$0.everything.contains(ClickHouseServer.reader.password) })
        return outcome
    }

    private func days(_ snapshot: Snapshot) -> [String] {
        snapshot.health.map { day in
            let counts = [day.sessions, day.crashedSessions, day.users, day.crashedUsers, day.crashes]
            return "\(day.date) \(day.version ?? "all"): "
                + counts.map { $0.map(String.init) ?? "–" }.joined(separator: " ")
        }
    }

    @Test(arguments: ClickHouseServer.Engine.installed)
    func everyNumberOfTheSchemaOfTheManual(engine: ClickHouseServer.Engine) async throws {
        let server = try await ClickHouseServer.shared(engine)
        let database = try server.database("schema", try #require(Self.manual().first) + ";" + Self.rows)
        let outcome = try await fetch(server, database)
        #expect(outcome.diagnostics.map(\.everything) == [])
        let snapshot = try #require(outcome.snapshots.first)
        #expect(
            days(snapshot) == [
                "2026-11-18 all: 3 1 2 1 1", "2026-11-19 all: 1 0 – 0 1", "2026-11-18 2.0: 1 1 1 1 –",
                "2026-11-18 2.1: 2 0 2 0 –", "2026-11-19 2.1: 1 0 – 0 –",
            ])
        #expect(
            snapshot.releases.map { "\($0.version) \($0.releasedAt?.description ?? "–")" } == [
                "2.0 –", "2.1 –",
            ])
        #expect(snapshot.issues.map(\.id) == ["i-1", "i-2"])
        let issue = try #require(snapshot.issues.first)
        #expect(issue.title == "It's a <b>fault</b>" && issue.kind == .crash && issue.place?.line == 7)
        // It was there on the first day of all data, the other one was not.
        #expect(issue.firstSeen == nil)
        #expect(snapshot.issues.last?.firstSeen?.description == "2026-11-19T22:11:00Z")
        #expect(issue.lastSeen?.description == "2026-11-19T22:10:00Z")
        #expect(issue.lastVersion == Version("2.1") && issue.events == 2 && issue.users == 1)
        #expect(snapshot.issues.last?.kind == .hang && snapshot.issues.last?.place == nil)
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
        // One of two events of the issue names no user, and no session of the second day does.
        #expect(snapshot.issues.map(\.namedShare) == [0.5, nil])
        #expect(snapshot.health.map(\.namedShare) == [nil, 0, nil, nil, 0])
        #expect(
            snapshot.healthHours.map { "\($0.hour) \($0.sessions ?? -1) \($0.crashedSessions ?? -1)" } == [
                "2026-11-18T09:00:00Z 1 1", "2026-11-18T12:00:00Z 1 0", "2026-11-18T23:00:00Z 1 0",
                "2026-11-19T12:00:00Z 1 0",
            ])
        #expect(snapshot.issueHours.count == 6)
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
        #expect(outcome.requests == 12)
    }

    @Test(arguments: ClickHouseServer.Engine.installed)
    func tablesOfOnesOwnAreMapped(engine: ClickHouseServer.Engine) async throws {
        let server = try await ClickHouseServer.shared(engine)
        let database = try server.database(
            "own",
            """
            CREATE TABLE `the launches` (`launched at` DateTime('UTC'), id String, who Nullable(String), v Nullable(String),
            kind String) ENGINE = MergeTree PARTITION BY tuple() ORDER BY id;
            INSERT INTO `the launches` VALUES ('2026-11-18 22:59:59', 'a', 'x', '1', 'ios'),
            ('2026-11-18 23:00:00', 'b', 'x', '1', 'ios'), ('2026-11-18 23:05:00', 'b', NULL, '1', 'ios'), ('2026-11-18 23:10:00', 'c', NULL, NULL, 'ios'),
            ('2026-11-18 23:10:00', 'd', 'y', '1', 'android');
            CREATE TABLE reports (t DateTime('UTC'), id String, `fin``ger` UInt64, launch String, fatal UInt8)
            ENGINE = MergeTree PARTITION BY tuple() ORDER BY id;
            INSERT INTO reports VALUES ('2026-11-19 00:01:00', 'r', 18446744073709551615, 'b', 1),
            ('2026-11-19 00:02:00', 's', 18446744073709551615, 'c', 0)
            """)
        let outcome = try await fetch(
            server, database, "it's",
            [
                "zone": .text("Europe/Berlin"),
                "sessions": .names([
                    "table": "own.the launches", "time": "launched at", "session": "id", "user": "who",
                    "release": "v", "where": "kind = 'ios' -- only",
                ]),
                "crashes": .names([
                    "table": "reports", "time": "t", "event": "id", "issue": "fin`ger", "session": "launch",
                    "fatal": "fatal",
                ]),
            ])
        #expect(outcome.diagnostics.map(\.everything) == [])
        let snapshot = try #require(outcome.snapshots.first)
        #expect(
            days(snapshot) == [
                "2026-11-18 all: 1 0 1 0 0", "2026-11-19 all: 2 1 1 1 1", "2026-11-18 1: 1 0 1 0 –",
                "2026-11-19 1: 1 1 1 1 –",
            ])
        // On the second day one of two sessions names a user.
        #expect(snapshot.health.map(\.namedShare) == [nil, 0.5, nil, nil])
        #expect(snapshot.issues.map(\.id) == ["18446744073709551615"])
        #expect(snapshot.source.zone == "Europe/Berlin")
        #expect(!snapshot.source.capabilities.contains(.notes))
    }

    /// Days after the newest crash have no rate until the table has a later row, or two days went by.
    @Test(arguments: ClickHouseServer.Engine.installed)
    func aTableOfCrashesMayBeBehind(engine: ClickHouseServer.Engine) async throws {
        let server = try await ClickHouseServer.shared(engine)
        let database = try server.database(
            "late",
            """
            CREATE TABLE launches (t DateTime('UTC'), id String) ENGINE = MergeTree PARTITION BY tuple() ORDER BY id;
            INSERT INTO launches VALUES ('2026-11-16 09:00:00', 'a'), ('2026-11-17 09:00:00', 'b'),
            ('2026-11-18 09:00:00', 'c'), ('2026-11-19 09:00:00', 'd');
            CREATE TABLE reports (t DateTime('UTC'), id String, finger String, launch String)
            ENGINE = MergeTree PARTITION BY tuple() ORDER BY id;
            INSERT INTO reports VALUES ('2026-11-16 09:01:00', 'r', 'torn', 'a')
            """)
        let tables: [String: SourceSetup.Value] = [
            "sessions": .names(["table": "launches", "time": "t", "session": "id"]),
            "crashes": .names([
                "table": "reports", "time": "t", "event": "id", "issue": "finger", "session": "launch",
            ]),
        ]
        let before = try #require(try await fetch(server, database, "deck", tables).snapshots.first)
        #expect(
            days(before) == [
                "2026-11-16 all: 1 1 – – 1", "2026-11-17 all: 1 0 – – 0", "2026-11-18 all: 1 – – – –",
                "2026-11-19 all: 1 – – – –",
            ])
        #expect(spans(before, .sessions) == ["2026-11-16…2026-11-17 complete"])
        #expect(spans(before, .issueDays) == ["2026-11-16…2026-11-17 complete"])
        _ = try server.run(
            "INSERT INTO reports VALUES ('2026-11-19 09:01:00', 's', 'torn', 'd')", in: database)
        let after = try #require(try await fetch(server, database, "deck", tables).snapshots.first)
        #expect(
            days(after) == [
                "2026-11-16 all: 1 1 – – 1", "2026-11-17 all: 1 0 – – 0", "2026-11-18 all: 1 0 – – 0",
                "2026-11-19 all: 1 1 – – 1",
            ])
        #expect(spans(after, .issueDays) == ["2026-11-16…2026-11-19 complete"])
    }

    @Test(arguments: ClickHouseServer.Engine.installed)
    func eachQueryIsTriedForTenRows(engine: ClickHouseServer.Engine) async throws {
        let server = try await ClickHouseServer.shared(engine)
        let database = try server.database("trial", try #require(Self.manual().first) + ";" + Self.rows)
        let provider = try ClickHouseProvider(
            ClickHouseConfiguration(setup(server, database, ["preset": .text("plimsoll")])), sender: client())
        let trials = await provider.trials(of: app("deck"), at: runTime)
        #expect(trials.map(\.name) == WarehouseQuery.allCases.map(\.rawValue))
        #expect(
            try trials.first?.rows.get() == [
                ["day", "sessions", "crashed_sessions", "users", "crashed_users", "unnamed_sessions"],
                ["2026-11-18", "3", "1", "2", "1", "0"],
                ["2026-11-19", "1", "0", "null", "0", "1"],
            ])
        for trial in trials {
            #expect(try trial.rows.get().count > (trial.name == "new_users" ? 0 : 1))
            #expect(trial.warnings.isEmpty)
        }
        let other = try ClickHouseProvider(
            ClickHouseConfiguration(
                setup(server, database, ["preset": .text("plimsoll"), "app": .text("Deck")])),
            sender: client())
        let warnings = await other.trials(of: app("deck"), at: runTime).flatMap(\.warnings)
        #expect(warnings.map(\.id) == ["clickhouse.no-row"])
        let statements = provider.statements(for: app("deck"), at: runTime)
        #expect(statements.map(\.name) == trials.map(\.name))
        #expect(
            statements.first?.parameters == ["app": "deck", "from": "2026-08-22", "to": "2026-11-20"])
    }

    /// A sketch of some hundred thousand users misses by little, says by how much it may, and never has fewer than those
    /// that crashed.
    @Test(arguments: ClickHouseServer.Engine.installed)
    func countsMayBeApproximate(engine: ClickHouseServer.Engine) async throws {
        let server = try await ClickHouseServer.shared(engine)
        let database = try server.database(
            "sketch",
            try #require(Self.manual().first)
                + """
                ;INSERT INTO sessions SELECT 'deck', toDate('2026-11-18'), toDateTime('2026-11-18 09:00:00'), number + 1,
                number + 1, '2.0', number < 100, toDateTime('2026-11-18 09:00:00') FROM numbers(300000);
                INSERT INTO sessions SELECT 'deck', toDate('2026-11-19'), toDateTime('2026-11-19 09:00:00'), number + 1,
                number + 1, '2.0', 1, toDateTime('2026-11-19 09:00:00') FROM numbers(200000)
                """)
        let outcome = try await fetch(
            server, database, "deck", ["preset": .text("plimsoll"), "distinct": .text("approximate")])
        #expect(outcome.diagnostics.map(\.everything) == [])
        let snapshot = try #require(outcome.snapshots.first)
        let first = try #require(snapshot.health.first)
        for count in [first.sessions, first.users, snapshot.usage.first?.activeUsers] {
            let count = try #require(count)
            #expect(count != 300_000 && abs(Double(count) / 300_000 - 1) < 5 * 0.002_873, "\(count)")
        }
        #expect(first.crashedSessions == 100 && first.crashedUsers == 100)
        let last = try #require(snapshot.health.first { $0.date.description == "2026-11-19" })
        #expect(last.crashedSessions == 200_000 && (last.sessions ?? 0) >= 200_000)
        #expect((last.users ?? 0) >= 200_000)
        for fact in [CoveredFact.sessions, .users, .releaseHealth, .usage] {
            #expect(spans(snapshot, fact) == ["2026-11-18…2026-11-19 approximate 0.287%"], "\(fact)")
        }
        // The table of crashes has no row: it may not be loaded.
        #expect(spans(snapshot, .crashes) == [] && snapshot.health.allSatisfy { $0.crashes == nil })
        #expect(!snapshot.source.hasExactCounts)
        #expect(snapshot.source.statesWholeDays && snapshot.source.countsPartsApart)
        #expect(snapshot.source.datesReleasesByDay)
        #expect(snapshot.source.userDefinition.contains("counted approximately"))
    }

    @Test(arguments: ClickHouseServer.Engine.installed)
    func theLimitOfIssuesMakesAPart(engine: ClickHouseServer.Engine) async throws {
        let server = try await ClickHouseServer.shared(engine)
        let database = try server.database("part", try #require(Self.manual().first) + ";" + Self.rows)
        let outcome = try await fetch(
            server, database, "deck", ["preset": .text("plimsoll"), "issues": .text("1")])
        let snapshot = try #require(outcome.snapshots.first)
        // Users of the newest day count seven times.
        #expect(snapshot.issues.map(\.id) == ["i-2"])
        #expect(
            spans(snapshot, .issueDays) == [
                "2026-11-18…2026-11-18 partial 0/1", "2026-11-19…2026-11-19 partial 1/2",
            ])
    }

    /// Events and users of an issue are of days that are over, as its days are; one of today is listed all the same.
    @Test(arguments: ClickHouseServer.Engine.installed)
    func countsOfIssuesEndWithYesterday(engine: ClickHouseServer.Engine) async throws {
        let server = try await ClickHouseServer.shared(engine)
        let outbreak = ["1", "9"].flatMap { issue in
            (1...4).map { number in
                let id = "61f0c404-5cb3-11e7-907b-a6006ad3d\(issue)\(number)0"
                return """
                    ('deck', '2026-11-20', '2026-11-20 05:0\(number):00', '\(id)', 'i-\(issue)', 'fatal', '2.1', \
                    \(100 + number), 4, 'It broke', '', 0, '2026-11-20 05:10:00')
                    """
            }
        }
        let database = try server.database(
            "today",
            try #require(Self.manual().first) + ";" + Self.rows + "; INSERT INTO crashes VALUES "
                + outbreak.joined(separator: ", "))
        let outcome = try await fetch(server, database)
        #expect(outcome.diagnostics.map(\.everything) == [])
        let snapshot = try #require(outcome.snapshots.first)
        let issue = try #require(snapshot.issues.first { $0.id == "i-1" })
        #expect(issue.events == 2 && issue.users == 1 && issue.namedShare == 0.5)
        #expect(issue.lastSeen?.description == "2026-11-20T05:04:00Z")
        let new = try #require(snapshot.issues.first { $0.id == "i-9" })
        #expect(new.events == nil && new.users == nil)
        #expect(new.firstSeen?.description == "2026-11-20T05:01:00Z")
    }

    /// A handled error is no crash, whatever has its fingerprint; crashes go before handled errors that more users had, and a
    /// row without an issue is in no list.
    @Test(
        arguments: ClickHouseServer.Engine.installed,
        [
            ("1", ["i-1"]), ("2", ["i-1", "e-1"]), ("3", ["i-1", "e-1"]),
        ])
    func crashesGoBeforeHandledErrors(
        engine: ClickHouseServer.Engine, limit: (issues: String, ids: [String])
    ) async throws {
        let server = try await ClickHouseServer.shared(engine)
        func row(_ number: Int, _ issue: String, _ kind: String, user: Int, day: Int = 18) -> String {
            let id = "61f0c404-5cb3-11e7-907b-\(100_000_000_000 + number)"
            return """
                ('deck', '2026-11-\(day)', '2026-11-\(day) 09:\(10 + number):00', '\(id)', '\(issue)', '\(kind)', '2.0', \
                \(user), 1, 'It broke', '', 0, '2026-11-\(day) 10:00:00')
                """
        }
        let crashes =
            [
                row(1, "i-1", "fatal", user: 7), row(2, "i-1", "nonfatal", user: 8),
                row(3, "i-1", "nonfatal", user: 9, day: 19), row(4, "", "fatal", user: 5),
            ] + (1...5).map { row(10 + $0, "e-1", "nonfatal", user: 20 + $0) }
        let sessions = """
            INSERT INTO sessions VALUES \
            ('deck', '2026-11-18', '2026-11-18 09:00:00', 1, 7, '2.0', 1, '2026-11-18 09:00:00'), \
            ('deck', '2026-11-19', '2026-11-19 09:00:00', 2, 7, '2.0', 0, '2026-11-19 09:00:00');
            """
        let database = try server.database(
            "kinds\(limit.issues)",
            try #require(Self.manual().first) + ";" + sessions + "INSERT INTO crashes VALUES "
                + crashes.joined(separator: ", "))
        let outcome = try await fetch(
            server, database, "deck", ["preset": .text("plimsoll"), "issues": .text(limit.issues)])
        let snapshot = try #require(outcome.snapshots.first)
        #expect(Set(snapshot.issues.map(\.id)) == Set(limit.ids))
        let issue = try #require(snapshot.issues.first { $0.id == "i-1" })
        #expect(issue.kind == .crash && issue.events == 1 && issue.users == 1)
        let days = snapshot.issueDays.filter { $0.issue == "i-1" && $0.version == nil && $0.events != 0 }
        #expect(days.map { "\($0.date) \($0.events ?? -1) \($0.users ?? -1)" } == ["2026-11-18 1 1"])
        #expect(snapshot.issues.first { $0.id == "e-1" }.map { $0.kind == .error && $0.users == 5 } != false)
        #expect(snapshot.health.first { $0.version == nil }?.crashes == 2)
        #expect(snapshot.warnings.isEmpty, "\(snapshot.warnings)")
        // On the second day the crash has handled errors alone: nothing of a whole list is missing there.
        if limit.issues == "3" {
            #expect(spans(snapshot, .issueDays) == ["2026-11-18…2026-11-19 complete"])
        }
    }

    /// Every query of one's own is a file, and what is wrong with it is said with its place.
    @Test(
        arguments: ClickHouseServer.Engine.installed,
        [
            ("days", "SELECT toDate('2026-11-18') AS day, toUInt64(3) AS sessions", []),
            (
                "days", "SELECT toDate('2026-11-18') AS day, '3' AS sessions",
                [
                    "Column 'sessions' is of another type", "expected a whole number, found String",
                    "queries/days.sql",
                ]
            ),
            (
                "days", "SELECT toDate('2026-11-18') AS day, toUInt64(3) AS sesions",
                ["Column 'sessions' is missing", "name 'sesions' AS sessions", "queries/days.sql"]
            ),
            (
                "days", "SELECT toDate('2026-11-18') AS day, 3 AS sessions, 1 AS crashed_sesions",
                ["Unknown column 'crashed_sesions'", "did you mean 'crashed_sessions'?"]
            ),
            (
                "days", "SELECT {fron:Date} AS day, 1 AS sessions",
                ["Unknown parameter 'fron'", "did you mean 'from'?"]
            ),
            ("days", "SELECT 1; DROP TABLE x", ["More than one statement", "queries/days.sql"]),
            ("days", "SELECT 'open AS day", ["A quote does not end"]),
            ("days", "SELECT nothing FROM nowhere", ["Code 60", "check 'database'"]),
            (
                "hours", "SELECT now() AS hour, 3 AS sessions",
                ["expected a time in UTC, or seconds since 1970"]
            ),
            ("days", "SELECT toDate('2026-11-18') AS day, 0/0 AS sessions", ["found Float64"]),
            ("dayz", "SELECT 1", ["No query has the name 'dayz'", "did you mean 'days.sql'?"]),
            (
                "days",
                "SELECT toDate('2026-11-18') AS day, throwIf(number > 200000) + 1 AS sessions FROM system.numbers",
                ["Code 395"]
            ),
            ("days", "DROP TABLE x", ["Code 164"]),
            ("days", "SELECT {app:String} AS day, 1 AS sessions", ["found String"]),
        ])
    func queriesOfOnesOwn(
        engine: ClickHouseServer.Engine, query: (name: String, text: String, expected: [String])
    ) async throws {
        let (name, text) = (query.name, query.text)
        // A current server writes each time with its zone, so that any is one in UTC.
        let expected = engine == .current && text.contains("now()") ? [] : query.expected
        let server = try await ClickHouseServer.shared(engine)
        try await withTemporaryDirectory { folder in
            try text.write(toFile: "\(folder)/\(name).sql", atomically: true, encoding: .utf8)
            var words = ""
            do {
                let outcome = try await fetch(
                    server, "default", "deck\(text.utf8.count)", ["sql": .path(folder, shownAs: "queries")])
                words = outcome.diagnostics.map(\.everything).joined(separator: "\n")
                if expected.isEmpty {
                    let snapshot = try #require(outcome.snapshots.first)
                    #expect(days(snapshot) == (name == "days" ? ["2026-11-18 all: 3 – – – –"] : []))
                    #expect(snapshot.coverage.isEmpty)
                }
            } catch let error as Diagnostic {
                words = error.everything
            }
            #expect(words.isEmpty == expected.isEmpty, "\(words)")
            for part in expected { #expect(words.contains(part), "\(words)") }
        }
    }

    @Test(arguments: ClickHouseServer.Engine.installed)
    func theQueryOfTheManualIsOne(engine: ClickHouseServer.Engine) async throws {
        let server = try await ClickHouseServer.shared(engine)
        let fences = try Self.manual()
        let database = try server.database("folder", try #require(fences.first) + ";" + Self.rows)
        try await withTemporaryDirectory { folder in
            try fences[1].write(toFile: "\(folder)/days.sql", atomically: true, encoding: .utf8)
            let outcome = try await fetch(
                server, database, "deck", ["sql": .path(folder, shownAs: "queries")])
            #expect(outcome.diagnostics.map(\.everything) == [])
            #expect(
                days(try #require(outcome.snapshots.first)) == [
                    "2026-11-18 all: 3 – – – –", "2026-11-19 all: 1 – – – –",
                ])
        }
    }

    @Test(
        .enabled(if: ClickHouseServer.Engine.old.isInstalled, "\(ClickHouseServer.Engine.old.reason)"),
        arguments: [
            (ClickHouseServer.reader.name, "wrong", "deck", "check 'user' and 'password'"),
            (ClickHouseServer.locked, nil, "deck", "give its profile readonly = 2"),
            (
                ClickHouseServer.reader.name, ClickHouseServer.reader.password, "de'ck",
                "version 22.8 is needed"
            ),
        ])
    func refusals(user: String, password: String?, name: String, expected: String) async throws {
        let server = try await ClickHouseServer.shared(.old)
        var configuration = try ClickHouseConfiguration(base: server.origin)
        configuration.user = user
        configuration.password = password.flatMap { Secret($0) }
        configuration.app = name
        let outcome = try await ClickHouseProvider(configuration, sender: client()).fetch(
            app("deck"), at: runTime)
        #expect(outcome.snapshots.isEmpty)
        #expect(outcome.diagnostics.contains { $0.everything.contains(expected) }, "\(outcome.diagnostics)")
    }

    /// A user who may write sends queries that may not.
    @Test(arguments: ClickHouseServer.Engine.installed)
    func everyQueryForbidsChanges(engine: ClickHouseServer.Engine) async throws {
        let server = try await ClickHouseServer.shared(engine)
        let database = try server.database("writer", "CREATE TABLE kept (a UInt8) ENGINE = Memory")
        try await withTemporaryDirectory { folder in
            try "DROP TABLE kept".write(
                toFile: "\(folder)/days.sql", atomically: true, encoding: .utf8)
            let outcome = try await fetch(
                server, database, "deck",
                [
                    "sql": .path(folder, shownAs: "queries"), "user": .text("default"),
                    "password": .text(""),
                ])
            #expect(outcome.diagnostics.contains { $0.everything.contains("Code 164") })
        }
        #expect(try server.run("SELECT count() FROM kept", in: database) == "0\n")
    }
}
