import AppHealth
import Diagnostics
import Foundation
import Testing
import Transport

@testable import Providers

struct CSVSnapshotTests {
    private let reader = CSVSnapshotReader(
        app: app("sketchbook"), sourceID: Slug(anyText: "files"), document: "t.csv",
        fileTime: Instant(secondsSinceEpoch: 0))

    private func read(_ text: String) throws -> Snapshot { try reader.snapshot(from: Array(text.utf8)) }

    private func fetch(_ place: String, _ id: String = "sketchbook") async throws -> FetchOutcome {
        await FilesProvider(try FilesConfiguration(place), sender: client()).fetch(app(id), at: runTime)
    }

    @Test func readsATableOfDays() async throws {
        let outcome = try await fetch(fixture("csv"))
        #expect(outcome.diagnostics.map(\.everything) == [])
        let snapshot = try #require(outcome.snapshots.first)
        #expect(snapshot.capturedAt.description == "2026-11-20T06:00:00Z")
        #expect(snapshot.source.capabilities == [.sessions, .users, .releaseHealth, .releases, .usage])
        #expect(snapshot.source.zone == "Europe/Lisbon")
        #expect(snapshot.source.delay == "Harbour telemetry")
        #expect(snapshot.source.sessionDefinition == "From start to 30 seconds in the background.")
        #expect(snapshot.health.map(\.sessions) == [61200, 60800, 41000])
        #expect(snapshot.health.map(\.users) == [20100, nil, nil])
        #expect(snapshot.health.map(\.version) == [nil, nil, "4.2.1, beta"])
        #expect(snapshot.usage.map(\.newUsers) == [410, nil])
        #expect(snapshot.usage.map(\.activeUsers) == [20100, 19900])
        #expect(snapshot.releases.map(\.version.label) == ["4.2.1, beta"])
    }

    @Test(arguments: [
        (
            "2026-11-18,12,13",
            "line 3, crashed_sessions: expected at most the 12 sessions of that day, found 13"
        ),
        ("2026-11-18,-1,0", #"line 3, sessions: expected a whole number or nothing, found "-1""#),
        ("2026-11-18,1.5,0", #"line 3, sessions: expected a whole number or nothing, found "1.5""#),
        (
            "2026-11-18,99999999999999999999,0",
            #"line 3, sessions: expected a whole number or nothing, found "99999999999999999999""#
        ),
        ("2026-11-18,١٢,0", #"line 3, sessions: expected a whole number or nothing, found "١٢""#),
        ("2026-11-31,1,0", #"line 3, date: expected a date such as 2026-11-19, found "2026-11-31""#),
        (",1,0", #"line 3, date: expected a date such as 2026-11-19, found """#),
        ("2026-11-18,1", "line 3: expected 3 fields, as in the header, found 2"),
        ("2026-11-18,1,0,9", "line 3: expected 3 fields, as in the header, found 4"),
        ("2026-11-17,1,0", "line 3: expected one row for each day and release; line 2 is another"),
        ("2026-11-18,\"1,0", "line 3: found a quotation mark that nothing ends"),
        ("2026-11-18,1\"2,0", "line 3: found a quotation mark inside a field that does not begin with one"),
    ])
    func aBadRowCostsThatRow(row: String, message: String) throws {
        let snapshot = try read("date,sessions,crashed_sessions\n2026-11-17,5,0\n\(row)\n2026-11-19,7,\n")
        #expect(snapshot.health.map(\.sessions) == [5, 7])
        #expect(snapshot.health.map(\.crashedSessions) == [0, nil])
        #expect(snapshot.warnings.map(\.summary) == ["files: \(message)"])
        #expect("\(snapshot.warnings[0].location.map { "\($0)" } ?? "")".hasPrefix("t.csv:3"))
    }

    @Test func oddColumnsAreTold() throws {
        let snapshot = try read(
            "date, sessions ,sesions,sessions\n2026-11-17,5,9,8\n2026-11-18,0,,\n2026-11-19,,,\n")
        #expect(snapshot.health.map(\.sessions) == [5, 0])
        #expect(
            snapshot.warnings.map(\.summary) == [
                #"files: unknown column "sesions" ignored"#,
                #"files: duplicate column "sessions"; first one used"#,
            ])
        #expect(snapshot.warnings.first?.hints == ["did you mean 'sessions'?"])
        #expect(snapshot.source.capabilities == [.sessions])
    }

    @Test(arguments: [
        ("", "csv.empty", "begin it with 'date,sessions,crashed_sessions'"),
        (
            "# capturedAt: 2026-11-20T06:00:00Z", "csv.empty",
            "begin it with 'date,sessions,crashed_sessions'"
        ),
        ("dat,sessions", "csv.header", #"write 'date' for "dat""#),
        ("date;sessions", "csv.header", "separate the columns by commas"),
        ("date,release", "csv.header", "name the columns as the documentation does"),
        (
            "# app: tidepool\ndate,users", "csv.app",
            "write the app's id into the comment, or read the file for the other app"
        ),
        ("# capturedAt: yesterday\ndate,users", "csv.captured-at", "fix the comment"),
    ])
    func aHeadThatCannotBeReadIsAFailure(text: String, id: String, hint: String) {
        #expect { try read(text) } throws: { error in
            let why = (error as? CSVSnapshotError)?.diagnostic(in: "t.csv")
            return why?.id == id && why?.hints.first == hint
        }
    }

    @Test func theTimeIsThatOfTheCommentOrTheName() async throws {
        #expect(try read("date,users\n").capturedAt == Instant(secondsSinceEpoch: 0))
        try await withTemporaryDirectory { directory in
            let table = Data("date,users\n2026-11-18,5\n".utf8)
            for name in [
                "sketchbook.csv", "sketchbook-2026-11-19.csv", "tidepool-2026-11-19.csv", "2026-11-19.csv",
            ] {
                try table.write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
            }
            try Data("# app: sketchbook\ndate,users\n2026-11-18,5\n".utf8)
                .write(to: URL(fileURLWithPath: "\(directory)/all-2026-11-18.csv"))
            let outcome = try await fetch(directory)
            #expect(
                outcome.snapshots.map(\.capturedAt.description) == [
                    "2026-11-18T00:00:00Z", "2026-11-19T00:00:00Z",
                ])
            #expect(outcome.failures.map(\.why.id) == ["csv.captured-at"])
            #expect(outcome.warnings.map(\.id) == ["csv.app"])
            #expect(outcome.warnings.first?.everything.contains("/2026-11-19.csv") == true)
            let only = try await fetch("\(directory)/2026-11-19.csv")
            #expect(only.snapshots.count == 1)
        }
    }

    @Test func manyBadRowsAreCounted() throws {
        let rows = String(repeating: "x,1\n", count: 100)
        let warnings = try read("date,users\n\(rows)").warnings
        #expect(warnings.count == 21)
        #expect(warnings.last?.id == "decoding.more")
    }
}
