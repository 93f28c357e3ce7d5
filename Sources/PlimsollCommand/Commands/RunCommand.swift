import ArgumentParser
import Configuration
import Pages
import Site

/// Fetch and build, for cron.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Fetch, then build (for cron).")

    @OptionGroup var configuration: ConfigurationOption
    @OptionGroup var waiting: WaitOption
    @OptionGroup var fetching: FetchOptions
    @OptionGroup var options: BuildOptions

    func run() async throws {
        let console = Console()
        let project = try loadProject(configuration.file, console) { settings in
            options.apply(to: &settings)
        }
        try refuseRecording(fetching, project, configuration.file, console)
        let results = try await fetch(project, waiting: waiting.wait, exchanges: fetching.exchanges, console)
        let outcome = try await build(
            project, asOf: project.now, options, waiting: waiting.wait, console)
        let failed = results.contains { $0.failure != nil } || outcome.hasTrouble
        if failed { throw ExitStatus.doneWithFailures }
    }
}
