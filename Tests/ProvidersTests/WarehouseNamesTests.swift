import AppHealth
import Diagnostics
import Foundation
import Testing

@testable import Providers

/// Of how much of the data users are counted.
struct WarehouseNamesTests {
    private func mapping(
        _ query: WarehouseQuery, _ columns: [String], _ cells: [WarehouseCell],
        and others: [WarehouseQuery: WarehouseTable] = [:], deviation: Double = 0
    ) -> Snapshot {
        let found = table(query, columns, cells)
        let source = Source(
            id: Slug(anyText: "bigquery"), provider: "bigquery", sessionDefinition: "", userDefinition: "",
            zone: "UTC", delay: "", capabilities: [.sessions, .users, .usage])
        let window = WarehouseWindow(
            at: runTime, zone: .gmt, revised: 14, history: 90, last: CivilDate("2026-11-18"))
        return WarehouseMapping(
            others.merging([query: found]) { _, own in own },
            of: Snapshot(app: app("deck"), source: source, capturedAt: runTime), window: window, begin: nil,
            mostIssues: 200,
            texts: [query: QueryFile(text: "", shown: "", deviation: deviation, readsCrashTable: false)],
            areReleasesOfMonth: false
        ).snapshot
    }

    private func table(
        _ query: WarehouseQuery, _ columns: [String], _ cells: [WarehouseCell]
    ) -> WarehouseTable {
        WarehouseTable(
            query,
            columns: (["day"] + columns).enumerated().map { place, name in
                AnsweredColumn(name: name, type: "", kind: place == 0 ? .date : .count)
            },
            rows: [[.text("2026-11-18")] + cells],
            losses: SkippedValues(provider: "bigquery", endpoint: query.rawValue))
    }

    @Test(
        arguments: [
            // Users, sessions, sessions that name none, the error of the counts, the share, whether a warning says why.
            (9, 40, 10, 0, 0.75, false), (9, 40, 0, 0, nil, false), (9, 40, nil, 0, nil, false),
            (nil, 40, 40, 0, 0, false), (0, 0, 0, 0, nil, false), (9, 40, 39, 0, 0.025, false),
            (9, 40, 41, 0, nil, true), (9, 40, -1, 0, nil, true),
            // Two estimates may miss each other.
            (9, 40, 41, 0.01, 0, false), (9, 40, 20, 0.01, 0.5, false),
        ] as [(Int?, Int, Int?, Double, Double?, Bool)])
    func theShareOfSessionsThatNameAUser(
        users: Int?, sessions: Int, unnamed: Int?, deviation: Double, share: Double?, isRefused: Bool
    ) throws {
        let cells = [sessions, users, unnamed].map { $0.map { WarehouseCell.integer($0) } ?? .null }
        let snapshot = mapping(
            .days, ["sessions", "users", "unnamed_sessions"], cells, deviation: deviation)
        let day = try #require(snapshot.health.first)
        #expect(day.namedShare == share && day.users == users && day.sessions == sessions)
        #expect(snapshot.warnings.isEmpty != isRefused)
        if isRefused {
            #expect(snapshot.warnings.first?.everything.contains("data[0].unnamed_sessions") == true)
        }
    }

    private func table(
        _ query: WarehouseQuery, _ columns: [(name: String, kind: WarehouseColumn.Kind)],
        rows: [[WarehouseCell]]
    ) -> WarehouseTable {
        WarehouseTable(
            query, columns: columns.map { AnsweredColumn(name: $0.name, type: "", kind: $0.kind) },
            rows: rows,
            losses: SkippedValues(provider: "bigquery", endpoint: query.rawValue))
    }

    /// Releases of a day are whole where each row of them could be read; no row at all tells nothing.
    @Test(
        arguments: [
            ([("4.2", 9)], "complete"), ([("4.2", 9), ("4.1", nil)], "partial"), ([("4.1", nil)], nil),
            ([], nil),
        ] as [([(String, Int?)], String?)])
    func releasesOfADay(rows: [(String, Int?)], expected: String?) throws {
        let cells: [[WarehouseCell]] = rows.map { release, sessions in
            [.text("2026-11-18"), .text(release), sessions.map { .integer($0) } ?? .null]
        }
        let releases = table(
            .releaseDays, [("day", .date), ("release", .text), ("sessions", .count)], rows: cells)
        let days = table(.days, ["sessions"], [.integer(10)])
        let snapshot = mapping(
            .usage, ["active_users"], [.integer(4)], and: [.days: days, .releaseDays: releases])
        let lines = snapshot.coverage.filter { $0.fact == .releaseHealth }.map(\.line)
        #expect(lines == (expected.map { ["releaseHealth 2026-11-18 \($0)"] } ?? []))
    }

    /// Issues of a day are whole where each that is counted has its row.
    @Test(arguments: [
        (1, ["a"], "complete"), (2, ["a"], "partial 1 of 2"), (2, ["a", "late"], "partial 1 of 2"),
    ])
    func issuesOfADay(counted: Int, rows: [String], expected: String) throws {
        let days: [[WarehouseCell]] = rows.map { [.text($0), .text("2026-11-18"), .integer(3)] }
        let snapshot = mapping(
            .crashDays, ["crashes", "issues"], [.integer(7), .integer(counted)],
            and: [
                .issues: table(.issues, [("issue", .text)], rows: [[.text("a")]]),
                .issueDays: table(
                    .issueDays, [("issue", .text), ("day", .date), ("events", .count)], rows: days),
            ])
        let lines = snapshot.coverage.filter { $0.fact == .issueDays }.map(\.line)
        #expect(lines == ["issueDays 2026-11-18 \(expected)"])
    }

    /// An issue of two kinds has no row on a day on which it had events of the other kind alone, and is counted there.
    @Test(arguments: [(2, "complete"), (3, "partial 1 of 3")])
    func anIssueOfTwoKindsLeavesADayWhole(counted: Int, expected: String) throws {
        let snapshot = mapping(
            .crashDays, ["crashes", "issues"], [.integer(3), .integer(counted)],
            and: [
                .issues: table(.issues, [("issue", .text)], rows: [[.text("a")], [.text("canvas")]]),
                .issueDays: table(
                    .issueDays, [("issue", .text), ("day", .date), ("events", .count)],
                    rows: [[.text("a"), .text("2026-11-18"), .integer(3)]]),
            ])
        let lines = snapshot.coverage.filter { $0.fact == .issueDays }.map(\.line)
        #expect(lines == ["issueDays 2026-11-18 \(expected)"])
    }

    /// Who had a session was active: where none is, no session says whose it is.
    @Test(
        arguments: [
            ([5, 9, 20], 7, [5, 9, 20]), ([0, 0, 20], 7, [0, nil, 20]), ([0, 0, 0], 7, [0, nil, nil]),
            ([0, 0, 20], 0, [0, 0, 20]),
        ] as [([Int], Int, [Int?])])
    func weeksInWhichNoSessionNamesAUser(counts: [Int], sessions: Int, known: [Int?]) throws {
        let days = table(.days, ["sessions"], [.integer(sessions)])
        let snapshot = mapping(
            .usage, ["active_users", "weekly_active_users", "monthly_active_users"],
            counts.map { .integer($0) }, and: [.days: days])
        let day = try #require(snapshot.usage.first)
        #expect([day.activeUsers, day.weeklyActiveUsers, day.monthlyActiveUsers] == known)
        #expect(snapshot.warnings.isEmpty)
    }
}
