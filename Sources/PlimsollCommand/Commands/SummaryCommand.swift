import AppHealth
import ArgumentParser
import Configuration
import Diagnostics
import Markup
import Pages
import Site

/// A day's or a release's Markdown to standard output.
struct SummaryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "summary",
        abstract: "Print the Top Issues Summary of a day, or the summary of a release, as Markdown.",
        discussion: """
            github has tables and folded parts and keeps to the 125,000 characters of a release body; commonmark \
            has neither tables nor HTML; plain has no markup; slack is for messages of at most 40,000 \
            characters. What does not fit is left out entry by entry, and a line says what is gone. The github \
            file stands in the site as summary.md beside the page of the day or of the release.
            """)

    @OptionGroup var configuration: ConfigurationOption

    @Option(help: ArgumentHelp("The id of the app.", valueName: "id"))
    var app: String

    @Option(
        help: ArgumentHelp(
            "The day, such as 2026-11-19; the last one with figures when left out.", valueName: "date"))
    var day: CivilDate?

    @Option(
        help: ArgumentHelp("The label of a release, such as 4.2.1, instead of a day.", valueName: "version"))
    var release: String?

    @Option(help: "github, commonmark, plain or slack.")
    var dialect = MarkdownDialect.github

    @Option(
        help: ArgumentHelp(
            "The instant of the report, such as 2026-11-20T06:00:00Z; now when left out.", valueName: "time"))
    var asOf: Instant?

    func validate() throws {
        if day != nil, release != nil { throw ValidationError("Give '--day' or '--release', not both.") }
    }

    func run() async throws {
        let console = Console()
        let project = try loadProject(configuration.file, console)
        do throws(Diagnostics) {
            console.document(try summary(project, console))
        } catch {
            throw console.stop(error)
        }
    }

    private func summary(_ project: Project, _ console: Console) throws(Diagnostics) -> String {
        let asOf = asOf ?? project.now
        let report = try project.report(of: app, for: "summary", asOf: asOf, console)
        let document = try document(of: report, project.facts(asOf: asOf))
        return try summaryWriter(project).text(of: document, in: dialect)
    }

    private func document(of report: AppReport, _ site: SiteFacts) throws(Diagnostics) -> SummaryDocument {
        guard let label = release else {
            let day = day ?? report.lastDay
            return SummaryDocument(day: day, report, site.outwardLinks, isDemo: site.isDemo)
        }
        guard let found = report.releases.first(where: { $0.version.label == label }) else {
            throw unknownName("summary", "release", label, among: report.releases.map(\.version.label))
        }
        return SummaryDocument(release: found, report, site.outwardLinks, isDemo: site.isDemo)
    }
}

extension MarkdownDialect: ExpressibleByArgument {}
