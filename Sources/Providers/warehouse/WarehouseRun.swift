import AppHealth
import Diagnostics
import Transport

/// One fetch of one app from a warehouse, as a round of queries.
protocol WarehouseRun {
    var parts: PartialFetch { get set }

    /// What earlier runs kept; nil when everything is to be requested.
    var kept: KeptBytes? { get }

    /// The name of what is kept of how far they came.
    var keptName: String { get }

    /// What a round is about whose earlier ones have the days up to one.
    func window(last: CivilDate?) -> WarehouseWindow

    /// Learns what has to be known before a query is sent.
    mutating func meetServer() async throws(ServiceFault)

    /// What the tables call the app.
    var appName: String { get }

    /// The text of a query; nil where nothing is known of it.
    func text(_ query: WarehouseQuery) -> QueryFile?

    /// The answer to a query.
    ///
    /// - Parameter most: With a number, that many rows are enough.
    mutating func table(
        _ query: WarehouseQuery, _ file: QueryFile, most: Int?
    ) async throws(ServiceFault) -> WarehouseTable

    /// Whether the service would refuse the next query of the round too.
    func endsRound(_ fault: ServiceFault) -> Bool

    /// What a query would read, without running it.
    mutating func amount(
        of query: WarehouseQuery, _ file: QueryFile
    ) async throws(ServiceFault) -> WarehouseForecast.Amount
}

extension WarehouseRun {
    /// The answers to all queries; one that fails leaves the others, though without the main one the round has failed.
    /// When the service goes down after that, the round ends with what came: each query that follows is named as missing
    /// and not sent. Where it would refuse every other query too, one warning names those that were not sent.
    mutating func round() async throws(ServiceFault) -> [WarehouseQuery: WarehouseTable] {
        try await meetServer()
        let main = WarehouseQuery.mainOnes.first { text($0) != nil }
        var tables: [WarehouseQuery: WarehouseTable] = [:]
        var (end, unsent): (ServiceFault?, [String]) = (nil, [])
        for query in WarehouseQuery.allCases where !parts.isCanceled {
            guard let file = text(query) else { continue }
            if end != nil, query != main {
                unsent.append(query.part)
                continue
            }
            do throws(ServiceFault) {
                if let end { throw end }
                tables[query] = try await table(query, file, most: nil)
                parts.came()
                if query == main { parts.outlivesOutage = true }
            } catch {
                parts.addMissing(query.part, error, isNeeded: query == main)
                if endsRound(error) { end = error }
            }
        }
        if let end, !unsent.isEmpty { parts.addSkipped(unsent.joined(separator: ", "), because: end) }
        try parts.checkParts()
        return tables
    }

    /// What came of a round, once it is kept how far it came.
    func snapshot(of mapping: WarehouseMapping) -> Snapshot {
        keepProgress(of: mapping)
        var snapshot = mapping.snapshot
        if mapping.hasNoRow { snapshot.warnings.append(noRow) }
        return snapshot
    }

    /// Says that the tables have nothing of the app.
    private var noRow: Diagnostic {
        let isNamed = WarehouseQuery.allCases.compactMap(text).contains {
            $0.text.contains("{app:") || $0.text.contains("@app")
        }
        return .warning(
            "\(parts.provider).no-row", "\(parts.provider): The tables have no row of the app",
            details: isNamed ? ["the queries ask for the app '\(printable(appName))'"] : [],
            hints: [
                "check 'app', 'where' and the names of the tables",
                "see what is asked with 'plimsoll warehouse check --print-sql'",
            ])
    }

    /// Each query for ten rows; one that fails leaves the others. Where none has a row, the last one says so.
    mutating func trials() async -> [WarehouseTrial] {
        do throws(ServiceFault) {
            try await meetServer()
        } catch {
            return [WarehouseTrial(name: "", rows: .failure(error.diagnostic), warnings: [])]
        }
        var trials: [WarehouseTrial] = []
        for query in WarehouseQuery.allCases {
            guard let file = text(query) else { continue }
            do throws(ServiceFault) {
                let table = try await table(query, file, most: WarehouseTrial.mostRows)
                trials.append(
                    WarehouseTrial(
                        name: query.rawValue, rows: .success(table.shown), warnings: table.losses.warnings))
            } catch {
                trials.append(
                    WarehouseTrial(name: query.rawValue, rows: .failure(error.diagnostic), warnings: []))
                if error.endsRequests { break }
            }
        }
        if let last = trials.last, trials.allSatisfy(\.hasNoRow) {
            trials[trials.count - 1] = WarehouseTrial(
                name: last.name, rows: last.rows, warnings: last.warnings + [noRow])
        }
        return trials
    }
}

extension WarehouseTrial {
    /// Whether it answered with no row below the names of the columns.
    fileprivate var hasNoRow: Bool { (try? rows.get().count <= 1) ?? false }
}

extension QueryFile {
    var location: Location { .file(path: shown) }
}
