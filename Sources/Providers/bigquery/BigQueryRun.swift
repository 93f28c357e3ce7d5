import AppHealth
import Diagnostics
import Tokens
import Transport

/// One fetch of one app: which tables of the export are there, then a round of queries.
struct BigQueryRun: WarehouseRun {
    var parts: PartialFetch
    let configuration: BigQueryConfiguration
    private let endingSender: TokenSender
    private let app: App
    private let now: Instant
    let kept: KeptBytes?
    private var texts: [WarehouseQuery: QueryFile] = [:]
    /// What the source had of datasets that may not be read any more: the next fetch is to fail as well.
    private var refused: Set<Capability> = []
    /// Which dataset the sessions are of, the stored ones where none come; nil where it is not known.
    private(set) var sessionOrigin: BigQuerySessionOrigin?
    /// Why no more queries are worth a request.
    private var end: ServiceFault?

    init(
        _ configuration: BigQueryConfiguration, sender: TokenSender, endingSender: TokenSender, app: App,
        now: Instant, kept: KeptBytes?
    ) {
        self.configuration = configuration
        (self.endingSender, self.app, self.now, self.kept) = (endingSender, app, now, kept)
        parts = PartialFetch(
            ServiceClient(
                BigQueryProvider.service.bigQueryProfile, base: configuration.base,
                limits: configuration.limits, most: configuration.mostRequests, over: .tokens(sender)))
    }

    mutating func snapshot(of source: Source) async throws(ServiceFault) -> Snapshot {
        let window = window
        let tables = try await round()
        var source = source
        let read = Set(texts.keys).capabilities
        source.capabilities = read.union(refused)
        if let sessionOrigin { source.sessionDefinition = sessionOrigin.definition }
        source.statesWholeDays = read.showCutDays
        var snapshot = Snapshot(app: app, source: source, capturedAt: now)
        snapshot.warnings = parts.warnings
        let mapping = WarehouseMapping(
            tables, of: snapshot, window: window, begin: progress.begin, gaps: progress.gaps,
            mostIssues: configuration.mostIssues,
            texts: texts, areReleasesOfMonth: false, earlier: configuration.stored(),
            stored: configuration.knownIssues)
        return self.snapshot(of: mapping)
    }

    var keptName: String {
        let tables = configuration.firebase.map { "\($0.project) \($0.crashlytics) \($0.sessions)" } ?? ""
        return """
            bigquery last day of \(configuration.appName(app)), \(configuration.base.text), \
            \(configuration.project) \(tables), \(configuration.queries(.assumed).digest)
            """
    }

    var appName: String { configuration.appName(app) }

    func window(last: CivilDate?) -> WarehouseWindow { configuration.window(at: now, last: last) }

    func text(_ query: WarehouseQuery) -> QueryFile? { texts[query] }
}

// MARK: Tables of the export

extension BigQueryConfiguration {
    /// The requests for the tables that an export may have, those of crashes first.
    var exportCalls: [(name: String, call: ServiceCall)] {
        guard let firebase else { return [] }
        return [firebase.crashlytics, firebase.sessions].flatMap { dataset in
            firebase.tableNames.map { table in
                (
                    "\(dataset).\(table)",
                    ServiceCall.google(
                        ["projects", firebase.project, "datasets", dataset, "tables", table],
                        part: "the tables of the export")
                )
            }
        }
    }
}

extension BigQueryRun {
    /// Asks which tables there are: an export may be of a night, of the moment, or both.
    mutating func meetServer() async throws(ServiceFault) {
        guard let firebase = configuration.firebase else {
            texts = configuration.queries(.assumed)
            return
        }
        let calls = configuration.exportCalls
        let crashes = try await dataset(calls.prefix(2).map(\.call))
        let sessions = try await dataset(calls.suffix(2).map(\.call))
        let stored = configuration.describedBefore().flatMap(BigQuerySessionOrigin.init)
        let hasOther = firebase.analytics != nil
        let substitute: Substitute? = hasOther ? (stored == .sessions ? .forbidden : .used) : nil
        texts = configuration.queries(
            .init(
                crashes: crashes.tables, sessions: sessions.tables,
                mayReplaceSessions: substitute == .used))
        sessionOrigin = sessions.isLacking ? (substitute == .used ? .analytics : stored) : .sessions
        if texts.isEmpty, let refusal = crashes.refusal ?? sessions.refusal { throw refusal }
        try note(crashes, "crashes", calls.prefix(2).map(\.name), .issues)
        try note(sessions, "sessions", calls.suffix(2).map(\.name), .sessions, substitute)
    }

    /// Another dataset that has the same, counted otherwise.
    private enum Substitute {
        case used
        /// What is stored is of the one that is lacking.
        case forbidden
    }

    /// What was found of the tables of a dataset.
    private struct Dataset {
        var tables: [BigQueryTableAnswer?] = []
        /// Why none of them may be read: to an account that has no right on a dataset, the service also says so where the
        /// dataset is not there.
        var refusal: ServiceFault?

        var isLacking: Bool { tables.allSatisfy { $0 == nil } }
    }

    private mutating func dataset(_ calls: [ServiceCall]) async throws(ServiceFault) -> Dataset {
        var dataset = Dataset()
        var refusals: [ServiceFault] = []
        for call in calls {
            do throws(ServiceFault) {
                dataset.tables.append(try await parts.client.value(BigQueryTableAnswer.self, at: call).value)
            } catch {
                guard error.status == 404 || error.deniesAccess else { throw error }
                if error.deniesAccess { refusals.append(error) }
                dataset.tables.append(nil)
            }
        }
        // One table that is denied next to one that is not has rights of its own, which are to be given.
        if let refusal = refusals.first, refusals.count < calls.count { throw refusal }
        dataset.refusal = refusals.first
        return dataset
    }

    /// Warns of a dataset without a table. One that may not be read, and was before, is missing: the fetch has failed. So it
    /// has without the one of stored sessions, of which others may not take the place.
    private mutating func note(
        _ dataset: Dataset, _ what: String, _ names: [String], _ capability: Capability,
        _ substitute: Substitute? = nil
    ) throws(ServiceFault) {
        guard dataset.isLacking, substitute != .used || dataset.refusal != nil else { return }
        let fault = missing(what, names, dataset.refusal)
        if texts.isEmpty { throw fault }
        let before = configuration.describedBefore()?.capabilities ?? []
        let isLost =
            switch substitute {
            case .used: false
            case .forbidden: true
            case nil: dataset.refusal != nil && before.contains(capability)
            }
        if isLost {
            let why = dataset.refusal ?? fault
            parts.fail(substitute == .forbidden ? notReplaced(why) : why, without: what)
            refused = before.intersection(Set(configuration.queries(.assumed).keys).capabilities)
        }
        let why = fault.diagnostic
        parts.add(
            .warning(
                "bigquery.table", why.summary, details: why.details, quotes: why.quotes, hints: why.hints))
    }

    /// The same fault, with what to do to have sessions of Google Analytics instead.
    private func notReplaced(_ fault: ServiceFault) -> ServiceFault {
        var why = fault.diagnostic
        why.details.append("stored sessions stay; those of Google Analytics are counted otherwise")
        why.hints.append(
            "or end the source with 'until', and add one with another 'id' for sessions of Google Analytics")
        return parts.client.fault(.reported(why))
    }

    private func missing(_ what: String, _ names: [String], _ refusal: ServiceFault?) -> ServiceFault {
        let tables = names.map(printable)
        let hints = [
            "link the app to BigQuery in the Firebase console",
            "check 'app', 'platform', 'datasets' and 'dataProject'",
        ]
        guard let refusal else {
            return parts.client.fault(
                .reported(
                    .error(
                        "bigquery.table", "bigquery: No table of \(what) is exported",
                        details: ["neither \(tables.joined(separator: " nor ")) is there"], hints: hints)))
        }
        return parts.client.fault(
            .reported(
                .error(
                    "bigquery.table",
                    "bigquery: No table of \(what) is exported, or the account may not read it",
                    details: ["\(tables.joined(separator: " and ")) are not there, or not readable"],
                    quotes: refusal.diagnostic.quotes,
                    hints: ["give the account the role BigQuery Data Viewer on the dataset"] + hints)))
    }
}

// MARK: Queries

extension BigQueryRun {
    /// The response to a query; sent again where the service says that it did not begin or lost it.
    mutating func table(
        _ query: WarehouseQuery, _ file: QueryFile, most: Int?
    ) async throws(ServiceFault) -> WarehouseTable {
        if let end { throw end }
        let request = try request(file, most: most)
        var (attempt, run) = (1, 1)
        while true {
            do throws(ServiceFault) {
                return try await table(
                    query, request.identified(at: now, run: run), attempt: attempt, at: file.location)
            } catch {
                if endsRound(error) { end = error }
                // What the service says of a query is said again of the same one. Of what a server in between says the
                // query may have begun.
                if error.reason != nil { run += 1 }
                guard attempt < configuration.attempts, error.mayBigQueryRepeat else { throw error }
                await configuration.pause(attempt)
                attempt += 1
            }
        }
    }

    func endsRound(_ fault: ServiceFault) -> Bool {
        fault.reason.map(BigQueryReason.endsRound) ?? false
    }

    /// What the service says that a query would read. It bills nothing for that.
    mutating func amount(
        of query: WarehouseQuery, _ file: QueryFile
    ) async throws(ServiceFault) -> WarehouseForecast.Amount {
        var request = try request(file, most: nil)
        request.dryRun = true
        let call = request.call(project: configuration.project, part: query.part)
        let (answer, _) = try await parts.client.value(BigQueryAnswer.self, at: call)
        if let failure = answer.failure { throw parts.client.fault(.reported(failure.diagnostic)) }
        if let fault = query.fault(in: answer.columns, at: file.location, provider: parts.provider) {
            throw parts.client.fault(.reported(fault))
        }
        return answer.totalBytesProcessed.map { .bytes($0.value) } ?? .unknown("the response does not say")
    }

    private mutating func table(
        _ query: WarehouseQuery, _ request: BigQueryRequest, attempt: Int, at place: Location
    ) async throws(ServiceFault) -> WarehouseTable {
        let answer = try await answer(to: request, of: query.part, attempt: attempt)
        if let fault = query.fault(in: answer.columns, at: place, provider: parts.provider) {
            throw parts.client.fault(.reported(fault))
        }
        return WarehouseTable(query, columns: answer.columns, rows: answer.rows, losses: answer.losses)
    }

    /// A query as a request, with the parameters that it has.
    private func request(_ file: QueryFile, most: Int?) throws(ServiceFault) -> BigQueryRequest {
        let text = try text(of: file)
        let values = configuration.parameters(of: app, window)
        var parameters: [BigQueryRequest.Parameter] = []
        for name in text.parameters {
            guard let value = values[name] else { throw unknown(name, values.keys.sorted(), file) }
            parameters.append(BigQueryRequest.Parameter(name, value))
        }
        return BigQueryRequest(
            query: most.map { "SELECT * FROM (\n\(text.text)\n) LIMIT \($0)" } ?? text.text,
            queryParameters: parameters, location: configuration.location,
            timeoutMs: BigQueryConfiguration.waitMilliseconds.first,
            jobTimeoutMs: "\(configuration.seconds)000", maximumBytesBilled: "\(configuration.maximumBytes)",
            maxResults: configuration.rowsOfPage)
    }

    private func text(of file: QueryFile) throws(ServiceFault) -> BigQueryText {
        do throws(BigQueryText.Fault) {
            return try BigQueryText(file.text)
        } catch {
            let what =
                switch error {
                case .open(let sign): "A \(sign) does not end"
                case .several: "More than one statement"
                case .noQuery: "The text is no query"
                }
            throw reported("bigquery.sql", what, ["write one SELECT"], at: file.location)
        }
    }

    private func unknown(_ name: String, _ known: [String], _ file: QueryFile) -> ServiceFault {
        let near = nearestName(to: String(name.prefix(60)), among: known)
        return reported(
            "bigquery.parameter", "Unknown parameter '\(printable(String(name.prefix(100))))'",
            [near.map { "did you mean '\($0)'?" } ?? "use one of \(known.joined(separator: ", "))"],
            at: file.location)
    }

    private func reported(
        _ id: String, _ summary: String, _ hints: [String], at place: Location? = nil
    ) -> ServiceFault {
        parts.client.fault(.reported(.error(id, "bigquery: \(summary)", at: place, hints: hints)))
    }

    private mutating func answer(
        to request: BigQueryRequest, of part: String, attempt: Int
    ) async throws(ServiceFault) -> BigQueryResult {
        var job = BigQueryJobRun(
            configuration, client: parts.client, endingSender: endingSender, part: part, attempt: attempt)
        do throws(ServiceFault) {
            let result = try await job.result(of: request)
            parts.client = job.client
            parts.add(result.warnings)
            return result
        } catch {
            parts.client = job.client
            throw error
        }
    }
}
