import Analysis
import AppHealth
package import Diagnostics
import Markup
package import Settings

/// Reads `plimsoll.yml`.
///
/// - Parameters:
///   - sources: The keys of every provider that a source may name.
///   - targets: The keys of every kind of place that the site may be published to.
///   - attachments: The keys of every kind of place that a summary may be attached to.
/// - Returns: the configuration, or nil when anything is an error; and everything that was found.
package func readConfiguration(
    _ text: String, path: String, sources: [BlockSchema], targets: [BlockSchema] = [],
    attachments: [BlockSchema] = []
) -> (SiteConfiguration?, [Diagnostic]) {
    var (file, document) = YAMLFile.read(text, path: path)
    guard let document else {
        if file.problems.isEmpty {
            file.add(
                "config.empty", "Configuration is empty", at: nil,
                hints: ["run 'plimsoll init' in an empty folder for a commented example"])
        }
        return (nil, file.problems)
    }
    let configuration = file.site(document, sources, targets, attachments)
    let isSound = !file.problems.contains { $0.severity == .error }
    return (isSound ? configuration : nil, file.problems)
}

extension YAMLFile {
    fileprivate mutating func site(
        _ document: YAMLValue, _ schemas: [BlockSchema], _ places: [BlockSchema],
        _ attachments: [BlockSchema]
    ) -> SiteConfiguration? {
        // First, as a newer file may hold anything.
        if let newer = document.wholeNumber("version"), newer > configurationVersion {
            add(
                "config.newer-version",
                "Configuration is of version \(newer), and this plimsoll reads version \(configurationVersion)",
                at: document, hints: ["install a newer version of plimsoll"])
            return nil
        }
        guard let keys = mapping(document, keys: siteKeys) else { return nil }
        _ = count(keys["version"], in: 1...configurationVersion)
        let standard = targets(keys["targets"], else: .standard)
        let alerts = alerts(keys["alerts"], else: .standard)
        let timeout = count(keys["timeout"], in: 1...3600) ?? 60
        let budget = count(keys["timeBudget"], in: 1...86_400) ?? 900
        let trust = trust(keys)
        var apps: [AppConfiguration] = []
        for value in list(keys["apps"]) ?? [] {
            guard var app = app(value, standard, alerts, schemas) else { continue }
            for index in app.sources.indices {
                app.sources[index].block.trust = app.sources[index].trust.over(trust)
            }
            if apps.contains(where: { $0.app.id == app.app.id }) {
                add(
                    "config.duplicate-app", "Duplicate app id '\(app.app.id)'", at: value,
                    hints: ["change one of the ids"])
            }
            if let group = app.app.group { warnOfNearGroup(group, among: apps, at: value) }
            apps.append(app)
        }
        if keys["apps"] == nil {
            add(
                "config.no-apps", "No apps are configured", at: document,
                hints: [
                    "add a list 'apps' with an id and sources for each app, or 'apps: []' for a site of pages alone"
                ])
        }
        return SiteConfiguration(
            title: text(keys["title"]) ?? "App stability", id: keys["id"].flatMap { slug($0) },
            url: siteAddress(keys["url"]),
            theme: text(keys["theme"]) ?? "default", output: text(keys["output"]) ?? "site",
            swap: choice(keys["swap"], of: SiteSwap.self) ?? .folder, keep: keptPaths(keys["keep"]),
            archive: text(keys["archive"]) ?? "archive.sqlite",
            keepBackups: count(keys["keepBackups"], in: 0...1000) ?? 0,
            content: text(keys["content"]) ?? "Content",
            isIndexed: flag(keys["indexing"]) ?? false, audience: audience(keys["audience"]),
            markdown: choice(keys["markdown"], of: MarkdownDialect.self) ?? .github,
            outputs: outputs(keys["outputs"]), isDemo: flag(keys["demo"]) ?? false,
            asOf: instant(keys["asOf"]), timeoutSeconds: timeout,
            timeBudgetSeconds: budget, retries: retries(keys["retries"]), apps: apps,
            publish: publish(keys["publish"], places, trust),
            attach: attach(keys["attach"], attachments, trust, apps: apps.map(\.app.id)),
            places: keys.filter { placeKeys.contains($0.key) }.mapValues { location(of: $0) })
    }

    private mutating func app(
        _ value: YAMLValue, _ standard: Targets, _ usual: AlertSettings, _ schemas: [BlockSchema]
    ) -> AppConfiguration? {
        guard let keys = mapping(value, keys: appKeys) else { return nil }
        let id = slug(keys["id"], of: value)
        let levels = targets(keys["targets"], else: standard)
        let alerts = alerts(keys["alerts"], else: usual)
        var sources: [SourceConfiguration] = []
        let listed = list(keys["sources"])
        for value in listed ?? [] {
            if let source = source(value, schemas) { sources.append(source) }
        }
        if keys["sources"] == nil || listed?.isEmpty == true {
            add(
                "config.no-sources", "App has no sources", at: keys["sources"] ?? value,
                hints: ["add a list 'sources' with a provider for each"])
        }
        guard let id else { return nil }
        let names = sources.map(\.id)
        for name in Set(names.filter { name in names.count { $0 == name } > 1 }).sorted() {
            add(
                "config.duplicate-source", "Duplicate source id '\(name)' in app '\(id)'", at: value,
                hints: ["change one of the ids"])
        }
        return AppConfiguration(
            app: App(
                id: id, name: text(keys["name"]) ?? id.text, platform: text(keys["platform"]) ?? "",
                group: groupName(keys["group"])),
            targets: levels, alerts: alerts, sources: sources)
    }

    private mutating func slug(_ value: YAMLValue?, of app: YAMLValue) -> Slug? {
        guard let value else {
            add(
                "config.no-id", "App has no id", at: app,
                hints: ["add 'id' with lowercase letters, digits and '-'"])
            return nil
        }
        return slug(value)
    }

    private mutating func slug(_ value: YAMLValue) -> Slug? {
        guard let text = text(value) else { return nil }
        guard let slug = Slug(text) else {
            add(
                "config.bad-id", "'\(text)' is not a valid id", at: value,
                hints: [hint(forIDLike: text)])
            return nil
        }
        return slug
    }

    private mutating func targets(_ value: YAMLValue?, else standard: Targets) -> Targets {
        guard let value, let keys = mapping(value, keys: ["target", "critical"]) else { return standard }
        let levels = (number(keys["target"], in: 0...100), number(keys["critical"], in: 0...100))
        if let fraction = [levels.0, levels.1].compactMap(\.self).first(where: { (0.5...1).contains($0) }) {
            add(
                "config.targets", "\(fraction) percent is no level that an app can fall below", at: value,
                hints: [
                    "write percent, not a fraction: \((fraction * 1e6).rounded() / 1e4) instead of \(fraction)"
                ])
            return standard
        }
        let target = levels.0 ?? standard.target * 100
        let critical = levels.1 ?? min(standard.critical * 100, target)
        guard let targets = Targets(target: rate(target), critical: rate(critical)) else {
            add(
                "config.targets", "Critical level must be above 0 and at most the target", at: value,
                hints: ["write percent, such as target: 99.5 and critical: 98"])
            return standard
        }
        return targets
    }

    private mutating func instant(_ value: YAMLValue?) -> Instant? {
        guard let text = text(value) else { return nil }
        if let instant = Instant(text) { return instant }
        add(
            "config.bad-date", "'\(text)' is not a time", at: value,
            hints: ["write it as 2026-11-20T06:00:00Z"])
        return nil
    }

    /// Paths from the top of the site, each of which stays within it.
    private mutating func keptPaths(_ value: YAMLValue?) -> [String] {
        guard let value else { return [] }
        return (list(value) ?? []).compactMap { value in
            guard let text = text(value) else { return nil }
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            let path = parts.last?.isEmpty == true ? parts.dropLast() : parts[...]
            if !path.isEmpty, path.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) {
                return path.joined(separator: "/")
            }
            add(
                "config.keep", "'\(text)' is not a path in the site", at: value,
                hints: ["write it from the top of the site, such as 'docs' or 'images/logo.png'"])
            return nil
        }
    }

    private mutating func siteAddress(_ value: YAMLValue?) -> String? {
        guard let text = text(value) else { return nil }
        do throws(SiteAddress.Fault) {
            return try SiteAddress(text).text
        } catch {
            add("config.bad-url", error.summary(of: text), at: value, hints: [error.hint])
            return nil
        }
    }
}

/// The format of the configuration. A file without a version is of the first.
let configurationVersion = 1

private let siteKeys =
    [
        "version", "title", "id", "url", "theme", "output", "swap", "keep", "archive", "content", "indexing",
        "audience",
        "markdown", "outputs",
        "demo",
        "asOf",
        "timeout",
        "timeBudget", "retries", "keepBackups", "targets", "alerts", "apps", "publish", "attach",
    ] + trustKeys
/// The keys that name a file or folder of the project.
private let placeKeys: Set = ["output", "archive", "content"]
private let appKeys = ["id", "name", "group", "platform", "targets", "alerts", "sources"]

/// A rate from per cent, rounded to eight decimals, so that 99.9% is the number nearest to 0.999.
private func rate(_ percent: Double) -> Double { (percent * 1e6).rounded() / 1e8 }

extension YAMLFile {
    /// What of the activity is reported; what is not given stays as in the standard.
    mutating func alerts(_ value: YAMLValue?, else standard: AlertSettings) -> AlertSettings {
        guard let value, let keys = mapping(value, keys: ["show"] + eventKeys) else { return standard }
        var settings = standard
        settings.show = choice(keys["show"], of: AlertSettings.Show.self) ?? standard.show
        for kind in EventKind.allCases {
            if let value = keys[kind.key] { settings[kind] = ofKind(kind, value, standard[kind]) }
        }
        return settings
    }

    /// `false`, `true`, or a mapping, which turns the kind on.
    private mutating func ofKind(
        _ kind: EventKind, _ value: YAMLValue, _ standard: AlertSettings.OfKind
    ) -> AlertSettings.OfKind {
        var ofKind = standard
        guard value.isMapping else {
            ofKind.isOn = flag(value) ?? standard.isOn
            return ofKind
        }
        let least = Dictionary(uniqueKeysWithValues: kind.measures.map { ($0.leastKey, $0) })
        guard let keys = mapping(value, keys: ["limit"] + least.keys.sorted()) else { return standard }
        ofKind.isOn = true
        ofKind.limit = count(keys["limit"], in: 1...1000) ?? standard.limit
        ofKind.least.users = count(keys["leastUsers"], in: 1...1_000_000_000) ?? standard.least.users
        ofKind.least.share = number(keys["leastShare"], in: 0...kind.largestShare) ?? standard.least.share
        ofKind.least.points = number(keys["leastPoints"], in: 0...100) ?? standard.least.points
        return ofKind
    }

    /// A whole number within a range, also one such as `60.0` or `2e10`; nil when there is none.
    package mutating func count(_ value: YAMLValue?, in range: ClosedRange<Int>) -> Int? {
        guard let value else { return nil }
        let whole = value.scalar.flatMap { text in Int(text) ?? Double(text).flatMap { Int(exactly: $0) } }
        guard let count = whole, range.contains(count) else {
            add(
                "yaml.wrong-type",
                "\(value.key): expected a whole number from \(range.lowerBound) to \(range.upperBound), found \(value.kind)",
                at: value)
            return nil
        }
        return count
    }
}

/// The names of the kinds of event in files.
let eventKeys = EventKind.allCases.map(\.key)

extension YAMLFile {
    /// What is written of the pages of each kind: a list for each that is named.
    mutating func outputs(_ value: YAMLValue?) -> Outputs {
        guard let value, let keys = mapping(value, keys: PageKind.allCases.map(\.rawValue)) else {
            return .standard
        }
        var chosen: [PageKind: Set<PageOutput>] = [:]
        for kind in PageKind.allCases {
            guard let value = keys[kind.rawValue], let words = list(value) else { continue }
            chosen[kind] = Set(words.compactMap { choice($0, of: PageOutput.self) })
        }
        return Outputs(chosen)
    }

    /// Who reads the site: `team`, `public`, or a mapping that also says whether counts and titles are shown.
    mutating func audience(_ value: YAMLValue?) -> Audience {
        guard let value else { return .team }
        guard value.isMapping else {
            return Audience(choice(value, of: Audience.Reader.self) ?? .team)
        }
        let keys = mapping(value, keys: ["for", "counts", "titles"]) ?? [:]
        return Audience(
            choice(keys["for"], of: Audience.Reader.self) ?? .team,
            counts: choice(keys["counts"], of: Audience.Display.self),
            titles: choice(keys["titles"], of: Audience.Display.self))
    }
}

/// What to write in the place of a text that is no id: the rule that it breaks, and an id like it.
private func hint(forIDLike text: String) -> String {
    let safe = Slug.safeCharacters(of: text)
    let example = Slug(safe)?.text ?? "app-" + safe
    if text.utf8.count > 80 { return "use at most 80 characters, for example '\(example)'" }
    if safe == text { return "use another name, as Windows reserves this one, for example '\(example)'" }
    return "use lowercase letters, digits, '.', '_' and '-', for example '\(example)'"
}
