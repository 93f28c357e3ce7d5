/// The statements of the steps that came after the first.
enum LaterTables {
    /// Which days and hours each snapshot reported of, also where it reported nothing new: revisions alone do not
    /// report that a later snapshot agreed. `first` and `last` count days or hours from 1970-01-01 by the kind.
    /// Snapshots from before this step are known by their revisions.
    static let addSettling = """
        CREATE TABLE covered (
            source_id INTEGER NOT NULL REFERENCES source (id),
            kind TEXT NOT NULL,
            captured_at INTEGER NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            PRIMARY KEY (source_id, kind, captured_at, first)
        ) WITHOUT ROWID;
        ALTER TABLE source_description ADD COLUMN settles_after_hours INTEGER;
        ALTER TABLE source_description ADD COLUMN final_after_hours INTEGER;
        """

    /// Hours count from 1970-01-01 in UTC; these rows are removed when they are old.
    static let addHours = """
        CREATE TABLE health_hour (
            source_id INTEGER NOT NULL REFERENCES source (id),
            hour INTEGER NOT NULL,
            captured_at INTEGER NOT NULL,
            sessions INTEGER,
            crashed_sessions INTEGER,
            PRIMARY KEY (source_id, hour, captured_at)
        ) WITHOUT ROWID;
        CREATE TABLE issue_hour (
            issue_id INTEGER NOT NULL REFERENCES issue_name (id),
            hour INTEGER NOT NULL,
            captured_at INTEGER NOT NULL,
            events INTEGER,
            users INTEGER,
            PRIMARY KEY (issue_id, hour, captured_at)
        ) WITHOUT ROWID;
        """

    /// What each snapshot stated of the coverage of runs of days; `counted` and `whole` are those of a partial one.
    /// Of what snapshots from before this step covered nothing is stated.
    static let addCoverage = """
        CREATE TABLE coverage (
            source_id INTEGER NOT NULL REFERENCES source (id),
            fact TEXT NOT NULL,
            captured_at INTEGER NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            state TEXT NOT NULL,
            counted INTEGER,
            whole INTEGER,
            PRIMARY KEY (source_id, fact, captured_at, first)
        ) WITHOUT ROWID;
        ALTER TABLE health_day ADD COLUMN crashes INTEGER;
        """

    /// Crashes by day of kinds of device.
    static let addDevices = """
        CREATE TABLE device_day (
            source_id INTEGER NOT NULL REFERENCES source (id),
            date INTEGER NOT NULL,
            device TEXT NOT NULL,
            captured_at INTEGER NOT NULL,
            crashes INTEGER,
            PRIMARY KEY (source_id, date, device, captured_at)
        ) WITHOUT ROWID;
        """

    /// A mark for each app that no other state of any archive has: it is drawn again with each write about the app.
    static let addRevisions = """
        CREATE TABLE app_revision (
            app TEXT PRIMARY KEY,
            mark BLOB NOT NULL
        ) WITHOUT ROWID;
        INSERT INTO app_revision SELECT DISTINCT app, randomblob(16) FROM source;
        """

    /// What only this archive knows, for names that say nothing to those who do not have it.
    static let addSecret = """
        CREATE TABLE secret (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            value BLOB NOT NULL
        );
        INSERT INTO secret VALUES (1, randomblob(32));
        """

    /// When a fetch read all that a source has after one that had failed: what was corrected may be of an earlier capture
    /// than the failure.
    static let addRecoveries = """
        CREATE TABLE recovery (
            source_id INTEGER NOT NULL REFERENCES source (id),
            at INTEGER NOT NULL,
            PRIMARY KEY (source_id, at)
        ) WITHOUT ROWID;
        """

    /// The relative standard error of counts that are approximate; of snapshots from before this step all are exact.
    static let addDeviations = """
        ALTER TABLE coverage ADD COLUMN deviation REAL;
        """

    /// The share of sessions or events that name a user where some do not; snapshots from before this step do not say.
    static let addNamedShares = """
        ALTER TABLE health_day ADD COLUMN named_share REAL;
        ALTER TABLE issue ADD COLUMN named_share REAL;
        ALTER TABLE issue_day ADD COLUMN named_share REAL;
        """

    /// The alert ledger; `recorded_at` is the instant of the report that wrote the row.
    static let addAlerts = """
        CREATE TABLE alert (
            app TEXT NOT NULL,
            id TEXT NOT NULL,
            recorded_at INTEGER NOT NULL,
            rule TEXT NOT NULL,
            subject TEXT NOT NULL,
            first_day INTEGER NOT NULL,
            last_day INTEGER NOT NULL,
            raised_at INTEGER NOT NULL,
            state TEXT NOT NULL,
            told TEXT NOT NULL,
            told_size REAL,
            PRIMARY KEY (app, id, recorded_at)
        );
        """

    /// What was attached where: a row for each step of a summary at a place, numbered from 1.
    static let addAttachments = """
        CREATE TABLE attachment (
            target TEXT NOT NULL,
            kind TEXT NOT NULL,
            app TEXT NOT NULL,
            subject TEXT NOT NULL,
            audience TEXT NOT NULL,
            number INTEGER NOT NULL,
            recorded_at INTEGER NOT NULL,
            state TEXT NOT NULL,
            content TEXT NOT NULL,
            gist TEXT NOT NULL,
            remote TEXT,
            PRIMARY KEY (target, kind, app, subject, audience, number)
        ) WITHOUT ROWID;
        """

    /// What the owner of a public site wrote, passage by passage, and whether it held a text of a service when it was
    /// first seen.
    static let addPassages = """
        CREATE TABLE passage (
            text TEXT PRIMARY KEY,
            quotes INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    /// Before which instants superseded revisions were removed, so that what is read again does not bring them back.
    static let addCompactions = """
        CREATE TABLE compaction (
            before INTEGER PRIMARY KEY
        );
        """

    /// What levels and mutes read of an alert that can no longer be judged; alerts from before this step do not have it.
    static let addAlertLevels = """
        ALTER TABLE alert ADD COLUMN told_users INTEGER;
        ALTER TABLE alert ADD COLUMN told_depth REAL;
        """

    /// The levels by which an app was judged, each with the instant of the report that first used them.
    static let addTargets = """
        CREATE TABLE app_target (
            app TEXT NOT NULL,
            recorded_at INTEGER NOT NULL,
            target REAL NOT NULL,
            critical REAL NOT NULL,
            PRIMARY KEY (app, recorded_at)
        ) WITHOUT ROWID;
        """

    /// Which data of its service a source reads, as its settings name it, with the instant from which that name holds. Of
    /// what was stored before this step it is not known.
    static let addSourceData = """
        CREATE TABLE source_data (
            source_id INTEGER NOT NULL REFERENCES source (id),
            since INTEGER NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (source_id, since)
        ) WITHOUT ROWID;
        """
}
