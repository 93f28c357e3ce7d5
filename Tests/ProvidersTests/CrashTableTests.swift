import AppHealth
import Foundation
import Testing

@testable import Providers

/// A day after the newest row of a table of crashes had none, or is not loaded yet: at first it is not known which.
struct CrashTableTests {
    /// Four days with sessions, the last one yesterday.
    ///
    /// - Parameters:
    ///   - crashed: Sessions of each day that crashed, as a row of the sessions or a row of the crashes says.
    ///   - events: Crashes of those days that have any.
    ///   - lastSeen: The time of the newest crash of an issue; nil where the list has none.
    private func mapping(
        crashed: [Int], events: [String: Int], lastSeen: String?, ofCrashTable: Set<WarehouseQuery>,
        hours: [String] = []
    ) -> Snapshot {
        let days = (16...19).map { WarehouseCell.text("2026-11-\($0)") }
        let counts = zip(days, crashed).map { [$0, .integer(100), .integer($1)] }
        let crashes = events.sorted { $0.key < $1.key }
        let tables = [
            answer(.days, [("day", .date), ("sessions", .count), ("crashed_sessions", .count)], counts),
            answer(
                .releaseDays,
                [("day", .date), ("release", .text), ("sessions", .count), ("crashed_sessions", .count)],
                counts.map { [$0[0], .text("1.0"), $0[1], $0[2]] }),
            answer(
                .crashDays, [("day", .date), ("crashes", .count)],
                crashes.map { [.text($0.key), .integer($0.value)] }),
            answer(
                .issues, [("issue", .text), ("title", .text), ("last_seen", .instant)],
                lastSeen.map { [[.text("i"), .text("I"), .text($0)]] } ?? []),
            answer(
                .issueDays, [("issue", .text), ("day", .date), ("events", .count)],
                crashes.map { [.text("i"), .text($0.key), .integer($0.value)] }),
            answer(
                .hours, [("hour", .instant), ("sessions", .count), ("crashed_sessions", .count)],
                hours.map { [.text($0), .integer(9), .integer(0)] }),
            answer(.issueHours, [("issue", .text), ("hour", .instant), ("events", .count)], []),
        ]
        let source = Source(
            id: Slug(anyText: "bigquery"), provider: "bigquery", sessionDefinition: "", userDefinition: "",
            zone: "UTC", delay: "", capabilities: [.sessions, .issues, .issueDays, .hours])
        return WarehouseMapping(
            Dictionary(tables.map { ($0.query, $0) }) { first, _ in first },
            of: Snapshot(app: app("deck"), source: source, capturedAt: runTime),
            window: WarehouseWindow(at: runTime, zone: .gmt, revised: 14, history: 90, last: nil),
            begin: nil, mostIssues: 200,
            texts: Dictionary(
                uniqueKeysWithValues: tables.map {
                    (
                        $0.query,
                        QueryFile(
                            text: "", shown: "", deviation: 0,
                            readsCrashTable: ofCrashTable.contains($0.query))
                    )
                }), areReleasesOfMonth: false
        ).snapshot
    }

    @Test(
        arguments: [
            // Crashed sessions of the rows, crashes by day, the newest row, what the table of crashes says; crashed sessions
            // and crashes of each day, and the days of which issues are known.
            (
                "a loaded table", [1, 0, 0, 1], ["2026-11-16": 1, "2026-11-19": 2], "2026-11-19 09:00:00",
                WarehouseQuery.joinedWithCrashes, [1, 0, 0, 1], [1, 0, 0, 2],
                ["2026-11-16…2026-11-19 complete"]
            ),
            (
                "a table that is behind", [1, 0, 0, 0], ["2026-11-16": 1], "2026-11-16 09:00:00",
                WarehouseQuery.joinedWithCrashes,
                [1, 0, nil, nil], [1, 0, nil, nil], ["2026-11-16…2026-11-17 complete"]
            ),
            (
                "sessions that say so themselves", [1, 0, 0, 5], ["2026-11-16": 1], "2026-11-16 09:00:00",
                WarehouseQuery.ofTheCrashTable, [1, 0, 0, 5], [1, 0, nil, nil],
                ["2026-11-16…2026-11-17 complete"]
            ),
            (
                "a row of today", [1, 0, 0, 0], ["2026-11-16": 1], "2026-11-20 01:00:00",
                WarehouseQuery.joinedWithCrashes,
                [1, 0, 0, 0], [1, 0, 0, 0], ["2026-11-16…2026-11-19 complete"]
            ),
            (
                "an empty table", [0, 0, 0, 0], [:], nil, WarehouseQuery.joinedWithCrashes, [0, 0, nil, nil],
                [0, 0, nil, nil], []
            ),
            (
                "one table of both", [1, 0, 0, 0], ["2026-11-16": 1], "2026-11-16 09:00:00", [],
                [1, 0, 0, 0], [1, 0, 0, 0], ["2026-11-16…2026-11-19 complete"]
            ),
        ]
            as [(
                String, [Int], [String: Int], String?, Set<WarehouseQuery>, [Int?], [Int?], [String]
            )])
    func aDayAfterTheNewestRowIsNotOneWithoutCrashes(
        name: String, crashed: [Int], events: [String: Int], lastSeen: String?,
        ofCrashTable: Set<WarehouseQuery>, sessions: [Int?], crashes: [Int?], issues: [String]
    ) {
        let snapshot = mapping(
            crashed: crashed, events: events, lastSeen: lastSeen, ofCrashTable: ofCrashTable)
        let all = snapshot.health.filter { $0.version == nil }
        #expect(all.map(\.sessions) == [100, 100, 100, 100], "\(name)")
        #expect(all.map(\.crashedSessions) == sessions, "\(name)")
        #expect(all.map(\.crashes) == crashes, "\(name)")
        #expect(
            snapshot.health.filter { $0.version != nil }.map(\.crashedSessions) == sessions, "\(name)")
        let stated = CoverageHistory(snapshot.coverage)
        #expect(stated.days(of: .sessions) == zip(all, sessions).filter { $1 != nil }.map(\.0.date))
        #expect(stated.days(of: .crashes) == zip(all, crashes).filter { $1 != nil }.map(\.0.date))
        #expect(spans(snapshot, .issueDays) == issues, "\(name)")
    }

    @Test func anHourAfterTheNewestRowIsNotKnown() {
        let hours = ["2026-11-19 10:00:00", "2026-11-19 15:00:00", "2026-11-19 20:00:00"]
        let late = mapping(
            crashed: [1, 0, 0, 0], events: ["2026-11-19": 1], lastSeen: "2026-11-19 15:30:00",
            ofCrashTable: WarehouseQuery.joinedWithCrashes, hours: hours)
        #expect(late.healthHours.map(\.crashedSessions) == [0, 0, nil])
        #expect(late.issueHours.map(\.hour.description) == ["2026-11-19T10:00:00Z", "2026-11-19T15:00:00Z"])
        let own = mapping(
            crashed: [1, 0, 0, 0], events: ["2026-11-19": 1], lastSeen: "2026-11-19 15:30:00",
            ofCrashTable: [], hours: hours)
        #expect(own.healthHours.map(\.crashedSessions) == [0, 0, 0] && own.issueHours.count == 3)
    }
}
