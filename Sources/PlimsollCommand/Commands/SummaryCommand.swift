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
        let asOf = asOf ?? project.now
        if let week { return try summary(of: week, project, asOf, console) }
        let report = try project.report(of: app ?? "", for: "summary", asOf: asOf, console)
        let document = try document(of: report, project.facts(asOf: asOf))
        return try summaryWriter(project).text(of: document, in: dialect)
    }

    private func summary(
        of week: CivilWeek, _ project: Project, _ asOf: Instant, _ console: Console
    ) throws(Diagnostics) -> String {
        let site = project.facts(asOf: asOf)
        var apps: [WeeksOfApp] = []
        for id in app.map({ [$0] }) ?? project.configuration.apps.map(\.app.id.text) {
            let report = try project.report(of: id, for: "summary", asOf: asOf, console)
            apps.append(AppPages(report, site: site).weeks)
        }
        let known = WeekPage.weeks(of: apps)
        guard known.contains(week) else { throw unknown(week, of: known, asOf: asOf) }
        return WeekSummary(WeekPageInputs(week, apps), site: site).text(in: dialect)
    }

    private func document(of report: AppAnalysis, _ site: SiteFacts) throws(Diagnostics) -> SummaryDocument {
        let pages = AppPages(report, site: site)
        guard let label = release else {
            if let day { try refuseUnknown(day, of: report.facts) }
            return pages.summary(of: day ?? report.facts.lastDay)
        }
        guard let found = report.releases.all.first(where: { $0.label == label }) else {
            throw unknownName("summary", "release", label, among: report.releases.all.map(\.label))
        }
        return pages.summary(of: found)
    }
}

/// Ends the command for a day that has no page.
private func refuseUnknown(_ day: CivilDate, of facts: AppFacts) throws(Diagnostics) {
    guard !facts.listedDays.contains(day) else { return }
    let hint = facts.days.first.map { "use a day from \($0) to \(facts.days.last ?? $0)" }
    throw Diagnostics([
        .usage("summary.unknown-day", "Unknown day '\(day)'", hints: [hint ?? "none available"])
    ])
}

/// Reports that a week has no page: it is not over at the instant of the report, or nothing is known of it.
private func unknown(_ week: CivilWeek, of known: [CivilWeek], asOf: Instant) -> Diagnostics {
    let isOver = known.contains { $0 > week } || week.last < asOf.date
    let hint =
        known.max().map { newest in
            let oldest = known.min() ?? newest
            return isOver && oldest < newest
                ? "use a week from \(oldest) to \(newest)" : "the newest one is \(newest)"
        } ?? "none available"
    return Diagnostics([
        isOver
            ? .usage("summary.unknown-week", "Unknown week '\(week)'", hints: [hint])
            : .usage("summary.week-not-over", "Week '\(week)' is not over", hints: [hint])
    ])
}

extension MarkdownDialect: ExpressibleByArgument {}

/// The writer of summaries, with the template of the project's theme when it has one.
func summaryWriter(_ project: Project) throws(Diagnostics) -> SummaryWriter {
    let layers: ThemeLayers
    do throws(Diagnostic) {
        layers = try project.themeLayers()
    } catch {
        throw Diagnostics([error])
    }
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
