import Diagnostics

/// The name of an app in a column of tables that many apps share, such as its package.
struct CSVAppName: Hashable, Sendable {
    /// The header of the column.
    var header: String
    /// What its cells hold.
    var name: String
}

extension CSVLayout {
    /// The rows of the app that is read, and its name in the table. Where none is stated the rows must be of one: those of
    /// several would be taken for its own, or added up.
    func rowsOfApp(
        in rows: ArraySlice<CSVText.Record>, header: CSVText.Record
    ) throws(CSVSnapshotError) -> (rows: ArraySlice<CSVText.Record>, app: CSVAppName?) {
        guard let preset, let wanted = preset.appHeaders.first else { return (rows, nil) }
        let names = header.fields.map(trimmed)
        let places = preset.appHeaders.compactMap { place([$0], names) }
        guard let place = places.first else {
            if app != nil { throw .header(missing: wanted, names: names, line: header.line) }
            return (rows, nil)
        }
        guard let app else {
            let isCounted = preset.isCounted(names)
            let apps = distinct(rows.lazy.filter(isCounted).map { appCell($0, place) })
            guard apps.count < 2 else { throw .severalApps(names[place], apps, line: header.line) }
            return (rows, apps.first.map { CSVAppName(header: names[place], name: $0) })
        }
        let ours = rows.filter { row in
            // One that is too short for a name has a fault that is to be reported.
            places.contains { appCell(row, $0) == app }
                || places.allSatisfy { !row.fields.indices.contains($0) }
        }
        let apps = distinct(rows.lazy.map { appCell($0, place) })
        guard !ours.isEmpty || apps.isEmpty else {
            throw .noRowOfApp(app, header: names[place], apps, line: header.line)
        }
        return (ours[...], nil)
    }
}

extension CSVPreset {
    /// Headers of the cells that name the app of a row; of several the first that a table has distinguishes its apps.
    package var appHeaders: [String] {
        switch self {
        case .playStatistics: ["Package Name"]
        case .appStoreSales: ["Apple Identifier", "SKU"]
        case .firebaseBigQuery, .sentryDiscover, .googleAnalytics: []
        }
    }

    /// Whether a row of a table with these headers counts.
    func isCounted(_ names: [String]) -> (CSVText.Record) -> Bool {
        guard let counted, let place = names.firstIndex(of: counted.header) else { return { _ in true } }
        return { row in
            row.fields.indices.contains(place) && counted.cells.contains(trimmed(row.fields[place]))
        }
    }
}

/// The name of an app in a row; empty where it has none.
private func appCell(_ row: CSVText.Record, _ place: Int) -> String {
    row.fields.indices.contains(place) ? plainCell(row.fields[place]) : ""
}

/// The texts without those that are empty, each once, sorted.
private func distinct(_ texts: some Sequence<String>) -> [String] {
    Set(texts).subtracting([""]).sorted()
}

/// The apps that the tables of one source name: its rows are of one, whether a table has them or several do.
struct AppsOfTables {
    private var files: [CSVAppName: String] = [:]
    /// Why the first table of other apps alone was passed over.
    private(set) var passedOver: Diagnostic?

    /// Takes the app of a table; nil where the source states whose rows are read, or the table names none.
    mutating func add(_ app: CSVAppName?, in document: String) {
        guard let app, files[app] == nil else { return }
        files[app] = document
    }

    /// Takes why a table was passed over.
    mutating func pass(over why: Diagnostic) {
        if passedOver == nil { passedOver = why }
    }

    /// Why the tables are of no use: they name several apps.
    func conflict(in path: String) -> Diagnostic? {
        let byHeader = Dictionary(grouping: files.keys, by: \.header).filter { $0.value.count > 1 }
        guard let (header, apps) = byHeader.min(by: { $0.key < $1.key }) else { return nil }
        let sorted = apps.sorted { $0.name < $1.name }
        var why = severalApps(header, sorted.map(\.name), in: "tables of the source have", .file(path: path))
        why.details = sorted.prefix(mostAppsNamed).compactMap { app in
            files[app].map { "\(quoted(app.name, limit: 60)): \($0)" }
        }
        return why
    }
}

/// So many apps are named.
private let mostAppsNamed = 10

/// Rows of several apps, none of which the source states.
func severalApps(_ header: String, _ apps: [String], in what: String, _ place: Location) -> Diagnostic {
    .error(
        "csv.several-apps",
        "files: \(what) \(apps.count) apps in \(quoted(header, limit: 60)): \(listed(apps))", at: place,
        hints: ["set 'app' of the source to the one that it is for"])
}

/// The names of apps, the first of many.
func listed(_ apps: [String]) -> String {
    let more = apps.count > mostAppsNamed ? " and \(apps.count - mostAppsNamed) more" : ""
    return apps.prefix(mostAppsNamed).map { quoted($0, limit: 60) }.joined(separator: ", ") + more
}
