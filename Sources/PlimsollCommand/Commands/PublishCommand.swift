import ArgumentParser
import Configuration
import Diagnostics
import Files
import Publishing

/// Site to targets.
struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish", abstract: "Publish the site to the targets in 'publish'; only what changed.",
        discussion: """
            Each target keeps a list of what was published to it. New files are sent first, then changed ones, \
            entry pages and feeds last; removed files go after that. A publication that breaks leaves a site whose \
            links all work, and the next one completes it. Files that plimsoll did not publish are neither removed \
            nor replaced, and neither is the site of another project. Exit codes: 0 everything is published; 1 a \
            target failed; 4 there is no site.
            """)

    @OptionGroup var configuration: ConfigurationOption

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("Publish target by its id, repeatable (default: all).", valueName: "id"))
    var targets: [String] = []

    @Flag(help: "List uploads, removals and bytes; change nothing.")
    var dryRun = false

    @Flag(help: "Remove more files than 'mostRemoved' allows.")
    var allowRemovals = false

    @Flag(
        help:
            "Replace files of the same names that plimsoll did not publish, and the site of another project.")
    var adopt = false

    @Option(help: "Output format: text or json.")
    var format = OutputFormat.text

    func run() async throws {
        let console = Console()
        let project = try loadProject(configuration.file, console)
        guard !project.configuration.publish.isEmpty else {
            console.report(
                .usage(
                    "publish.no-targets", "No publish targets are configured",
                    at: .file(path: configuration.file),
                    hints: ["add a list 'publish', such as 'publish: [{to: folder, path: /srv/www/report}]'"])
            )
            throw ExitStatus.usage
        }
        let wishes = PublishWishes(isDryRun: dryRun, allowsRemovals: allowRemovals, adopts: adopt)
        // Where only the built site is, no build reads what became of targets, and it would say that there was an archive.
        let isRead = project.apps.isEmpty || (try? knownKind(project.archive)) != .missing
        let results: [TargetResult]
        do throws(Diagnostic) {
            let jobs = try project.targetJobs(targets)
            for warning in project.targetWarnings(of: project.configuration.publish.map(\.block)) {
                console.report(warning)
            }
            results = await publishAll(jobs, try builtSite(project), at: project.now, wishes, console)
        } catch {
            throw console.stop(Diagnostics([error]))
        }
        if !dryRun, isRead { project.keep(results, console) }
        switch format {
        case .json: console.document(json: publicationDocument(results, isDryRun: dryRun))
        case .text: report(results, lists: dryRun, console)
        }
        if results.contains(where: { $0.outcome.failure != nil }) { throw ExitStatus.doneWithFailures }
    }
}
