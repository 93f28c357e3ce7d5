import Analysis
import AppHealth
import ArgumentParser
import Configuration
import Diagnostics
import Site

/// How often each rule would have spoken.
struct BacktestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backtest",
        abstract: "Show how often each rule would have fired, and suggest targets.",
        discussion: """
            Runs every rule on the archive, also with some of the least levels that 'alerts' in plimsoll.yml may set. \
            Changes nothing. \
            The suggested target is the highest level, in steps of 0.1% (0.01% from 99.9%), missed on at most 5% \
            of the days without outliers. The critical level is missed on at most 2% of them and allows half as \
            many crashes again. Needs 28 days.
            """)

    @OptionGroup var configuration: ConfigurationOption

    @Option(help: ArgumentHelp("Days to look back.", valueName: "count"))
    var days = 90

    @Option(help: ArgumentHelp("App id (default: all).", valueName: "id"))
    var app: String?

    @Option(help: "Output format: text or json.")
    var format = OutputFormat.text

    @Option(
        help: ArgumentHelp(
            "Report time, such as 2026-11-20T06:00:00Z (default: now).", valueName: "time"))
    var asOf: Instant?

    func validate() throws {
        guard (1...HistoryIndex.longestSpan).contains(days) else {
            throw ValidationError(
                "'--days' must be 1 to \(HistoryIndex.longestSpan), not \(days).")
        }
    }

    func run() async throws {
        let console = Console()
        let project = try loadProject(configuration.file, console)
        do throws(Diagnostics) {
            let asOf = asOf ?? project.now
            let backtests = try backtests(project, asOf, console)
            switch format {
            case .text: console.document(backtestText(backtests, asOf: asOf))
            case .json: console.document(json: backtestDocument(backtests, asOf: asOf))
            }
        } catch {
            throw console.stop(error)
        }
    }

    private func backtests(
        _ project: Project, _ asOf: Instant, _ console: Console
    ) throws(Diagnostics) -> [(backtest: Backtest, targets: Targets)] {
        let apps = try chosenApps(project)
        let mutes = try project.alertControl().mutes
        let content = try project.soundContent().content
        let archive = try openArchive(project)
        var backtests: [(backtest: Backtest, targets: Targets)] = []
        for app in apps {
            var history = try readHistory(
                of: app.app, project.sourcesByApp[app.app.id] ?? [], archive, asOf, console)
            history.notes = content.notes(of: app.app.id)
            // What is tried are the levels of the configuration, on all days.
            history.targetChanges = []
            backtests.append(
                (
                    Backtest(
                        HistoryIndex(history, asOf: asOf, targets: app.targets), days: days, mutes: mutes),
                    app.targets
                ))
        }
        return backtests
    }

    private func chosenApps(_ project: Project) throws(Diagnostics) -> [AppConfiguration] {
        guard let app else { return project.configuration.apps }
        return [try project.app(app, for: "alerts")]
    }
}
