package import AppHealth
import GRDB
import Platform

extension Archive {
    /// How many days ago a revision must have been superseded at the least: the longest time in which sources change
    /// what they reported, with a margin.
    package static let leastCompactDays = 90

    /// The share of the file that is free from which on its space is given back though nothing was removed.
    package static let leastFreeShare = 0.1

    /// Removes revisions that later ones superseded before an instant; `shrink` gives their space back.
    ///
    /// Of each value stay the first revision, what was first reported of a day after it was over, the last two revisions
    /// before the instant, all later ones, each change of an issue's state, fix or newest version it was seen in, and all of
    /// users, sessions and use of the days that a report of the instant learns from (`LearnedDays`). So
    /// what was known at the instant, or at any later one, stays as it was; only what was known at earlier ones is less
    /// exact. All are removed or none, and none where `shrink` would lack room afterwards; a killed process leaves the
    /// archive whole. They stay away: a snapshot file that is read again, or a part that is merged again, does not bring
    /// them back.
    ///
    /// The caller holds the `ArchiveLock`.
    ///
    /// - Returns: how many revisions were removed.
    package func compact(before instant: Instant) throws(ArchiveError) -> Int {
        try compact(before: instant, room: CompactingRoom(nextTo: path))
    }

    func compact(before instant: Instant, room: CompactingRoom) throws(ArchiveError) -> Int {
        try write { database in
            var removed = 0
            try database.withFirstReports(before: instant) {
                for table in RevisionTable.all {
                    try database.execute(
                        sql: "DELETE FROM \(table.name) WHERE \(table.superseded)",
                        arguments: [instant.secondsSinceEpoch])
                    removed += database.changesCount
                }
            }
            // An earlier night may show something else now.
            if removed > 0 {
                try database.execute(sql: "UPDATE app_revision SET mark = randomblob(16)")
                try database.execute(
                    sql: "INSERT OR IGNORE INTO compaction VALUES (?)", arguments: [instant.secondsSinceEpoch]
                )
                try database.markUnshrunk(true)
            }
            // Only now it is known how much stays.
            if try database.isWorthShrinking() { try room.check(for: try database.bytesInUse(), path) }
            return removed
        }
    }

    /// Gives back the space of what was removed, also by an earlier compacting that could not do it; does nothing where no
    /// more than a small share of the file is free.
    ///
    /// The caller holds the `ArchiveLock`.
    package func shrink() throws(ArchiveError) {
        guard try read({ try $0.isWorthShrinking() }) else { return }
        do {
            try writeWithoutTransaction { database in
                // What was removed leaves the log before all that stays is written to it.
                _ = try? database.checkpoint(.truncate)
                try database.execute(sql: "VACUUM")
                try database.markUnshrunk(false)
            }
        } catch {
            throw ArchiveError(error, path: path)
        }
    }

    /// How many revisions compacting would remove.
    package func superseded(before instant: Instant) throws(ArchiveError) -> Int {
        try read { database in
            try database.withFirstReports(before: instant) {
                try RevisionTable.all.reduce(0) { sum, table in
                    let count = "SELECT count(*) FROM \(table.name) WHERE \(table.superseded)"
                    return try sum
                        + (Int.fetchOne(database, sql: count, arguments: [instant.secondsSinceEpoch]) ?? 0)
                }
            }
        }
    }
}

/// What compacting has room for: SQLite writes what stays to a file of its own, and from there to the log of the archive.
struct CompactingRoom {
    /// Where the archive is, and where SQLite puts its own files, with what is left there; nil where that is not known.
    let archive: FreeRoom?
    let temporary: (folder: String, room: FreeRoom?)

    /// How much longer the log is than the pages in it: 24 bytes for each (sqlite.org/fileformat2.html, 4.1), of which the
    /// smallest has 512.
    private static let logShare = 1 + 24.0 / 512

    init(archive: FreeRoom?, temporary: (folder: String, room: FreeRoom?)) {
        (self.archive, self.temporary) = (archive, temporary)
    }

    /// The room at an archive, before anything is removed.
    init(nextTo path: String) {
        let folder = Self.temporaryFolder
        self.init(archive: FreeRoom(nextTo: path), temporary: (folder, FreeRoom(in: folder)))
    }

    /// Refuses where there is too little for a number of bytes.
    func check(for bytes: Int, _ path: String) throws(ArchiveError) {
        let log = Int((Double(bytes) * Self.logShare).rounded(.up))
        let isShared = archive?.system == temporary.room?.system
        if let archive {
            let needed = isShared ? log + bytes : log
            if archive.bytes < needed { throw .crowded(path: path, needed: needed, free: archive.bytes) }
        }
        if !isShared, let room = temporary.room, room.bytes < bytes {
            throw .crowded(path: temporary.folder, needed: bytes, free: room.bytes)
        }
    }

    /// Where SQLite puts files that are its own (sqlite.org/tempfiles.html, 5).
    private static var temporaryFolder: String {
        let named: [String] = ["SQLITE_TMPDIR", "TMPDIR"].compactMap { (name: String) -> String? in
            guard let value = getenv(name) else { return nil }
            return String(cString: value)
        }
        return (named + ["/var/tmp", "/usr/tmp", "/tmp"]).first { access($0, W_OK | X_OK) == 0 } ?? "."
    }
}

extension Database {
    /// Notes in the head of the file whether rows were removed whose space was not given back yet.
    fileprivate func markUnshrunk(_ isUnshrunk: Bool) throws {
        try execute(sql: "PRAGMA user_version = \(isUnshrunk ? 1 : 0)")
    }

    /// Whether rows were removed whose space was not given back yet, or much of the file is free.
    fileprivate func isWorthShrinking() throws -> Bool {
        if try number("user_version") > 0 { return true }
        let (free, all) = (try number("freelist_count"), try number("page_count"))
        return free > 0 && Double(free) >= Archive.leastFreeShare * Double(all)
    }

    /// The bytes of the pages that hold something.
    fileprivate func bytesInUse() throws -> Int {
        (try number("page_count") - number("freelist_count")) * (try number("page_size"))
    }

    private func number(_ pragma: String) throws -> Int {
        try Int.fetchOne(self, sql: "PRAGMA \(pragma)") ?? 0
    }

    /// Runs statements with `superseded` conditions, for an instant.
    fileprivate func withFirstReports<Value>(
        before instant: Instant, _ body: () throws -> Value
    ) throws -> Value {
        var reports: [Int64: FirstReports] = [:]
        for row in try Row.fetchAll(self, sql: "SELECT id, app, name FROM source") {
            guard let id: Int64 = row[0], let app = Slug(row[1] as String? ?? ""),
                let source = Slug(row[2] as String? ?? ""),
                var reader = try RevisionReader(self, app: app, source: source, asOf: instant)
            else { continue }
            reports[id] = try reader.firstReports(of: source)
        }
        let function = DatabaseFunction("first_report", argumentCount: 3, pure: true) { [reports] values in
            guard let source = Int64.fromDatabaseValue(values[0]),
                let table = String.fromDatabaseValue(values[1]), let day = Int.fromDatabaseValue(values[2])
            else { return nil }
            return reports[source]?(table, on: CivilDate(daysSinceEpoch: day))?.secondsSinceEpoch
        }
        add(function: function)
        defer { remove(function: function) }
        return try body()
    }
}

extension RevisionTable {
    /// The condition of the rows that compacting removes; the instant is the parameter.
    fileprivate var superseded: String {
        let key = ([isByIssue ? "issue_id" : "source_id"] + self.key).joined(separator: ", ")
        let source =
            isByIssue
            ? "(SELECT source_id FROM issue_name WHERE id = revision.issue_id)" : "revision.source_id"
        let report =
            "CASE revision.version_id WHEN 0 THEN first_report(\(source), '\(name)', revision.date) END"
        return """
            (\(key), captured_at) IN (
                SELECT \(key), captured_at FROM \(name) AS revision
                WHERE \(isSuperseded(before: "?1", report: report))
            )
            """
    }
}
