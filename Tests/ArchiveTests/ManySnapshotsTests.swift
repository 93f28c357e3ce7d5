import AppHealth
import Diagnostics
import GRDB
import Testing

@testable import Archive

/// Several snapshots that are recorded at once.
struct ManySnapshotsTests {
    private static let more = Archive.snapshotsOfOneTransaction + 50

    private func rows(_ archive: Archive) throws -> [String] {
        let tables = [
            "source", "version", "issue_name", "health_day", "usage_day", "issue_day", "release", "issue",
            "note", "source_description", "fetch_attempt", "covered", "health_hour", "issue_hour",
            "device_day",
        ]
        return try archive.read { database in
            try tables.flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table)")
                    .map { "\(table) \($0)" }.sorted()
            }
        }
    }

    private static var mixed: [Snapshot] {
        var other = Source.files
        other.id = Slug(anyText: "other")
        var whole = Snapshot.whole(at: 30)
        whole.health += whole.health
        return [
            .at(10, sessions: 5), .at(20, sessions: 6), .whole(at: 20), .at(10, sessions: 5), whole,
            .at(15, sessions: 5), .at(10, sessions: 7),
            .at(10, source: other) { $0.issues = [AppHealth.Issue(id: "a", title: "of another source")] },
            .at(40) { snapshot in
                snapshot.issues = [AppHealth.Issue(id: "new", title: "new")]
                let counts = [(1, nil), (1, nil), (2, nil), (3, "1.0"), (3, "1.0")]
                snapshot.issueDays = counts.map { events, version in
                    IssueDay(issue: "new", date: day, version: version, events: events, users: nil)
                }
            },
        ]
    }

    @Test func areStoredAsOneAfterTheOther() throws {
        let (one, many) = (try TemporaryFolder(), try TemporaryFolder())
        let (oneByOne, atOnce) = (try one.archive(), try many.archive())
        let expected = try Self.mixed.map { try oneByOne.record($0) }
        #expect(try atOnce.record(Self.mixed) == expected)
        #expect(expected.last?.issueDays == 2 && expected.last?.conflicts == 1)
        #expect(expected[6].conflicts == 1)
        #expect(try rows(atOnce) == rows(oneByOne))
        #expect(try atOnce.record(Self.mixed).map(\.revisions) == Self.mixed.map { _ in 0 })
    }

    @Test func areStoredHoweverManyThereAre() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        #expect(try archive.record([]) == [])
        let summaries = try archive.record((0..<Self.more).map { .at($0, sessions: $0) })
        #expect(summaries.map(\.health) == Array(repeating: 1, count: Self.more))
        for at in [0, Archive.snapshotsOfOneTransaction, Self.more - 1] {
            #expect(try archive.known(at: at).health.map(\.sessions) == [at])
        }
    }

    @Test(arguments: [0, 7, more - 1])
    func skipsOnlyTheOneThatCannotBeStored(bad: Int) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.write {
            try $0.execute(
                sql: """
                    CREATE TRIGGER refuse BEFORE INSERT ON note
                    BEGIN SELECT raise(ABORT, 'refused') WHERE NEW.name = 'bad'; END
                    """)
        }
        let snapshots = (0..<Self.more).map { number in
            Snapshot.at(number) { snapshot in
                snapshot.health = [HealthDay(date: day, sessions: number)]
                let id = number == bad ? "bad" : "good"
                snapshot.notes = [
                    Note(id: id, at: snapshot.capturedAt, author: "", text: "\(number)", subject: .app)
                ]
            }
        }
        let error = #expect(throws: ArchiveError.self) { try archive.record(snapshots) }
        #expect(error?.diagnostic.id == "archive.sqlite")
        let captured = try archive.captures(of: App.harbour.id, source: Source.files.id)
        #expect(captured.map(\.secondsSinceEpoch).sorted() == (0..<Self.more).filter { $0 != bad })
        let days = try archive.read {
            try Int.fetchAll($0, sql: "SELECT captured_at FROM health_day ORDER BY 1")
        }
        #expect(days == (0..<Self.more).filter { $0 != bad })
    }

    @Test func fullDiskLeavesWholeSnapshots() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(0, sessions: 5))
        try archive.writeWithoutTransaction { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages + 12)")
        }
        let snapshots = (1..<20).map { number in
            Snapshot.at(number) { snapshot in
                snapshot.issues = (0..<100).map {
                    AppHealth.Issue(id: "\(number)-\($0)", title: "title \($0)")
                }
            }
        }
        #expect(throws: ArchiveError.full(path: folder.archivePath)) { try archive.record(snapshots) }
        let stored = try archive.captures(of: App.harbour.id, source: Source.files.id).count - 1
        #expect(stored > 0 && stored < snapshots.count)
        #expect(try archive.known().issues.count == stored * 100)
    }
}
