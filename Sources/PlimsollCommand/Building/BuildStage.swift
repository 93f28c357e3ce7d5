import Analysis
import AppHealth
import Archive
import Configuration
import Cryptography
import Diagnostics
import Files
import Foundation
import Markup
import Pages
import Platform
import Site

/// Builds the site of a project from its archive.
///
/// - Throws: the diagnostics for which nothing was built; the previous site then stays.
func buildSite(
    of project: Project, asOf: Instant, _ options: BuildOptions, sharing parts: PartOptions? = nil,
    _ policy: OutputPolicy, _ console: Console
) async throws(Diagnostics) -> (outcome: SiteOutcome, problems: [Diagnostic]) {
    var (input, problems) = try siteInput(of: project, asOf: asOf, threads: options.threads)
    input.outputPolicy = policy
    input.outputPolicy.loses = options.force
    parts?.apply(to: &input, of: project)
    let archive = try neededArchive(project)
    if let archive, input.facts.audience.hidesData { input = try input.knowing(archive) }
    let sources = project.sourcesByApp
    input.keeping = archive.map { archive in
        BuildKeeping(
            folder: project.keptBuilds, program: programMark,
            sources: sources, isFull: options.full
        ) { try? archive.revision(of: $0.id, asOf: asOf) }
    }
    if case .part(let folder) = input.scope {
        _ = try single { () throws(Diagnostic) in try PartFolder(folder) }
    }
    let outcome = try await Site.buildSite(
        input, progress: console.progress, notice: console.report
    ) { app throws(Diagnostics) in
        try readHistory(of: app, sources[app.id] ?? [], archive, asOf, console)
    }
    console.endProgress()
    if let archive { problems += project.hiddenDays(in: archive) }
    problems +=
        outcome.muteProblems + outcome.noteProblems + outcome.outputProblems + outcome.failedChecks
    return (outcome, problems)
}

/// What the site of a project is built from, but for the archive, with warnings about the content.
func siteInput(
    of project: Project, asOf: Instant, threads: Int
) throws(Diagnostics) -> (input: SiteInput, problems: [Diagnostic]) {
    let (content, problems) = try project.soundContent()
    let control = try project.alertControl()
    let (theme, facts) = try single { () throws(Diagnostic) in
        (try project.themeLayers(), try project.facts(asOf: asOf))
    }
    var input = SiteInput(
        facts: facts, theme: theme, content: content, output: project.output,
        apps: project.apps, control: control, threads: threads)
    input.publications = project.publications(asOf: asOf)
    input.schemas = project.data + "/Content/schema"
    return (input, problems)
}

/// What to look for in a site of a project that was made for an audience.
func leakSearch(
    of project: Project, for audience: Audience, _ console: Console
) throws(Diagnostics) -> StandingSearch {
    let (input, _) = try siteInput(of: project, asOf: project.now, threads: 1)
    let archive = try neededArchive(project)
    let sources = project.sourcesByApp
    return try Site.leakSearch(for: audience, input) { app throws(Diagnostics) in
        try readHistory(of: app, sources[app.id] ?? [], archive, project.now, console)
    }
}

/// Opens the archive for reading.
func openArchive(_ project: Project) throws(Diagnostics) -> Archive {
    do throws(ArchiveError) {
        return try Archive(at: project.archive, for: .reading)
    } catch {
        throw Diagnostics([project.diagnostic(error)])
    }
}

extension Project {
    /// The archive, opened for reading; nil where there is none, or none that this version reads as it is.
    var readableArchive: Archive? {
        (try? knownKind(archive)) == .file ? try? openArchive(self) : nil
    }
}

/// Opens the archive for reading; nil for a site without apps, which shows nothing of one.
func neededArchive(_ project: Project) throws(Diagnostics) -> Archive? {
    project.apps.isEmpty ? nil : try openArchive(project)
}

/// What the archive knows of an app at an instant.
func readHistory(
    of app: App, _ sources: [Source], _ archive: Archive?, _ asOf: Instant, _ console: Console
) throws(Diagnostics) -> AppHistory {
    guard let archive else { return AppHistory(app: app, sources: []) }
    do throws(ArchiveError) {
        let (history, warnings) = try archive.history(of: app, sources: sources, asOf: asOf)
        for warning in warnings { console.report(warning) }
        return history
    } catch {
        throw Diagnostics([error.diagnostic])
    }
}

extension Project {
    /// What a build may do to the folder of the site.
    func outputPolicy(adopts: Bool, waiting seconds: Int) -> OutputPolicy {
        OutputPolicy(
            kept: configuration.keep, adopts: adopts, waitSeconds: seconds, swap: configuration.swap)
    }

    /// The sources of each app as the configuration knows them; the archive describes those it has seen.
    var sourcesByApp: [Slug: [Source]] {
        Dictionary(
            configuration.apps.map { app in
                (app.app.id, app.sources.map(\.source))
            }, uniquingKeysWith: { first, _ in first })
    }
}

extension Project {
    /// What the owner of the site wrote, and what is wrong with it.
    func readContent() -> (ContentFolder, [Diagnostic]) {
        ContentFolder.read(
            path(configuration.content), apps: configuration.apps.map(\.app.id),
            isWholeSite: configuration.apps.isEmpty, keep: configuration.keep)
    }

    /// What the owner of the site wrote, with what is worth knowing of it.
    ///
    /// - Throws: what is wrong with it.
    func soundContent() throws(Diagnostics) -> (content: ContentFolder, problems: [Diagnostic]) {
        let (content, problems) = readContent()
        if problems.contains(where: { $0.severity == .error }) { throw Diagnostics(problems) }
        return (content, problems)
    }
}

/// What no other build of the program has, on any machine: the versions, and what the linker made of its bytes. Where it
/// left no number, the hash of the program's file, whose reading takes as long as a small site.
let programMark: String = {
    let bytes = buildNumber() ?? []
    guard bytes.isEmpty else { return "\(versions) \(hexadecimal(bytes))" }
    let file = Bundle.main.executablePath ?? CommandLine.arguments.first ?? ""
    return "\(versions) \((try? readFile(file, limit: .max)).map(contentHash) ?? "")"
}()

/// The versions of what makes pages: of libraries, those that the system brings and updates by itself.
private var versions: String { "\(programVersion) cmark \(cmarkVersion)" }
