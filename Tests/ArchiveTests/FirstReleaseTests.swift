import AppHealth
import GRDB
import Testing

@testable import Archive

/// Archives that version 0.1 wrote: its last step was `addAlerts`.
struct FirstReleaseTests {
    /// Every table with its columns, as version 0.1 makes them.
    private static let tables = [
        "alert: app TEXT, id TEXT, recorded_at INTEGER, rule TEXT, subject TEXT, first_day INTEGER, last_day INTEGER, raised_at INTEGER, state TEXT, told TEXT, told_size REAL",
        "covered: source_id INTEGER, kind TEXT, captured_at INTEGER, first INTEGER, last INTEGER",
        "fetch_attempt: source_id INTEGER, at INTEGER, has_failed INTEGER, diagnostics TEXT",
        "health_day: source_id INTEGER, date INTEGER, version_id INTEGER, captured_at INTEGER, sessions INTEGER, crashed_sessions INTEGER, users INTEGER, crashed_users INTEGER",
        "health_hour: source_id INTEGER, hour INTEGER, captured_at INTEGER, sessions INTEGER, crashed_sessions INTEGER",
        "issue: issue_id INTEGER, captured_at INTEGER, title TEXT, kind TEXT, state TEXT, file TEXT, line INTEGER, first_seen INTEGER, last_seen INTEGER, first_version_id INTEGER, last_version_id INTEGER, fixed_version_id INTEGER, events INTEGER, users INTEGER, url TEXT",
        "issue_day: issue_id INTEGER, date INTEGER, version_id INTEGER, captured_at INTEGER, events INTEGER, users INTEGER",
        "issue_hour: issue_id INTEGER, hour INTEGER, captured_at INTEGER, events INTEGER, users INTEGER",
        "issue_name: id INTEGER, source_id INTEGER, name TEXT",
        "note: source_id INTEGER, name TEXT, captured_at INTEGER, written_at INTEGER, author TEXT, text TEXT, subject TEXT, subject_name TEXT",
        "release: source_id INTEGER, version_id INTEGER, captured_at INTEGER, released_at INTEGER, has_lifetime INTEGER, sessions INTEGER, crashed_sessions INTEGER, sessions_last_day INTEGER",
        "source: id INTEGER, app TEXT, name TEXT",
        "source_description: source_id INTEGER, captured_at INTEGER, app_name TEXT, app_platform TEXT, provider TEXT, session_definition TEXT, user_definition TEXT, zone TEXT, delay TEXT, capabilities TEXT, settles_after_hours INTEGER, final_after_hours INTEGER",
        "usage_day: source_id INTEGER, date INTEGER, captured_at INTEGER, active_users INTEGER, weekly_active_users INTEGER, monthly_active_users INTEGER, new_users INTEGER, sessions INTEGER",
        "version: id INTEGER, source_id INTEGER, label TEXT, build TEXT",
    ]

    /// A step that was released is never changed, or an archive of that release could not be brought up to date.
    @Test func stepsOfTheReleaseAreAsTheyWere() throws {
        let folder = try TemporaryFolder()
        let queue = try DatabaseQueue(path: folder.archivePath)
        try ArchiveFormat.migrator.migrate(queue, upTo: "addAlerts")
        let found = try queue.read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT m.name || ': ' || group_concat(c.name || ' ' || c.type, ', ')
                    FROM sqlite_master m, pragma_table_info(m.name) c
                    WHERE m.type = 'table' AND m.name NOT LIKE 'grdb%' GROUP BY m.name ORDER BY m.name
                    """)
        }
        #expect(found == Self.tables)
        try queue.close()
    }

    /// What such an archive holds is there after the upgrade, and a program of then would say why it reads it no more.
    @Test func itsDaysIssuesAndAlertsStay() throws {
        let folder = try TemporaryFolder()
        let end = Instant(startOf: day.advanced(by: 1)).secondsSinceEpoch
        let queue = try DatabaseQueue(path: folder.archivePath)
        try ArchiveFormat.migrator.migrate(queue, upTo: "addAlerts")
        try queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO source (id, app, name) VALUES (1, 'harbour', 'files');
                    INSERT INTO source_description VALUES
                        (1, \(end), 'Harbour', 'ios', 'files', 'one run', 'one install', 'UTC', 'one day', 'sessions', 48, 72);
                    INSERT INTO health_day VALUES (1, \(day.daysSinceEpoch), 0, \(end), 1000, 10, 400, 4);
                    INSERT INTO issue_name (id, source_id, name) VALUES (1, 1, 'a1');
                    INSERT INTO issue VALUES (1, \(end), 'Crash', 'crash', 'open', 'A.swift', 5, NULL, NULL, NULL, NULL, NULL, 7, 3, NULL);
                    INSERT INTO fetch_attempt VALUES (1, \(end), 0, '[]');
                    INSERT INTO alert VALUES
                        ('harbour', 'x', \(end), 'stability', '', \(day.daysSinceEpoch), \(day.daysSinceEpoch), \(end), 'open', '', 0);
                    """)
        }
        try queue.close()
        #expect(throws: ArchiveError.olderFormat(path: folder.archivePath)) {
            try Archive(at: folder.archivePath, for: .reading)
        }
        let archive = try folder.archive()
        let history = try archive.known(at: 9_000_000_000)
        #expect(history.health.map(\.crashedUsers) == [4])
        #expect(history.issues.map(\.title) == ["Crash"])
        try archive.close()
        let known = try DatabaseQueue(path: folder.archivePath).read {
            try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations")
        }
        #expect(Set(known).isStrictSuperset(of: ["createSnapshots", "addSettling", "addHours", "addAlerts"]))
    }
}
