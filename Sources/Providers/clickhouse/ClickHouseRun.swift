import AppHealth
import Diagnostics
import Transport

/// One fetch of one app: what server it is, then a round of queries.
struct ClickHouseRun: WarehouseRun {
    var parts: PartialFetch
    let configuration: ClickHouseConfiguration
    private let sender: any Sender
    private let app: App
    private let now: Instant
    let kept: KeptBytes?
    private var dialect = ClickHouseDialect()
    private var texts: [WarehouseQuery: QueryFile] = [:]

    init(
        _ configuration: ClickHouseConfiguration, sender: any Sender, app: App, now: Instant, kept: KeptBytes?
    ) {
        self.configuration = configuration
        (self.sender, self.app, self.now, self.kept) = (sender, app, now, kept)
        parts = PartialFetch(
            ServiceClient(
                .clickHouse(user: configuration.user), base: configuration.base, limits: configuration.limits,
                most: configuration.mostRequests, over: .sender(sender)))
    }

    mutating func snapshot(of source: Source) async throws(ServiceFault) -> Snapshot {
        let window = window
        let tables = try await round()
        var snapshot = Snapshot(app: app, source: source, capturedAt: now)
        snapshot.warnings = parts.warnings
        let mapping = WarehouseMapping(
            tables, of: snapshot, window: window, begin: progress.begin, gaps: progress.gaps,
            mostIssues: configuration.mostIssues,
            texts: texts,
            areReleasesOfMonth: texts[.releases]?.deviation != nil && !configuration.hasStates,
            earlier: configuration.stored(), stored: configuration.knownIssues)
        return self.snapshot(of: mapping)
    }
}

// MARK: Days

extension ClickHouseRun {
    var keptName: String {
        """
        clickhouse last day of \(configuration.appName(app)), \(configuration.base.text), \
        \(configuration.database), \(configuration.queries().digest)
        """
    }

    var appName: String { configuration.appName(app) }

    func window(last: CivilDate?) -> WarehouseWindow { configuration.window(at: now, last: last) }

    func text(_ query: WarehouseQuery) -> QueryFile? { texts[query] }
}

// MARK: Queries

/// What is to be known of a server before a query is sent.
struct ClickHouseDialect: Hashable, Sendable {
    /// The first two numbers of its version.
    var version = [0, 0]
    /// Whether the user may change data, so that each query forbids it.
    var mayWrite = false

    /// Whether it binds parameters and knows the settings of such servers.
    var bindsParameters: Bool { !version.lexicographicallyPrecedes([22, 8]) }
    /// Whether it says before a query how many rows that reads.
    var estimates: Bool { !version.lexicographicallyPrecedes([21, 9]) }
    /// Whether it knows where an error after the first row goes.
    var movesErrors: Bool { !version.lexicographicallyPrecedes([24, 1]) }
}

extension ClickHouseRun {
    /// Asks the server who it is, and which columns an exporter's table has; every query is written for them.
    mutating func meetServer() async throws(ServiceFault) {
        dialect = try await dialectOfServer()
        if let table = configuration.telemetry {
            texts = configuration.queries(try await columns(of: table))
        } else {
            texts = configuration.queries()
        }
    }

    /// The columns of an exporter's table that differ between its versions.
    private mutating func columns(
        of table: String
    ) async throws(ServiceFault) -> ClickHouseTelemetry.Columns {
        let call = call(ClickHouseTelemetry.question(of: table), id: nil, of: ClickHouseTelemetry.part)
        let (answer, _) = try await answer(to: call)
        let types = Dictionary(
            answer.data.values.compactMap { row -> (String, String)? in
                guard row.count == 2, case .text(let name) = row[0], case .text(let type) = row[1] else {
                    return nil
                }
                return (name, type)
            }
        ) { first, _ in first }
        guard let type = types["LogAttributes"] else {
            throw reported(
                "clickhouse.telemetry",
                "No table of logs with the name '\(printable(String(table.prefix(100))))'",
                [
                    "check 'database' and 'table': the collector's ClickHouse exporter writes 'logs_table_name'",
                    "grant the user SELECT on it",
                ])
        }
        guard type.hasPrefix("Map(") else {
            throw reported(
                "clickhouse.telemetry",
                "Attributes of logs are of type \(printable(String(type.prefix(60)))), not Map",
                [
                    "let the exporter write attributes as Map, its default",
                    "write queries of your own in 'sql'",
                ])
        }
        return ClickHouseTelemetry.Columns(
            hasEventName: types["EventName"] != nil, hasTimestampTime: types["TimestampTime"] != nil)
    }

    private mutating func dialectOfServer() async throws(ServiceFault) -> ClickHouseDialect {
        let text = """
            SELECT version() AS version, (SELECT value FROM system.settings WHERE name = 'readonly') AS readonly
            """
        let (answer, _) = try await answer(to: call(text, id: nil, of: "the server's version"))
        let row = answer.data.values.first ?? []
        guard row.count == 2, case .text(let version) = row[0], case .text(let readonly) = row[1] else {
            throw reported("clickhouse.version", "The response says no version", ["check 'url'"])
        }
        if readonly == "1" {
            throw reported(
                "clickhouse.readonly", "The user may set no limits",
                ["give its profile readonly = 2: it reads only, and queries may carry limits"])
        }
        let numbers = version.split(separator: ".").prefix(2).map { Int($0) ?? 0 }
        return ClickHouseDialect(version: numbers, mayWrite: readonly == "0")
    }

    /// The response to a query; requested again where the server says that it did not begin.
    ///
    /// - Parameter most: With a number, that many rows are enough.
    mutating func table(
        _ query: WarehouseQuery, _ file: QueryFile, most: Int?
    ) async throws(ServiceFault) -> WarehouseTable {
        let values = configuration.parameters(of: app, window)
        let whole = try text(of: file, values)
        if most == nil { try await checkBytes(of: query, whole, values, at: file.location) }
        let text = most.map { "SELECT * FROM (\n\(whole)\n) LIMIT \($0)" } ?? whole
        var attempt = 1
        while true {
            let id = id(query.rawValue, attempt)
            do throws(ServiceFault) {
                var call = call(text, id: id, of: query.part, values)
                call.attempt = attempt
                let (answer, losses) = try await answer(to: call)
                return try table(query, answer, losses, at: file.location)
            } catch {
                if error.mayStillRun { await end(id) }
                guard attempt < configuration.attempts, error.mayRepeat else {
                    throw named(
                        limited(error, "A query was ended by the server: it reads", at: file.location),
                        of: file)
                }
                await configuration.pause(attempt)
                attempt += 1
            }
        }
    }

    func endsRound(_ fault: ServiceFault) -> Bool { ClickHouseError(fault.excerpt)?.endsRound ?? false }

    /// How many rows a query would read, where the server says it: `EXPLAIN ESTIMATE` has a row for each table.
    mutating func amount(
        of query: WarehouseQuery, _ file: QueryFile
    ) async throws(ServiceFault) -> WarehouseForecast.Amount {
        let values = configuration.parameters(of: app, window)
        let whole = try text(of: file, values)
        guard dialect.estimates else { return await bound(of: query, whole) }
        guard let estimate = try await estimate(of: query, whole, values) else {
            return .unknown("the response does not say")
        }
        guard let rows = estimate.allRows else { return .unknown("the response is no number of rows") }
        let client = parts.client
        let bytes: Double?
        do throws(ServiceFault) {
            bytes = try await self.bytes(of: estimate, query, whole)
        } catch {
            if error.endsRequests { throw error }
            // Who may not read the catalog may read the tables: the rows are known.
            (bytes, parts.client) = (nil, client)
        }
        return .reading(rows: rows, bytes: bytes.flatMap { $0 < 1e18 ? Int($0) : nil })
    }

    /// How much a query reads at most on a server that estimates nothing: the columns that it names, of whole tables.
    private mutating func bound(
        of query: WarehouseQuery, _ text: String
    ) async -> WarehouseForecast.Amount {
        let unknown = WarehouseForecast.Amount.unknown(
            "the server's version has no EXPLAIN ESTIMATE; 21.9 has")
        let client = parts.client
        do throws(ServiceFault) {
            let question = ClickHouseBytes.question(ofTablesIn: text, database: configuration.database)
            let (answer, _) = try await answer(to: call(question, id: nil, of: query.part))
            return ClickHouseBytes.bound(answer, of: text).map { .atMost(bytes: $0) } ?? unknown
        } catch {
            parts.client = client
            return unknown
        }
    }

    /// About how many bytes a query would read; nil when the catalog does not say.
    private mutating func bytes(
        of estimate: ClickHouseBytes, _ query: WarehouseQuery, _ text: String
    ) async throws(ServiceFault) -> Double? {
        guard !estimate.tables.isEmpty else { return nil }
        let call = call(ClickHouseBytes.question(of: estimate.tables), id: nil, of: query.part)
        return estimate.bytes(try await answer(to: call).0, of: text)
    }

    private mutating func estimate(
        of query: WarehouseQuery, _ text: String, _ values: [String: WarehouseParameter]
    ) async throws(ServiceFault) -> ClickHouseBytes? {
        let call = call(
            "EXPLAIN ESTIMATE \(text)", id: id("estimate-\(query.rawValue)", 1), of: query.part, values)
        do throws(ServiceFault) {
            return ClickHouseBytes(try await answer(to: call).0)
        } catch {
            throw limited(
                error, "What a query would read is not known: finding the issues that it is about reads")
        }
    }

    /// Throws when a query would read more than is allowed, before it runs. What is not known before is left to the
    /// server, which ends a query that has read so much.
    private mutating func checkBytes(
        of query: WarehouseQuery, _ text: String, _ values: [String: WarehouseParameter], at place: Location
    ) async throws(ServiceFault) {
        guard let most = configuration.maximumBytes, dialect.estimates else { return }
        var bytes: Double?
        let client = parts.client
        do throws(ServiceFault) {
            if let estimate = try await estimate(of: query, text, values) {
                bytes = try await self.bytes(of: estimate, query, text)
            }
        } catch {
            if error.endsRequests || error.isReported { throw error }
            // Who may not read the catalog may read the tables.
            parts.client = client
        }
        guard let bytes, bytes > Double(most) else { return }
        throw reported(
            "clickhouse.bytes",
            "A query would read about \(bytes < 1e18 ? String(Int(bytes)) : "10^18") bytes, more than \(most)",
            ["raise 'maximumBytes', or request fewer days"], at: place)
    }

    private func table(
        _ query: WarehouseQuery, _ answer: ClickHouseAnswer, _ losses: SkippedValues, at place: Location
    ) throws(ServiceFault) -> WarehouseTable {
        var columns = answer.columns
        // A time without a zone in its type is written in the zone of the server by one that knows no other way.
        for (index, column) in columns.enumerated() where column.kind == .instant && !dialect.bindsParameters
        {
            if !column.type.contains("'UTC'") { columns[index].kind = nil }
        }
        if let fault = query.fault(in: columns, at: place, provider: parts.provider) {
            throw parts.client.fault(.reported(fault))
        }
        return WarehouseTable(query, columns: columns, rows: answer.data.values, losses: losses)
    }

    /// The text that is sent: with parameters where the server binds them, otherwise with dates and numbers.
    private func text(
        of file: QueryFile, _ values: [String: WarehouseParameter]
    ) throws(ServiceFault) -> String {
        let parsed: ClickHouseText
        do throws(ClickHouseText.Fault) {
            parsed = try ClickHouseText(file.text)
        } catch {
            let what =
                switch error {
                case .open(let sign): "A \(sign) does not end"
                case .several: "More than one statement"
                }
            throw reported("clickhouse.sql", what, ["write one SELECT"], at: file.location)
        }
        for name in parsed.parameters where values[name] == nil {
            let near = nearestName(to: String(name.prefix(60)), among: values.keys.sorted())
            throw reported(
                "clickhouse.parameter", "Unknown parameter '\(printable(name))'",
                [
                    near.map { "did you mean '\($0)'?" }
                        ?? "use one of \(values.keys.sorted().joined(separator: ", "))"
                ],
                at: file.location)
        }
        if dialect.bindsParameters { return parsed.text }
        do throws(UnboundParameter) {
            return try parsed.bound(values)
        } catch {
            throw reported(
                "clickhouse.parameter", "A server of version 22.8 is needed for the value of '\(error.name)'",
                ["write it with letters, digits, spaces and . _ - : / @ + only, or use a newer server"],
                at: file.location)
        }
    }

    /// One for each query of a night, so that it can be ended by it; another database is another night.
    private func id(_ name: String, _ attempt: Int) -> String {
        let names = [configuration.database, configuration.appName(app)].map { name in
            String(name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(60))
        }
        return
            (["plimsoll"] + names + ["\(configuration.id)", name, "\(now.secondsSinceEpoch)", "\(attempt)"])
            .joined(separator: "-")
    }

    /// What the server says of a query, with the name of the query. Where nothing is known of its code, the query is to be
    /// corrected: the status of such a response says nothing, which may be 500 for any of them.
    private func named(_ error: ServiceFault, of file: QueryFile) -> ServiceFault {
        guard case .refused(let refusal, var explanation) = error.kind,
            let said = ClickHouseError(refusal.excerpt)
        else { return error }
        explanation.more.append("the query is \(file.shown)")
        if said.hint == nil {
            let isOwn = file.deviation == nil
            explanation.hints = [
                isOwn
                    ? "correct \(file.shown) by what the server says"
                    : "see what was sent with 'plimsoll warehouse check --print-sql'"
            ]
        }
        var error = error
        error.kind = .refused(refusal, explanation)
        return error
    }

    /// The words for a query that the server ended as it read more than it may; other errors stay what they are.
    private func limited(
        _ error: ServiceFault, _ start: String, at place: Location? = nil
    ) -> ServiceFault {
        guard case .refused(let refusal, _) = error.kind, let said = ClickHouseError(refusal.excerpt),
            said.isOfBytes
        else { return error }
        guard let most = configuration.maximumBytes else {
            return reported(
                "clickhouse.bytes",
                "\(start) more than the profile of the user '\(configuration.user)' allows",
                ["raise max_bytes_to_read or max_rows_to_read of the profile, or request fewer days"],
                at: place)
        }
        return reported(
            "clickhouse.bytes", "\(start) more than 'maximumBytes', \(most) bytes",
            ["raise 'maximumBytes', or request fewer days"], at: place)
    }

    private func reported(
        _ id: String, _ summary: String, _ hints: [String], at place: Location? = nil
    ) -> ServiceFault {
        parts.client.fault(.reported(.error(id, "clickhouse: \(summary)", at: place, hints: hints)))
    }
}

// MARK: Requests

extension ClickHouseRun {
    /// A query as a request. Nothing but a repetition under another id is safe, and only where the server says so.
    private func call(
        _ text: String, id: String?, of part: String, _ values: [String: WarehouseParameter]? = nil
    ) -> ServiceCall {
        var query = [("database", configuration.database), ("wait_end_of_query", "1")]
        if let id { query.append(("query_id", id)) }
        if let values {
            query += configuration.settings(of: dialect)
            if dialect.bindsParameters {
                query += values.sorted { $0.key < $1.key }.map {
                    ("param_" + $0.key, $0.value.clickHouseText)
                }
            }
        }
        return ServiceCall(
            segments: [], query: query, body: Array("\(text)\nFORMAT JSONCompact".utf8), part: part,
            endsWithSlash: true, isRetried: false)
    }

    /// The response to a query. An error that follows the rows is one, whatever the status says.
    private mutating func answer(
        to call: ServiceCall
    ) async throws(ServiceFault) -> (ClickHouseAnswer, SkippedValues) {
        let response = try await parts.client.response(to: call)
        do throws(ServiceFault) {
            let (answer, losses) = try parts.client.decoded(ClickHouseAnswer.self, from: response)
            if response.headers["X-ClickHouse-Exception-Code"] == nil,
                answer.rows?.value == answer.data.items.count + answer.data.skipped
            {
                return (answer, losses)
            }
        } catch {
            guard ClickHouseError(response.text) != nil else { throw error }
        }
        guard let error = ClickHouseError(response.redaction.masked(response.text)) else {
            throw reported("clickhouse.truncated", "The response is cut off", ["fetch again later"])
        }
        throw parts.client.fault(
            .reported(
                .error(
                    "clickhouse.failed", "clickhouse: The query failed after its first rows",
                    quotes: [printable("Code \(error.code): \(error.message)")],
                    hints: [error.hint ?? "fetch again later"])))
    }

    /// Ends a query at the server whose response is not awaited any more: closing the connection does not. It has its own
    /// limit of time besides.
    private func end(_ id: String) async {
        let call = ServiceCall(
            segments: [], query: [("database", configuration.database)],
            body: Array("KILL QUERY WHERE query_id = '\(id)' ASYNC".utf8), part: "the end of a query",
            endsWithSlash: true, writes: true)
        var limits = configuration.limits
        limits.totalMilliseconds = 5_000
        let client = ServiceClient(
            .clickHouse(user: configuration.user), base: configuration.base, limits: limits, most: 1,
            over: .sender(sender))
        // A canceled task sends nothing more; this one is not canceled with it.
        await Task.detached {
            var client = client
            _ = try? await client.response(to: call)
        }.value
    }
}

extension ServiceFault {
    /// Whether it is already in words.
    fileprivate var isReported: Bool { if case .reported = kind { true } else { false } }

    /// Whether the server may go on with a query whose response did not come.
    fileprivate var mayStillRun: Bool {
        guard case .transport(let error) = kind else { return false }
        return [.timeout, .canceled, .reset, .truncated].contains(error.kind)
    }

    /// Whether the same query may be sent again.
    fileprivate var mayRepeat: Bool {
        switch kind {
        case .transport(let error): error.kind == .refused
        case .refused(let error, _):
            // What the server says goes before the status, which a proxy may have written.
            ClickHouseError(error.excerpt)?.mayRepeat ?? [429, 503].contains(error.status)
        default: false
        }
    }
}
