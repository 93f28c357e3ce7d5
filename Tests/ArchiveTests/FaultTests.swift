import AppHealth
import Diagnostics
import GRDB
import Testing

@testable import Archive

struct FaultTests {
    @Test func fullDiskLeavesTheOldState() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 5))
        try archive.writeWithoutTransaction { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages + 2)")
        }
        let large = Snapshot.at(20) { snapshot in
            snapshot.health = [HealthDay(date: day, sessions: 6)]
            snapshot.issues = (0..<2000).map { AppHealth.Issue(id: "\($0)", title: "title \($0)") }
        }
        #expect(throws: ArchiveError.full(path: folder.archivePath)) { try archive.record(large) }
        #expect(try archive.known().health.first?.sessions == 5)
        #expect(try archive.known().issues == [])
        #expect(try archive.captures(of: App.harbour.id, source: Source.files.id).count == 1)
        try archive.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
        #expect(try archive.record(large).issues == 2000)
    }

    /// What cannot be read is no source that was never fetched.
    @Test func aSourceThatCannotBeReadIsAnError() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 5))
        let (app, source, now) = (App.harbour.id, Source.files.id, Instant(secondsSinceEpoch: 20))
        #expect(try archive.lastFetch(of: app, source: source, asOf: now)?.secondsSinceEpoch == 10)
        #expect(try archive.lastFetch(of: app, source: Slug(anyText: "other"), asOf: now) == nil)
        try archive.writeWithoutTransaction { try $0.execute(sql: "ALTER TABLE source RENAME TO lost") }
        #expect(throws: ArchiveError.self) { try archive.lastFetch(of: app, source: source, asOf: now) }
        #expect(throws: ArchiveError.self) { try archive.description(of: app, source: source, asOf: now) }
        #expect(throws: ArchiveError.self) { try archive.releases(of: app, source: source, asOf: now) }
        #expect(throws: ArchiveError.self) { _ = try archive.issues(of: app, source: source, asOf: now) }
        #expect(throws: ArchiveError.self) { _ = try archive.arrivals(of: app, source: source, asOf: now) }
    }

    @Test func processKilledInATransactionLeavesTheOldState() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(.at(10, sessions: 5))
        let copy = try archive.writeWithoutTransaction { database in
            // A small cache spills pages of the open transaction into the log.
            try database.execute(sql: "PRAGMA cache_size = 2; BEGIN IMMEDIATE; DELETE FROM health_day")
            for number in 0..<500 {
                try database.execute(
                    sql: "INSERT INTO issue_name (source_id, name) VALUES (1, ?)",
                    arguments: ["\(number)" + String(repeating: "x", count: 500)])
            }
            let copy = try folder.copyArchive()
            try database.execute(sql: "ROLLBACK")
            return copy
        }
        let survivor = try Archive(at: copy, for: .writing)
        #expect(try survivor.known().health.first?.sessions == 5)
        #expect(try survivor.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM issue_name") } == 0)
    }

    @Test(arguments: [
        ("UPDATE issue SET state = 'haunted'", "issue"),
        ("UPDATE issue SET kind = 7", "issue"),
        ("UPDATE issue SET title = x'00ff'", "issue"),
        ("UPDATE issue SET events = 'many'", "issue"),
        ("PRAGMA foreign_keys = OFF; UPDATE issue SET last_version_id = 99", "issue"),
        ("UPDATE health_day SET sessions = 1.5", "health_day"),
        ("UPDATE health_day SET date = 'today'", "health_day"),
        ("UPDATE health_day SET date = 9223372036854775807", "health_day"),
        ("INSERT INTO covered VALUES (1, 'issue_hour', 10, 0, 4000000000)", "covered"),
        (
            "INSERT INTO covered VALUES (1, 'health_day', 9, -9223372036854775808, 9223372036854775807)",
            "covered"
        ),
        ("UPDATE note SET subject = 'fleet'", "note"),
        ("UPDATE note SET subject = 'issue', subject_name = NULL", "note"),
        ("UPDATE source_description SET capabilities = 'sessions telepathy'", "source_description"),
        ("UPDATE fetch_attempt SET diagnostics = '{'", "fetch_attempt"),
    ])
    func skipsOnlyTheRowThatCannotBeRead(_ statement: String, table: String) throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(
            .at(10) {
                $0.issues = [AppHealth.Issue(id: "a", title: "anchor")]
                $0.health = [HealthDay(date: day, sessions: 1)]
                $0.notes = [Note(id: "n", at: $0.capturedAt, author: "", text: "", subject: .app)]
            })
        try archive.writeWithoutTransaction { try $0.execute(sql: statement) }
        let (history, warnings) = try archive.history(
            of: .harbour, sources: [.files], asOf: Instant(secondsSinceEpoch: 10))
        let known = try #require(history.sources.first)
        #expect(known.issues.count == (table == "issue" ? 0 : 1))
        #expect(known.health.count == (table == "health_day" ? 0 : 1))
        #expect(known.notes.count == (table == "note" ? 0 : 1))
        #expect(known.capturedAt?.secondsSinceEpoch == 10)
        #expect(warnings.map(\.id) == ["archive.unreadable-rows"])
        #expect(warnings.first?.details.first?.hasPrefix("\(table): ") == true)
    }

    @Test func failureWhoseReasonCannotBeReadStaysAFailure() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        try archive.record(
            failure: failure, app: App.harbour.id, source: Source.files.id, at: Instant(secondsSinceEpoch: 10)
        )
        try archive.write { try $0.execute(sql: "UPDATE fetch_attempt SET diagnostics = '[]'") }
        #expect(try archive.known().lastAttempt?.failure?.id == "archive.unreadable-reason")
    }

    @Test func boundValuesStayOutOfErrors() throws {
        let folder = try TemporaryFolder()
        let archive = try folder.archive()
        do {
            try archive.write { database in
                for _ in 0..<2 {
                    try database.execute(
                        sql: "INSERT INTO source (app, name) VALUES (?, 'x')", arguments: ["secret"])
                }
            }
            Testing.Issue.record("it was written")
        } catch {
            #expect(error.diagnostic.id == "archive.sqlite")
            #expect(!consoleText(of: error.diagnostic).contains("secret"))
            #expect(!consoleText(of: error.diagnostic).contains("INSERT"))
        }
    }
}
