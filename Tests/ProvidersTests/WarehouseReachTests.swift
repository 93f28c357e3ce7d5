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
        /// Events of an issue that the answers do not name.
        var storedOfEnded: [String: Int] = [:]
        var storedSessions: [String: Int] = [:]
        /// The first day of the oldest release.
        var begin = "2026-01-01"
        /// How many past days are requested again.
        var revised = 14
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
                [[.text("1.0"), .text(night.begin)]]),
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
                at: runTime, zone: .gmt, revised: night.revised, history: 90, last: CivilDate("2026-11-18")),
            begin: nil, mostIssues: 200, texts: Dictionary(uniqueKeysWithValues: texts),
            areReleasesOfMonth: false,
            earlier: StoredWarehouse(
                counts: KnownCounts(
                    sessions: Dictionary(
                        uniqueKeysWithValues: night.storedSessions.compactMap { day, sessions in
                            CivilDate(day).map { ($0, sessions) }
                        })))
        ) {
            KnownIssues(
                days: [("i", night.stored), ("ended", night.storedOfEnded)].flatMap { issue, rows in
                    rows.compactMap { day, events in
                        CivilDate(day).map { IssueDay(issue: issue, date: $0, events: events, users: nil) }
                    }
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
            (
                "few rows a day that are kept for a time", [0, 0, 0] + Array(repeating: 5, count: 11),
                "2026-11-20 05:00:00", [:], Array(9...19), nil
            ),
            (
                "few rows, a stored one is gone", [0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1],
                "2026-11-20 05:00:00", ["2026-11-07": 1], Array(8...19), nil
            ),
            (
                "days without a row by chance", [0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1],
                "2026-11-20 05:00:00", [:], Array(6...19), nil
            ),
            (
                "the first crashes for weeks", Array(repeating: 0, count: 12) + [2, 3],
                "2026-11-20 05:00:00", [:], Array(6...19), nil
            ),
            (
                "a part of the oldest day", [14] + Array(repeating: 40, count: 13), "2026-11-20 05:00:00",
                ["2026-11-06": 40], Array(7...19), nil
            ),
            (
                "a part of the first day of a linked table",
                [0, 0, 0, 9] + Array(repeating: 40, count: 10), "2026-11-20 05:00:00", [:],
                Array(10...19), nil
            ),
            (
                "devices with clocks ahead", Array(repeating: 40, count: 11) + [17, 1, 1],
                "2026-11-19 21:00:00", [:], Array(6...16), nil
            ),
            (
                "fewer than a tenth for days", Array(repeating: 200, count: 9) + [15, 14, 16, 15, 15],
                "2026-11-20 05:00:00", [:], Array(6...19), nil
            ),
            (
                "a level of few rows", Array(repeating: 100, count: 9) + [6, 5, 4, 0, 5],
                "2026-11-20 05:00:00", [:], Array(6...19), nil
            ),
            (
                "fewer than a tenth for two days", Array(repeating: 200, count: 12) + [15, 15],
                "2026-11-20 05:00:00", [:], Array(6...17), nil
            ),
            (
                "clocks ahead of a table that is days late",
                Array(repeating: 2_000, count: 10) + [40, 9, 8, 8],
                "2026-11-19 21:00:00", [:], Array(6...15), "few rows since 2026-11-15"
            ),
            (
                "clocks ahead by fewer and fewer", Array(repeating: 200, count: 10) + [19, 8, 5, 4],
                "2026-11-19 21:00:00", [:], Array(6...15), "few rows since 2026-11-15"
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

    /// An app that is used on workdays has a twentieth of its crashes on weekends, whatever its sessions say.
    @Test func lowWeekendsOfCrashesAreKnown() {
        var crashes = Array(repeating: 150, count: 14)
        for place in [1, 2, 8, 9] { crashes[place] = 8 }
        let earlier = (0..<13).map { place in
            let day = place < 8 ? "2026-10-\(24 + place)" : "2026-11-0\(place - 7)"
            return (day, [0, 1, 7, 8].contains(place) ? 8 : 150)
        }
        let mapping = mapping(
            Night(crashes: crashes, stored: Dictionary(uniqueKeysWithValues: earlier)))
        #expect(days(mapping, with: \.crashedSessions) == Array(6...19))
        #expect(mapping.snapshot.warnings.isEmpty)
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

    /// Rows of devices whose clocks are ahead say nothing of the hours before them.
    @Test func aFewLaterRowsOfCrashesDoNotFillADay() {
        let hours = Self.hours((18, 6...23), (19, 0...9)).merging(["2026-11-19 20:00:00": 1]) { $1 }
        let mapping = mapping(
            Night(
                crashes: Array(repeating: 480, count: 13) + [201], lastSeen: "2026-11-20 01:10:00",
                issueHours: hours))
        #expect(days(mapping, with: \.crashedSessions) == Array(6...18))
        #expect(days(mapping, with: \.sessions) == Array(6...19))
    }

    /// Rows that go on to the end of a low day show that it is loaded, the next night; those of its first hours do not.
    @Test(
        arguments: [
            ("to its end", [400, 24], each(18, 6...23, 16).merging(each(19, 0...23, 1)) { $1 }, 19),
            ("for two days", [26, 24], each(18, 6...23, 1).merging(each(19, 0...23, 1)) { $1 }, 19),
            (
                "its first hours", [400, 23],
                each(18, 6...23, 16).merging(each(19, 0...2, 7)) { $1 }
                    .merging(["2026-11-19 15:00:00": 1, "2026-11-19 21:00:00": 1]) { $1 }, 18
            ),
            ("too few", [4_000, 24], each(18, 6...23, 160).merging(each(19, 0...23, 1)) { $1 }, 18),
        ] as [(String, [Int], [String: Int], Int)])
    func aLowDayOfCrashesIsKnownTheNextNight(name: String, last: [Int], hours: [String: Int], known: Int) {
        let usual = max(400, last[0])
        let mapping = mapping(
            Night(
                crashes: Array(repeating: usual, count: 12) + last, lastSeen: "2026-11-20 01:10:00",
                issueHours: hours))
        #expect(days(mapping, with: \.crashedSessions) == Array(6...known), "\(name)")
        #expect(days(mapping, with: \.crashes) == Array(6...known), "\(name)")
        #expect(mapping.snapshot.warnings.isEmpty && mapping.silent.isEmpty, "\(name)")
    }

    /// Sessions that fall to less than a tenth are known, those of devices whose clocks are ahead are reported.
    @Test(
        arguments: [
            ("a lower level", [30, 28, 31, 30], 19, nil), ("a level of few", [9, 8, 9, 9], 19, nil),
            ("clocks ahead", [9, 3, 2, 2], 15, "table of sessions has few rows since 2026-11-15"),
            ("late for two days", [400, 400, 2, 2], 17, nil),
        ] as [(String, [Int], Int, String?)])
    func lowSessionsAreKnownOrReported(name: String, last: [Int], known: Int, warning: String?) {
        let mapping = mapping(Night(sessions: Array(repeating: 400, count: 10) + last))
        #expect(days(mapping, with: \.sessions) == Array(6...known), "\(name)")
        #expect(mapping.sessionTable.lastDay.description == "2026-11-\(known)", "\(name)")
        let words = mapping.snapshot.warnings.filter { $0.id == "bigquery.session-table" }.map(\.everything)
        #expect(words.count == (warning == nil ? 0 : 1), "\(name): \(words)")
        if let warning { #expect(words.first?.contains(warning) == true, "\(name): \(words)") }
    }

    /// Without any session for more than two days, where a day has 30 or more, the job that fills the table does not run. Its
    /// days are requested once it does.
    @Test(
        arguments: [
            // Sessions by day, stored ones; the newest day and an ordinary one of a warning, the last day that is there.
            ("stopped", Array(repeating: 400, count: 10) + [0, 0, 0, 0], [:], "15", 400, "15"),
            ("for three days", Array(repeating: 400, count: 11) + [0, 0, 0], [:], "16", 400, "16"),
            ("within a day", Array(repeating: 400, count: 10) + [90, 0, 0, 0], [:], "16", 400, "15"),
            ("for two days", Array(repeating: 400, count: 12) + [0, 0], [:], nil, 400, "19"),
            ("few sessions", Array(repeating: 20, count: 10) + [0, 0, 0, 0], [:], nil, 20, "19"),
            ("emptied", Array(repeating: 0, count: 14), stored("2026-10-10", 32, rows: 90), "10", 90, "10"),
            ("never a row", Array(repeating: 0, count: 14), [:], nil, 0, "19"),
        ] as [(String, [Int], [String: Int], String?, Int, String)])
    func sessionsThatEndAreReported(
        name: String, sessions: [Int], stored: [String: Int], day: String?, usual: Int, last: String
    ) {
        let mapping = mapping(Night(sessions: sessions, storedSessions: stored))
        #expect(mapping.sessionTable.lastDay.description == "2026-11-\(last)", "\(name)")
        let words = mapping.snapshot.warnings.filter { $0.id == "bigquery.session-table" }.map(\.everything)
        #expect(words.count == (day == nil ? 0 : 1), "\(name): \(words)")
        guard let day else { return }
        #expect(words.first?.contains("has no row since 2026-11-\(day)") == true, "\(name): \(words)")
        #expect(words.first?.contains("an ordinary day has \(usual) sessions") == true, "\(name): \(words)")
    }

    /// A source that has no query for days any more has no table that ended: its days are not requested each night.
    @Test func withoutAnAnswerNoTableOfSessionsEnds() {
        let mapping = mapping(
            Night(sessions: nil, storedSessions: Self.stored("2026-10-10", 32, rows: 90)))
        #expect(mapping.sessionTable.endedDay == nil)
        #expect(mapping.sessionTable.lastDay.description == "2026-11-19")
    }

    /// A row that was deleted does not make a part of the first day that was requested.
    @Test(
        arguments: [
            // Rows of the first day, the place of that day, what is stored of it; whether it is a part.
            (399, 0, 400, false), (300, 0, 400, false), (299, 0, 400, true), (399, 1, 400, true),
            (400, 1, 400, false),
        ])
    func aDeletedRowMakesNoPart(count: Int, place: Int, stored: Int, isPart: Bool) throws {
        let all = try (0..<14).map { try #require(CivilDate(Self.day($0))) }
        let rows = Dictionary(
            uniqueKeysWithValues: all.dropFirst(place).map { ($0, $0 == all[place] ? count : 400) })
        let begin = TableBegin(
            rows, stored: [all[place]: stored], active: Set(all), span: all[0]..<all[13].advanced(by: 1),
            manyRows: OrdinaryDay.manySessions)
        #expect(begin.partDay == (isPart ? all[place] : nil))
    }

    /// Stored events of issues that the answers do not name say nothing of the rows of those that they name.
    @Test func issuesThatEndedMakeNoPart() {
        let mapping = mapping(Night(stored: ["2026-11-06": 40], storedOfEnded: ["2026-11-06": 40]))
        #expect(days(mapping, with: \.crashes) == Array(6...19))
    }

    /// No row came after the fetch: what is later was dated by the clock of a device.
    @Test(
        arguments: [
            ("2026-11-20 05:00:00", "2026-11-20T05:00:00Z"), ("2026-11-20 18:00:00", "2026-11-20T06:00:00Z"),
            ("2026-11-21 03:00:00", "2026-11-20T06:00:00Z"), ("2027-11-20 03:00:00", nil),
        ] as [(String, String?)])
    func anIssueIsNotLastSeenAfterTheFetch(lastSeen: String, shown: String?) {
        let snapshot = mapping(Night(lastSeen: lastSeen)).snapshot.withoutDaysToCome()
        #expect(snapshot.issues.map { $0.lastSeen?.description } == [shown])
        #expect(snapshot.warnings.isEmpty)
    }

    /// Whichever the service: a time that the user cannot correct is not reported, one of a file is.
    @Test func timesAheadAreReportedOfFilesAlone() {
        var snapshot = mapping(Night()).snapshot
        snapshot.issues[0].lastSeen = Instant("2026-11-22T03:00:00Z")
        let ofService = snapshot.withoutDaysToCome()
        #expect(ofService.issues.map(\.lastSeen) == [nil] && ofService.warnings.isEmpty)
        let ofFile = snapshot.withoutDaysToCome(at: .file(path: "deck.json"))
        #expect(ofFile.issues.map(\.lastSeen) == [nil])
        #expect(ofFile.warnings.map(\.id) == ["decoding.to-come"])
    }

    /// With few days in the answer the stored ones say what is usual.
    @Test func threeDaysAreComparedWithStoredOnes() {
        let hours = Self.hours((18, 6...23), (19, 0...9))
        let mapping = mapping(
            Night(
                crashes: Array(repeating: 0, count: 11) + [480, 480, 200], lastSeen: "2026-11-19 09:50:00",
                issueHours: hours, stored: Self.stored("2026-10-23", 27, rows: 480), revised: 3))
        #expect(mapping.window.days.lowerBound.description == "2026-11-17")
        #expect(days(mapping, with: \.crashedSessions) == [17, 18])
    }

    /// The oldest day of a table that keeps its rows for a time, and what is stored of it.
    @Test(
        arguments: [
            ("whole", 400, [:], 6), ("a part", 100, [:], 7),
            ("less than is stored", 390, ["2026-11-06": 400], 7),
            ("more than is stored", 390, ["2026-11-06": 380], 6),
        ] as [(String, Int, [String: Int], Int)])
    func aPartOfTheOldestDayIsNotStored(name: String, sessions: Int, stored: [String: Int], first: Int) {
        let mapping = mapping(
            Night(
                sessions: [sessions] + Array(repeating: 400, count: 13), storedSessions: stored,
                begin: "2026-11-06"))
        #expect(days(mapping, with: \.sessions) == Array(first...19), "\(name)")
        #expect(mapping.snapshot.usage.count == 20 - first, "\(name)")
        #expect(mapping.gaps.isEmpty == (first == 6), "\(name)")
    }

    /// Sessions of each hour of some days.
    private static func hours(_ spans: (day: Int, hours: ClosedRange<Int>)...) -> [String: Int] {
        spans.reduce(into: [:]) { hours, span in
            for hour in span.hours { hours["2026-11-\(span.day) \(hour < 10 ? "0" : "")\(hour):00:00"] = 20 }
        }
    }

    /// So many rows of each hour of a day.
    private static func each(_ day: Int, _ hours: ClosedRange<Int>, _ count: Int) -> [String: Int] {
        Self.hours((day, hours)).mapValues { _ in count }
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
            (
                "a row of a later hour", [400, 206], 400,
                hours((18, 6...23), (19, 0...11)).merging(["2026-11-19 21:00:00": 1]) { $1 }, 18
            ),
            (
                "rows of a later day", [206, 1], 400,
                hours((18, 6...11)).merging(["2026-11-18 20:00:00": 1, "2026-11-19 15:00:00": 1]) { $1 }, 17
            ),
            ("a whole day and rows of a later one", [400, 2], 400, hours((18, 6...23)), 18),
            (
                "a fall to less than a tenth", [400, 24], 400,
                hours((18, 6...23)).merging(each(19, 0...23, 1)) { $1 }, 19
            ),
            (
                "few rows of the first hours", [400, 20], 400,
                hours((18, 6...23)).merging(each(19, 0...3, 5)) { $1 }, 18
            ),
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
