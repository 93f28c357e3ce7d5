import Analysis
import AppHealth
import ArgumentParser
import Configuration
import Diagnostics
import Markup
import Pages
import Site
import Templates

/// A day's, a week's or a release's Markdown to standard output.
struct SummaryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "summary",
        abstract: "Print the summary of a day, a week or a release as Markdown.",
        discussion: """
            github has tables and folded parts, up to the 125,000 characters of a release body; commonmark has no \
            tables and no HTML; plain has no markup; slack is for messages of at most 40,000 characters. \
            Longer summaries are cut entry by entry, and a line says what was cut. The site has the github version \
            as summary.md, next to the page of the day or the release.
            """)

    @OptionGroup var configuration: ConfigurationOption

    @Option(help: ArgumentHelp("App id; with '--week' the only app (default: all).", valueName: "id"))
    var app: String?

    @Option(
        help: ArgumentHelp(
            "Day, such as 2026-11-19 (default: latest with data).", valueName: "date"))
    var day: CivilDate?

    @Option(
        help: ArgumentHelp("Version, such as 4.2.1, instead of a day.", valueName: "version"))
    var release: String?

    @Option(help: ArgumentHelp("Week that is over, such as 2026-W46, instead of a day.", valueName: "week"))
    var week: CivilWeek?

    @Option(help: "Dialect: github, commonmark, plain or slack.")
    var dialect = MarkdownDialect.github

    @Option(
        help: ArgumentHelp(
            "Report time, such as 2026-11-20T06:00:00Z (default: now).", valueName: "time"))
    var asOf: Instant?

    func validate() throws {
        if [day != nil, release != nil, week != nil].count(where: \.self) > 1 {
            throw ValidationError("Use one of '--day', '--week' and '--release'.")
        }
        if app == nil, week == nil { throw ValidationError("Missing expected argument '--app <id>'") }
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
        let apps =
            if let app { [try project.app(app, for: "summary")] } else { project.configuration.apps }
        let reports = try AppReports(project, openArchive(project), asOf: asOf ?? project.now)
        if let week { return try summary(of: week, apps, reports, console) }
        let report = try reports.report(of: apps[0], console)
        return try summaryWriter(project).text(of: try document(of: report, reports.site), in: dialect)
    }

    private func summary(
        of week: CivilWeek, _ configured: [AppConfiguration], _ reports: AppReports, _ console: Console
    ) throws(Diagnostics) -> String {
        let site = reports.site
        let apps = try configured.map { app throws(Diagnostics) in
            AppPages(try reports.report(of: app, console), site: site).weeks
        }
        let known = WeekPage.weeks(of: apps)
        guard known.contains(week) else {
            throw unknownWeek("summary", week, among: known, asOf: reports.asOf)
        }
        return WeekSummary(WeekPageInputs(week, apps), site: site).text(in: dialect)
    }

    private func document(of report: AppAnalysis, _ site: SiteFacts) throws(Diagnostics) -> SummaryDocument {
        let pages = AppPages(report, site: site)
        guard let label = release else {
            if let day, !report.facts.listedDays.contains(day) {
                throw unknownDay("summary", day, among: report.facts.daySpan)
            }
            return pages.summary(of: day ?? report.facts.lastDay)
        }
        guard let found = report.releases.release(named: label) else {
            let several = report.releases.releases(ofVersion: label).map(\.label)
            if !several.isEmpty { throw Diagnostics([ambiguousRelease("summary", label, several)]) }
            throw unknownName("summary", "release", label, among: report.releases.all.map(\.label))
        }
        return pages.summary(of: found)
    }
}

extension MarkdownDialect: ExpressibleByArgument {}

/// The writer of summaries, with the template of the project's theme when it has one.
func summaryWriter(_ project: Project) throws(Diagnostics) -> SummaryWriter {
    let layers = try single { () throws(Diagnostic) in try project.themeLayers() }
    if case .missing = layers.lookup(.page, SummaryDocument.modelName, .markdown) {
        return SummaryWriter(template: nil)
    }
    var library = TemplateLibrary(lookup: layers.lookup, assets: ThemeAssets.load(layers).0.names)
    do throws(TemplateErrors) {
        return SummaryWriter(
            template: try library.template(
                SummaryDocument.modelName, for: SummaryDocument.self, in: .markdown))
    } catch {
        throw Diagnostics(error.errors.map(\.diagnostic))
    }
}
