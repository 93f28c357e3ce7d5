import AppHealth
import Diagnostics
import Foundation
import Testing
import Transport

@testable import Providers

/// Tables of one source, each with what `columns` names for it.
struct TablesOfSourceTests {
    private static let layout: [CSVColumn: String] = [
        .date: "Day", .crashes: "Crash events", .crashedUsers: "Hit",
    ]
    private static let crashes = "Day,Crash events,Hit\n2026-11-18,7,5\n"
    private static let usage = "Day,Sessions,Users\n2026-11-18,90,40\n"

    /// The files, how many tables are taken, and what fails.
    @Test(
        arguments: [
            (["crashes.csv": crashes, "usage.csv": usage], 2, []),
            (["crashes.csv": crashes], 1, []),
            // A column that no table has.
            (
                ["crashes.csv": "Day,Crash events,Hitt\n2026-11-18,7,5\n", "usage.csv": usage], 0,
                [
                    "files: none of 2 tables has the column 'Hit': write \"Hitt\" in 'columns' if that was meant"
                ]
            ),
            (
                ["crashes.csv": "Day,Crash events,Hitt\n2026-11-18,7,5\n"], 0,
                ["files: header has no column 'Hit': write 'Hit' for \"Hitt\""]
            ),
            // Each table has a day and a count.
            (
                ["crashes.csv": crashes, "usage.csv": "Date,Sessions\n2026-11-18,90\n"], 1,
                [
                    "files: header has no column 'Day': name your own headers with 'columns': plimsoll import --preview proposes them"
                ]
            ),
            (
                ["crashes.csv": crashes, "lands.csv": "Day,Land\n2026-11-18,PT\n"], 1,
                [
                    "files: header has no column 'Hit': name your own headers with 'columns': plimsoll import --preview proposes them"
                ]
            ),
            // Tables of one name are one table: a column of it does not go from one night to the next.
            (
                [
                    "crashes-2026-11-18.csv": crashes, "usage.csv": usage,
                    "crashes-2026-11-19.csv": "Day,Crash events,Affected\n2026-11-19,7,5\n",
                ], 2,
                [
                    "files: header has no column 'Hit': name your own headers with 'columns': plimsoll import --preview proposes them"
                ]
            ),
            // What a table has that cannot be read is not known.
            (
                ["crashes.csv": "", "usage.csv": usage], 1,
                ["files: table has no header: begin it with 'date,sessions,crashed_sessions'"]
            ),
        ] as [([String: String], Int, [String])])
    func columnsAreThoseOfAllTables(files: [String: String], taken: Int, failures: [String]) async throws {
        try await withTemporaryDirectory { directory in
            let folder = URL(fileURLWithPath: "\(directory)/sketchbook")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
            var configuration = try FilesConfiguration(directory)
            configuration.layout = CSVLayout(columns: Self.layout)
            configuration.mostHours = 24 * FilesConfiguration.mostDaysOfAge
            let outcome = await FilesProvider(configuration, sender: client())
                .fetch(app("sketchbook"), at: runTime)
            #expect(outcome.snapshots.count == taken)
            #expect(outcome.failures.map { "\($0.why.summary): \($0.why.hints.joined())" } == failures)
            #expect(outcome.failures.allSatisfy { $0.why.location != nil })
        }
    }

    /// Two tables, the days that they have, and when each was written: of the same day, that with the later date in its name
    /// is newer, as the other may be a copy.
    @Test(arguments: [
        ("sketchbook-2026111", [16, 16], 0, 60, 0), ("sketchbook-2026111", [16, 16], 60, 60, 59),
        ("sketchbook_2026-11-1", [16, 16], 7200, 60, 59),
        // A table of one day each: what is written once more corrects its day.
        ("sketchbook-2026111", [16, 17], 60, 60, 60), ("sketchbook-2026111", [16, 17], 7200, 60, 7200),
    ])
    func theLaterDateInANameIsTheNewerTable(
        name: String, days: [Int], older: Int, newer: Int, capture: Int
    ) async throws {
        try await withTemporaryDirectory { directory in
            let first = try #require(Instant("2026-11-18T05:00:00Z"))
            for (place, sessions, seconds) in [(0, 2000, older), (1, 5018, newer)] {
                let path = "\(directory)/\(name)\(7 + place).csv"
                try Data("date,sessions,crashed_sessions\n2026-11-\(days[place]),\(sessions),9\n".utf8)
                    .write(to: URL(fileURLWithPath: path))
                let written = Date(timeIntervalSince1970: Double(first.secondsSinceEpoch + seconds))
                try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: path)
            }
            var configuration = try FilesConfiguration(directory)
            configuration.mostHours = 240
            let outcome = await FilesProvider(configuration, sender: client())
                .fetch(app("sketchbook"), at: runTime)
            #expect(outcome.failures.isEmpty)
            let captures = outcome.snapshots.flatMap { snapshot in
                snapshot.health.map { ($0.sessions, first.seconds(to: snapshot.capturedAt)) }
            }
            #expect(captures.count == 2)
            #expect(captures.first { $0.0 == 2000 }?.1 == capture)
            #expect(captures.first { $0.0 == 5018 }?.1 == newer)
        }
    }

    /// How long files may be silent is decided by the last two that came, those that were written over too.
    @Test(arguments: [(nil, false), (1, true), (36, true), (37, false), (0, false)] as [(Int?, Bool)])
    func earlierCapturesDecideTheAge(hours: Int?, isStale: Bool) async throws {
        try await withTemporaryDirectory { directory in
            let path = "\(directory)/sketchbook.csv"
            try Data("# capturedAt: 2026-11-17T05:00:00Z\ndate,users\n2026-11-16,5\n".utf8)
                .write(to: URL(fileURLWithPath: path))
            let last = try #require(Instant("2026-11-17T05:00:00Z"))
            let stored = hours.map { last.advanced(bySeconds: -$0 * 3600) }
            let provider = FilesProvider(try FilesConfiguration(path), sender: client()) { instant in
                stored.flatMap { $0 < instant ? $0 : nil }
            }
            let outcome = await provider.fetch(app("sketchbook"), at: runTime)
            #expect(outcome.snapshots.count == 1)
            #expect(outcome.failures.map(\.why.id) == (isStale ? ["files.stale"] : []))
        }
    }
}
