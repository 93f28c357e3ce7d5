import AppHealth
import ArgumentParser
import Diagnostics

/// Where a number on a page comes from.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Show how a page's numbers are calculated.",
        discussion: """
            Give a page, such as 'apps/sketchbook' or 'apps/sketchbook/days/2026-11-19', and the id of a number for \
            that one only. '/' is the home page. An id alone, such as 'crash-free-users', explains that number on the \
            overview of each app.
            """)

    @OptionGroup var configuration: ConfigurationOption

    @Argument(help: ArgumentHelp("Page, or id of a number.", valueName: "page"))
    var page: String

    @Argument(help: ArgumentHelp("Id of a number on the page.", valueName: "number"))
    var number: String?

    @Option(help: "Output format: text or json.")
    var format = OutputFormat.text

    @Option(
        help: ArgumentHelp(
            "Report time, such as 2026-11-20T06:00:00Z (default: now).", valueName: "time"))
    var asOf: Instant?

    func run() async throws {
        let console = Console()
        let project = try loadProject(configuration.file, console)
        do throws(Diagnostics) {
            let asked = ExplainRequest(page: page, number: number, asOf: asOf ?? project.now)
            let pages = try explain(asked, project, console)
            switch format {
            case .text: console.document(explainText(pages))
            case .json: console.document(json: explainDocument(pages, asOf: asked.asOf))
            }
        } catch {
            throw console.stop(error)
        }
    }
}
