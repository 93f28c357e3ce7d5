import AppHealth
import Diagnostics
import Foundation
import Testing

@testable import Providers

/// What is known of a day is known as far as the tables reach: those of sessions, of crashes and of first uses. The window
/// is Nov 6 to Nov 19, and the fetch is of Nov 20, 06:00.
struct WarehouseReachTests {
    /// What the tables have. Sessions, rows of crashes and first uses are by day from Nov 6 on; 0 is no row.
    private struct Night {
        var sessions: [Int]? = Array(repeating: 400, count: 14)
        var crashes = Array(repeating: 40, count: 14)
        var lastSeen: String? = "2026-11-20 05:00:00"
        var hours: [String: Int]? = [:]
        var issueHours: [String: Int] = [:]
        var firsts: [Int]?
        var areFirstsApart = true
        var stored: [String: Int] = [:]
    }

    /// Cells of the day and the count, of each day that has any.
    private func rows(_ counts: [Int], from first: [WarehouseCell] = []) -> [[WarehouseCell]] {
        counts.enumerated().filter { $0.element > 0 }.map {
            first + [.text(Self.day($0.offset)), .integer($0.element)]
        }
    }

    private static func day(_ place: Int) -> String { "2026-11-\(place < 4 ? "0" : "")\(6 + place)" }

    private func cells(_ hours: [String: Int]) -> [[WarehouseCell]] {
        hours.sorted { $0.key < $1.key }.map { [.text($0.key), .integer($0.value)] }
    }

    private func mapping(_ night: Night) -> WarehouseMapping {
        let sessions = night.sessions ?? Array(repeating: 400, count: 14)
        let days = rows(sessions)
        var tables = [
            answer(
                .releaseDays,
                [("day", .date), ("release", .text), ("sessions", .count), ("crashed_sessions", .count)],
                days.map { [$0[0], .text("1.0"), $0[1], .integer(0)] }),
            answer(.crashDays, [("day", .date), ("crashes", .count)], rows(night.crashes)),
            answer(
                .issues, [("issue", .text), ("title", .text), ("last_seen", .instant)],
                night.lastSeen.map { [[.text("i"), .text("I"), .text($0)]] } ?? []),
            answer(
                .issueDays, [("issue", .text), ("day", .date), ("events", .count)],
                rows(night.crashes, from: [.text("i")])),
            answer(
                .issueHours, [("issue", .text), ("hour", .instant), ("events", .count)],
                cells(night.issueHours).map { [.text("i")] + $0 }),
            answer(.usage, [("day", .date), ("active_users", .count)], days),
            answer(
                .releases, [("release", .text), ("first_day", .date)],
                [[.text("1.0"), .text("2026-01-01")]]),
        ]
        if night.sessions != nil {
            let columns: [(String, WarehouseColumn.Kind)] = [
                ("day", .date), ("sessions", .count), ("crashed_sessions", .count),
            ]
            tables.append(answer(.days, columns, days.map { $0 + [.integer(0)] }))
        }
        if let hours = night.hours {
            tables.append(answer(.hours, [("hour", .instant), ("sessions", .count)], cells(hours)))
        }
        if let firsts = night.firsts {
            tables.append(answer(.newUsers, [("day", .date), ("new_users", .count)], rows(firsts)))
        }
        let source = Source(
            id: Slug(anyText: "bigquery"), provider: "bigquery", sessionDefinition: "", userDefinition: "",
            zone: "UTC", delay: "", capabilities: [.sessions, .issues, .issueDays, .hours, .usage])
        let texts = Set(tables.map(\.query)).union([.days]).map { query in
            (
                query,
                QueryFile(
                    text: "", shown: "", deviation: 0,
                    readsCrashTable: WarehouseQuery.joinedWithCrashes.contains(query),
                    readsFirstsTable: night.areFirstsApart)
            )
        }
        return WarehouseMapping(
            Dictionary(tables.map { ($0.query, $0) }) { first, _ in first },
            of: Snapshot(app: app("deck"), source: source, capturedAt: runTime),
            window: WarehouseWindow(
                at: runTime, zone: .gmt, revised: 14, history: 90, last: CivilDate("2026-11-18")),
            begin: nil, mostIssues: 200, texts: Dictionary(uniqueKeysWithValues: texts),
            areReleasesOfMonth: false
        ) {
            KnownIssues(
                days: night.stored.compactMap { day, events in
                    CivilDate(day).map { IssueDay(issue: "i", date: $0, events: events, users: nil) }
                })
        }
    }

    /// The days of all releases with a count, as days of November.
    private func days(_ mapping: WarehouseMapping, with count: KeyPath<HealthDay, Int?>) -> [Int] {
        mapping.snapshot.health.filter { $0.version == nil && $0[keyPath: count] != nil }.compactMap {
            Int("\($0.date)".suffix(2))
        }
    }

    /// Each day of a span with so many rows.
    private static func stored(_ first: String, _ count: Int, rows: Int) -> [String: Int] {
        guard let first = CivilDate(first) else { return [:] }
        return Dictionary(uniqueKeysWithValues: (0..<count).map { ("\(first.advanced(by: $0))", rows) })
    }

    @Test(
        arguments: [
            // Rows by day, the newest row, stored rows; the days without crashes that are known, and the words of a warning.
            (
                "emptied for a night", Array(repeating: 0, count: 14), nil, ["2026-11-10": 5], [],
                "events on days that were requested, the last on 2026-11-10"
            ),
            (
                "emptied for weeks", Array(repeating: 0, count: 14), nil, stored("2026-09-20", 21, rows: 40),
                [], "an ordinary day has 40 rows"
            ),
            ("never a row", Array(repeating: 0, count: 14), nil, [:], Array(6...17), nil),
            (
                "a row of long ago", Array(repeating: 0, count: 14), nil, ["2026-10-01": 1], Array(6...17),
                nil
            ),
            (
                "few rows", [1, 0, 0, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], "2026-11-12 09:00:00",
                stored("2026-10-10", 3, rows: 30), Array(6...17), nil
            ),
            (
                "stopped", Array(repeating: 40, count: 10) + [0, 0, 0, 0], "2026-11-15 23:50:00", [:],
                Array(6...15), "no row since 2026-11-15"
            ),
            (
                "stopped within a day", Array(repeating: 40, count: 11) + [6, 0, 0], "2026-11-17 04:00:00",
                [:], Array(6...16), nil
            ),
            (
                "a day that is missing", [40, 40, 40, 40, 0] + Array(repeating: 40, count: 9),
                "2026-11-20 05:00:00", [:], Array(6...9) + Array(11...19), nil
            ),
            (
                "linked later than the sessions", [0, 0, 0] + Array(repeating: 40, count: 11),
                "2026-11-20 05:00:00", [:], Array(9...19), nil
            ),
        ] as [(String, [Int], String?, [String: Int], [Int], String?)])
    func aTableOfCrashesIsKnownAsFarAsItReaches(
        name: String, crashes: [Int], lastSeen: String?, stored: [String: Int], known: [Int], warning: String?
    ) {
        let mapping = mapping(Night(crashes: crashes, lastSeen: lastSeen, stored: stored))
        #expect(days(mapping, with: \.sessions) == Array(6...19), "\(name)")
        #expect(days(mapping, with: \.crashedSessions) == known, "\(name)")
        #expect(days(mapping, with: \.crashes) == known, "\(name)")
        let stated = CoverageHistory(mapping.snapshot.coverage)
        for fact in [CoveredFact.sessions, .crashes] {
            #expect(stated.days(of: fact).compactMap { Int("\($0)".suffix(2)) } == known, "\(name)")
        }
        let words = mapping.snapshot.warnings.map(\.everything)
        #expect(words.count == (warning == nil ? 0 : 1), "\(name): \(words)")
        if let warning { #expect(words.first?.contains(warning) == true, "\(name): \(words)") }
        // Once the table is loaded, the days that it lacked are requested.
        #expect(mapping.silent.isEmpty == (warning == nil), "\(name)")
    }

    /// On a weekend with a twentieth of the sessions no crash is no wonder, once later rows are there; on an ordinary day
    /// it is.
    @Test(arguments: [(20, Array(6...19)), (400, Array(6...8) + Array(11...19))])
    func aDayWithFewSessionsMayHaveNoCrash(sessions: Int, known: [Int]) {
        var (all, crashes) = (Array(repeating: 400, count: 14), Array(repeating: 40, count: 14))
        for place in 3...4 { (all[place], crashes[place]) = (sessions, 0) }
        let mapping = mapping(
            Night(sessions: all, crashes: crashes, lastSeen: "2026-11-20 05:00:00"))
        #expect(days(mapping, with: \.crashedSessions) == known)
        #expect(days(mapping, with: \.crashes) == known)
        #expect(mapping.snapshot.warnings.isEmpty)
    }

    /// The evening before had rows, or had none by habit.
    @Test(arguments: [(true, Array(6...18)), (false, Array(6...19))])
    func theNewestDayOfCrashesIsKnownToItsEnd(hadEvening: Bool, known: [Int]) throws {
        let hours = (13...23).map { ("2026-11-18 \($0):00:00", hadEvening ? 2 : 0) }
        let mapping = mapping(
            Night(
                lastSeen: "2026-11-19 12:00:00",
                issueHours: Dictionary(uniqueKeysWithValues: hours.filter { $0.1 > 0 })))
        #expect(days(mapping, with: \.crashedSessions) == known)
        let day = try #require(CivilDate("2026-11-19"))
        let coverage = CoverageHistory(mapping.snapshot.coverage)
        #expect(coverage(.issueDays, on: day).isPartial == hadEvening)
        #expect(coverage(.crashes, on: day).isKnown != hadEvening)
    }

    /// Sessions of each hour of some days.
    private static func hours(_ spans: (day: Int, hours: ClosedRange<Int>)...) -> [String: Int] {
        spans.reduce(into: [:]) { hours, span in
            for hour in span.hours { hours["2026-11-\(span.day) \(hour < 10 ? "0" : "")\(hour):00:00"] = 20 }
        }
    }

    @Test(
        arguments: [
            // Sessions of the last two days and of the others, hours; the last day that is known.
            ("half of the newest day", [400, 206], 400, hours((18, 6...23), (19, 0...11)), 18),
            (
                "a row of today", [400, 206], 400,
                hours((18, 6...23), (19, 0...11), (20, 2...2)), 19
            ),
            ("a quiet evening by habit", [400, 206], 400, hours((18, 6...11), (19, 0...11)), 19),
            ("an hour late", [400, 390], 400, hours((18, 6...23), (19, 0...22)), 19),
            ("few sessions", [20, 9], 20, hours((18, 6...23), (19, 0...11)), 19),
            ("half of the day before the last", [206, 0], 400, hours((18, 6...11)), 17),
            ("a table of whole days, a day late", [400, 0], 400, hours((18, 6...23)), 18),
            ("stopped days ago", [0, 0], 400, [:], 17),
            ("no hours", [400, 206], 400, nil, 19),
        ] as [(String, [Int], Int, [String: Int]?, Int)])
    func aDayOfWhichAPartIsLoadedIsUnknown(
        name: String, last: [Int], usual: Int, hours: [String: Int]?, known: Int
    ) {
        let mapping = mapping(Night(sessions: Array(repeating: usual, count: 12) + last, hours: hours))
        #expect(days(mapping, with: \.sessions) == Array(6...known), "\(name)")
        let ofReleases = mapping.snapshot.health.filter { $0.version != nil }
        #expect(ofReleases.count == known - 5 && mapping.snapshot.usage.count == known - 5, "\(name)")
        let stated = CoverageHistory(mapping.snapshot.coverage)
        for fact in [CoveredFact.sessions, .releaseHealth, .usage] {
            #expect(stated.days(of: fact).last?.description == "2026-11-\(known)", "\(name), \(fact)")
        }
    }

    @Test(
        arguments: [
            // First uses by day, whether their table is one of its own; new users of each day, -1 where they are unknown.
            (
                [0, 3, 0, 0, 2, 0, 0, 0, 1, 0, 0, 4, 0, 0], true,
                [-1, 3, 0, 0, 2, 0, 0, 0, 1, 0, 0, 4, -1, -1]
            ),
            (
                [0, 3, 0, 0, 2, 0, 0, 0, 1, 0, 0, 4, 0, 0], false,
                [0, 3, 0, 0, 2, 0, 0, 0, 1, 0, 0, 4, 0, 0]
            ),
            (Array(repeating: 0, count: 14), true, Array(repeating: -1, count: 14)),
            (
                Array(repeating: 30, count: 6) + [0] + Array(repeating: 30, count: 6) + [0], true,
                Array(repeating: 30, count: 6) + [-1] + Array(repeating: 30, count: 6) + [-1]
            ),
        ] as [([Int], Bool, [Int])])
    func newUsersAreKnownAsFarAsTheTableOfFirstUsesReaches(firsts: [Int], areApart: Bool, known: [Int]) {
        let mapping = mapping(Night(firsts: firsts, areFirstsApart: areApart))
        #expect(mapping.snapshot.usage.map { $0.newUsers ?? -1 } == known)
    }

    /// Totals of an earlier fetch and releases of this one do not add up.
    @Test func releasesWithoutTheirTotalsAreNotStored() {
        let mapping = mapping(Night(sessions: nil))
        #expect(mapping.snapshot.health.allSatisfy { $0.sessions == nil })
        #expect(!CoverageHistory(mapping.snapshot.coverage).states(.releaseHealth))
    }
}
