import AppHealth
import GRDB

/// What values that are to be written say of those before them.
enum RevisionMeaning {
    /// What a snapshot reports.
    case report
    /// What matters only where it corrects something: a key that has no revision gets none.
    case correction
    /// That there were other values in between, which compacting removed: it is a revision though its values are those of
    /// the newest one.
    case `return`
    /// That what was reported is gone: it fills no row of the very same instant.
    case absence
}

/// Writes what snapshots report, one after the other, inside one transaction.
struct RevisionWriter {
    let database: Database
    private(set) var source: Int64 = 0
    private(set) var capturedAt = Instant(secondsSinceEpoch: 0)
    /// Values of the snapshot that differ from those recorded before for the very same instant.
    var conflicts = 0
    private var statements = WriterStatements()
    private var versions: [Version: Int64] = [:]
    private var issues: [String: Int64] = [:]
    /// Issues that no earlier snapshot named: nothing is known of them but what this one reports.
    private var newIssues: Set<Int64> = []
    private var owner: (app: Slug, source: Slug)?
    /// Whether it is known that something about the app has changed.
    private var isMarked = false
    /// Before which second superseded revisions were removed; nil while it was not asked for.
    private var compaction: Int64?
    /// What was first reported of the days of a source, where that keeps a revision from being superseded.
    private var firstReports: (source: Int64, reports: FirstReports)?
    /// When the days of a source end, where that was needed.
    private var dayEnds: DayEnds?

    init(_ database: Database) {
        self.database = database
    }

    /// Begins with a snapshot; what is written from now on is its.
    mutating func begin(app: Slug, source: Slug, capturedAt: Instant) throws {
        self.capturedAt = capturedAt
        (conflicts, newIssues) = (0, [])
        if owner?.app != app { isMarked = false }
        if let owner, owner == (app, source) { return }
        (owner, versions, issues) = ((app, source), [:], [:])
        self.source = try id(of: [Field(app.text), Field(source.text)], in: .source).id
    }

    /// Writes a revision when the values differ from the newest one known at the snapshot's instant. Parts that they
    /// state less of than it does stay in it. A number of whole days that was captured while its day ran, and is the same
    /// after the end, is a revision too: nothing else says that it is known.
    ///
    /// What was recorded for the very same instant stays: revisions are never rewritten. A row that lacks what is stated now
    /// is filled with it, as `SameInstant` has it.
    mutating func write(
        _ values: [Field], of key: [Field], to table: RevisionTable, as meaning: RevisionMeaning = .report,
        olderForms: @autoclosure () -> [[Field]] = []
    ) throws -> Bool {
        let (comparison, insertion) = try statements.of(table, in: database)
        if table.isByIssue, meaning != .correction, case .integer(let issue) = key[0],
            newIssues.contains(issue),
            try insert(values, of: key, to: table, by: insertion, isFirst: true)
        {
            return true
        }
        let part = table.wholeNumber == nil ? [] : [Field(try lastOfPart(of: key[1]))]
        let found = try comparison.run(key, at: capturedAt.secondsSinceEpoch, values + part)
        switch found.flatMap({ RevisionTable.Comparison(rawValue: Int($0)) }) {
        case .same? where meaning != .return: return false
        case .conflicting?:
            let place = key + [Field(capturedAt.secondsSinceEpoch)]
            for form in olderForms() where try run(table.completion, place + values + form) { return true }
            if meaning != .absence { return try fill(place, with: values, in: table) }
            conflicts += 1
            return false
        case nil where meaning == .correction: return false
        case .same?, .sameOfPart?, .olderAndFuller?:
            let newest = try statement(table.newest).row(key + [Field(capturedAt.secondsSinceEpoch)])
            let completed = newest.map { table.completed(values, by: $0) } ?? values
            return try insert(completed, of: key, to: table, by: insertion)
        case .older?, nil: return try insert(values, of: key, to: table, by: insertion)
        }
    }

    /// Before which second a capture lacks much of a day, where the snapshot does not; nil where it does too.
    private mutating func lastOfPart(of day: Field) throws -> Int? {
        guard case .integer(let number) = day else { return nil }
        let day = CivilDate(daysSinceEpoch: Int(number))
        guard capturedAt > Instant(startOf: day) else { return nil }
        if dayEnds.map({ $0.source != source || $0.until < capturedAt }) ?? true {
            dayEnds = DayEnds(
                source: source, zones: try statedZones(of: source, in: database), at: capturedAt)
        }
        guard let last = dayEnds?.lastOfPart(of: day), capturedAt >= last else { return nil }
        return last.secondsSinceEpoch
    }

    /// Has the ends of days looked up again: the source may state another zone.
    mutating func refreshDayEnds() { dayEnds = nil }

    /// Fills the row of a key and the snapshot's instant with what it lacks of other values; false when it lacks nothing.
    private mutating func fill(
        _ place: [Field], with values: [Field], in table: RevisionTable
    ) throws -> Bool {
        guard let stored = try statement(table.newest).row(place) else { return false }
        let joined = SameInstant(
            table, stored, and: values, after: try statement(table.previous).row(place))
        if joined.differs { conflicts += 1 }
        guard !joined.filled.isEmpty else { return false }
        for group in joined.filled where group.isCarried {
            try statement(table.carrying(group)).run(place + group.places.map { joined.values[$0] })
        }
        return try run(table.completion, place + joined.values + stored)
    }

    /// Inserts a revision; false when there is one of the very same instant, or when it is one of those that compacting
    /// removed.
    private mutating func insert(
        _ values: [Field], of key: [Field], to table: RevisionTable, by insertion: RowStatement,
        isFirst: Bool = false
    ) throws -> Bool {
        if !isFirst, try isSuperseded(values, of: key, in: table) { return false }
        _ = try insertion.run(key, at: capturedAt.secondsSinceEpoch, values)
        return try noteChange()
    }

    /// Whether the last statement changed a row; then the app gets another mark, once.
    private mutating func noteChange() throws -> Bool {
        guard database.changesCount > 0 else { return false }
        if !isMarked, let owner {
            isMarked = true
            try markChange(of: owner.app, in: database)
        }
        return true
    }

    private mutating func isSuperseded(_ values: [Field], of key: [Field], in table: RevisionTable) throws
        -> Bool
    {
        let compaction = try compaction ?? statement("SELECT max(before) FROM compaction").run([]) ?? 0
        self.compaction = compaction
        guard capturedAt.secondsSinceEpoch < compaction else { return false }
        let instants = [Field(capturedAt.secondsSinceEpoch), .integer(compaction)]
        let reports = table.haveFirstReports ? [try firstReport(of: key, in: table, compaction)] : []
        return try statement(table.superseding).run(key + instants + reports + table.lasting(of: values))
            != nil
    }

    /// The capture that was the first report of a row's day; null for rows of single releases.
    private mutating func firstReport(
        of key: [Field], in table: RevisionTable, _ compaction: Int64
    ) throws -> Field {
        guard case .integer(let day) = key[1], case .integer(0) = key[2], let owner else { return .null }
        if firstReports?.source != source {
            var reader = try RevisionReader(
                database, app: owner.app, source: owner.source,
                asOf: Instant(secondsSinceEpoch: Int(compaction)))
            firstReports = (source, try reader?.firstReports(of: owner.source) ?? FirstReports())
        }
        let report = firstReports?.reports(table.name, on: CivilDate(daysSinceEpoch: Int(day)))
        return Field(report?.secondsSinceEpoch)
    }

    /// Runs a statement; true when it changed a row.
    mutating func run(_ sql: String, _ values: [Field]) throws -> Bool {
        try statement(sql).run(values)
        return try noteChange()
    }

    /// The statement of a text.
    mutating func statement(_ sql: String) throws -> RowStatement { try statements.of(sql, in: database) }

    /// The number of a version; zero for all releases together.
    mutating func id(of version: Version?) throws -> Int64 {
        guard let version else { return 0 }
        if let known = versions[version] { return known }
        let names = [Field(source), Field(version.label.composed), Field(version.build.composed)]
        let id = try id(of: names, in: .version).id
        versions[version] = id
        return id
    }

    /// The number of an issue.
    mutating func id(ofIssue name: String) throws -> Int64 {
        if let known = issues[name] { return known }
        let (id, isNew) = try id(of: [Field(source), Field(name.composed)], in: .issue)
        issues[name] = id
        if isNew { newIssues.insert(id) }
        return id
    }

    /// Whether an issue of the source was named before the snapshot.
    mutating func knowsOtherIssues() throws -> Bool {
        let all = try statement("SELECT count(*) FROM issue_name WHERE source_id = ?").run([Field(source)])
        return (all ?? 0) > newIssues.count
    }

    /// The number of a name, which is given one when it is met for the first time.
    private mutating func id(of name: [Field], in table: NameTable) throws -> (id: Int64, isNew: Bool) {
        if let id = try statement(table.lookup).run(name) { return (id, false) }
        try statement(table.insertion).run(name)
        let id = database.lastInsertedRowID
        _ = try noteChange()
        return (id, true)
    }
}

/// When the days of one source end.
private struct DayEnds {
    let source: Int64
    /// Up to when captures may be judged by these.
    let until: Instant
    private let offsets: ZoneOffsets?

    init(source: Int64, zones: [StatedZone], at capture: Instant) {
        self.source = source
        until = capture.advanced(bySeconds: 300 * 86_400)
        offsets = ZoneOffsets(of: zones, until: until)
    }

    /// From when on a capture has nearly all of a day.
    func lastOfPart(of day: CivilDate) -> Instant {
        RunningDays.nearlyOver(offsets?.end(of: day) ?? Instant(startOf: day.advanced(by: 1)))
    }
}

/// The statements of the tables that were written to: looking one up by its text costs as much as to run it.
private struct WriterStatements {
    private var tables: [(name: String, comparison: RowStatement, insertion: RowStatement)] = []
    private var others: [(sql: String, statement: RowStatement)] = []

    mutating func of(_ sql: String, in database: Database) throws -> RowStatement {
        if let known = others.first(where: { $0.sql == sql }) { return known.statement }
        let statement = try RowStatement(sql, in: database)
        others.append((sql, statement))
        return statement
    }

    mutating func of(
        _ table: RevisionTable, in database: Database
    ) throws -> (comparison: RowStatement, insertion: RowStatement) {
        if let known = tables.first(where: { $0.name == table.name }) {
            return (known.comparison, known.insertion)
        }
        let comparison = try RowStatement(table.comparison, in: database)
        let insertion = try RowStatement(table.insertion, in: database)
        tables.append((table.name, comparison, insertion))
        return (comparison, insertion)
    }
}

/// A table that gives numbers to long texts.
private struct NameTable {
    let lookup: String
    let insertion: String

    static let source = NameTable("source", ["app", "name"])
    static let version = NameTable("version", ["source_id", "label", "build"])
    static let issue = NameTable("issue_name", ["source_id", "name"])

    private init(_ table: String, _ columns: [String]) {
        lookup = "SELECT id FROM \(table) WHERE \(columns.map { "\($0) = ?" }.joined(separator: " AND "))"
        insertion = """
            INSERT INTO \(table) (\(columns.joined(separator: ", ")))
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            """
    }
}
