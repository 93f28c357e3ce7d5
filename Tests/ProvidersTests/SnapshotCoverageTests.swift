import AppHealth
import Foundation
import Testing

@testable import Providers

struct SnapshotCoverageTests {
    private static let provides = #""provides": ["sessions", "users", "issues", "issueDays", "usage"]"#
    private static let health =
        #""health": [{"date": "2026-11-17", "sessions": 9}, {"date": "2026-11-19", "users": 8, "crashes": 3}]"#
    private static let issues =
        #""issues": [{"id": "a", "title": "A", "days": [{"date": "2026-11-15", "events": 1}, {"date": "2026-11-18", "events": 2}, {"date": "2026-11-20", "events": 1}]}]"#
    private static let withUsers =
        #""issues": [{"id": "a", "title": "A", "days": [{"date": "2026-11-18", "events": 2, "users": 1}]}]"#
    private static let odd =
        #""issues": [{"id": "a", "title": "A", "days": [{"date": "2026-11-18", "events": "x"}, {"date": "2026-11-17", "events": 2}]}]"#

    private func coverage(
        _ members: [String], capturedAt: String = "2026-11-20T06:00:00Z", at now: Instant = runTime
    ) async throws -> CoverageHistory {
        try await withTemporaryDirectory { directory in
            let text =
                #"{"format": "plimsoll-snapshot", "version": 1, "app": "sketchbook", "capturedAt": "\#(capturedAt)", "#
                + members.joined(separator: ", ") + "}"
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/a.json"))
            let provider = FilesProvider(try FilesConfiguration(directory), sender: client())
            let outcome = await provider.fetch(app("sketchbook"), at: now)
            return CoverageHistory(try #require(outcome.snapshots.first).coverage)
        }
    }

    /// The coverage of November 14 to 20: `c` for complete, `a` for approximate, `p` for partial, `-` for unknown.
    private func line(_ coverage: CoverageHistory, _ fact: CoveredFact) throws -> String {
        let first = try #require(CivilDate("2026-11-14"))
        return (0..<7).map { place in
            switch coverage(fact, on: first.advanced(by: place)) {
            case .complete: "c"
            case .approximate: "a"
            case .partial: "p"
            case .unknown: "-"
            }
        }.joined()
    }

    /// Hours from 01:00 on, the seventh being that of the capture: sessions of all, `crashedSessions` as given, and those
    /// of which an issue has a row, nil for an issue without `hours`; which are known then. An hour without a crash has no
    /// row, as a count by hour gives none.
    @Test(
        arguments: [
            // Where the file says that nothing crashed, an hour needs no neighbors.
            ("0 0 0 0 0", [2, 4], [1, 2, 3, 4, 5]), ("0 0 1 0 0", [2, 4], [1, 2, 4, 5]),
            ("1 0 3 0 1", [3], [2, 3, 4]),
            ("- - - - -", [1, 5], [1, 2, 3, 4, 5]), ("- - - - -", [2, 4], [2, 3, 4]),
            ("0 - - - 0", [2, 4], [1, 2, 3, 4, 5]), ("- 0 - - -", [4], [2, 4]),
            // Without any event the producer counted by hour all the same; without hours of issues it did not.
            ("0 0 0 0 0", [], [1, 2, 3, 4, 5]), ("0 0 1 - 0", [], [1, 2, 5]), ("- - -", [], []),
            ("0 0 0 0 0", nil, []),
            // The hour of the capture was not over.
            ("0 0 0 0 0 0 0", [2], [1, 2, 3, 4, 5, 6]),
        ] as [(String, [Int]?, [Int])])
    func hoursWithoutAnIssueAreKnown(row: (crashed: String, named: [Int]?, known: [Int])) async throws {
        func hour(_ number: Int) -> String { "\"hour\": \"2026-11-19T0\(number):00:00Z\"" }
        let hours = row.crashed.split(separator: " ").enumerated().map { place, count in
            "{\(hour(place + 1)), \"sessions\": 9" + (count == "-" ? "}" : ", \"crashedSessions\": \(count)}")
        }
        let named = row.named?.map { "{\(hour($0)), \"events\": 2}" }
        let hoursOfIssue = named.map { ", \"hours\": [\($0.joined(separator: ", "))]" } ?? ""
        let text = """
            {"format": "plimsoll-snapshot", "version": 1, "app": "sketchbook", "capturedAt": "2026-11-19T07:30:00Z",
             "provides": ["sessions", "issues", "issueDays", "hours"],
             "hours": [\(hours.joined(separator: ", "))],
             "issues": [{"id": "a", "title": "A"\(hoursOfIssue)}]}
            """
        let found = try await withTemporaryDirectory { directory in
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/a.json"))
            let provider = FilesProvider(try FilesConfiguration(directory), sender: client())
            let outcome = await provider.fetch(app("sketchbook"), at: runTime)
            return try #require(outcome.snapshots.first).issueHours
        }
        let all = found.map { $0.hour.start.secondsSinceEpoch / 3600 % 24 }.sorted()
        #expect(all == row.known)
        #expect(found.reduce(0) { $0 + ($1.events ?? 0) } == 2 * (row.named ?? []).count)
    }

    /// The day of a capture is not over in the zone of the days: here the 19th, 21:00 in New York.
    @Test(
        arguments: [
            ("America/New_York", "2026-11-20T02:00:00Z", "---c---"),
            ("America/New_York", "2026-11-20T05:00:00Z", "---c-c-"),
            ("Europe/Berlin", "2026-11-19T23:30:00Z", "---c---"),
            ("Europe/Berlin", "2026-11-20T00:00:00Z", "---c-c-"),
            // Of a zone that is not known the day may be that of the last place in which it ends.
            ("our own", "2026-11-20T02:00:00Z", "---c---"),
            ("America/LosAngeles", "2026-11-20T11:59:59Z", "---c---"),
            ("America/LosAngeles", "2026-11-20T12:00:00Z", "---c-c-"),
            ("-08:00", "2026-11-20T07:59:59Z", "---c---"), ("-0800", "2026-11-20T08:00:00Z", "---c-c-"),
            ("UTC-8", "2026-11-20T07:59:59Z", "---c---"), ("+0530", "2026-11-20T00:00:00Z", "---c-c-"),
        ])
    func dayOfTheCaptureIsNeverWholeInItsZone(row: (zone: String, capturedAt: String, line: String))
        async throws
    {
        let days = #"[{"date": "2026-11-17", "sessions": 9}, {"date": "2026-11-19", "sessions": 8}]"#
        let found = try await coverage(
            [Self.provides, #""source": {"zone": "\#(row.zone)"}, "health": \#(days)"#],
            capturedAt: row.capturedAt, at: runTime.advanced(bySeconds: 86_400))
        #expect(try line(found, .sessions) == row.line)
    }

    /// A zone that is not known is named with its place, and days that may still run in it are not read.
    @Test(
        arguments: [
            ("-08:00", "UTC-08:00", 2, []), ("+5:30", "UTC+05:30", 2, []), ("Z", "UTC", 2, []),
            ("utc", "UTC", 2, []), ("Etc/GMT+8", "Etc/GMT+8", 2, []),
            (
                "America/LosAngeles", "America/LosAngeles", 1,
                [
                    #"files: unknown time zone "America/LosAngeles""#, "source.zone",
                    "did you mean 'America/Los_Angeles'?",
                ]
            ),
            (
                "+99:00", "+99:00", 1,
                [#"files: unknown time zone "+99:00""#, "or an offset such as +05:30"]
            ),
        ] as [(String, String, Int, [String])])
    func unknownZoneIsReported(zone: String, stated: String, days: Int, words: [String]) async throws {
        try await withTemporaryDirectory { directory in
            let text = """
                {"format": "plimsoll-snapshot", "version": 1, "app": "sketchbook",
                "capturedAt": "2026-11-20T02:00:00Z", "provides": ["sessions"], "source": {"zone": "\(zone)"},
                "health": [{"date": "2026-11-18", "sessions": 9}, {"date": "2026-11-19", "sessions": 8}]}
                """
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/a.json"))
            let provider = FilesProvider(try FilesConfiguration(directory), sender: client())
            let outcome = await provider.fetch(app("sketchbook"), at: runTime)
            let snapshot = try #require(outcome.snapshots.first)
            #expect(snapshot.source.zone == stated)
            #expect(snapshot.health.count == days)
            let reported = outcome.diagnostics.map(\.everything).joined(separator: "\n")
            #expect(reported.isEmpty == words.isEmpty)
            for word in words { #expect(reported.contains(word)) }
        }
    }

    /// A span without a first or a last day of its own covers the days that there are.
    @Test(arguments: ["2000-01-01", "0001-01-01", "2026-11-14"], ["2026-11-19", "2026-12-31", "9999-12-31"])
    func aVeryLongSpanCoversTheNewestDays(first: String, last: String) async throws {
        let stated = #"{"fact": "issueDays", "first": "\#(first)", "last": "\#(last)", "state": "complete"}"#
        let found = try await coverage([
            Self.provides, Self.health, Self.issues, #""coverage": [\#(stated)]"#,
        ])
        #expect(try line(found, .issueDays).hasPrefix("cccccc"))
    }

    /// A release without a row had nothing where all rows can be read, and only there.
    @Test(arguments: [(#""sessions": 8"#, "---ccc-"), (#""sessions": "x""#, "---p-p-")])
    func releasesAreWholeWhereNothingWasSkipped(row: (entry: String, line: String)) async throws {
        let days = ["17", "18", "19"].map { day in
            #"{"date": "2026-11-\#(day)", "release": "1", \#(day == "18" ? row.entry : #""sessions": 8"#)}"#
        }
        let found = try await coverage([Self.provides, #""health": [\#(days.joined(separator: ", "))]"#])
        #expect(try line(found, .releaseHealth) == row.line)
    }

    @Test(
        arguments: [
            // Sessions, users, crashes, issue days, users of issues.
            ([health], ["---c---", "-----c-", "-----c-", "-------", "-------"]),
            ([issues], ["-------", "-------", "-------", "-cccc--", "-------"]),
            ([health, issues], ["---c---", "-----c-", "-----c-", "-c-ccc-", "-------"]),
            ([withUsers], ["-------", "-------", "-------", "----c--", "----c--"]),
            ([odd], ["-------", "-------", "-------", "---p---", "-------"]),
            (
                [
                    issues,
                    #""coverage": [{"fact": "issueDays", "first": "2026-11-14", "last": "2026-11-15", "state": "complete"}, {"fact": "issueDays", "first": "2026-11-16", "last": "2026-11-16", "state": "partial", "counted": 3, "of": 9}, {"fact": "crashes", "first": "2026-11-18", "last": "2026-11-19", "state": "complete"}]"#,
                ], ["-------", "-------", "----cc-", "ccp----", "-------"]
            ),
            (
                [
                    issues,
                    #""coverage": [{"fact": "issueday", "first": "2026-11-14", "last": "2026-11-15", "state": "complete"}, {"fact": "issueUsers", "first": "2026-11-16", "last": "2026-11-15", "state": "complete"}, {"fact": "issueUsers", "first": "2026-11-16", "last": "2026-11-17", "state": "half"}]"#,
                ], ["-------", "-------", "-------", "-pppp--", "-------"]
            ),
            (
                [
                    health, withUsers,
                    #""coverage": [{"fact": "issueDays", "from": "2026-11-14", "to": "2026-11-18", "state": "partial"}, {"fact": "issueUsers", "first": "2026-11-14", "last": "2026-11-18", "state": "complete"}, {"fact": "issueUsers", "first": "2026-11-17", "last": "2026-11-17", "state": "half"}]"#,
                ], ["---c---", "-----c-", "-----c-", "---ppp-", "ppppp--"]
            ),
            (
                [
                    health,
                    #""coverage": [{"fact": 1}, {"fact": "users", "first": "2026-11-19", "last": "2026-11-18", "state": "complete"}]"#,
                ], ["---p---", "-----p-", "-----p-", "-------", "-------"]
            ),
            (
                [health, #""coverage": [{"fact": "users", "first": "19 November"}]"#],
                ["---c---", "-----p-", "-----c-", "-------", "-------"]
            ),
        ] as [([String], [String])])
    func statesWhatAFileCovers(members: [String], lines: [String]) async throws {
        let coverage = try await coverage([Self.provides] + members)
        let facts: [CoveredFact] = [.sessions, .users, .crashes, .issueDays, .issueUsers]
        #expect(try facts.map { try line(coverage, $0) } == lines)
    }

    @Test func aProducerThatCannotReportIssuesByDayStatesNothingOfThem() async throws {
        let coverage = try await coverage([#""provides": ["sessions", "issues"]"#, Self.health, Self.issues])
        #expect(try line(coverage, .issueDays) == "-------")
    }
}
