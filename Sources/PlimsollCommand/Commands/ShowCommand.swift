import AppHealth
import ArgumentParser
import Configuration
import Diagnostics
import Markup
import Site

/// The report in the terminal.
struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a report page in the terminal.",
        discussion: """
            Shows the Markdown version of a page, without folded parts and pictures. Lines fit the width of the \
            terminal, or COLUMNS. Colors are for terminals only, and off when NO_COLOR is set; signs and words say the \
            same.

            '--page' shows a page by its path, such as 'apps/sketchbook/issues'; '/' is the home page. With \
            '--dialect', its Markdown version is printed: github has tables and folded parts, up to 125,000 \
            characters; commonmark has no tables and no HTML; plain has no markup, and lines of at most 100 columns, but for longer words; \
            slack is mrkdwn of at most 40,000 characters. Longer pages are cut block by block, and a line says what \
            was cut.
            """)

    @OptionGroup var configuration: ConfigurationOption

    @Option(help: ArgumentHelp("App id (default: all).", valueName: "id"))
    var app: String?

    @Option(help: ArgumentHelp("Day of the app, such as 2026-11-19.", valueName: "date"))
    var day: CivilDate?

    @Option(
        help: ArgumentHelp(
            "Page, such as apps/sketchbook/releases/4.2.1.", valueName: "page"))
    var page: String?

    @Option(
        help: ArgumentHelp(
            "Print the Markdown version: github, commonmark, plain or slack.", valueName: "dialect"))
    var dialect: MarkdownDialect?

    @Option(
        help: ArgumentHelp(
            "Report time, such as 2026-11-20T06:00:00Z (default: now).", valueName: "time"))
    var asOf: Instant?

    func validate() throws {
        if day != nil, app == nil { throw ValidationError("'--day' needs '--app'.") }
        if page != nil, app != nil { throw ValidationError("Use '--page' or '--app', not both.") }
        if dialect != nil, page == nil { throw ValidationError("'--dialect' needs '--page'.") }
    }

    func run() async throws {
        let console = Console()
        let project = try loadProject(configuration.file, console)
        do throws(Diagnostics) {
            console.document(try text(project, console))
        } catch {
            throw console.stop(error)
        }
    }

    private func text(_ project: Project, _ console: Console) throws(Diagnostics) -> String {
        let page = try project.markdownPage(of: try address(in: project), asOf: asOf ?? project.now, console)
        if let dialect { return page.text(in: dialect) }
        let terminal = Terminal(project.environment)
        return layoutText(page.blocks, width: terminal.width, hasColors: terminal.hasColors)
    }

    /// The address of the page that was requested; the entry page without any option.
    private func address(in project: Project) throws(Diagnostics) -> String {
        guard let app else { return page ?? "/" }
        let apps = project.configuration.apps.map(\.app.id.text)
        guard apps.contains(app) else { throw unknownName("show", "app", app, among: apps) }
        return day.map { "apps/\(app)/days/\($0)" } ?? "apps/\(app)"
    }
}
