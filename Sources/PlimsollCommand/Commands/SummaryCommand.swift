import AppHealth
import ArgumentParser
import Configuration
import Diagnostics
import Pages
import Site
import Templates

/// A day's or a release's Markdown to standard output.
struct SummaryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "summary",
        abstract: "Print the Top Issues Summary of a day, or the summary of a release, as Markdown.",
        discussion:
            "The same file stands in the site as summary.md beside the page of the day or of the release.")

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
            for diagnostic in error.list { console.tell(diagnostic) }
            let isUsage = error.list.contains { !$0.id.hasPrefix("archive.") && !$0.id.hasPrefix("file.") }
            throw isUsage ? ExitStatus.usage : ExitStatus.nothingDone
        }
    }

    private func summary(_ project: Project, _ console: Console) throws(Diagnostics) -> String {
        guard let configured = project.configuration.apps.first(where: { $0.app.id.text == app }) else {
            throw unknownName("summary", "app", app, among: project.configuration.apps.map(\.app.id.text))
        }
        let asOf = asOf ?? project.now
        let control = try project.alertControl()
        let history = try readHistory(
            of: configured.app, project.sourcesByApp[configured.app.id] ?? [], openArchive(project), asOf,
            console)
        let report = AppReport(
            history, targets: configured.targets, asOf: asOf, control: control,
            audience: project.configuration.audience)
        let document = try document(of: report, project.facts(asOf: asOf))
        return try template(project).rendered(document)
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
