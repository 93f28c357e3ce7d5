import AppHealth
import Diagnostics

/// What was read of one table of days.
struct ReadTable {
    /// With its warnings.
    var snapshot: Snapshot
    /// Whether it says itself when it was captured.
    let statesTime: Bool
    /// The app that its rows name.
    let app: CSVAppName?
    /// The headers that the source names and the table does not have.
    let missing: [CSVColumn: String]
    /// The headers that it has, and their line.
    let names: [String]
    let line: Int
}

/// Turns the bytes of one table of days into a snapshot; pure.
struct CSVSnapshotReader {
    /// The app that is read.
    var app: App
    /// The name of the source in the site.
    var sourceID: Slug
    /// The path or address of the file, for diagnostics.
    var document: String
    /// The time in the file's name, otherwise when it was written.
    var fileTime: Instant
    /// How the table is written.
    var layout = CSVLayout()

    /// The app that a comment names; nil when none does.
    static func app(in bytes: [UInt8]) -> Slug? {
        CSVTable.facts(CSVText(bytes).comments)[.app].flatMap { Slug($0.text) }
    }

    /// What the table says.
    func read(_ bytes: [UInt8]) throws(CSVSnapshotError) -> ReadTable {
        var losses = SkippedValues(provider: SnapshotReader.provider, endpoint: document, origin: .file)
        let text = CSVText(bytes, dropsCutLine: true)
        losses.add(text, in: document)
        let table = try CSVTable(text, layout: layout, document: document, losses: &losses)
        try checkApp(table.facts[.app])
        let capturedAt = try time(table.facts[.capturedAt])
        var lossesOfRows = losses.forAnotherPart
        let kept = table.joinedRows(document: document, losses: &lossesOfRows)
        if kept.isEmpty, let fault = lossesOfRows.warnings.first ?? text.fault(in: document) {
            let count = table.rows.count + text.faults.count { $0.problem != .cut } + text.moreFaults
            throw .noRow(count, first: fault, capturedAt: capturedAt)
        }
        losses.add(lossesOfRows)
        let zone = zone(of: table, &losses)
        var snapshot = Snapshot(
            app: app, source: source(of: table, in: zone), capturedAt: capturedAt)
        snapshot.health = kept.compactMap(healthDay)
        snapshot.usage = kept.compactMap(usageDay)
        snapshot.releases = Set(kept.compactMap(\.release)).map {
            Release(version: Version($0), releasedAt: nil)
        }
        .sorted { $0.version > $1.version }
        snapshot.coverage = coverage(of: kept)
        zone.removeRunningDays(of: &snapshot)
        snapshot.warnings = losses.warnings
        return ReadTable(
            snapshot: snapshot, statesTime: table.facts[.capturedAt] != nil, app: table.app,
            missing: table.missing, names: table.header.fields.map(trimmed), line: table.header.line)
    }

    private func checkApp(_ fact: CSVText.Comment?) throws(CSVSnapshotError) {
        guard let fact, fact.text != app.id.text else { return }
        throw .otherApp(fact.text, wanted: app.id.text, line: fact.line)
    }

    private func time(_ fact: CSVText.Comment?) throws(CSVSnapshotError) -> Instant {
        if let fact {
            guard let time = Instant(fact.text) else { throw .time(fact.text, line: fact.line) }
            return time
        }
        return fileTime
    }
}

extension SkippedValues {
    /// Adds what could not be read of a table.
    mutating func add(_ text: CSVText, in document: String) {
        if let line = text.lineOutsideUTF8 {
            add(
                .warning(
                    "csv.encoding", "files: line \(line) is not UTF-8, perhaps Windows-1252",
                    at: .file(path: document, line: line), hints: [saveAsUTF8]))
        }
        for fault in text.faults { add(fault.warning(in: document)) }
        add(others: text.moreFaults)
    }
}

extension CSVText {
    /// The first record that breaks the rules; one that may only be cut is none.
    fileprivate func fault(in document: String) -> Diagnostic? {
        faults.first { $0.problem != .cut }?.warning(in: document)
    }
}

extension CSVText.Fault {
    /// What to report; `document` is the file.
    func warning(in document: String) -> Diagnostic {
        if problem == .cut {
            return .warning(
                "csv.cut", "files: line \(line): the last line has no end and was not read",
                details: ["a file that was cut looks the same"],
                at: .file(path: document, line: line, column: column),
                hints: ["end the file with a line break; the line is read then"])
        }
        let words =
            switch problem {
            case .quoteInside: "a quotation mark inside a field that does not begin with one"
            case .textAfterQuote: "text after the quotation mark that ends a field"
            case .unended: "a quotation mark that nothing ends"
            case .tooManyFields: "more than \(CSVText.mostFields) fields"
            case .cut: "no line end"
            }
        return .warning(
            "csv.syntax", "files: line \(line): found \(words)",
            at: .file(path: document, line: line, column: column),
            hints: [
                problem == .tooManyFields
                    ? "give the line as many fields as the header has"
                    : "quote the whole field, and double the quotation marks inside it"
            ])
    }
}

// MARK: Mapping

extension CSVSnapshotReader {
    /// What the rows state: a day with both counts of a rate is whole, one with either is a part, and so is the first of
    /// several rows of a day. Whether the rows of
    /// releases are all that there are, a table does not say.
    private func coverage(of rows: [CSVRow]) -> [CoverageSpan] {
        let part = Coverage.partial(counted: nil, of: nil)
        var days: [CoveredFact: [CivilDate: Coverage]] = [:]
        var whole = Coverage.complete
        func state(_ fact: CoveredFact, _ date: CivilDate, _ counts: [Int?]) {
            let known = counts.count { $0 != nil }
            if known > 0 { days[fact, default: [:]][date] = known == counts.count ? whole : part }
        }
        for row in rows {
            whole = row.hasOthers ? part : .complete
            if row.release == nil {
                state(.sessions, row.date, [row[.sessions], row[.crashedSessions]])
                state(.users, row.date, [row[.users], row[.crashedUsers]])
                state(.crashes, row.date, [row[.crashes]])
                if row[.activeUsers] != nil || row[.newUsers] != nil {
                    days[.usage, default: [:]][row.date] = whole
                }
            } else {
                days[.releaseHealth, default: [:]][row.date] = part
            }
        }
        return CoveredFact.allCases.flatMap { coverageSpans($0, days[$0] ?? [:]) }
    }

    private func healthDay(_ row: CSVRow) -> HealthDay? {
        let day = HealthDay(
            date: row.date, version: row.release, sessions: row[.sessions],
            crashedSessions: row[.crashedSessions],
            users: row[.users], crashedUsers: row[.crashedUsers], crashes: row[.crashes])
        return day == HealthDay(date: row.date, version: row.release) ? nil : day
    }

    /// Usage is about the app as a whole: the counts of a release are no usage.
    private func usageDay(_ row: CSVRow) -> UsageDay? {
        guard row.release == nil, row[.activeUsers] != nil || row[.newUsers] != nil else { return nil }
        return UsageDay(
            date: row.date, activeUsers: row[.activeUsers], newUsers: row[.newUsers],
            sessions: row[.sessions]
        )
    }

    /// The zone that a comment states; one that is not known goes to the losses.
    private func zone(of table: CSVTable, _ losses: inout SkippedValues) -> FileZone {
        if let stated = table.facts[.zone], !stated.text.isEmpty,
            let warning = table.zone.warning(at: .file(path: document, line: stated.line))
        {
            losses.add(warning)
        }
        return table.zone
    }

    private func source(of table: CSVTable, in zone: FileZone) -> Source {
        func fact(_ fact: CSVFact) -> String? {
            table.facts[fact].flatMap {
                $0.text.isEmpty ? nil : String($0.text.prefix(LineBound.scalars))
            }
        }
        return Source(
            id: sourceID, provider: SnapshotReader.provider, sessionDefinition: fact(.session) ?? "",
            userDefinition: fact(.user) ?? "", zone: zone.name,
            delay: [fact(.name), fact(.delay)].compactMap(\.self).joined(separator: ": "),
            capabilities: capabilities(of: Set(table.columns.keys)),
            hasExactCounts: table.columns.keys.allSatisfy { $0.rate == nil },
            estimates: estimates(of: Set(table.columns.keys)))
    }

    /// What a rate and a total give is worked out, and may have been rounded on the way.
    private func estimates(of columns: Set<CSVColumn>) -> Set<CoveredFact> {
        let parts = columns.compactMap(\.rate?.part).filter { !columns.contains($0) }
        var result: Set<CoveredFact> = []
        if parts.contains(.crashedSessions) { result.insert(.sessions) }
        if parts.contains(.crashedUsers) { result.insert(.users) }
        return result
    }

    private func capabilities(of columns: Set<CSVColumn>) -> Set<Capability> {
        var result: Set<Capability> = []
        if columns.contains(.sessions) || columns.contains(.crashedSessions) {
            result.insert(.sessions)
        }
        if columns.contains(.users) || columns.contains(.crashedUsers) { result.insert(.users) }
        if columns.contains(.activeUsers) || columns.contains(.newUsers) { result.insert(.usage) }
        if columns.contains(.release) { result.formUnion([.releaseHealth, .releases]) }
        return result
    }
}
