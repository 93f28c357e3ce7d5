import AppHealth
import ClickHouseServer
import Diagnostics
import Foundation
import LoopbackServer
import Settings
import Testing
import Transport

@testable import Providers

/// What a warehouse says of large counts and of limits, and what is made of releases of a month.
struct WarehouseLimitsTests {
    private static func table(_ columns: String, _ rows: String, count: Int) -> String {
        let meta = columns.split(separator: ", ").map { column in
            let parts = column.split(separator: " ")
            return #"{"name":"\#(parts[0])","type":"\#(parts[1])"}"#
        }.joined(separator: ",")
        return #"{"meta":[\#(meta)],"data":[\#(rows)],"rows":\#(count)}"#
    }

    private func configuration(
        _ origin: String, _ values: [String: SourceSetup.Value]
    ) throws -> ClickHouseConfiguration {
        var configuration = try ClickHouseConfiguration(
            SourceSetup(
                id: Slug(anyText: "clickhouse"),
                values: ["url": .text(origin), "preset": .text("plimsoll")].merging(values) { $1 },
                sender: client(), shared: SharedResources(), kept: nil, timeoutMilliseconds: 60_000))
        configuration.pause = { _ in }
        return configuration
    }

    /// What a fetch makes of rows of days; everything else fails.
    private func fetch(
        days rows: [String], _ values: [String: SourceSetup.Value]
    ) async throws -> FetchOutcome {
        let server = try await LoopbackServer.start { request in
            if request.text.hasPrefix("SELECT version()") {
                return .json(
                    Self.table("version String, readonly String", #"["24.3.1","2"]"#, count: 1))
            }
            guard request.parameter("query_id")?.contains("-days-") == true else {
                return .text("Code: 60. DB::Exception: No table", status: 404)
            }
            let columns =
                "day Date, sessions UInt64, crashed_sessions UInt64, users UInt64, crashed_users UInt64"
            return .json(Self.table(columns, rows.joined(separator: ","), count: rows.count))
        }
        let provider = try ClickHouseProvider(configuration(server.origin, values), sender: client())
        let outcome = await provider.fetch(app("deck"), at: runTime)
        await server.stop()
        return outcome
    }

    /// Sessions of the first day and users of the second one; whether a warning names the key, and the day.
    @Test(
        arguments: [
            ("exact", 10_000_001, 1, "2026-11-18"), ("exact", 10_000_000, 10_000_000, nil),
            ("exact", 10_000_000, 10_000_001, "2026-11-19"), ("approximate", 90_000_000, 90_000_000, nil),
        ] as [(String, Int, Int, String?)])
    func manyThatAreCountedExactlyAreAWarning(distinct: String, sessions: Int, users: Int, day: String?)
        async throws
    {
        let outcome = try await fetch(
            days: [#"["2026-11-18","\#(sessions)","4","1","1"]"#, #"["2026-11-19",90,4,"\#(users)",1]"#],
            ["distinct": .text(distinct)])
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.health.map(\.sessions) == [sessions, 90])
        let warnings = snapshot.warnings.filter { $0.id == "clickhouse.distinct" }
        #expect(warnings.count == (day == nil ? 0 : 1))
        #expect(warnings.first?.details == day.map { ["first on \($0)"] })
        #expect(warnings.first?.everything.contains("'distinct: approximate'") != false)
    }

    /// The usual first mistake is another name of the app: which one was looked for is said.
    @Test(
        arguments: [
            ([], "Deck", "the queries ask for the app 'Deck'"),
            ([], nil, "the queries ask for the app 'deck'"),
            ([#"["2026-11-19",90,4,70,1]"#], "Deck", nil),
        ] as [([String], String?, String?)])
    func anAppWithoutAnyRowIsReported(rows: [String], name: String?, words: String?) async throws {
        let outcome = try await fetch(
            days: rows, name.map { ["app": .text($0)] as [String: SourceSetup.Value] } ?? [:])
        let warnings = (outcome.snapshots.first?.warnings ?? []).filter { $0.id == "clickhouse.no-row" }
        #expect(warnings.count == (words == nil ? 0 : 1))
        if let words { #expect(warnings.first?.everything.contains(words) == true, "\(warnings)") }
    }

    /// A day is stated to be a part where a row was lost, and its counts to be approximate all the same.
    @Test(arguments: [("exact", 0), ("approximate", 0.002_873)] as [(String, Double)])
    func whatLostRowsKeepsItsError(distinct: String, deviation: Double) async throws {
        let outcome = try await fetch(
            days: [#"["2026-11-18","-1","4","1","1"]"#, #"["2026-11-19",90,4,70,1]"#],
            ["distinct": .text(distinct)])
        let snapshot = try #require(outcome.snapshots.first)
        for fact in [CoveredFact.sessions, .users] {
            let spans = snapshot.coverage.filter { $0.fact == fact }
            #expect(spans.count == 1 && spans.first?.coverage.isPartial == true)
            #expect(abs((spans.first?.coverage.deviation ?? -1) - deviation) < 1e-6)
        }
    }

    /// Releases with the first day of each, as two nights have them: those that were there before the days of a later night
    /// are not in it, so that what an earlier one stored of them stays.
    @Test(
        arguments: [
            (nil, false, ["1.0 –", "1.5 2026-10-20", "2.0 2026-11-10", "3.0 –"]),
            ("2026-11-19", false, ["1.0 –", "1.5 2026-10-20", "2.0 2026-11-10", "3.0 –"]),
            (nil, true, ["1.0 –", "1.5 2026-10-20", "2.0 2026-11-10", "3.0 –"]),
            ("2026-11-19", true, ["2.0 2026-11-10", "3.0 –"]),
        ] as [(String?, Bool, [String])])
    func releasesOfAMonthKeepTheirDates(last: String?, areOfMonth: Bool, expected: [String]) {
        let columns = [
            AnsweredColumn(name: "release", type: "String", kind: .text),
            AnsweredColumn(name: "first_day", type: "Date", kind: .date),
        ]
        let rows: [[WarehouseCell]] = [
            [.text("1.0"), .text("2026-10-10")], [.text("1.5"), .text("2026-10-20")],
            [.text("2.0"), .text("2026-11-10")], [.text("3.0"), .null],
        ]
        let losses = SkippedValues(provider: "clickhouse", endpoint: "releases")
        let window = WarehouseWindow(
            at: runTime, zone: .gmt, revised: 14, history: 90, last: last.flatMap { CivilDate($0) })
        let source = Source(
            id: Slug(anyText: "clickhouse"), provider: "clickhouse", sessionDefinition: "",
            userDefinition: "",
            zone: "UTC", delay: "", capabilities: [.releases])
        let mapping = WarehouseMapping(
            [.releases: WarehouseTable(.releases, columns: columns, rows: rows, losses: losses)],
            of: Snapshot(app: app("deck"), source: source, capturedAt: runTime), window: window,
            begin: nil, mostIssues: 200, texts: [:], areReleasesOfMonth: areOfMonth)
        let found = mapping.snapshot.releases.map {
            "\($0.version) \($0.releasedAt.map { "\($0.date)" } ?? "–")"
        }
        #expect(found == expected)
    }
}

extension WarehouseLimitsTests {
    /// The day of the oldest row that is still there is not the day on which a release came out.
    @Test(
        arguments: [
            ("2026-09-20", "2026-10-23", "2026-09-20"), ("2026-10-24", "2026-10-23", "2026-10-23"),
            (nil, "2026-10-23", nil), ("2026-09-20", nil, "2026-09-20"),
        ] as [(String?, String?, String?)])
    func aStoredReleaseNeverComesOutLater(stored: String?, first: String?, day: String?) {
        let release = Release(
            version: Version("1.1.0"),
            releasedAt: stored.flatMap { CivilDate($0) }.map { Instant(startOf: $0) })
        let warehouse = StoredWarehouse(releases: [release])
        let found = warehouse.releaseDay(
            of: Version("1.1.0", build: "7"), first: first.flatMap { CivilDate($0) })
        #expect(found == day.flatMap { CivilDate($0) })
        // One that is not stored has the day of its first row.
        let other = warehouse.releaseDay(of: Version("1.2.0"), first: CivilDate("2026-11-01"))
        #expect(other == CivilDate("2026-11-01"))
    }
}

extension WarehouseLimitsTests {
    /// An answer to the query of use alone.
    private func mappingOfUse(
        _ rows: [[WarehouseCell]], in window: WarehouseWindow, begin: CivilDate?, gaps: Set<CivilDate> = []
    ) -> WarehouseMapping {
        let columns = ["day", "active_users", "weekly_active_users", "monthly_active_users"].map {
            AnsweredColumn(name: $0, type: "", kind: $0 == "day" ? .date : .count)
        }
        let source = Source(
            id: Slug(anyText: "bigquery"), provider: "bigquery", sessionDefinition: "", userDefinition: "",
            zone: "UTC", delay: "", capabilities: [.usage])
        let losses = SkippedValues(provider: "bigquery", endpoint: "usage")
        return WarehouseMapping(
            [.usage: WarehouseTable(.usage, columns: columns, rows: rows, losses: losses)],
            of: Snapshot(app: app("deck"), source: source, capturedAt: runTime), window: window,
            begin: begin, gaps: gaps, mostIssues: 200, texts: [:], areReleasesOfMonth: false)
    }

    /// Whether earlier rounds are known, the first day that they saw, and how many of the days have users of a week and of a
    /// month.
    @Test(
        arguments: [
            (nil, nil, "2026-11-17", 0, 0), (nil, nil, "2026-11-13", 1, 0), (nil, nil, "2026-10-23", 22, 1),
            (nil, nil, "2026-08-22", 90, 90), ("2026-11-18", "2026-11-17", "2026-11-17", 0, 0),
            ("2026-11-18", "2026-11-10", "2026-11-10", 4, 0), ("2026-11-18", nil, "2026-11-06", 14, 14),
        ] as [(String?, String?, String, Int, Int)])
    func usersOfAWeekAreThoseOfAWholeOne(
        last: String?, known: String?, first: String, weeks: Int, months: Int
    ) throws {
        let begin = try #require(CivilDate(first))
        let rows = (begin...runTime.date.advanced(by: -1)).all.map {
            [WarehouseCell.text("\($0)"), .integer(5), .integer(9), .integer(20)]
        }
        let mapping = mappingOfUse(
            rows,
            in: WarehouseWindow(
                at: runTime, zone: .gmt, revised: 14, history: 90, last: last.flatMap { CivilDate($0) }),
            begin: known.flatMap { CivilDate($0) })
        #expect(mapping.snapshot.usage.count { $0.weeklyActiveUsers != nil } == weeks)
        #expect(mapping.snapshot.usage.count { $0.monthlyActiveUsers != nil } == months)
        let isBeforeTheHistory = last == nil && first == "2026-08-22"
        #expect(
            mapping.firstDay
                == (last == nil ? (isBeforeTheHistory ? nil : begin) : known.flatMap { CivilDate($0) }))
    }

    /// Days that were never loaded, those known from earlier nights, and on which of the last days users of a week and of
    /// a month are known. With few users a day without any may be one.
    @Test(
        arguments: [
            ([], [], 100, 14, 14, []), (["2026-11-10"], [], 100, 7, 4, ["2026-11-10"]),
            (["2026-11-10"], [], 5, 13, 13, []),
            ([], ["2026-10-20"], 100, 14, 3, ["2026-10-20"]), (["2026-11-19"], [], 100, 13, 13, []),
            ([], ["2026-11-10"], 100, 14, 14, []),
        ] as [([String], [String], Int, Int, Int, [String])])
    func daysThatWereNeverLoadedLeaveTheirWeekUnknown(
        lacking: [String], known: [String], users: Int, weeks: Int, months: Int, gaps: [String]
    ) throws {
        let window = WarehouseWindow(
            at: runTime, zone: .gmt, revised: 14, history: 90, last: CivilDate("2026-11-18"))
        let rows = (window.days.lowerBound...window.days.upperBound.advanced(by: -1)).all
            .filter { !lacking.contains("\($0)") }
            .map { [WarehouseCell.text("\($0)"), .integer(users), .integer(2 * users), .integer(3 * users)] }
        let mapping = mappingOfUse(
            rows, in: window, begin: CivilDate("2026-01-01"), gaps: Set(known.compactMap { CivilDate($0) }))
        #expect(mapping.snapshot.usage.count { $0.weeklyActiveUsers != nil } == weeks)
        #expect(mapping.snapshot.usage.count { $0.monthlyActiveUsers != nil } == months)
        #expect(mapping.gaps == Set(gaps.compactMap { CivilDate($0) }))
    }

    /// Rounds of a night each: which queries had no answer, and after which of them all of the history is asked for.
    @Test(
        arguments: [
            ([[], []], "days", [false, false]),
            ([["usage"], ["usage"], ["usage"]], "", [true, false, false]),
            ([["usage"], [], []], "", [true, false, false]),
            ([[], ["usage"], []], "", [false, false, false]),
            ([["usage"], ["usage"], [], []], "", [true, false, true, false]),
            ([["usage"], ["hours"], ["hours"]], "", [true, true, false]),
            // One for which the history is too much is asked for it once more, and not each time it answers.
            (
                [["usage"], ["usage"], [], ["usage"], ["usage"], [], [], ["usage"], []], "",
                [true, false, true, true, false, false, false, false, false]
            ),
        ] as [([[String]], String, [Bool])])
    func roundsAskForTheirHistoryOnce(nights: [[String]], absent: String, asksForAll: [Bool]) throws {
        var progress = WarehouseProgress()
        let first = try #require(CivilDate("2026-11-18"))
        for (index, failed) in nights.enumerated() {
            let day = first.advanced(by: index)
            progress = progress.after(
                day, failed: Set(failed.compactMap { WarehouseQuery(rawValue: $0) }),
                absent: Set([absent].compactMap { WarehouseQuery(rawValue: $0) }), begin: first)
            if index < asksForAll.count {
                #expect((progress.last == nil) == asksForAll[index], "night \(index)")
            }
            #expect(WarehouseProgress(progress.text) == progress)
        }
        // A table that is there at last brings its history.
        guard !absent.isEmpty else { return }
        #expect(progress.after(first, failed: [], absent: [], begin: nil).last == nil)
        #expect(WarehouseProgress("2026-11-18").last == first)
    }
}

/// Real servers, as far as they are installed.
extension WarehouseLimitsTests {
    private static let tables = """
        CREATE TABLE launches (at DateTime('UTC'), id String, who Nullable(String), v String)
        ENGINE = MergeTree PARTITION BY tuple() ORDER BY id;
        CREATE TABLE reports (at DateTime('UTC'), id String, kind String, who Nullable(String), launch String, v String)
        ENGINE = MergeTree PARTITION BY tuple() ORDER BY id;
        INSERT INTO launches VALUES ('2026-11-17 09:00:00', 'e', 'y', '1'), ('2026-11-18 09:00:00', 'a', 'x', '1'), ('2026-11-18 09:10:00', 'b', NULL, '1'),
        ('2026-11-19 09:00:00', 'c', NULL, '2'), ('2026-11-19 10:00:00', 'd', NULL, '2');
        INSERT INTO reports VALUES ('2026-11-18 09:01:00', 'r', 'torn', NULL, 'a', '1'),
        ('2026-11-19 09:02:00', 's', 'torn', NULL, 'c', '2'), ('2026-11-19 09:03:00', 't', 'lost', 'x', 'd', '2')
        """
    private static let mapping: [String: SourceSetup.Value] = [
        "sessions": .names([
            "table": "launches", "time": "at", "session": "id", "user": "who", "release": "v",
        ]),
        "crashes": .names([
            "table": "reports", "time": "at", "event": "id", "issue": "kind", "user": "who",
            "session": "launch", "release": "v",
        ]),
    ]

    private func provider(
        _ server: ClickHouseServer, _ database: String, _ values: [String: SourceSetup.Value]
    ) throws -> ClickHouseProvider {
        var all = Self.mapping.merging(values) { $1 }
        all["url"] = .text(server.origin)
        all["database"] = .text(database)
        return try ClickHouseProvider(
            ClickHouseConfiguration(
                SourceSetup(
                    id: Slug(anyText: "clickhouse"), values: all, sender: client(), shared: SharedResources(),
                    kept: nil, timeoutMilliseconds: 60_000)), sender: client())
    }

    /// Of a day, a release and an issue of which no row names a user, users are unknown; where some rows name one, these are
    /// counted, and none is affected only where nothing crashed.
    @Test(
        .enabled(if: !ClickHouseServer.Engine.installed.isEmpty, "ClickHouse is not installed"),
        arguments: ClickHouseServer.Engine.installed)
    func usersThatNoRowNamesAreUnknown(engine: ClickHouseServer.Engine) async throws {
        let server = try await ClickHouseServer.shared(engine)
        let database = try server.database("unnamed", Self.tables)
        let outcome = await (try provider(server, database, [:])).fetch(app("deck"), at: runTime)
        #expect(outcome.diagnostics.map(\.everything) == [])
        let snapshot = try #require(outcome.snapshots.first)
        #expect(
            snapshot.health.map {
                "\($0.date) \($0.version ?? "all") \($0.users ?? -1) \($0.crashedUsers ?? -1)"
            }
                == [
                    "2026-11-17 all 1 0", "2026-11-18 all 1 1", "2026-11-19 all -1 -1", "2026-11-17 1 1 0",
                    "2026-11-18 1 1 1", "2026-11-19 2 -1 -1",
                ])
        #expect(
            snapshot.usage.map { [$0.activeUsers, $0.weeklyActiveUsers, $0.sessions] } == [
                [1, nil, 1], [1, nil, 2], [nil, nil, 2],
            ])
        // What part of the sessions of a day, and of a release on it, names a user.
        #expect(snapshot.health.map(\.namedShare) == [nil, 0.5, 0, nil, 0.5, 0])
        #expect(
            snapshot.issueDays.filter { $0.version == nil }.map {
                "\($0.issue) \($0.date) \($0.events ?? -1) \($0.users ?? -1)"
            }.sorted() == ["lost 2026-11-19 1 1", "torn 2026-11-18 1 -1", "torn 2026-11-19 1 -1"])
        #expect(snapshot.issues.map { "\($0.id) \($0.users ?? -1)" } == ["lost 1", "torn -1"])
        #expect(
            snapshot.issueHours.filter { $0.events != 0 }.map { "\($0.issue) \($0.users ?? -1)" }.sorted()
                == ["lost 1", "torn -1", "torn -1"])
        #expect(
            snapshot.coverage.filter { $0.fact == .users }.map { "\($0.days)" } == ["2026-11-17...2026-11-18"]
        )
        #expect(
            snapshot.coverage.filter { $0.fact == .issueUsers }.map(\.coverage) == [
                .complete, .partial(counted: 0, of: 1), .partial(counted: 1, of: 2),
            ])
    }

    /// What a night reads: rows with bytes where the server estimates, otherwise no more than all rows of the columns.
    @Test(
        .enabled(if: !ClickHouseServer.Engine.installed.isEmpty, "ClickHouse is not installed"),
        arguments: ClickHouseServer.Engine.installed)
    func theCostOfANightHasBytes(engine: ClickHouseServer.Engine) async throws {
        let server = try await ClickHouseServer.shared(engine)
        let database = try server.database("cost", Self.tables)
        let forecasts = await (try provider(server, database, [:])).forecasts(for: app("deck"), at: runTime)
        #expect(forecasts.count == 10)
        for forecast in forecasts {
            switch (engine, try forecast.amount.get()) {
            case (.old, .atMost(let bytes)): #expect(bytes > 0 && bytes < 1_000, "\(forecast.name) \(bytes)")
            case (.current, .reading(let rows, let bytes)):
                #expect(rows > 0 && rows < 20, "\(forecast.name) \(rows)")
                #expect((bytes ?? 0) > 0 && (bytes ?? 0) < 2_000, "\(forecast.name) \(bytes ?? -1)")
            case (_, let amount): Issue.record("\(forecast.name): \(amount)")
            }
        }
    }

    /// A limit below what even the question reads is named, with what to do; never as a service that is not there.
    @Test(
        .enabled(if: !ClickHouseServer.Engine.installed.isEmpty, "ClickHouse is not installed"),
        arguments: ClickHouseServer.Engine.installed)
    func aTinyLimitIsNamed(engine: ClickHouseServer.Engine) async throws {
        let server = try await ClickHouseServer.shared(engine)
        let database = try server.database("tiny", Self.tables)
        let tiny = try provider(server, database, ["maximumBytes": .text("1")])
        let outcome = await tiny.fetch(app("deck"), at: runTime)
        let said = outcome.diagnostics.map(\.everything).joined(separator: "\n")
        #expect(said.contains("'maximumBytes'") || said.contains("more than 1"), "\(said)")
        #expect(said.contains("raise 'maximumBytes', or request fewer days"), "\(said)")
        #expect(!said.contains("unavailable") && !said.contains("Service"), "\(said)")
        guard engine == .current else { return }
        let forecasts = await tiny.forecasts(for: app("deck"), at: runTime)
        for forecast in forecasts {
            guard case .failure(let fault) = forecast.amount else { continue }
            #expect(fault.summary.contains("more than 'maximumBytes', 1 bytes"), "\(fault.everything)")
        }
    }
}
