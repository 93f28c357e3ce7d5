/// The statements of the step that makes a file an archive.
enum FirstTables {
    /// Long texts that many rows name get a small number.
    static let createNames = """
        CREATE TABLE source (
            id INTEGER PRIMARY KEY,
            app TEXT NOT NULL,
            name TEXT NOT NULL,
            UNIQUE (app, name)
        );
        CREATE TABLE version (
            id INTEGER PRIMARY KEY,
            source_id INTEGER REFERENCES source (id),
            label TEXT,
            build TEXT,
            UNIQUE (source_id, label, build)
        );
        -- Means all releases together: a key of a table without rowid cannot be NULL.
        INSERT INTO version (id) VALUES (0);
        CREATE TABLE issue_name (
            id INTEGER PRIMARY KEY,
            source_id INTEGER NOT NULL REFERENCES source (id),
            name TEXT NOT NULL,
            UNIQUE (source_id, name)
        );
        """

    /// Days count from 1970-01-01, `captured_at` is in seconds since then.
    static let createDays = """
        CREATE TABLE health_day (
            source_id INTEGER NOT NULL REFERENCES source (id),
            date INTEGER NOT NULL,
            version_id INTEGER NOT NULL REFERENCES version (id),
            captured_at INTEGER NOT NULL,
            sessions INTEGER,
            crashed_sessions INTEGER,
            users INTEGER,
            crashed_users INTEGER,
            PRIMARY KEY (source_id, date, version_id, captured_at)
        ) WITHOUT ROWID;
        CREATE TABLE usage_day (
            source_id INTEGER NOT NULL REFERENCES source (id),
            date INTEGER NOT NULL,
            captured_at INTEGER NOT NULL,
            active_users INTEGER,
            weekly_active_users INTEGER,
            monthly_active_users INTEGER,
            new_users INTEGER,
            sessions INTEGER,
            PRIMARY KEY (source_id, date, captured_at)
        ) WITHOUT ROWID;
        CREATE TABLE issue_day (
            issue_id INTEGER NOT NULL REFERENCES issue_name (id),
            date INTEGER NOT NULL,
            version_id INTEGER NOT NULL REFERENCES version (id),
            captured_at INTEGER NOT NULL,
            events INTEGER,
            users INTEGER,
            PRIMARY KEY (issue_id, date, version_id, captured_at)
        ) WITHOUT ROWID;
        """

    /// Rows with long texts keep their rowid: they would make the tree of a table without it deep.
    static let createDescriptions = """
        CREATE TABLE release (
            source_id INTEGER NOT NULL REFERENCES source (id),
            version_id INTEGER NOT NULL REFERENCES version (id),
            captured_at INTEGER NOT NULL,
            released_at INTEGER,
            has_lifetime INTEGER NOT NULL,
            sessions INTEGER,
            crashed_sessions INTEGER,
            sessions_last_day INTEGER,
            PRIMARY KEY (source_id, version_id, captured_at)
        ) WITHOUT ROWID;
        CREATE TABLE issue (
            issue_id INTEGER NOT NULL REFERENCES issue_name (id),
            captured_at INTEGER NOT NULL,
            title TEXT NOT NULL,
            kind TEXT NOT NULL,
            state TEXT NOT NULL,
            file TEXT,
            line INTEGER,
            first_seen INTEGER,
            last_seen INTEGER,
            first_version_id INTEGER REFERENCES version (id),
            last_version_id INTEGER REFERENCES version (id),
            fixed_version_id INTEGER REFERENCES version (id),
            events INTEGER,
            users INTEGER,
            url TEXT,
            PRIMARY KEY (issue_id, captured_at)
        );
        CREATE TABLE note (
            source_id INTEGER NOT NULL REFERENCES source (id),
            name TEXT NOT NULL,
            captured_at INTEGER NOT NULL,
            written_at INTEGER NOT NULL,
            author TEXT NOT NULL,
            text TEXT NOT NULL,
            subject TEXT NOT NULL,
            subject_name TEXT,
            PRIMARY KEY (source_id, name, captured_at)
        );
        CREATE TABLE source_description (
            source_id INTEGER NOT NULL REFERENCES source (id),
            captured_at INTEGER NOT NULL,
            app_name TEXT NOT NULL,
            app_platform TEXT NOT NULL,
            provider TEXT NOT NULL,
            session_definition TEXT NOT NULL,
            user_definition TEXT NOT NULL,
            zone TEXT NOT NULL,
            delay TEXT NOT NULL,
            capabilities TEXT NOT NULL,
            PRIMARY KEY (source_id, captured_at)
        );
        CREATE TABLE fetch_attempt (
            source_id INTEGER NOT NULL REFERENCES source (id),
            at INTEGER NOT NULL,
            has_failed INTEGER NOT NULL,
            diagnostics TEXT NOT NULL,
            PRIMARY KEY (source_id, at, has_failed)
        );
        """
}
