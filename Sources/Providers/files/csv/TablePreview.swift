import AppHealth
package import Diagnostics
import Transport

/// What a source of files would read from a table, and the configuration by which it would.
package struct TablePreview: Sendable {
    /// How the table is written: `UTF-16 LE, separated by tabs`.
    package let form: String
    /// The program that seems to have written it; nil when it is none of the known ones.
    package let preset: CSVPreset?
    /// Each field that was found, with the header that it is under.
    package let mapping: [(field: String, header: String)]
    /// Headers that are not read.
    package let unread: [String]
    /// The rows as they were read, each with a cell for each field of `mapping`; unknown counts are empty.
    package let rows: [[String]]
    /// What was skipped, and why.
    package let warnings: [Diagnostic]
    /// The apps of the table whose rows are not shown.
    private var otherApps: [String] = []
    private let dates: CSVDates
    private let layout: CSVLayout

    /// Reads a table with the layout that its headers suggest.
    package init(_ bytes: [UInt8], document: String) throws(Diagnostic) {
        let bytes = try uncompressed(bytes, document)
        if let why = faultOfKind(bytes, at: .file(path: document)) { throw why }
        let text = CSVText(bytes, dropsCutLine: true)
        var losses = SkippedValues(provider: SnapshotReader.provider, endpoint: document, origin: .file)
        losses.add(text, in: document)
        let names = text.records.first?.fields.map(trimmed) ?? []
        var layout = guessedLayout(of: names, hasStartDate: text.startDate != nil)
        let table: CSVTable
        do throws(CSVSnapshotError) {
            do throws(CSVSnapshotError) {
                table = try CSVTable(text, layout: layout, document: document, losses: &losses)
            } catch {
                guard case .severalApps(_, let apps, _) = error else { throw error }
                (layout.app, otherApps) = (apps.first, Array(apps.dropFirst()))
                table = try CSVTable(text, layout: layout, document: document, losses: &losses)
            }
        } catch {
            var diagnostic = error.diagnostic(in: document)
            if case .header = error, error.nearestHeader == nil, !error.isOfOtherEncoding {
                diagnostic.hints = [
                    "add 'columns' to the source, each field with your header, such as 'date: Day'"
                ]
            }
            throw diagnostic
        }
        let columns = CSVColumn.allCases.filter { table.columns[$0] != nil }
        if let why = noRate(of: Set(columns), .file(path: document, line: table.header.line)) {
            losses.add(why)
        }
        let shown =
            columns.filter { $0.rate == nil }
            + columns.compactMap(\.rate?.part).filter { !columns.contains($0) }
        rows = table.joinedRows(document: document, losses: &losses).map { row in
            shown.map {
                $0 == .date
                    ? "\(row.date)" : $0 == .release ? row.release ?? "" : row[$0].map(String.init) ?? ""
            }
        }
        fields = shown.map(\.rawValue)
        mapping = columns.map { ($0.rawValue, table.name(of: $0)) }
        form = "\(text.encoding.rawValue), separated by \(text.separator.words)s"
        (preset, unread, warnings, dates) = (layout.preset, table.unread, losses.warnings, table.dates)
        self.layout = layout
    }

    /// The most bytes of a table after decompression.
    fileprivate static let mostBytes = 32 << 20

    /// The fields of `rows`: a rate is shown as the count that it gives.
    package let fields: [String]

    /// The keys of a source that reads the table, as lines of YAML.
    package func configuration(path: String) -> [String] {
        var lines = ["- provider: files", "  path: \(yamlText(path))"]
        if let preset { lines.append("  preset: \(preset.rawValue)") }
        if let app = layout.app {
            lines.append("  app: \(yamlText(app))   # or \(otherApps.map(yamlText).joined(separator: ", "))")
        }
        if !layout.columns.isEmpty {
            lines.append("  columns:")
            lines += mapping.filter { pair in layout.columns.keys.contains { $0.rawValue == pair.field } }
                .map { "    \($0.field): \(yamlText($0.header))" }
        }
        if dates.needsOrder, layout.preset?.dates == nil {
            lines.append(
                dates.order.map { "  dates: \($0.rawValue)" }
                    ?? "  dates: day-first   # or month-first: the dates don't show which")
        }
        return lines
    }
}

/// That a table has one count of a pair and neither pair whole, and which columns would complete it.
private func noRate(of columns: Set<CSVColumn>, _ place: Location) -> Diagnostic? {
    let known = columns.union(
        columns.compactMap(\.rate).filter { columns.contains($0.whole) }.map(\.part))
    let pairs: [(whole: CSVColumn, part: CSVColumn, share: CSVColumn)] = [
        (.users, .crashedUsers, .crashFreeUsers), (.sessions, .crashedSessions, .crashFreeSessions),
    ]
    let halves = pairs.filter { known.contains($0.whole) != known.contains($0.part) }
    if halves.isEmpty || pairs.contains(where: { known.isSuperset(of: [$0.whole, $0.part]) }) { return nil }
    let missing = halves.map { pair in
        known.contains(pair.whole)
            ? "'\(pair.part.rawValue)' or '\(pair.share.rawValue)'" : "'\(pair.whole.rawValue)'"
    }
    return Diagnostic(
        .note, id: "csv.no-rate", "files: no crash-free rate follows from this table alone",
        location: place, hints: ["to have one, add the column " + missing.joined(separator: ", or ")])
}

/// The bytes of a table, undone where they are a gzip file.
private func uncompressed(_ bytes: [UInt8], _ document: String) throws(Diagnostic) -> [UInt8] {
    guard isGzip(bytes) else { return bytes }
    let address: Address
    do throws(FilesError) {
        address = try fileAddress(document)
    } catch {
        throw error.diagnostic
    }
    do throws(TransportError) {
        return try gunzipped(bytes, most: TablePreview.mostBytes, from: address)
    } catch {
        throw damage(of: error)
    }
}

/// The preset whose headers a table has; otherwise a header for each field that one seems to name.
private func guessedLayout(of names: [String], hasStartDate: Bool) -> CSVLayout {
    let keys = names.map(headerKey)
    let analytics = CSVLayout(preset: .googleAnalytics)
    if hasStartDate, analytics.place(of: .date, among: names) != nil { return analytics }
    let preset = CSVPreset.allCases.first { $0.marks.allSatisfy { keys.contains(headerKey($0)) } }
    if let preset { return CSVLayout(preset: preset) }
    var columns: [CSVColumn: String] = [:]
    var taken = Set(CSVColumn.allCases.compactMap { keys.firstIndex(of: headerKey($0.rawValue)) })
    for column in CSVColumn.allCases where !keys.contains(headerKey(column.rawValue)) {
        let found = names.indices.first { !taken.contains($0) && column.otherNames.contains(keys[$0]) }
        guard let found else { continue }
        taken.insert(found)
        columns[column] = names[found]
    }
    return CSVLayout(columns: columns)
}

/// A text between quotation marks, as YAML and JSON write it.
private func yamlText(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            || "_./-".utf8.contains(byte)
    }
    if isPlain, text.first?.isLetter == true { return text }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").filter { !$0.isNewline }
        + "\""
}
