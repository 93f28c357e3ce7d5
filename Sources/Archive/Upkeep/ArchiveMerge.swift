import AppHealth
import Foundation
import GRDB

/// Reads every row of one archive and writes it into another.
struct ArchiveMerge {
    private let theirs: Database
    /// Where the other archive is.
    private let path: String
    private var writer: RevisionWriter
    private let now: Instant
    private let latest: Instant
    /// The first hour that each source keeps; nil where it keeps all.
    private var firstHours: [Int64: UTCHour?] = [:]
    private var namesTaken: [Int64: Bool] = [:]
    private var sources: [Int64: (app: Slug, source: Slug)] = [:]
    private var versions: [Int64: Version] = [:]
    private var issue: (id: Int64, source: Int64, name: String)?
    private var summary = MergeSummary()

    init(from theirs: Database, at path: String, into ours: Database, now: Instant) {
        self.theirs = theirs
        self.path = path
        self.now = now
        latest = now.advanced(bySeconds: Instant.mostAheadSeconds)
        writer = RevisionWriter(ours)
    }

    /// Copies everything and reports on it.
    mutating func run() throws -> MergeSummary {
        try readNames()
        summary.apps = Set(sources.values.map(\.app)).count
        summary.witness = PassageWitness(
            apps: Set(sources.values.map(\.app)), passages: try KnownPassages(in: theirs))
        try adoptSecret()
        for table in RevisionTable.all { try copy(table) }
        for table in StatementTable.all { try copy(table) }
        try copyAlerts()
        try copyTargets()
        try copyAttachments()
        try copyCompactions()
        return summary
    }

    private mutating func readNames() throws {
        for row in try Row.fetchAll(theirs, sql: "SELECT id, app, name FROM source") {
            guard let id: Int64 = row[0], let app = Slug(row[1] as String? ?? ""),
                let source = Slug(row[2] as String? ?? "")
            else { continue }
            sources[id] = (app, source)
        }
        for row in try Row.fetchAll(theirs, sql: "SELECT id, label, build FROM version WHERE id <> 0") {
            guard let id: Int64 = row[0], let label: String = row[1], let build: String = row[2] else {
                continue
            }
            versions[id] = Version(label, build: build)
        }
    }

    /// An archive in which nothing is known by a name yet takes the secret that the other's names are made from.
    private func adoptSecret() throws {
        guard let secret = try Data.fetchOne(theirs, sql: "SELECT value FROM secret") else { return }
        try writer.database.execute(
            sql: "UPDATE secret SET value = ? WHERE NOT EXISTS (SELECT 1 FROM source)", arguments: [secret])
    }

    /// Whether something of an instant is to be copied; what is not is counted.
    private mutating func isInTime(_ instant: Instant) -> Bool {
        if instant > latest { summary.ahead += 1 }
        return instant <= latest
    }
}

// MARK: Revisions

extension ArchiveMerge {
    /// Copies a table of revisions in the order of its key: those of one key come oldest first.
    ///
    /// Of a value that changed and was as before again, a compacted archive may have both ends alone. Both are copied:
    /// without the second one, what was between them would come back with the next merge.
    private mutating func copy(_ table: RevisionTable) throws {
        let owner = table.isByIssue ? "issue_id" : "source_id"
        let columns = [owner, "captured_at"] + table.key + table.values
        let order = ([owner] + table.key + ["captured_at"]).joined(separator: ", ")
        let cursor = try Row.fetchCursor(
            theirs, sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table.name) ORDER BY \(order)")
        var last: (owner: Int64, fields: [Field])?
        while let row = try cursor.next() {
            guard let owner = Int64.fromDatabaseValue(row[0]), let seconds = Int.fromDatabaseValue(row[1])
            else { throw unreadable(table.name) }
            let instant = Instant(secondsSinceEpoch: seconds)
            guard isInTime(instant), try begin(owner, of: table, at: instant) else { continue }
            let fields = try columns.indices.dropFirst(2).map { try field(row[$0], of: columns[$0]) }
            let isReturn = last.map { $0.owner == owner && $0.fields == fields } ?? false
            last = (owner, fields)
            let key = fields.prefix(table.key.count)
            if table.key == ["hour"], case .integer(let hour)? = key.first,
                try isOver(Int(hour), ofSource: table.isByIssue ? issue?.source ?? 0 : owner)
            {
                continue
            }
            let place =
                try table.isByIssue ? Field(writer.id(ofIssue: issue?.name ?? "")) : Field(writer.source)
            let isNew = try writer.write(
                Array(fields.dropFirst(table.key.count)), of: [place] + key, to: table,
                as: isReturn ? .return : .report)
            summary.values += isNew ? 1 : 0
            summary.conflicts += writer.conflicts
        }
    }

    /// Whether an hour is no longer kept of a source, by the number that it has in the other archive; what is written next
    /// belongs to it.
    private mutating func isOver(_ hour: Int, ofSource source: Int64) throws -> Bool {
        let first: UTCHour?
        if let known = firstHours[source] {
            first = known
        } else {
            let newest = [
                try newestCountedHour(of: source, in: theirs),
                try newestCountedHour(of: writer.source, in: writer.database),
            ].compactMap(\.self).max()
            first = HourKeeping.first(at: now, newest: newest)
            firstHours.updateValue(first, forKey: source)
        }
        return first.map { hour < $0.hoursSinceEpoch } ?? false
    }

    /// Makes what is written next belong to an owner and an instant; false when the owner has no name.
    private mutating func begin(_ owner: Int64, of table: RevisionTable, at instant: Instant) throws -> Bool {
        var source = owner
        if table.isByIssue {
            if issue?.id != owner { issue = try namedIssue(owner) }
            guard let issue else { return false }
            source = issue.source
        }
        return try begin(source, at: instant)
    }

    private mutating func begin(_ source: Int64, at instant: Instant) throws -> Bool {
        guard let name = sources[source] else { return false }
        try writer.begin(app: name.app, source: name.source, capturedAt: instant)
        return true
    }

    private func namedIssue(_ id: Int64) throws -> (id: Int64, source: Int64, name: String)? {
        let statement = try theirs.cachedStatement(sql: "SELECT source_id, name FROM issue_name WHERE id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [id]) else { return nil }
        return (id, row[0], row[1])
    }

    /// A value as it is written here, where a version may have another number.
    private mutating func field(_ value: DatabaseValue, of column: String) throws -> Field {
        switch value.storage {
        case .null: return .null
        case .string(let text): return .text(text)
        case .double(let number): return .real(number)
        case .int64(let number):
            guard column.hasSuffix("version_id"), number != 0 else { return .integer(number) }
            guard let version = versions[number] else { throw unreadable(column) }
            return Field(try writer.id(of: version))
        default: throw unreadable(column)
        }
    }

    private func unreadable(_ what: String) -> ArchiveError {
        .corrupt(path: path, reason: "a row of '\(what)' cannot be read")
    }
}

// MARK: What is stated of captures

/// A table with what was stated of one capture; what is there is never replaced.
private struct StatementTable {
    let name: String
    /// The instant first.
    let columns: [String]
    var conflict = "DO NOTHING"

    static let all = [
        StatementTable(name: "fetch_attempt", columns: ["at", "has_failed", "diagnostics"]),
        StatementTable(name: "recovery", columns: ["at"]),
        StatementTable(name: "source_data", columns: ["since", "name"]),
        StatementTable(
            name: "covered", columns: ["captured_at", "kind", "first", "last"],
            conflict: "DO UPDATE SET last = max(last, excluded.last) WHERE last < excluded.last"),
        StatementTable(
            name: "coverage",
            columns: ["captured_at", "fact", "first", "last", "state", "counted", "whole", "deviation"],
            conflict: longerCoverage),
    ]

    var reading: String {
        "SELECT source_id, \(columns.joined(separator: ", ")) FROM \(name) ORDER BY source_id, \(columns[0])"
    }

    var insertion: String {
        let places = (1...columns.count + 1).map { "?\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO \(name) (source_id, \(columns.joined(separator: ", "))) VALUES (\(places))
            ON CONFLICT \(conflict)
            """
    }
}

extension ArchiveMerge {
    /// Whether the other archive goes on from the name of the data that is known here to another one: where it has others, the
    /// name of here stays. What is written next belongs to the source.
    private mutating func takesNames(ofSource source: Int64) throws -> Bool {
        if let known = namesTaken[source] { return known }
        let newest = "SELECT name FROM source_data WHERE source_id = ? ORDER BY since DESC"
        let here = try String.fetchOne(writer.database, sql: newest, arguments: [writer.source])
        let there = try String.fetchAll(theirs, sql: newest, arguments: [source])
        let takes = here.map { there.contains($0) && there.first != $0 } ?? true
        namesTaken[source] = takes
        return takes
    }

    /// Whether a row of `covered` is about hours that are not kept.
    private mutating func isOver(_ covered: [Field], ofSource source: Int64) throws -> Bool {
        guard case .text(CoveredKind.issueHours.rawValue) = covered[1], case .integer(let last) = covered[3]
        else { return false }
        return try isOver(Int(last), ofSource: source)
    }

    private mutating func copy(_ table: StatementTable) throws {
        let cursor = try Row.fetchCursor(theirs, sql: table.reading)
        while let row = try cursor.next() {
            guard let source = Int64.fromDatabaseValue(row[0]), let seconds = Int.fromDatabaseValue(row[1])
            else { throw unreadable(table.name) }
            let instant = Instant(secondsSinceEpoch: seconds)
            guard isInTime(instant), try begin(source, at: instant) else { continue }
            let fields = try table.columns.indices.map { try field(row[$0 + 1], of: table.columns[$0]) }
            if table.name == "covered", try isOver(fields, ofSource: source) { continue }
            if table.name == "source_data", try !takesNames(ofSource: source) { continue }
            let isNew = try writer.run(table.insertion, [Field(writer.source)] + fields)
            summary.values += isNew ? 1 : 0
        }
    }
}

// MARK: Alerts and attachments

extension ArchiveMerge {
    private mutating func copyAlerts() throws {
        let columns = """
            app, id, recorded_at, rule, subject, first_day, last_day, raised_at, state, told, told_size, told_users,
            told_depth
            """
        let insertion = try writer.database.makeStatement(
            sql: """
                INSERT INTO alert (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """)
        let cursor = try Row.fetchCursor(theirs, sql: "SELECT \(columns) FROM alert")
        while let row = try cursor.next() {
            guard let app = Slug(row[0] as String? ?? ""), let seconds = Int.fromDatabaseValue(row[2]) else {
                continue
            }
            guard isInTime(Instant(secondsSinceEpoch: seconds)) else { continue }
            try insertion.execute(arguments: StatementArguments(row.databaseValues))
            guard writer.database.changesCount > 0 else { continue }
            try markChange(of: app, in: writer.database)
            summary.values += 1
        }
    }

    private mutating func copyTargets() throws {
        let columns = "app, recorded_at, target, critical"
        let insertion = try writer.database.makeStatement(
            sql: "INSERT INTO app_target (\(columns)) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
        let cursor = try Row.fetchCursor(theirs, sql: "SELECT \(columns) FROM app_target")
        while let row = try cursor.next() {
            guard let app = Slug(row[0] as String? ?? ""), let seconds = Int.fromDatabaseValue(row[1]),
                isInTime(Instant(secondsSinceEpoch: seconds))
            else { continue }
            try insertion.execute(arguments: StatementArguments(row.databaseValues))
            guard writer.database.changesCount > 0 else { continue }
            try markChange(of: app, in: writer.database)
            summary.values += 1
        }
    }

    /// What was removed there stays away here.
    private func copyCompactions() throws {
        for before in try Int.fetchAll(theirs, sql: "SELECT before FROM compaction")
        where before <= latest.secondsSinceEpoch {
            try writer.database.execute(
                sql: "INSERT OR IGNORE INTO compaction VALUES (?)", arguments: [before])
        }
    }

    /// Copies nothing but what was attached where.
    mutating func runAttachments() throws { try copyAttachments() }

    /// Copies nothing but what nights wrote down of alerts, of levels and of fetches that failed.
    mutating func runRecords() throws {
        try readNames()
        try copyFailures()
        try copyAlerts()
        try copyTargets()
    }

    /// Copies which fetches failed, and when that was over. What the good ones brought is not copied, so they are no
    /// captures here: the next fetch asks for all since the newest one.
    private mutating func copyFailures() throws {
        let cursor = try Row.fetchCursor(
            theirs,
            sql: """
                SELECT source_id, at, has_failed, diagnostics FROM fetch_attempt AS one
                WHERE has_failed = 0 OR NOT EXISTS (
                    SELECT 1 FROM fetch_attempt AS good
                    WHERE good.source_id = one.source_id AND good.at = one.at AND good.has_failed = 0)
                UNION ALL SELECT source_id, at, 0, '' FROM recovery
                ORDER BY source_id, at, has_failed
                """)
        while let row = try cursor.next() {
            guard let source = Int64.fromDatabaseValue(row[0]), let seconds = Int.fromDatabaseValue(row[1]),
                let hasFailed = Bool.fromDatabaseValue(row[2])
            else { throw unreadable("fetch_attempt") }
            let instant = Instant(secondsSinceEpoch: seconds)
            guard isInTime(instant) else { continue }
            if hasFailed {
                guard try begin(source, at: instant) else { continue }
                _ = try writer.run(
                    "INSERT OR IGNORE INTO fetch_attempt (source_id, at, has_failed, diagnostics) VALUES (?, ?, 1, ?)",
                    [Field(writer.source), Field(seconds), try field(row[3], of: "diagnostics")])
            } else if try begin(known: source, at: instant) {
                _ = try writer.writeRecovery()
            }
        }
    }

    /// Makes what is written next belong to a source that is known here; false for any other.
    private mutating func begin(known source: Int64, at instant: Instant) throws -> Bool {
        guard let name = sources[source] else { return false }
        let statement = try writer.database.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM source WHERE app = ? AND name = ?)")
        guard try Bool.fetchOne(statement, arguments: [name.app.text, name.source.text]) == true else {
            return false
        }
        return try begin(source, at: instant)
    }

    /// Steps at a place go on after those that are known here: the newest one of either archive counts.
    private mutating func copyAttachments() throws {
        let columns = "target, kind, app, subject, audience, recorded_at, state, content, gist, remote"
        let insertion = try writer.database.makeStatement(
            sql: """
                INSERT INTO attachment (\(columns), number)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, next FROM (
                    SELECT coalesce(max(number), 0) + 1 AS next, coalesce(max(recorded_at), ?6) AS newest,
                        coalesce(max(recorded_at IS ?6 AND state IS ?7 AND content IS ?8 AND gist IS ?9
                            AND remote IS ?10), 0) AS is_known
                    FROM attachment
                    WHERE target = ?1 AND kind = ?2 AND app = ?3 AND subject = ?4 AND audience = ?5
                ) WHERE newest <= ?6 AND NOT is_known
                """)
        let cursor = try Row.fetchCursor(
            theirs,
            sql: "SELECT \(columns) FROM attachment ORDER BY target, kind, app, subject, audience, number")
        while let row = try cursor.next() {
            guard let seconds = Int.fromDatabaseValue(row[5]) else { throw unreadable("attachment") }
            guard isInTime(Instant(secondsSinceEpoch: seconds)) else { continue }
            try insertion.execute(arguments: StatementArguments(row.databaseValues))
            summary.values += writer.database.changesCount > 0 ? 1 : 0
        }
    }
}
