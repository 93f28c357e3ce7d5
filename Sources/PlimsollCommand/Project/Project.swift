import AppHealth
import Configuration
import Diagnostics
import Foundation
import Pages
import Providers
import Site

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

    /// The archive's file.
    var archive: String { path(configuration.archive) }
    /// The folder with the answers that are asked for again only when they have changed.
    var responseCache: String { archive + ".cache" }
    /// Milliseconds that all requests of a fetch may take together, waits included.
    var timeBudget: Int { configuration.timeBudgetSeconds * 1000 }
    /// The site's folder.
    var output: String { path(configuration.output) }
    /// The apps with their levels.
    var apps: [(app: App, targets: Targets)] { configuration.apps.map { ($0.app, $0.targets) } }

    /// A path of the configuration, from its folder.
    func path(_ path: String) -> String {
        if path == "." { return folder }
        return path.hasPrefix("/") || folder == "." ? path : folder + "/" + path
    }

    /// The folders of the theme, a theme of the project's own first.
    func themeLayers() throws(Diagnostic) -> ThemeLayers {
        try ThemeLayers(name: configuration.theme, roots: [path("Themes"), data + "/Themes"])
    }

    /// What all pages share.
    func facts(asOf: Instant) -> SiteFacts {
        var facts = SiteFacts(
            title: configuration.title, asOf: asOf, isDemo: configuration.isDemo, baseURL: configuration.url,
            isIndexed: configuration.isIndexed, contentPages: [], audience: configuration.audience)
        facts.markdown = configuration.markdown
        return facts
    }
}

/// Reads a configuration and everything it needs.
///
/// - Parameter change: changes the configuration before it is used, such as the place of the output.
func loadProject(
    _ file: String, _ console: Console, data: String? = nil,
    change: (inout SiteConfiguration) -> Void = { _ in }
) throws(ExitStatus) -> Project {
    let environment = ProcessInfo.processInfo.environment
    let bytes: [UInt8]
    do throws(FileFailure) {
        bytes = try readFile(file, limit: 4 << 20)
    } catch {
        tellMissing(error, file, console)
        throw .usage
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
        console.tell(
            .usage(
                "config.not-utf8", "The configuration is not UTF-8 text", at: .file(path: file),
                hints: ["save it as UTF-8"]))
        throw .usage
    }
    let (read, problems) = readConfiguration(
        text, path: file, sources: ProviderList.all.map(\.schema))
    for problem in problems { console.tell(problem) }
    guard var configuration = read else { throw .usage }
    change(&configuration)
    let found: String
    if let data { found = data } else { found = try findData(environment, console) }
    let project = Project(
        configuration: configuration, folder: parentFolder(file), data: found,
        environment: environment,
        now: configuration.asOf ?? Instant(secondsSinceEpoch: Int(Date().timeIntervalSince1970)))
    if let problem = project.siteProblem(file) ?? project.archiveProblem(file) {
        console.tell(problem)
        throw .usage
    }
    return project
}

/// The folder with the default theme; without it the command ends.
func findData(_ environment: [String: String], _ console: Console) throws(ExitStatus) -> String {
    do throws(Diagnostic) {
        return try installedData(environment)
    } catch {
        console.tell(error)
        throw .nothingDone
    }
}

private func tellMissing(_ failure: FileFailure, _ file: String, _ console: Console) {
    guard failure.isMissing else { return console.tell(failure.diagnostic) }
    console.tell(
        .usage(
            "config.missing", "Configuration file '\(file)' not found", at: .file(path: file),
            hints: [
                "run 'plimsoll init', or use '--config'",
                "run 'plimsoll demo' for a site from sample data",
            ]))
}
