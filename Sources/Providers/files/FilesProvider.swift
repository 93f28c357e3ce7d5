package import AppHealth
package import Diagnostics
package import Files
import Foundation
import Settings
package import Transport

/// Snapshots from files that anything may write: a directory of them, one file, or one address.
package struct FilesProvider: Provider {
    private let configuration: FilesConfiguration
    private let sender: any Sender
    private let shelf: SnapshotFileCache
    private let captureBefore: @Sendable (Instant) -> Instant?

    /// A provider that reads through the sender, which must allow file addresses for local paths; providers that
    /// are given the same shelf read each file once.
    ///
    /// - Parameter captureBefore: when the newest stored snapshot from before an instant was captured.
    package init(
        _ configuration: FilesConfiguration, sender: some Sender,
        shelf: SnapshotFileCache = SnapshotFileCache(),
        captureBefore: @escaping @Sendable (Instant) -> Instant? = { _ in nil }
    ) {
        self.configuration = configuration
        self.sender = sender
        self.shelf = shelf
        self.captureBefore = captureBefore
    }

    /// What can be said before a file is read; each file lists what its producer knows.
    package var source: Source {
        Source(
            id: configuration.id, provider: SnapshotReader.provider, sessionDefinition: "",
            userDefinition: "",
            zone: "UTC", delay: "", capabilities: Set(Capability.allCases))
    }

    package var isLocal: Bool {
        if case .path = configuration.place { true } else { false }
    }

    package func plan(for app: App) -> [PlannedRequest] {
        switch configuration.place {
        case .address(let address):
            [PlannedRequest("GET", address.description, purpose: "the snapshot of \(app.id)")]
        case .path(let path):
            [
                PlannedRequest("LIST", path, purpose: "the snapshot files"),
                PlannedRequest(
                    "READ", "\(path)/**.{json,csv,tsv}{,.gz}", purpose: "the snapshots of \(app.id)",
                    most: configuration.mostFiles),
            ]
        }
    }

    package func fetch(_ app: App, at now: Instant) async -> FetchOutcome {
        await collect(app, at: now, giving: nil)
    }

    package func fetch(
        _ app: App, at now: Instant, handingOver take: @escaping SnapshotTaker
    ) async -> FetchOutcome {
        await collect(app, at: now) { snapshots in
            var part = FetchOutcome()
            part.snapshots = snapshots
            return await take(named(part).snapshots)
        }
    }

    private func collect(_ app: App, at now: Instant, giving take: SnapshotTaker?) async -> FetchOutcome {
        let start = ContinuousClock.now
        var run = FilesRun(
            configuration: configuration, sender: sender, shelf: shelf, app: app, now: now, take: take,
            captureBefore: captureBefore)
        await run.fetch()
        run.outcome.sort()
        var outcome = named(run.outcome)
        outcome.milliseconds = start.duration(to: .now).milliseconds
        return outcome
    }

    /// The same with local places as the configuration names them.
    private func named(_ outcome: FetchOutcome) -> FetchOutcome {
        guard case .path(let path) = configuration.place, let shown = configuration.shownAs else {
            return outcome
        }
        var outcome = outcome
        outcome.rename(path, as: shown)
        return outcome
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}

extension FetchOutcome {
    /// Names a local folder or file in every message as the configuration writes it, so that what is stored and
    /// published says nothing of the machine and is the same on each.
    mutating func rename(_ path: String, as shown: String) {
        let full = URL(fileURLWithPath: path).standardizedFileURL.path
        let encoded = full.split(separator: "/").map { "/\(percentEncoded(String($0)))" }.joined()
        let pairs = ["file://\(encoded)", full, path].filter { !$0.isEmpty }
        func located(_ diagnostic: Diagnostic) -> Diagnostic {
            diagnostic.mapTexts { text in pairs.reduce(text) { $0.replacing($1, with: shown) } }
        }
        warnings = warnings.map(located)
        for index in failures.indices { failures[index].why = located(failures[index].why) }
        for index in snapshots.indices {
            snapshots[index].warnings = snapshots[index].warnings.map(located)
        }
    }
}

extension ProviderDescriptor {
    /// Snapshot files that anything may write.
    package static let files = ProviderDescriptor(
        BlockSchema(
            "files", title: "Snapshot files",
            summary: "Snapshot files that your own job writes",
            keys: [
                .required(
                    "path", .pathOrURL, example: "data", "a folder, a file or an https URL of snapshots"),
                .optional("token", .secret(.variable), example: "FILES_TOKEN", "a bearer token, for a URL"),
                .optional(
                    "columns", .names(CSVColumn.allCases.map(\.rawValue)),
                    example: "{date: Day, users: Active users}", "headers of tables, by field"),
                .optional(
                    "dates", .choice(CSVDateOrder.allCases.map(\.rawValue)),
                    example: CSVDateOrder.dayFirst.rawValue, "how to read 03/04/2026 in tables"),
                .optional(
                    "preset", .choice(CSVPreset.allCases.map(\.rawValue)),
                    example: CSVPreset.sentryDiscover.rawValue, "the program that wrote the tables"),
                .optional(
                    "app", example: "org.example.sketchbook",
                    "the package, Apple ID or SKU whose rows are read, in tables of several apps"),
                .optional(
                    "maxAge", .hours(1...FilesConfiguration.mostDaysOfAge * 24), example: "36h",
                    "age from which files are stale, up to \(FilesConfiguration.mostDaysOfAge)d (default: 36h if daily, else 45d)"
                ),
            ]),
        capabilities: Set(Capability.allCases),
        limitSource: "files have no limit", delay: "As each file states it."
    ) { setup in
        var configuration = try FilesConfiguration(setup.required("path"), id: setup.id)
        configuration.limits = setup.limits
        configuration.layout = CSVLayout(
            columns: Dictionary(
                uniqueKeysWithValues: setup.names("columns").compactMap { name, header in
                    CSVColumn(rawValue: name).map { ($0, header) }
                }), dates: setup.text("dates").flatMap(CSVDateOrder.init),
            preset: setup.text("preset").flatMap(CSVPreset.init), app: setup.text("app"))
        configuration.isTimeGiven = setup.isTimeGiven
        configuration.mostHours = setup.text("maxAge").flatMap { Int($0) }
        if case .path(_, let shown)? = setup.values["path"] { configuration.shownAs = shown }
        guard let token = setup.secret("token"), case .address(let address) = configuration.place else {
            return FilesProvider(
                configuration, sender: setup.sender, shelf: setup.shared.files,
                captureBefore: setup.captureBefore)
        }
        let authenticated = try AuthenticatedClient(
            setup.sender, origin: address.origin, credential: .bearer(token.headerValue()))
        return FilesProvider(configuration, sender: authenticated, captureBefore: setup.captureBefore)
    }.checking { settings in
        if settings.text("app") != nil,
            settings.text("preset").flatMap(CSVPreset.init)?.appHeaders.isEmpty ?? true
        {
            let presets = CSVPreset.allCases.filter { !$0.appHeaders.isEmpty }.map(\.rawValue)
            throw Diagnostic.error(
                "config.needless-app", "'app' needs a 'preset' whose tables name an app",
                hints: ["set 'preset' to \(presets.joined(separator: " or ")), or remove 'app'"])
        }
        guard let path = settings.text("path"), case .path = try FilesConfiguration(path).place,
            settings.secret("token") != nil
        else { return }
        throw Diagnostic.error(
            "config.needless-token", "Token given for local files",
            hints: ["remove the token, or use an https URL as 'path'"])
    }
}

/// Where snapshot files lie, and how much of them is read.
package struct FilesConfiguration: Sendable {
    /// Where snapshot files lie.
    package enum Place: Sendable {
        /// A directory or a file on this machine.
        case path(String)
        /// One file behind an address: http, https or file.
        case address(Address)
    }

    /// Where the files lie.
    package var place: Place
    /// The name of the source within its app.
    package var id: Slug
    /// The most bytes of one file.
    package var mostBytes = 32 << 20
    /// The most files of a directory, for all apps together; of more, the last of each app by their names are read.
    package var mostFiles = 500_000
    /// How many bytes of files are held as snapshots before these are handed over.
    package var mostHeldBytes = 8 << 20
    /// How its tables are written.
    package var layout = CSVLayout()
    /// The most days of the age from which files are stale.
    static let mostDaysOfAge = 3660
    /// The age in hours from which the newest file is stale; nil leaves it to how often files came.
    package var mostHours: Int?
    /// How messages name a local place, such as the path that the configuration writes; nil for the path itself.
    package var shownAs: String?
    /// Whether the configuration gives the time of the run with `asOf`, in place of the clock.
    package var isTimeGiven = false
    /// What one request may cost in time; its body is capped by `mostBytes`.
    package var limits = Limits()

    /// What one file may cost.
    var limitsOfOne: Limits {
        var limits = limits
        limits.bodyBytes = mostBytes
        return limits
    }

    /// Reads the text of a configuration: an address when it begins with a scheme, otherwise a path.
    package init(_ place: String, id: Slug = Slug(anyText: "files")) throws(AddressError) {
        self.id = id
        if place.contains("://") {
            self.place = .address(try Address(place))
        } else {
            self.place = .path(place)
        }
    }
}

/// Why a source of files gave nothing.
package enum FilesError: Error, Hashable, Sendable {
    /// There is no such directory or file.
    case missing(path: String)
    /// The directory cannot be listed, for the system's reason.
    case unlistable(path: String, reason: String)
    /// The system does not say what is there.
    case refused(FileFailure)
    /// No file is about the app.
    case nothing(Nothing)
    /// The path cannot be written as an address.
    case path(String)

    /// What there is in a folder without a file of the app.
    package struct Nothing: Hashable, Sendable {
        let app: String
        let path: String
        /// The apps that files name.
        let others: [String]
        /// The files that are taken for an app by their paths alone.
        let named: [String: [String]]
        /// What is wrong with files that may be the app's.
        let unreadable: [String]
        /// The first of the files that are none by their names.
        let passedOver: [String]
    }
}

extension FilesError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        switch self {
        case .missing(let path):
            .error(
                "files.missing", "files: no directory or file '\(printable(path))'",
                at: .file(path: path),
                hints: ["check the path, or run what writes the files"]
            )
        case .unlistable(let path, let reason):
            .error(
                "files.unlistable", "files: directory '\(printable(path))' cannot be listed: \(reason)",
                at: .file(path: path),
                hints: ["make it readable for the user that runs this, and check the disk"])
        case .refused(let failure): failure.diagnostic
        case .nothing(let found): found.diagnostic
        case .path(let path):
            .error(
                "files.path", "files: path '\(printable(path))' cannot be read", at: .file(path: path),
                hints: ["rename the file"])
        }
    }

}

extension FilesError.Nothing {
    fileprivate var diagnostic: Diagnostic {
        let nearest = nearestName(to: app, among: others + named.keys.sorted())
        return .error(
            "files.nothing",
            "files: no \(unreadable.isEmpty ? "file" : "readable file") for the app '\(app)'",
            details: (others.isEmpty ? [] : ["apps found: \(others.prefix(10).joined(separator: ", "))"])
                + takenFiles + unreadable.prefix(Self.mostNamed).map { "not readable: \($0)" }
                + notRead,
            at: .file(path: path),
            hints: [nearest.map { "use '\($0)' as the app's id if that was meant" } ?? hint])
    }

    private var hint: String {
        if !unreadable.isEmpty { return "correct the files that cannot be read, or write them again" }
        if !named.isEmpty {
            let isTable = named.values.joined().contains { SnapshotFileName($0).isTable }
            return "begin the names of its files with '\(app)-'"
                + (isTable ? ", or write '# app: \(app)' as the first line of its tables" : "")
        }
        return passedOver.isEmpty
            ? "write a file for it"
            : "write its files as .json, .csv or .tsv, compressed with gzip (.gz) or not"
    }

    private var notRead: [String] {
        passedOver.isEmpty
            ? [] : ["not read by their names: \(passedOver.map(printable).joined(separator: ", "))"]
    }

    /// The files of the apps for which they are taken.
    private var takenFiles: [String] {
        let all = named.sorted { $0.key < $1.key }
        let lines = all.prefix(Self.mostNamed).map { name, files in
            let shown = files.prefix(3).map(printable).joined(separator: ", ")
            let more = files.count > 3 ? " and \(files.count - 3) more" : ""
            return "taken for the app '\(printable(name))' by name: \(shown)\(more)"
        }
        return lines + (all.count > lines.count ? ["and \(all.count - lines.count) more names"] : [])
    }

    /// The most names of apps of which files are named.
    private static let mostNamed = 5
}
