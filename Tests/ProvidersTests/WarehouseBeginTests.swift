import AppHealth
import Foundation
import Testing

@testable import Providers

/// Rows that devices date back, as their clocks are behind, are no begin of the data and no first day of a release. The
/// fetch is of Nov 20, 06:00; without an earlier one it is of Aug 22 to Nov 19.
struct WarehouseBeginTests {
    /// What the tables have, and what is stored.
    private struct Night {
        var sessions: [CivilDate: Int]
        /// The first day and the sessions of each release.
        var releases: [String: (first: String, sessions: [CivilDate: Int])]
        var last: String?
        var stored: [CivilDate: Int] = [:]
        var storedReleases: [String: String?] = [:]
        var hasOwnReleases = false
        /// The first day that an earlier fetch of all of the history counted.
        var counted: String?
        /// The events of an issue by day where crashes have a table of their own, and those that are stored.
        var crashes: [CivilDate: Int]?
        var storedCrashes: [CivilDate: Int] = [:]
        /// The days on which issues were first seen, at 10:00.
        var firstSeen = ["2001-01-01", "2026-11-05", "2026-11-06"]
    }

    private static func date(_ text: String) -> CivilDate { CivilDate(text) ?? CivilDate(daysSinceEpoch: 0) }

    /// So many sessions on each day from one to another.
    private static func each(_ first: String, _ last: String, _ sessions: Int) -> [CivilDate: Int] {
        Dictionary(uniqueKeysWithValues: (date(first)...date(last)).all.map { ($0, sessions) })
    }

    private func mapping(_ night: Night) -> WarehouseMapping {
        let days = night.sessions.sorted { $0.key < $1.key }
        let releases = night.releases.sorted { $0.key < $1.key }
        let counts = ["active_users", "weekly_active_users", "monthly_active_users"]
        var tables = [
            answer(
                .days, [("day", .date), ("sessions", .count)],
                days.map { [.text("\($0.key)"), .integer($0.value)] }),
            answer(
                .releaseDays, [("day", .date), ("release", .text), ("sessions", .count)],
                releases.flatMap { release in
                    release.value.sessions.map {
                        [.text("\($0.key)"), .text(release.key), .integer($0.value)]
                    }
                }),
            answer(
                .usage, [("day", .date)] + counts.map { ($0, .count) },
                days.map { [.text("\($0.key)")] + counts.map { _ in .integer(9) } }),
            answer(
                .newUsers, [("day", .date), ("new_users", .count)],
                days.map { [.text("\($0.key)"), .integer(1)] }),
            answer(
                .releases, [("release", .text), ("first_day", .date)],
                releases.map { [.text($0.key), .text($0.value.first)] }),
            answer(
                .issues, [("issue", .text), ("title", .text), ("first_seen", .instant)],
                night.firstSeen.map { [.text($0), .text("It broke"), .text("\($0) 10:00:00")] }),
        ]
        if let crashes = night.crashes {
            tables.append(
                answer(
                    .issueDays, [("issue", .text), ("day", .date), ("events", .count)],
                    crashes.sorted { $0.key < $1.key }.map {
                        [.text(night.firstSeen[0]), .text("\($0.key)"), .integer($0.value)]
                    }))
        }
        let source = Source(
            id: Slug(anyText: "clickhouse"), provider: "clickhouse", sessionDefinition: "",
            userDefinition: "", zone: "UTC", delay: "",
            capabilities: [.sessions, .releases, .releaseHealth, .usage, .issues])
        return WarehouseMapping(
            Dictionary(uniqueKeysWithValues: tables.map { ($0.query, $0) }),
            of: Snapshot(app: app("deck"), source: source, capturedAt: runTime),
            window: WarehouseWindow(
                at: runTime, zone: .gmt, revised: 14, history: 90,
                last: night.last.flatMap { CivilDate($0) }),
            begin: night.counted.map(Self.date), mostIssues: 200,
            texts: Dictionary(
                uniqueKeysWithValues: tables.map {
                    let isOwn = night.hasOwnReleases && $0.query == .releases
                    let isOfCrashes = [.issues, .issueDays].contains($0.query)
                    return (
                        $0.query,
                        QueryFile(
                            text: "", shown: "", deviation: isOwn ? nil : 0,
                            readsCrashTable: isOfCrashes && night.crashes != nil, readsFirstsTable: false)
                    )
                }),
            areReleasesOfMonth: false,
            earlier: StoredWarehouse(
                releases: night.storedReleases.map { label, day in
                    Release(
                        version: Version(label),
                        releasedAt: day.flatMap { CivilDate($0) }.map { Instant(startOf: $0) })
                }, counts: KnownCounts(sessions: night.stored))
        ) {
            KnownIssues(
                days: night.storedCrashes.map {
                    IssueDay(issue: night.firstSeen[0], date: $0.key, events: $0.value, users: nil)
                })
        }
    }

    private func releases(_ mapping: WarehouseMapping) -> [String] {
        mapping.snapshot.releases.map {
            "\($0.version) \($0.releasedAt.map { "\($0.date)" } ?? "–")"
        }
    }

    /// A table that begins on Nov 5 with one release and has a second one from Nov 10 on, of which one row is older.
    @Test(arguments: ["2026-11-10", "1970-01-01", "0000-00-00", "2001-01-01", "2026-09-20", "2026-10-20"])
    func aClockThatIsBehindMakesNoBegin(first: String) {
        let isBehind = first.hasPrefix("2026") && first != "2026-11-10"
        let stray = isBehind ? [Self.date(first): 1] : [:]
        let mapping = mapping(
            Night(
                sessions: Self.each("2026-11-05", "2026-11-19", 1_200).merging(stray) { $1 },
                releases: [
                    "4.2.2": ("2026-11-05", Self.each("2026-11-05", "2026-11-19", 900)),
                    "4.3.0": (first, Self.each("2026-11-10", "2026-11-19", 300).merging(stray) { $1 }),
                ]))
        #expect(releases(mapping) == ["4.2.2 –", "4.3.0 2026-11-10"])
        #expect(mapping.begin == CivilDate("2026-11-05"))
        #expect(mapping.snapshot.usage.allSatisfy { $0.monthlyActiveUsers == nil && $0.newUsers == nil })
        let weeks = mapping.snapshot.usage.filter { $0.weeklyActiveUsers != nil }.map(\.date)
        #expect(weeks == (Self.date("2026-11-11")...Self.date("2026-11-19")).all)
        #expect(mapping.snapshot.warnings.map(\.everything) == [])
        // An issue of the first day of all data is not known to be new.
        #expect(
            mapping.snapshot.issues.map { $0.firstSeen?.description } == [nil, nil, "2026-11-06T10:00:00Z"])
    }

    /// Testers before a launch are few, and go on until it.
    @Test func firstDaysMayBeSmall() {
        let testers = Self.each("2026-09-01", "2026-10-31", 3)
            .filter { $0.key.daysSinceEpoch % 7 > 1 || $0.key == Self.date("2026-09-01") }
        let launched = Self.each("2026-11-01", "2026-11-19", 1_000)
        let mapping = mapping(
            Night(
                sessions: testers.merging(launched) { $1 },
                releases: ["0.9": ("2026-09-01", testers), "1.0": ("2026-11-01", launched)]))
        #expect(releases(mapping) == ["0.9 –", "1.0 2026-11-01"])
        #expect(mapping.begin == CivilDate("2026-09-01"))
        let months = mapping.snapshot.usage.filter { $0.monthlyActiveUsers != nil }.map(\.date)
        #expect(months.first.map { $0 <= Self.date("2026-09-30") } == true && months.count > 40)
    }

    /// A table that reaches back before what is read: releases that came out since have the day of their first use.
    @Test(
        arguments: [
            // The last day of earlier fetches, first days of two releases, what is stored of the newest; its day.
            ("2026-11-19", "1971-03-01", "2012-01-01", nil, "2026-11-15"),
            ("2026-11-19", "2026-02-01", "2012-01-01", nil, "2026-11-15"),
            ("2026-11-19", "2026-02-01", "2026-10-20", nil, "2026-11-15"),
            ("2026-11-19", "2026-02-01", "2026-11-15", nil, "2026-11-15"),
            ("2026-11-19", "2026-02-01", "2012-01-01", "2026-11-14", "2026-11-14"),
            ("2026-11-19", "2026-02-01", "2026-11-13", "2026-11-14", "2026-11-13"),
            (nil, "2026-02-01", "2012-01-01", nil, "2026-11-15"),
            (nil, "2026-02-01", "2026-11-15", nil, "2026-11-15"),
        ] as [(String?, String, String, String?, String)])
    func aReleaseHasTheDayOfItsFirstUse(
        last: String?, oldest: String, first: String, stored: String?, day: String
    ) {
        let start = last == nil ? "2026-08-22" : "2026-11-06"
        var storedReleases: [String: String?] = last == nil ? [:] : ["4.2.2": nil, "4.3.0": "2026-10-01"]
        if let stored { storedReleases["4.4.0"] = stored }
        let mapping = mapping(
            Night(
                sessions: Self.each(start, "2026-11-19", 1_200),
                releases: [
                    "4.2.2": (oldest, Self.each(start, "2026-11-19", 700)),
                    "4.3.0": (
                        "2026-10-01", Self.each(last == nil ? "2026-10-01" : start, "2026-11-19", 300)
                    ),
                    "4.4.0": (first, Self.each("2026-11-15", "2026-11-19", 500)),
                ], last: last, stored: last == nil ? [:] : Self.each("2026-08-22", "2026-11-18", 1_200),
                storedReleases: storedReleases))
        #expect(releases(mapping) == ["4.2.2 –", "4.3.0 2026-10-01", "4.4.0 \(day)"])
        // The tables reach back before what is read: all weeks and months are whole.
        #expect(mapping.snapshot.usage.allSatisfy { $0.monthlyActiveUsers != nil })
    }

    /// A release of which no more is there than a row of a wrong clock has no day yet, which would be stored for good: it is
    /// listed once it is in use.
    @Test(
        arguments: [("1971-03-01", nil), ("2026-02-01", nil), ("2026-11-05", "2026-11-05")]
            as [(String, String?)])
    func aRowOfAWrongClockIsNoRelease(oldest: String, counted: String?) {
        func listed(_ first: String, stored: [String: String?]) -> [String] {
            let start = counted == nil ? "2026-08-22" : "2026-11-05"
            return releases(
                mapping(
                    Night(
                        sessions: Self.each("2026-11-06", "2026-11-19", 1_200),
                        releases: [
                            "4.2.2": (oldest, Self.each("2026-11-06", "2026-11-19", 700)),
                            "4.3.0": ("2026-10-01", Self.each("2026-11-06", "2026-11-19", 500)),
                            "4.4.0": (first, [:]),
                        ], last: "2026-11-19", stored: Self.each(start, "2026-11-18", 1_200),
                        storedReleases: stored, counted: counted)))
        }
        let stored: [String: String?] = ["4.2.2": nil, "4.3.0": "2026-10-01"]
        #expect(listed("2012-01-01", stored: stored) == ["4.2.2 –", "4.3.0 2026-10-01"])
        // One that an earlier fetch saw stays, and one of these days may have no session yet.
        let known = stored.merging(["4.4.0": "2026-10-05"]) { $1 }
        #expect(
            listed("2026-10-05", stored: known) == ["4.2.2 –", "4.3.0 2026-10-01", "4.4.0 2026-10-05"])
        #expect(
            listed("2026-11-18", stored: stored) == ["4.2.2 –", "4.3.0 2026-10-01", "4.4.0 2026-11-18"])
    }

    /// A first event up to the first day of all data says nothing, unless that day is not shown or the table of crashes is
    /// older than that of the sessions.
    @Test(
        arguments: [
            // The first day of the sessions, crashes by day, stored ones; a first event, and whether it is kept.
            ("older", "2026-11-05", each("2026-09-06", "2026-11-19", 40), [:], "2026-09-26", true),
            (
                "stored", "2026-11-05", each("2026-11-06", "2026-11-19", 40),
                each("2026-09-06", "2026-11-04", 40), "2026-09-26", true
            ),
            // Rows of clocks that are behind.
            (
                "clocks", "2026-11-05",
                each("2026-09-06", "2026-10-20", 1).merging(each("2026-11-05", "2026-11-19", 40)) { $1 },
                [:], "2026-09-26", false
            ),
            ("few days", "2026-11-05", each("2026-10-30", "2026-11-19", 40), [:], "2026-11-01", false),
            ("one table", "2026-11-05", nil, [:], "2026-09-26", false),
            ("no shown day", "2026-08-22", nil, [:], "2025-12-01", true),
        ] as [(String, String, [CivilDate: Int]?, [CivilDate: Int], String, Bool)])
    func anOlderTableOfCrashesKeepsFirstEvents(
        name: String, first: String, crashes: [CivilDate: Int]?, stored: [CivilDate: Int], seen: String,
        isKept: Bool
    ) {
        let isLater = !stored.isEmpty
        let start = isLater ? "2026-11-06" : first
        let oldest = first == "2026-08-22" ? "2026-02-01" : first
        let mapping = mapping(
            Night(
                sessions: Self.each(start, "2026-11-19", 1_200),
                releases: ["4.2.2": (oldest, Self.each(start, "2026-11-19", 1_200))],
                last: isLater ? "2026-11-19" : nil,
                stored: isLater ? Self.each(first, "2026-11-18", 1_200) : [:],
                storedReleases: isLater ? ["4.2.2": nil] : [:], counted: isLater ? first : nil,
                crashes: crashes, storedCrashes: stored, firstSeen: [seen, "2026-11-12"]))
        #expect(mapping.begin?.description == oldest, "\(name)")
        #expect(
            mapping.snapshot.issues.map { $0.firstSeen?.description }
                == [isKept ? "\(seen)T10:00:00Z" : nil, "2026-11-12T10:00:00Z"], "\(name)")
    }

    /// What a query of one's own says of releases is taken as it is.
    @Test func releasesOfAQueryOfOnesOwnKeepTheirDays() {
        let mapping = mapping(
            Night(
                sessions: Self.each("2026-11-05", "2026-11-19", 1_200),
                releases: [
                    "4.2.2": ("2024-05-01", Self.each("2026-11-05", "2026-11-19", 900)),
                    "4.3.0": ("2026-10-01", Self.each("2026-11-05", "2026-11-19", 300)),
                ], hasOwnReleases: true))
        #expect(releases(mapping) == ["4.2.2 –", "4.3.0 2026-10-01"])
    }

    @Test(
        arguments: [
            ("from the first day", each("2026-11-05", "2026-11-19", 1_200), "2026-11-05"),
            (
                "a row of long ago",
                each("2026-11-05", "2026-11-19", 1_200).merging(each("2026-09-20", "2026-09-20", 1)) { $1 },
                "2026-11-05"
            ),
            (
                "a pause of a week",
                each("2026-11-05", "2026-11-19", 1_200).merging(each("2026-10-28", "2026-10-28", 1)) { $1 },
                "2026-11-05"
            ),
            (
                "a pause of six days",
                each("2026-11-05", "2026-11-19", 1_200).merging(each("2026-10-29", "2026-10-29", 1)) { $1 },
                "2026-10-29"
            ),
            (
                "more and more",
                each("2026-10-01", "2026-10-20", 2).merging(each("2026-10-21", "2026-10-31", 90)) { $1 }
                    .merging(each("2026-11-01", "2026-11-19", 2_000)) { $1 }, "2026-10-01"
            ),
            (
                "a few rows a day of millions",
                each("2026-09-01", "2026-10-20", 3).merging(each("2026-10-21", "2026-11-19", 1_000_000)) {
                    $1
                },
                "2026-10-21"
            ),
            ("so few that a pause is chance", each("2026-11-05", "2026-11-19", 20), nil), ("none", [:], nil),
        ] as [(String, [CivilDate: Int], String?)])
    func rowsBeginWhereTheyGoOn(name: String, rows: [CivilDate: Int], day: String?) {
        #expect(FirstRun(rows)?.day == day.flatMap { CivilDate($0) }, "\(name)")
    }
}
