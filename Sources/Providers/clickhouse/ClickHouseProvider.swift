package import AppHealth
import Diagnostics
import Foundation
import Settings
package import Transport

/// A ClickHouse server over HTTP: the events of an app are counted there, and days come back.
package struct ClickHouseProvider: Provider {
    static let name = "clickhouse"

    let configuration: ClickHouseConfiguration
    let sender: any Sender
    let kept: KeptBytes?

    /// A provider that sends with the password, which goes to the configuration's origin only.
    package init(
        _ configuration: ClickHouseConfiguration, sender: some Sender, kept: KeptBytes? = nil
    ) throws(HeaderError) {
        self.configuration = configuration
        self.kept = kept
        if let password = configuration.password {
            self.sender = try AuthenticatedClient(
                sender, origin: configuration.base.origin, credential: .header("X-ClickHouse-Key", password))
        } else {
            self.sender = sender
        }
    }

    package var source: Source {
        Source(
            id: configuration.id, provider: Self.name,
            sessionDefinition: configuration.telemetry.map { _ in
                """
                A session is an event session.start of OpenTelemetry, counted once by its session.id; it crashed when a \
                crash event names it.
                """
            } ?? """
                A session is a row of the tables in the warehouse, counted once by its id however often it was written; \
                it crashed when any of its rows says so.
                """,
            userDefinition: configuration.telemetry.map { _ in
                """
                A user is one installation of the app (app.installation.id), or a user.id where none is sent, distinct \
                within a day, a week or 28 days and counted \(configuration.counting.words); events that name neither \
                count for no user, and where all do so users are unknown. Users and events of an issue are those of \
                28 days.
                """
            } ?? """
                A user is the id in the tables, distinct within a day, a week or 28 days and counted \
                \(configuration.counting.words); rows that name no user count for no user, and where all do so users \
                are unknown. Users and events of an issue are those of 28 days.
                """,
            zone: configuration.zone, delay: ProviderDescriptor.clickhouse.delay,
            capabilities: configuration.capabilities,
            settling: .warehouse(revising: configuration.days),
            hasExactCounts: configuration.counting == .exact,
            issueTotals: .days(WarehouseWindow.recentDays),
            statesWholeDays: configuration.capabilities.showCutDays, countsPartsApart: true,
            datesReleasesByDay: true)
    }

    package var terms: ServiceTerms? {
        ServiceTerms(
            .clickhouse, origin: configuration.base.origin, mostRequests: configuration.mostRequests)
    }

    package func plan(for app: App) -> [PlannedRequest] {
        let address = ServiceCall(
            segments: [], query: [("database", configuration.database)], body: [], part: "",
            endsWithSlash: true
        ).text(below: configuration.base)
        let queries = configuration.queries()
        let columns = configuration.telemetry.map { _ in
            PlannedRequest("POST", address, purpose: ClickHouseTelemetry.part)
        }
        return [PlannedRequest("POST", address, purpose: "the server's version")]
            + [columns].compactMap(\.self)
            + WarehouseQuery.allCases.filter { queries[$0] != nil }.map {
                // Before a query that is limited it is asked what that would read.
                PlannedRequest(
                    "POST", address, purpose: $0.part,
                    most: configuration.attempts + (configuration.maximumBytes == nil ? 0 : 2))
            }
    }

    package func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        let source = source
        return await outcome(
            of: ClickHouseRun(configuration, sender: sender, app: app, now: now, kept: kept), at: now, \.parts
        ) { run throws(ServiceFault) in try await run.snapshot(of: source) }
    }
}

extension ProviderDescriptor {
    /// A ClickHouse server.
    package static let clickhouse = ProviderDescriptor(
        BlockSchema(
            "clickhouse", title: "ClickHouse",
            summary: "Events in tables of a ClickHouse server, which counts them itself",
            keys: [
                .required(
                    "url", example: "https://clickhouse.example:8443", "URL of the server's HTTP interface"),
                .optional("user", else: "default", "the user, whose profile has readonly = 2"),
                .optional(
                    "password", .secret(.variable), example: "CLICKHOUSE_PASSWORD", "the user's password"),
                .optional("database", else: "default", "the database of the tables"),
                .optional(
                    "preset", .choice(ClickHousePreset.allCases.map(\.rawValue)), example: "plimsoll",
                    "the tables of the manual, or those of OpenTelemetry's exporter; default: plimsoll where no others are named"
                ),
                .optional(
                    "table", else: ClickHouseTelemetry.usualTable,
                    "the exporter's table of logs, for the preset opentelemetry"),
                .optional(
                    "app", example: "sketchbook", "what the tables call the app; default: the app's id"),
                .optional(
                    "sessions", .names(ClickHouseTables.sessionWords),
                    example: "{table: health.sessions, time: started_at, session: id, crashed: crashed}",
                    "a table of sessions and its columns"),
                .optional(
                    "crashes", .names(ClickHouseTables.crashWords),
                    example: "{table: health.crashes, time: at, event: id, issue: fingerprint}",
                    "a table of crashes and its columns"),
                .optional("sql", .path, example: "queries", "a folder with queries, one file for each"),
                .optional(
                    "distinct", .choice(WarehouseDistinct.allCases.map(\.rawValue)), else: "exact",
                    "how different sessions and users are counted: exact, or approximate in little memory"),
                .optional("zone", else: "UTC", "the time zone of the days"),
                .optional(
                    "days", .number(1...400), else: "14", "how many past days are requested again each time"),
                .optional(
                    "history", .number(1...400), else: "90", "how many days are requested the first time"),
                .optional(
                    "issues", .number(1...1000), else: "200",
                    "the most issues: crashes and hangs before handled errors, then those with most users"),
                .optional(
                    "seconds", .number(5...3600), else: "120", "the most seconds of one query at the server"),
                .optional(
                    "maximumMemory", .number(1...1_000_000), else: "4000",
                    "the most megabytes of memory of one query at the server"),
                .optional(
                    "maximumBytes", .number(1...Int.max >> 11), example: "20000000000",
                    "the most bytes that one query may read"),
                .optional(
                    "plainHTTP", .flag, else: "false",
                    "whether another machine may be reached without TLS, for a private network"
                ),
            ]),
        capabilities: [
            .sessions, .users, .releaseHealth, .releases, .issues, .issueDays, .hours, .usage,
        ],
        permissions: ["SELECT on the tables"],
        limitSource: "a server of one's own has no limit on requests; queries carry limits of their own",
        delay: "That of the job that fills the tables; past days are requested again for two weeks."
    ) { setup in
        try ClickHouseProvider(ClickHouseConfiguration(setup), sender: setup.sender, kept: setup.kept)
    }.checking(ClickHouseConfiguration.check)
}

/// What is needed to query a ClickHouse server about one app.
package struct ClickHouseConfiguration: Sendable {
    /// Where the HTTP interface is.
    package let base: Address
    /// The name of the source within its app.
    package var id = Slug(anyText: "clickhouse")
    package var user = "default"
    package var password: Secret?
    package var database = "default"
    /// What the tables call the app; nil for its id.
    package var app: String?
    /// The zone of the days, an IANA name.
    package var zone = "UTC"
    /// How many past days are requested again.
    package var days = 14
    /// How many days are requested the first time.
    package var history = 90
    /// The most issues.
    package var mostIssues = 200
    /// The most seconds of one query at the server.
    package var seconds = 120
    /// The most megabytes of memory of one query at the server.
    package var maximumMemory = 4_000
    /// The most bytes that one query reads; nil for no limit.
    package var maximumBytes: Int?
    /// How often a query is sent that the server did not begin.
    package var attempts = 3
    /// The most requests of one fetch.
    package var mostRequests = 60
    /// Waits before a query is sent again.
    package var pause: @Sendable (_ attempt: Int) async -> Void = { attempt in
        try? await Task.sleep(for: .seconds(attempt * 2))
    }
    /// How different sessions and users are counted.
    private(set) var distinct = WarehouseDistinct.exact
    /// The exporter's table of logs; nil without the preset for it.
    private(set) var telemetry: String?
    /// Whether the tables keep when each release was first seen.
    private(set) var hasStates = false
    /// The issues that are stored of the source, with their days.
    var knownIssues: @Sendable () -> KnownIssues = { KnownIssues() }
    /// What else is stored of it.
    var stored: @Sendable () -> StoredWarehouse = { StoredWarehouse() }
    private var texts: [WarehouseQuery: QueryFile] = [:]

    /// Makes a configuration over the documented schema; throws when the address is none.
    package init(base: String, id: Slug = Slug(anyText: "clickhouse")) throws(AddressError) {
        self.base = try Address(base)
        self.id = id
        setTables(.plimsoll, named: "preset plimsoll")
    }

    /// Makes a configuration from the keys of a source.
    init(_ setup: SourceSetup) throws {
        try self.init(base: setup.required("url"), id: setup.id)
        user = setup.text("user") ?? user
        password = try setup.secret("password")?.headerValue()
        database = setup.text("database") ?? database
        app = setup.text("app")
        zone = setup.text("zone") ?? zone
        days = setup.number("days", else: days)
        history = setup.number("history", else: history)
        mostIssues = setup.number("issues", else: mostIssues)
        seconds = setup.number("seconds", else: seconds)
        maximumMemory = setup.number("maximumMemory", else: maximumMemory)
        maximumBytes = setup.text("maximumBytes").flatMap { Int($0) }
        distinct = setup.text("distinct").flatMap(WarehouseDistinct.init(rawValue:)) ?? distinct
        knownIssues = setup.knownIssues
        stored = { [releases = setup.knownReleases, counts = setup.knownCounts] in
            StoredWarehouse(releases: releases(), counts: counts())
        }
        try checkWarehouseZone(zone, provider: ClickHouseProvider.name)
        try base.origin.checkTLS(
            "password", isPlainAllowed: setup.flag("plainHTTP"), provider: ClickHouseProvider.name)
        try setQueries(setup)
    }

    /// What one request may cost: nothing comes while a query runs.
    var limits: Limits {
        var limits = Limits()
        limits.totalMilliseconds = (seconds + 15) * 1000
        limits.slowBytesPerSecond = 0
        return limits
    }
}

// MARK: Checks

extension ClickHouseConfiguration {
    /// Throws when the settings of a source are wrong by themselves.
    @Sendable static func check(_ settings: SettingValues) throws {
        try settings.checkWarehouse("password", provider: ClickHouseProvider.name)
        _ = try mapped(
            sessions: settings.names("sessions"), crashes: settings.names("crashes"),
            zone: settings.text("zone") ?? "UTC",
            preset: settings.text("preset").flatMap(ClickHousePreset.init(rawValue:)))
    }

    /// The tables that the source names; nil for none.
    private static func mapped(
        sessions: [String: String], crashes: [String: String], zone: String, preset: ClickHousePreset?
    ) throws(Diagnostic) -> ClickHouseTables? {
        let mapped = try ClickHouseTables.mapped(sessions: sessions, crashes: crashes, zone: zone)
        guard preset == nil || mapped == nil else {
            throw .error(
                "clickhouse.tables", "Source has a preset and tables of its own",
                hints: ["remove 'preset', or 'sessions' and 'crashes'"])
        }
        return mapped
    }

    private mutating func setQueries(_ setup: SourceSetup) throws(Diagnostic) {
        let preset = setup.text("preset").flatMap(ClickHousePreset.init(rawValue:))
        let mapped = try Self.mapped(
            sessions: setup.names("sessions"), crashes: setup.names("crashes"), zone: zone, preset: preset)
        (texts, hasStates) = ([:], false)
        let files: [WarehouseQuery: QueryFile] =
            if case .path(let path, let shown)? = setup.values["sql"] {
                try queryFiles(in: path, shownAs: shown, provider: ClickHouseProvider.name)
            } else {
                [:]
            }
        if preset == .opentelemetry {
            telemetry = setup.text("table") ?? ClickHouseTelemetry.usualTable
        } else if let mapped {
            setTables(mapped, named: "'sessions' and 'crashes'")
        } else if preset != nil || files.isEmpty {
            setTables(.plimsoll, named: "preset plimsoll")
        }
        texts.merge(files) { _, own in own }
    }

    private mutating func setTables(_ tables: ClickHouseTables, named name: String) {
        texts = queries(over: tables, named: name)
        hasStates = tables.hasStates
    }

    private func queries(
        over tables: ClickHouseTables, named name: String
    ) -> [WarehouseQuery: QueryFile] {
        let queries = ClickHouseQueries(tables: tables, distinct: distinct)
        var result: [WarehouseQuery: QueryFile] = [:]
        for query in WarehouseQuery.allCases {
            result[query] = queries.text(query).map {
                QueryFile(
                    text: $0, shown: "\(name), \(query.rawValue)", deviation: queries.deviation(query),
                    readsCrashTable: queries.readsCrashTable(query), readsFirstsTable: false)
            }
        }
        return result
    }
}

// MARK: Queries

extension ClickHouseConfiguration {
    /// The texts of the queries, given which columns the exporter's table has.
    func queries(_ columns: ClickHouseTelemetry.Columns = .assumed) -> [WarehouseQuery: QueryFile] {
        guard let telemetry else { return texts }
        let tables = ClickHouseTelemetry.tables(telemetry, columns, zone: zone)
        return queries(over: tables, named: "preset opentelemetry").merging(texts) { _, own in own }
    }

    /// How the queries that run count: those of `sql` count as they say.
    var counting: WarehouseDistinct {
        queries(.assumed).values.contains { ($0.deviation ?? 0) > 0 } ? .approximate : .exact
    }

    func appName(_ app: App) -> String { self.app ?? app.id.text }

    func window(at now: Instant, last: CivilDate?) -> WarehouseWindow {
        WarehouseWindow(
            at: now, zone: TimeZone(identifier: zone) ?? .gmt, revised: days, history: history, last: last)
    }

    /// The parameters of every query.
    func parameters(of app: App, _ window: WarehouseWindow) -> [String: WarehouseParameter] {
        window.parameters(app: appName(app), mostIssues: mostIssues)
    }

    /// The limits of a query at the server, and how it writes its response. An unknown setting fails a query, so each
    /// server gets what it knows.
    func settings(of server: ClickHouseDialect) -> [(String, String)] {
        var settings = [
            ("max_execution_time", "\(seconds)"), ("max_memory_usage", "\(maximumMemory)000000"),
            ("max_result_rows", "1000000"), ("result_overflow_mode", "throw"),
            ("output_format_json_quote_64bit_integers", "1"),
        ]
        if let maximumBytes {
            settings += [("max_bytes_to_read", "\(maximumBytes)"), ("read_overflow_mode", "throw")]
        }
        if server.mayWrite { settings.append(("readonly", "2")) }
        if server.bindsParameters {
            settings += [
                ("cancel_http_readonly_queries_on_client_close", "1"), ("date_time_output_format", "iso"),
            ]
        }
        if server.movesErrors { settings.append(("http_write_exception_in_output_format", "0")) }
        return settings
    }

    /// What the queries give.
    var capabilities: Set<Capability> { Set(queries().keys).capabilities }
}
