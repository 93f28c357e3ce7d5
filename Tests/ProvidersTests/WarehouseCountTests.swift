import AppHealth
import Foundation
import Testing

@testable import Providers

/// Counts that no table has, as own queries may make them, and sums of the largest that are read.
struct WarehouseCountTests {
    private static let most = WarehouseRow.mostCounted

    /// What is made of some tables of a source.
    private func mapping(
        _ tables: [WarehouseTable], _ capabilities: Set<Capability>, readsCrashTable: Bool,
        stored: () -> KnownIssues = { KnownIssues() }
    ) -> WarehouseMapping {
        let source = Source(
            id: Slug(anyText: "bigquery"), provider: "bigquery", sessionDefinition: "", userDefinition: "",
            zone: "UTC", delay: "", capabilities: capabilities)
        let file = QueryFile(text: "", shown: "", deviation: 0, readsCrashTable: readsCrashTable)
        return WarehouseMapping(
            Dictionary(tables.map { ($0.query, $0) }) { first, _ in first },
            of: Snapshot(app: app("deck"), source: source, capturedAt: runTime),
            window: WarehouseWindow(at: runTime, zone: .gmt, revised: 14, history: 90, last: nil), begin: nil,
            mostIssues: 10_000, texts: Dictionary(uniqueKeysWithValues: tables.map { ($0.query, file) }),
            areReleasesOfMonth: false, stored: stored)
    }

    @Test(
        arguments: [
            (.integer(most), most), (.text("1000000000000000"), most), (.number(1e15), most), (.null, nil),
            (.integer(most + 1), nil), (.integer(.max), nil), (.integer(-1), nil), (.number(1e18), nil),
            (.number(0.5), nil), (.text("1000000000000001"), nil), (.text(""), nil), (.flag(true), nil),
        ] as [(WarehouseCell, Int?)])
    func aCountIsReadUpToItsBound(cell: WarehouseCell, count: Int?) {
        var table = answer(.crashDays, [("day", .date), ("crashes", .count)], [[.text("2026-11-19"), cell]])
        #expect(table.values { $0.count("crashes") } == [count].compactMap(\.self))
        #expect(table.losses.warnings.isEmpty == (count != nil || cell == .null))
    }

    /// As of days and of files: what is more than its whole is unknown, and the rest of the row is kept.
    @Test func anHourWithMoreCrashedSessionsThanSessionsKeepsTheSessions() {
        let columns: [(String, WarehouseColumn.Kind)] = [("sessions", .count), ("crashed_sessions", .count)]
        let tables = [
            answer(
                .days, [("day", .date)] + columns,
                [
                    [.text("2026-11-18"), .integer(20), .integer(3)],
                    [.text("2026-11-19"), .integer(20), .integer(25)],
                ]),
            answer(
                .hours, [("hour", .instant)] + columns,
                [
                    [.text("2026-11-19 06:00:00"), .integer(10), .integer(12)],
                    [.text("2026-11-19 07:00:00"), .integer(10), .integer(1)],
                ]),
        ]
        let snapshot = mapping(tables, [.sessions, .hours], readsCrashTable: false).snapshot
        #expect(snapshot.healthHours.map(\.sessions) == [10, 10])
        #expect(snapshot.healthHours.map(\.crashedSessions) == [nil, 1])
        let said = snapshot.warnings.map(\.everything).joined(separator: "\n")
        #expect(said.contains("expected at most 10, found 12, which counts as unknown"), "\(said)")
        #expect(said.contains("expected at most 20, found 25, which counts as unknown"), "\(said)")
    }

    /// So many issues with the largest count on each day and in an hour that their sum has no number.
    @Test func sumsOfTheLargestCountsAreHeld() throws {
        let days = (6...19).map { WarehouseCell.text("2026-11-\($0 < 10 ? "0" : "")\($0)") }
        let issues = (0..<9300).map { WarehouseCell.text("i\($0)") }
        let one = WarehouseCell.integer(Self.most)
        let tables = [
            answer(
                .days, [("day", .date), ("sessions", .count), ("crashed_sessions", .count)],
                days.map { [$0, one, $0 == days[0] ? .integer(0) : one] }),
            answer(
                .hours, [("hour", .instant), ("sessions", .count)],
                (0...9).map { [.text("2026-11-19 0\($0):00:00"), one] }),
            answer(
                .issues, [("issue", .text), ("title", .text), ("last_seen", .instant)],
                issues.map { [$0, $0, .text("2026-11-19 03:00:00")] }),
            answer(
                .issueDays, [("issue", .text), ("day", .date), ("events", .count)],
                issues.map { [$0, days[13], one] } + days[1..<13].map { [issues[0], $0, one] }),
            answer(
                .issueHours, [("issue", .text), ("hour", .instant), ("events", .count)],
                issues.map { [$0, .text("2026-11-18 07:00:00"), one] }
                    + issues.prefix(2).map { [$0, .text("2026-11-18 08:00:00"), one] }),
        ]
        let mapping = mapping(tables, [.sessions, .issues, .issueDays, .hours], readsCrashTable: true) {
            let date = CivilDate("2026-11-19") ?? runTime.date
            return KnownIssues(
                days: (0..<2).map { IssueDay(issue: "i\($0)", date: date, events: .max, users: nil) })
        }
        #expect(mapping.crashTable.usual == Self.most)
        #expect(mapping.crashTable.cutDay?.description == "2026-11-19")
    }
}
