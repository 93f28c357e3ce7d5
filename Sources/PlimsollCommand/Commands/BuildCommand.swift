import AppHealth
import ArgumentParser
import Configuration
import Diagnostics
import Files
import Formatting
import Pages
import Site
import Transport

/// Archive to site.
struct BuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build", abstract: "Build the site from the archive.",
        discussion: """
            The same archive, content, theme and '--as-of' give the same files on every machine.

            With '--shard', n machines that have the same archive, configuration and program make the pages of a part \
            of the apps each; '--join' makes the site from their folders. The files are the same as of one machine.
            """)

    @OptionGroup var configuration: ConfigurationOption
    @OptionGroup var waiting: WaitOption
    @OptionGroup var options: BuildOptions
    @OptionGroup var parts: PartOptions

    @Option(
        help: ArgumentHelp(
            "Report time, such as 2026-11-20T06:00:00Z (default: now).", valueName: "time"))
    var asOf: Instant?

    @Flag(
        help: ArgumentHelp(
            "Build one app as a single HTML file, at '--output' or, until the next build, in the site."
        ))
    var singleFile = false

    @Option(help: ArgumentHelp("App id for the single file.", valueName: "id"))
    var app: String?

    func validate() throws {
        if singleFile, parts.shard != nil || !parts.join.isEmpty {
            throw ValidationError("Use '--single-file' without '--shard' and '--join'.")
        }
        if app != nil, !singleFile { throw ValidationError("'--app' needs '--single-file'.") }
    }

    func run() async throws {
        let console = Console()
        if singleFile { return try await writeSingleFile(console) }
        var site = ""
        let project = try loadProject(configuration.file, console) { settings in
            site = settings.output
            options.apply(to: &settings)
            parts.apply(to: &settings, output: options.output)
        }
        if parts.shard != nil, let problem = project.partProblem(site: project.path(site)) {
            console.report(problem)
            throw ExitStatus.usage
        }
        var wishes = options
        // Whoever names an instant means it.
        if asOf != nil { wishes.force = true }
        let outcome = try await buildUnlessStopped(
            project, asOf: asOf ?? project.now, wishes, sharing: parts, waiting: waiting.wait, console)
        if outcome.hasTrouble { throw ExitStatus.doneWithFailures }
    }
}

/// Builds and reports on it; when nothing can be built, the previous site is unchanged and the command ends.
func build(
    _ project: Project, asOf: Instant, _ options: BuildOptions, sharing parts: PartOptions? = nil,
    waiting seconds: Int = WaitOption.usual,
    _ console: Console
) async throws(ExitStatus) -> SiteOutcome {
    do throws(Diagnostics) {
        let (outcome, problems) = try await buildSite(
            of: project, asOf: asOf, options, sharing: parts,
            project.outputPolicy(adopts: options.adopt, waiting: seconds), console)
        for problem in problems { console.report(problem) }
        console.result(
            "Built \(outcome.pagesText) (\(countText(outcome.files)) files, \(sizeText(outcome.bytes)))"
        )
        for app in outcome.apps { console.result("  " + app.line) }
        for app in outcome.apps {
            for source in app.sourceStates where !source.state.isCurrent {
                console.result("  \(app.id): source \(source.source) is \(source.state.rawValue)")
            }
        }
        console.result(
            parts?.shard == nil
                ? "Site: \(outcome.output)/index.html" : "Part: \(splitPath(outcome.output).folder)")
        return outcome
    } catch {
        console.endProgress()
        throw console.stop(error)
    }
}

extension SiteOutcome {
    /// How many pages there are, and how many of them did not have to be made.
    fileprivate var pagesText: String {
        let all = "\(countText(pages)) pages"
        return keptPages == 0
            ? all : "\(all), \(keptPages == pages ? "all" : countText(keptPages)) of them kept"
    }
}

/// The same, but a first SIGINT or SIGTERM ends it in good order: what it has written so far is removed.
func buildUnlessStopped(
    _ project: Project, asOf: Instant, _ options: BuildOptions, sharing parts: PartOptions? = nil,
    waiting seconds: Int, _ console: Console
) async throws(ExitStatus) -> SiteOutcome {
    let result: Result<SiteOutcome, ExitStatus> = await interruptible {
        do throws(ExitStatus) {
            return .success(
                try await build(project, asOf: asOf, options, sharing: parts, waiting: seconds, console))
        } catch {
            return .failure(error)
        }
    }
    return try result.get()
}

extension BuildCommand {
    /// Writes the report of one app as one file and reports its size.
    func writeSingleFile(_ console: Console) async throws {
        let project = try loadProject(configuration.file, console) { settings in
            if let audience = options.audience { settings.read(by: audience) }
        }
        let outcome: SingleFile
        do throws(Diagnostics) {
            outcome = try singleFile(project, console)
        } catch {
            throw console.stop(error)
        }
        if outcome.digest.hasTrouble { throw ExitStatus.doneWithFailures }
    }

    private func singleFile(_ project: Project, _ console: Console) throws(Diagnostics) -> SingleFile {
        let chosen = try chosenApp(project.configuration.apps)
        let path = try path(for: chosen.app.id, project)
        let asOf = asOf ?? project.now
        let input = try siteInput(of: project, asOf: asOf, threads: options.threads)
        let archive = try openArchive(project)
        let history = try readHistory(
            of: chosen.app, project.sourcesByApp[chosen.app.id] ?? [], archive, asOf, console)
        let file = try SingleFile(
            of: chosen.app, chosen.targets, history, try input.input.knowing(archive))
        try write(file.bytes, to: path, project)
        for problem in input.problems { console.report(problem) }
        console.result("Built \(path) (\(sizeText(file.bytes.count)))\(lasting(path, project))")
        console.result("  " + file.digest.line)
        if file.bytes.count > SingleFile.large {
            console.report(
                .warning(
                    "build.large-file", "File is larger than 5 MB; many mail servers refuse it",
                    at: .file(path: path), hints: ["send the site's URL instead"]))
        }
        return file
    }

    /// Writes the file; one that lies in a site is part of it from now on, until the next build.
    private func write(_ bytes: [UInt8], to file: String, _ project: Project) throws(Diagnostics) {
        do throws(Diagnostic) {
            if let inner = Files.path(of: file, below: project.output), holdsSite(project.output) {
                let policy = project.outputPolicy(adopts: options.adopt, waiting: waiting.wait)
                if let problem = try singleFileProblem(of: inner, in: project.output, policy) {
                    throw problem
                }
                return try addFile(
                    inner, bytes, for: project.configuration.audience, toSite: project.output, policy)
            }
            if let problem = try singleFileProblem(at: file) { throw problem }
            try diagnosed { () throws(FileFailure) in try replaceFile(file, bytes) }
        } catch {
            throw Diagnostics([error])
        }
    }

    /// How long a file lasts: in the site until the next build, unless the configuration keeps it.
    private func lasting(_ file: String, _ project: Project) -> String {
        guard let inner = Files.path(of: file, below: project.output), holdsSite(project.output),
            !project.outputPolicy(adopts: false, waiting: 0).keeps(inner)
        else { return "" }
        return ", in the site until the next build"
    }

    private func chosenApp(_ apps: [AppConfiguration]) throws(Diagnostics) -> AppConfiguration {
        let names = apps.map(\.app.id.text)
        guard let app else {
            if let only = apps.first, apps.count == 1 { return only }
            throw Diagnostics([
                .usage(
                    "config.which-app",
                    "'--single-file' needs one app",
                    hints: [
                        names.isEmpty
                            ? "add an app to 'apps' in the configuration"
                            : "add '--app' with one of: \(names.joined(separator: ", "))"
                    ])
            ])
        }
        guard let found = apps.first(where: { $0.app.id.text == app }) else {
            throw unknownName("config", "app", app, among: names)
        }
        return found
    }

    /// The file that was named, or one in the site, which must stand already: a build refuses to replace a folder
    /// that is not a site.
    private func path(for app: Slug, _ project: Project) throws(Diagnostics) -> String {
        if let output = options.output {
            let target = absolutePath(output)
            if let problem = project.fileProblem(
                target, configuration.file, hint: "use '--output' with another path")
            {
                throw Diagnostics([problem])
            }
            return target
        }
        guard holdsSite(project.output) else {
            throw Diagnostics([
                .usage(
                    "config.no-site", "No site in '\(project.output)' for the file",
                    hints: ["use '--output' with a file", "or run 'plimsoll build' first"])
            ])
        }
        return "\(project.output)/\(app).html"
    }
}
