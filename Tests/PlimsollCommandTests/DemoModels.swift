import Analysis
import AppHealth
import Archive
import Configuration
import Diagnostics
import Pages
import Templates

@testable import PlimsollCommand
@testable import Site

/// Examples from every kind of page of the demo.
func demoExamples() async throws -> FieldExamples {
    let archive = try await DemoSite.shared.folder.path + "/plimsoll-demo/archive.sqlite"
    let console = Console()
    let project = try loadProject("\(bundled)/Content/demo/plimsoll.yml", console, data: bundled) {
        $0.archive = archive
    }
    let content = try project.soundContent().content
    var live = LiveContent(content)
    let site = try project.facts(asOf: project.now)
    let control = try project.alertControl()
    var examples = FieldExamples()
    var digests: [AppSummaryRow] = []
    var reported: [(report: AppAnalysis, history: AppHistory, targets: Targets)] = []
    // The app with most to report comes first.
    for (app, targets) in project.apps.sorted(by: {
        $0.app.id.text == "sketchbook" && $1.app.id.text != "sketchbook"
    }) {
        var history = try readHistory(
            of: app, project.sourcesByApp[app.id] ?? [], openArchive(project), project.now, console)
        history.notes = content.notes(of: app.id)
        let report = AppAnalysis(history, targets: targets, asOf: project.now, control: control)
        digests.append(AppSummaryRow(report))
        reported.append((report, history, targets))
        live.gather(from: report)
        collect(report, site, &examples)
    }
    try live.finish(with: digests)
    examples.collect(PortfolioPage(digests, introduction: live.introduction, site: site))
    let apps = digests.map(\.weeks)
    let weeks = WeekPage.weeks(of: apps)
    for week in weeks {
        examples.collect(WeekPage(WeekPageInputs(WeekList(week, apps), apps, weeks: weeks), site: site))
    }
    examples.collect(
        MethodsPage(
            digests, targets: project.apps.map { ($0.app.name, $0.targets) }, rules: standardRules,
            introduction: live.methods, site: site))
    examples.collect(
        SourcesPage(digests, mutes: muteProblems(control.mutes, digests.flatMap(\.muteUses)), site: site))
    examples.collect(NotFoundPage(site: site))
    for (page, blocks) in live.pages {
        examples.collect(
            ContentPage(
                title: page.title, source: page.text.source, summary: page.summary, blocks: blocks,
                site: site))
    }
    try await examples.collectBlocks(reported.map(\.report), digests, site)
    examples.collectFrames(digests, site)
    examples.collectLists(digests, site)
    for (_, history, targets) in reported {
        examples.collectLimits(history, targets, asOf: project.now, site)
        examples.collectSingleFile(history, targets, asOf: project.now, site)
        examples.collectAbsences(history, targets, asOf: project.now, site)
        examples.collectStaleCrashes(history, targets, asOf: project.now, site)
        examples.collectComparedWithoutIssues(history, targets, asOf: project.now, site)
    }
    return examples
}

private func collect(_ report: AppAnalysis, _ site: SiteFacts, _ examples: inout FieldExamples) {
    let pages = AppPages(report, site: site)
    examples.collect(pages.overview)
    examples.collect(pages.activity())
    examples.collect(pages.activity(newest: .max))
    for week in report.activity.weeks.prefix(2) { examples.collect(pages.activity(in: week)) }
    examples.collect(pages.issues)
    examples.collect(pages.releases)
    examples.collect(pages.usage)
    for issue in report.issues.all { examples.collect(pages.issue(issue)) }
    for release in report.releases.all {
        examples.collect(pages.release(release))
        examples.collect(pages.summary(of: release))
    }
    for pair in report.releases.pairs { examples.collect(pages.comparison(pair)) }
    for day in report.facts.days.suffix(40).reversed() {
        examples.collect(pages.day(day))
        examples.collect(pages.summary(of: day))
    }
}
