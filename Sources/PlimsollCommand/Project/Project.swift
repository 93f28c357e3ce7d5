import Analysis
import AppHealth
import Archive
import Attaching
import Configuration
import Diagnostics
import Files
import Foundation
import Pages
import Providers
import Publishing
import Settings
import Site
import Transport

/// A configuration with the places it speaks of and the clock it runs under.
struct Project {
    let configuration: SiteConfiguration
    /// The folder from which the paths of the configuration are counted.
    let folder: String
    /// The folder with the default theme.
    let data: String
    /// The environment, for secrets.
    let environment: [String: String]
    /// The instant of this run.
    let now: Instant
    /// The name of the configuration in its folder.
    var name = "plimsoll.yml"

    /// The archive's file.
    var archive: String { path(configuration.archive) }
    /// The folder with the responses that are requested again only when they have changed.
    var responseCache: String { ArchiveFiles.companion(".cache", of: archive) }
    /// The folder with what one build leaves for the next.
    var keptBuilds: String { ArchiveFiles.companion(".builds", of: archive) }
    /// The folder with the backups that fetches keep.
    var backups: String { ArchiveFiles.companion(".backups", of: archive) }
    /// The backups in it.
    var keptBackups: KeptBackups { KeptBackups(folder: backups, most: configuration.keepBackups) }
    /// Milliseconds that all requests of a fetch may take together, waits included.
    var timeBudget: Int { configuration.timeBudgetSeconds * 1000 }
    /// The site's folder.
    var output: String { path(configuration.output) }
    /// The apps with their levels.
    var apps: [(app: App, targets: Targets)] { configuration.apps.map { ($0.app, $0.targets) } }

    /// The same with only the apps of a part.
    func part(_ shard: Shard) -> Project {
        var configuration = configuration
        configuration.apps.removeAll { !shard.contains($0.app.id) }
        return Project(
            configuration: configuration, folder: folder, data: data, environment: environment, now: now,
            name: name)
    }

    /// The path of the configuration from the folder of the archive: what tells projects with one archive apart, also
    /// where both are moved together.
    var pathFromArchive: String {
        func names(_ path: String) -> [String] {
            URL(fileURLWithPath: absolutePath(path)).resolvingSymlinksInPath().pathComponents
        }
        let (home, own) = (names(splitPath(archive).folder), names(folder) + [name])
        let common = zip(home, own).prefix { $0 == $1 }.count
        return (home.dropFirst(common).map { _ in ".." } + own.dropFirst(common)).joined(separator: "/")
    }

    /// A path of the configuration, from its folder.
    func path(_ path: String) -> String {
        if path == "." { return folder }
        return path.hasPrefix("/") || folder == "." ? path : folder + "/" + path
    }

    /// The folders of the theme, a theme of the project's own first.
    func themeLayers() throws(Diagnostic) -> ThemeLayers {
        try ThemeLayers(name: configuration.theme, roots: [path("Themes"), data + "/Themes"])
    }

    /// An audience with the key of the archive, where its ids are anonymous. Without an archive there is no key, and no
    /// site either.
    ///
    /// - Throws: why an archive that is there cannot be read: ids without its key are those that anybody can make.
    func keyed(_ audience: Audience) throws(Diagnostic) -> Audience {
        guard audience.reader == .public else { return audience }
        var keyed = audience
        do throws(ArchiveError) {
            let archive = try Archive(at: archive, for: .reading)
            defer { try? archive.close() }
            keyed.key = AudienceKey(try archive.secret())
        } catch {
            switch error {
            case .missing, .unfinished: break
            default: throw error.diagnostic
            }
        }
        return keyed
    }

    /// What all pages share.
    func facts(asOf: Instant) throws(Diagnostic) -> SiteFacts {
        var facts = SiteFacts(
            title: configuration.title, asOf: asOf, isDemo: configuration.isDemo, baseURL: configuration.url,
            isIndexed: configuration.isIndexed, contentPages: [], audience: try keyed(configuration.audience))
        facts.markdown = configuration.markdown
        facts.outputs = configuration.outputs
        return facts
    }
}

/// Reads a configuration and everything it needs.
///
/// - Parameters:
///   - asksSources: whether the sources are to be asked, so that theirs is needed as well: what only reads the archive
///     loads nothing of what checks addresses.
///   - change: changes the configuration before it is used, such as the place of the output.
func loadProject(
    _ file: String, _ console: Console, data: String? = nil, asksSources: Bool = false,
    change: (inout SiteConfiguration) -> Void = { _ in }
) throws(ExitStatus) -> Project {
    let environment = ProcessInfo.processInfo.environment
    var configuration = try readProjectConfiguration(file, console)
    for place in configuration.apps.indices {
        configuration.apps[place].app.group = configuration.apps[place].app.group?.composed
    }
    change(&configuration)
    let found: String
    if let data { found = data } else { found = try findData(environment, console) }
    let project = Project(
        configuration: configuration, folder: splitPath(file).folder, data: found,
        environment: environment,
        now: configuration.asOf ?? Instant(secondsSinceEpoch: Int(Date().timeIntervalSince1970)),
        name: splitPath(file).name)
    if let problem = project.siteProblem(file) ?? project.archiveProblem(file)
        ?? project.publishProblem(file) ?? project.writtenProblem(file) ?? project.contentProblem
    {
        console.report(problem)
        throw .usage
    }
    let faults = asksSources ? project.sourceFaults : []
    for fault in faults { console.report(fault) }
    if !faults.isEmpty { throw .usage }
    restoreSite(at: project.output, configuration.swap)
    return project
}

/// Reads a configuration alone, and reports what is wrong with it.
func readProjectConfiguration(
    _ file: String, _ console: Console
) throws(ExitStatus) -> SiteConfiguration {
    let bytes: [UInt8]
    do throws(FileFailure) {
        bytes = try readFile(file, limit: 4 << 20)
    } catch {
        reportMissing(error, file, console)
        throw .usage
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
        console.report(
            .usage(
                "config.not-utf8", "Configuration is not UTF-8 text", at: .file(path: file),
                hints: ["save it as UTF-8"]))
        throw .usage
    }
    let (read, problems) = readConfiguration(
        text, path: file, sources: ProviderList.all.map(\.schema),
        targets: standardTargets.map(\.schema), attachments: standardAttachTargets.map(\.schema))
    for problem in problems { console.report(problem) }
    guard let configuration = read else { throw .usage }
    return configuration
}

/// The folder with the default theme; without it the command ends.
func findData(_ environment: [String: String], _ console: Console) throws(ExitStatus) -> String {
    do throws(Diagnostic) {
        return try installedData(environment)
    } catch {
        console.report(error)
        throw .nothingDone
    }
}

private func reportMissing(_ failure: FileFailure, _ file: String, _ console: Console) {
    guard failure.isMissing else { return console.report(failure.diagnostic) }
    console.report(
        .usage(
            "config.missing", "Configuration file '\(file)' not found", at: .file(path: file),
            hints: [
                "run 'plimsoll init', or use '--config'",
                "run 'plimsoll demo' for sample data, then use '--config plimsoll-demo/plimsoll.yml'",
            ]))
}

extension Project {
    /// The Markdown of one page at an instant, for the audience of the configuration.
    func markdownPage(
        of address: String, asOf: Instant, _ console: Console
    ) throws(Diagnostics) -> MarkdownPage {
        let (input, problems) = try siteInput(of: self, asOf: asOf, threads: 1)
        for problem in problems { console.report(problem) }
        let archive = try neededArchive(self)
        return try MarkdownPage(at: pageFolders(address), of: input) { app throws(Diagnostics) in
            try readHistory(of: app, sourcesByApp[app.id] ?? [], archive, asOf, console)
        }
    }
}

extension Project {
    /// An app by its id.
    ///
    /// - Parameter command: the command that needs it, for the name of what it says about an unknown app.
    func app(_ id: String, for command: String) throws(Diagnostics) -> AppConfiguration {
        if let app = configuration.apps.first(where: { $0.app.id.text == id }) { return app }
        throw unknownName(command, "app", id, among: configuration.apps.map(\.app.id.text))
    }

    /// The numbers of one app at an instant, from the archive, for the audience of the configuration; the owner's notes
    /// change none of them, and are not read.
    func numbers(
        of app: AppConfiguration, asOf: Instant, _ console: Console
    ) throws(Diagnostics) -> AppAnalysis {
        let control = try alertControl()
        let history = try readHistory(
            of: app.app, sourcesByApp[app.app.id] ?? [], openArchive(self), asOf, console)
        let audience = try single { () throws(Diagnostic) in try keyed(configuration.audience) }
        return AppAnalysis(
            history, targets: app.targets, asOf: asOf, control: control, audience: audience)
    }
}

extension Project {
    /// How often and how long a request is tried.
    var retryPolicy: RetryPolicy {
        var policy = RetryPolicy()
        let retries = configuration.retries
        policy.attempts = retries.attempts ?? policy.attempts
        policy.budgetMilliseconds = retries.seconds.map { $0 * 1000 } ?? policy.budgetMilliseconds
        policy.capMilliseconds = retries.longestWaitSeconds.map { $0 * 1000 } ?? policy.capMilliseconds
        return policy
    }

    /// The one HTTP client of a run; it may read local files, which are a provider's too. A proxy is the one that
    /// the environment names.
    ///
    /// - Returns: the client, and where two sources want different trust for one host, which it cannot give.
    func client(for jobs: [SourceJob]) -> (client: Client, problems: [Diagnostic]) {
        var options = Client.Options(version: programVersion)
        options.allowsFiles = true
        var trusts: [Origin: TrustConfiguration] = [:]
        var problems: [Diagnostic] = []
        for job in jobs {
            guard let provider = try? job.provider.get() else { continue }
            let asked = Set(provider.plan(for: job.app).compactMap(\.origin))
            let home = provider.terms?.origin ?? asked.first
            for origin in asked {
                var trust = job.trust
                if origin != home { trust.clientCertificate = nil }
                if let known = trusts[origin], known != trust {
                    problems.append(twoTrusts(job, origin))
                } else {
                    trusts[origin] = trust
                }
            }
        }
        for (origin, trust) in trusts {
            options.authorities[origin] = trust.certificateAuthority.map(path)
            options.clientCertificates[origin] = trust.clientCertificate.flatMap { try? certificate($0) }
        }
        return (Client(options), problems + secretWarnings)
    }

    /// Whether the files of certificates and keys can be read and hold what they should.
    func checkFiles(of trust: TrustConfiguration, at location: Location) throws(Diagnostic) {
        if let file = trust.certificateAuthority {
            try check(file, what: "certificate authority", holds: "CERTIFICATE-----", at: location)
        }
        guard let own = trust.clientCertificate else { return }
        try check(own.certificate, what: "client certificate", holds: "CERTIFICATE-----", at: location)
        try check(own.key ?? own.certificate, what: "client key", holds: "PRIVATE KEY-----", at: location)
        if let password = own.password { _ = try secret(password, at: location) }
    }

    private func check(
        _ file: String, what: String, holds mark: String, at location: Location
    ) throws(Diagnostic) {
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try readFile(path(file), limit: 4 << 20)
        } catch {
            throw .error(
                "config.certificate-unreadable", "Cannot read the \(what) '\(file)'",
                details: [error.diagnostic.summary], at: location,
                hints: ["check the path, relative to the configuration file"])
        }
        guard String(decoding: bytes, as: UTF8.self).contains(mark) else {
            throw .error(
                "config.not-pem", "'\(file)' is not a \(what) in PEM form", at: location,
                hints: ["write it as PEM, with a line such as -----BEGIN \(mark)"])
        }
    }

    /// A certificate of the configuration, its password read.
    func certificate(_ own: ClientCertificateConfiguration) throws(Diagnostic) -> ClientCertificate {
        var passphrase: Secret?
        if let password = own.password {
            passphrase = try secret(password, at: .file(path: own.certificate))
        }
        return ClientCertificate(
            certificateFile: path(own.certificate), keyFile: own.key.map(path), passphrase: passphrase)
    }

    private func twoTrusts(_ job: SourceJob, _ origin: Origin) -> Diagnostic {
        .warning(
            "config.two-certificates",
            "\(job.app.id) from \(job.source.id) uses other certificates for \(origin) than an earlier source",
            details: ["the first source's are used for both"],
            hints: ["give both sources the same certificateAuthority and clientCertificate"])
    }
}
