import AppHealth
import ArgumentParser
import Configuration
import Diagnostics
import Formatting
import Pages
import Site

/// Archive to site.
struct BuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build", abstract: "Build the site from the archive.",
        discussion: "The same archive, content, theme and '--as-of' give the same files on every machine.")

    @OptionGroup var configuration: ConfigurationOption
    @OptionGroup var waiting: WaitOption
    @OptionGroup var options: BuildOptions

    @Option(
        help: ArgumentHelp(
            "Report time, such as 2026-11-20T06:00:00Z (default: now).", valueName: "time"))
    var asOf: Instant?

    @Flag(
        help: ArgumentHelp(
            "Build one app as a single HTML file, at '--output' or in the site."
        ))
    var singleFile = false

    @Option(help: ArgumentHelp("App id for the single file.", valueName: "id"))
    var app: String?

    func validate() throws {
        if app != nil, !singleFile { throw ValidationError("'--app' needs '--single-file'.") }
    }

    func run() async throws {
        let console = Console()
        if singleFile { return try await writeSingleFile(console) }
        let project = try loadProject(configuration.file, console) { settings in
            options.apply(to: &settings)
        }
        let outcome = try await build(
            project, asOf: asOf ?? project.now, options, waiting: waiting.wait, console)
        if outcome.hasTrouble { throw ExitStatus.doneWithFailures }
    }
}

/// Builds and tells of it; when nothing can be built, the previous site is unchanged and the command ends.
func build(
    _ project: Project, asOf: Instant, _ options: BuildOptions, waiting seconds: Int = WaitOption.usual,
    _ console: Console
) async throws(ExitStatus) -> SiteOutcome {
    do throws(Diagnostics) {
        let (outcome, problems) = try await buildSite(
            of: project, asOf: asOf, threads: options.threads,
            project.outputPolicy(adopts: options.adopt, waiting: seconds), console)
        for problem in problems { console.tell(problem) }
        console.result(
            "Built \(countText(outcome.pages)) pages (\(countText(outcome.files)) files, \(sizeText(outcome.bytes)))"
        )
        for app in outcome.apps { console.result("  " + app.line) }
        for app in outcome.apps {
            for source in app.sourceStates where source.state != "loaded" {
                console.result("  \(app.id): source \(source.source) is \(source.state)")
            }
        }
        console.result("Site: \(outcome.output)/index.html")
        return outcome
    } catch {
        console.endProgress()
        throw console.stop(error)
    }
}
