import AppHealth
import Diagnostics

/// Turns the bytes of one table of days into a snapshot; pure.
struct CSVSnapshotReader {
    /// The app that is asked for.
    var app: App
    /// The name of the source in the site.
    var sourceID: Slug
    /// The path or address of the file, for diagnostics.
    var document: String
    /// The time in the file's name.
    var fileTime: Instant?

    /// The app that a comment names; nil when none does.
    static func app(in bytes: [UInt8]) -> Slug? {
        CSVTable.facts(CSVText(bytes).comments)[.app].flatMap { Slug($0.text) }
    }

    /// The snapshot with its warnings.
    func snapshot(from bytes: [UInt8]) throws(CSVSnapshotError) -> Snapshot {
        var losses = SkippedValues(provider: SnapshotReader.provider, endpoint: document)
        let text = CSVText(bytes)
        for fault in text.faults { losses.add(warning(of: fault)) }
        let table = try CSVTable(text, document: document, losses: &losses)
        try checkApp(table.facts[.app])
        let rows = table.rows.compactMap { record in
            CSVRow(record, of: table, document: document, losses: &losses).map {
                (line: record.line, row: $0)
            }
        }
        let kept = unique(rows, &losses)
        var snapshot = Snapshot(
            app: app, source: source(of: table), capturedAt: try time(table.facts[.capturedAt]))
        snapshot.health = kept.compactMap(healthDay)
        snapshot.usage = kept.compactMap { usageDay($0, table) }
        snapshot.releases = Set(kept.compactMap(\.release)).map {
            Release(version: Version($0), releasedAt: nil)
        }
        .sorted { $0.version > $1.version }
        snapshot.warnings = losses.warnings
        return snapshot
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
        guard let fileTime else { throw .noTime }
        return fileTime
    }

    private func warning(of fault: CSVText.Fault) -> Diagnostic {
        let words =
            switch fault.problem {
            case .quoteInside: "a quotation mark inside a field that does not begin with one"
            case .textAfterQuote: "text after the quotation mark that ends a field"
            case .unended: "a quotation mark that nothing ends"
            case .tooManyFields: "more than \(CSVText.mostFields) fields"
            }
        return .warning(
            "csv.syntax", "files: line \(fault.line): found \(words)",
            at: .file(path: document, line: fault.line, column: fault.column),
            hints: ["quote the whole field, and double the quotation marks inside it"])
    }
}

// MARK: Mapping

extension CSVSnapshotReader {
    private struct Key: Hashable {
        var date: CivilDate
        var release: String?
    }

    private func unique(_ rows: [(line: Int, row: CSVRow)], _ losses: inout SkippedValues) -> [CSVRow] {
        var seen: [Key: Int] = [:]
        return rows.compactMap { line, row in
            let key = Key(date: row.date, release: row.release)
            guard let first = seen[key] else {
                seen[key] = line
                return row
            }
            losses.add(
                .warning(
                    "csv.row",
                    "files: line \(line): expected one row for each day and release; line \(first) is another",
                    at: .file(path: document, line: line), hints: ["remove one of the two"]))
            return nil
        }
    }

    private func healthDay(_ row: CSVRow) -> HealthDay? {
        let day = HealthDay(
            date: row.date, version: row.release, sessions: row[.sessions],
            crashedSessions: row[.crashedSessions],
            users: row[.users], crashedUsers: row[.crashedUsers])
        return day == HealthDay(date: row.date, version: row.release) ? nil : day
    }

    /// Usage is about the app as a whole: the counts of a release are no usage.
    private func usageDay(_ row: CSVRow, _ table: CSVTable) -> UsageDay? {
        guard row.release == nil, row[.activeUsers] != nil || row[.newUsers] != nil else { return nil }
        return UsageDay(
            date: row.date, activeUsers: row[.activeUsers], newUsers: row[.newUsers],
            sessions: row[.sessions]
        )
    }

    private func source(of table: CSVTable) -> Source {
        func fact(_ fact: CSVFact) -> String? {
            table.facts[fact].flatMap {
                $0.text.isEmpty ? nil : String($0.text.prefix(LineBound.scalars))
            }
        }
        return Source(
            id: sourceID, provider: SnapshotReader.provider, sessionDefinition: fact(.session) ?? "",
            userDefinition: fact(.user) ?? "", zone: fact(.zone) ?? "UTC",
            delay: [fact(.name), fact(.delay)].compactMap(\.self).joined(separator: ": "),
            capabilities: capabilities(of: Set(table.columns.keys)))
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
