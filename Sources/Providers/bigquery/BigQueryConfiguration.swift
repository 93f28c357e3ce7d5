package import AppHealth
import Diagnostics
import Foundation
import Settings
package import Tokens
package import Transport

/// What is needed to query BigQuery about one app; never without an account.
package struct BigQueryConfiguration: Sendable {
    /// The service.
    package static let usualBase = "https://bigquery.googleapis.com/bigquery/v2"

    /// Where the API is; a path in it stays.
    package let base: Address
    /// The project that runs the queries and pays for them.
    package let project: String
    /// The service account that sends the requests.
    package let account: ServiceAccountKey
    /// The name of the source within its app.
    package var id: Slug
    /// What queries call the app; nil for its id.
    package var app: String?
    /// Where the datasets are, such as `EU`; nil where the service finds out.
    package var location: String?
    /// The zone of the days, an IANA name.
    package var zone = "UTC"
    /// How many past days are requested again.
    package var days = 14
    /// How many days are requested the first time.
    package var history = 90
    /// The most issues.
    package var mostIssues = 200
    /// The most seconds of one query at the service.
    package var seconds = 120
    /// The most bytes that one query is billed for.
    package var maximumBytes = 100_000_000_000
    /// What reading costs; nil when it is not stated.
    package var price: WarehousePrice?
    /// How often a query is sent that the service did not begin.
    package var attempts = 3
    /// How many rows one page has.
    package var rowsOfPage = 10_000
    /// The most rows of a response.
    package var mostRows = 1_000_000
    /// The most requests of one fetch.
    package var mostRequests = 500
    /// What one request may cost.
    package var limits = Limits()
    /// Waits before the service is asked again.
    package var pause: @Sendable (_ attempt: Int) async -> Void = { attempt in
        try? await Task.sleep(for: .seconds(min(attempt, 5)))
    }
    /// How different sessions and users are counted.
    private(set) var distinct = WarehouseDistinct.exact
    /// What Firebase exports; nil without the preset.
    private(set) var firebase: BigQueryFirebase?
    /// The issues that are stored of the source, with their days.
    var knownIssues: @Sendable () -> KnownIssues = { KnownIssues() }
    /// The source as its last run described it.
    var describedBefore: @Sendable () -> Source? = { nil }
    /// What else is stored of it.
    var stored: @Sendable () -> StoredWarehouse = { StoredWarehouse() }
    private var texts: [WarehouseQuery: QueryFile] = [:]

    /// Milliseconds that the service may wait for the end of a query before it answers.
    static let waitMilliseconds = (first: 2_000, later: 10_000)

    /// Makes a configuration that has no queries yet.
    package init(
        project: String, account: ServiceAccountKey, base: String = usualBase,
        id: Slug = Slug(anyText: "bigquery")
    ) throws {
        self.base = try googleBase(base)
        self.project = try checked(project: project)
        self.account = account
        self.id = id
    }

    /// Makes a configuration from the keys of a source.
    init(_ setup: SourceSetup) throws {
        try self.init(
            project: setup.required("project"), account: setup.googleAccount(), base: setup.required("url"),
            id: setup.id)
        app = setup.text("app")
        zone = setup.text("zone") ?? zone
        location = setup.text("location")
        days = setup.number("days", else: days)
        history = setup.number("history", else: history)
        mostIssues = setup.number("issues", else: mostIssues)
        seconds = setup.number("seconds", else: seconds)
        maximumBytes = setup.number("maximumBytes", else: maximumBytes)
        distinct = setup.text("distinct").flatMap(WarehouseDistinct.init(rawValue:)) ?? distinct
        knownIssues = setup.knownIssues
        describedBefore = setup.describedBefore
        stored = { [releases = setup.knownReleases, counts = setup.knownCounts] in
            StoredWarehouse(releases: releases(), counts: counts())
        }
        price = try setup.text("price").map(checked(price:))
        limits = setup.limits
        limits.totalMilliseconds = max(limits.totalMilliseconds, Self.waitMilliseconds.later + 15_000)
        limits.slowBytesPerSecond = 0
        try checkWarehouseZone(zone, provider: BigQueryProvider.service.name)
        try base.origin.checkTLS(
            "token", isPlainAllowed: setup.flag("plainHTTP"), provider: BigQueryProvider.service.name)
        try setQueries(setup)
    }
}

// MARK: Checks

private func checked(project: String) throws(Diagnostic) -> String {
    if isName(project, also: "-.:") { return project }
    throw named(project, "is no id of a Google project", "write the id from the console, such as my-project")
}

private func checked(price text: String) throws(Diagnostic) -> WarehousePrice {
    if let price = WarehousePrice(text) { return price }
    throw .error(
        "bigquery.price", "'\(printable(String(text.prefix(60))))' is no price",
        hints: ["write a number and a currency, such as 6.25 USD"])
}

private func checked(dataset: String) throws(Diagnostic) -> String {
    if isName(dataset, also: "_") { return dataset }
    throw named(dataset, "is no name of a dataset", "write a name such as firebase_crashlytics")
}

/// Whether a text has letters, digits and some other signs only.
private func isName(_ text: String, also others: String) -> Bool {
    let isPlain = text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: others.utf8.contains(byte)
        }
    }
    return isPlain && (1...300).contains(text.utf8.count)
}

private func named(_ name: String, _ what: String, _ hint: String) -> Diagnostic {
    .error("bigquery.name", "'\(printable(String(name.prefix(60))))' \(what)", hints: [hint])
}

extension BigQueryConfiguration {
    private mutating func setQueries(_ setup: SourceSetup) throws(Diagnostic) {
        let sql = setup.values["sql"]
        let mapped: BigQueryTables?
        (mapped, firebase) = try Self.tables(
            StatedTables(
                sessions: setup.names("sessions"), crashes: setup.names("crashes"),
                datasets: setup.names("datasets"), project: project, zone: zone, hasQueries: sql != nil,
                text: setup.text))
        texts = mapped.map { texts(of: $0, named: "'sessions' and 'crashes'") } ?? [:]
        guard case .path(let path, let shown)? = sql else { return }
        let files = try queryFiles(in: path, shownAs: shown, provider: BigQueryProvider.service.name)
        texts.merge(files) { _, own in own }
    }

    /// Throws when the settings of a source are wrong by themselves.
    @Sendable static func check(_ settings: SettingValues) throws {
        try settings.checkWarehouse("token", provider: BigQueryProvider.service.name)
        _ = try settings.text("price").map(checked(price:))
        guard let project = settings.text("project") else { return }
        _ = try tables(
            StatedTables(
                sessions: settings.names("sessions"), crashes: settings.names("crashes"),
                datasets: settings.names("datasets"), project: checked(project: project),
                zone: settings.text("zone") ?? "UTC", hasQueries: settings.text("sql") != nil,
                text: settings.text))
    }

    /// What a source says of its tables.
    private struct StatedTables {
        let sessions, crashes, datasets: [String: String]
        let project, zone: String
        let hasQueries: Bool
        /// The text of another key.
        let text: (String) -> String?
    }

    /// The tables that a source names, or what Firebase exports.
    private static func tables(
        _ stated: StatedTables
    ) throws(Diagnostic) -> (BigQueryTables?, BigQueryFirebase?) {
        func fault(_ what: String, _ hint: String) -> Diagnostic {
            .error("bigquery.tables", what, hints: [hint])
        }
        let mapped = try BigQueryTables.mapped(
            sessions: stated.sessions, crashes: stated.crashes, zone: stated.zone)
        guard stated.text("preset") != nil else {
            if mapped != nil || stated.hasQueries { return (mapped, nil) }
            throw fault(
                "Source names no tables", "set 'preset: firebase', 'sessions' and 'crashes', or 'sql'")
        }
        guard mapped == nil else {
            throw fault(
                "Source has a preset and tables of its own", "remove 'preset', or 'sessions' and 'crashes'")
        }
        return (nil, try exported(stated.datasets, project: stated.project, stated.text))
    }

    private static func exported(
        _ names: [String: String], project: String, _ text: (String) -> String?
    ) throws(Diagnostic) -> BigQueryFirebase {
        guard let platform = text("platform").flatMap(BigQueryFirebase.Platform.init(rawValue:)) else {
            throw .error(
                "config.missing-key", "The preset needs 'platform'", hints: ["add 'platform: android' or ios"]
            )
        }
        guard let app = text("app") else {
            throw .error(
                "config.missing-key", "The preset needs 'app'",
                hints: ["add 'app', the package name or the bundle id"])
        }
        guard isName(app, also: ".-_") else {
            throw named(
                app, "is no package name or bundle id",
                "write it as the store has it, such as org.example.app")
        }
        var firebase = BigQueryFirebase(
            project: try checked(project: text("dataProject") ?? project), app: app, platform: platform)
        if let name = names["crashlytics"] { firebase.crashlytics = try checked(dataset: name) }
        if let name = names["sessions"] { firebase.sessions = try checked(dataset: name) }
        if let name = names["analytics"] { firebase.analytics = try checked(dataset: name) }
        return firebase
    }

    private func texts(of tables: BigQueryTables, named name: String) -> [WarehouseQuery: QueryFile] {
        let queries = BigQueryQueries(tables: tables, distinct: distinct)
        var result: [WarehouseQuery: QueryFile] = [:]
        for query in WarehouseQuery.allCases {
            result[query] = queries.text(query).map {
                QueryFile(
                    text: $0, shown: "\(name), \(query.rawValue)", deviation: queries.deviation(query),
                    readsCrashTable: queries.readsCrashTable(query),
                    readsFirstsTable: tables.sessions?.isDaily != true)
            }
        }
        return result
    }
}

// MARK: Queries

extension BigQueryConfiguration {
    /// The texts of the queries, given which tables of the export are there.
    func queries(_ found: BigQueryFirebase.Found) -> [WarehouseQuery: QueryFile] {
        guard let firebase else { return texts }
        return texts(of: firebase.tables(found, zone: zone), named: "preset firebase")
            .merging(texts) { _, own in own }
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

    /// The parameters that a query may have.
    func parameters(of app: App, _ window: WarehouseWindow) -> [String: WarehouseParameter] {
        window.parameters(app: appName(app), mostIssues: mostIssues)
    }
}
