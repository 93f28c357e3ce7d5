import Analysis
import AppHealth
import Diagnostics
import Files
import Markup
import Pages

/// The overview of an app, which alone of its pages shows the instant of the report.
///
/// - Parameters:
///   - textAlone: whether it has no files next to it.
///   - change: changes what it shows.
func overviewFile(
    _ overview: Overview, _ templates: ThemeTemplates, _ site: SiteFacts, textAlone: Bool = false,
    _ change: @escaping @Sendable (inout AppPage) -> Void = { _ in }
) -> PageFile {
    let facts = overview.facts
    let data: @Sendable () -> DataDocument = {
        DataDocument(
            title: facts.app.name, capturedAt: facts.capturedAt, site: site, tables: overview.tables)
    }
    return PageFile(
        .app(facts.app.id), templates.app, textAlone: textAlone, data: data,
        checks: { overview.mismatches(in: $0) }
    ) {
        var page = AppPage(overview, site: site)
        change(&page)
        return page
    }
}

/// The pages of one app, but for its overview.
func appFiles(_ analysis: AppAnalysis, _ templates: ThemeTemplates, _ site: SiteFacts) -> PageList {
    let pages = AppPages(analysis, site: site)
    let facts = FactsDigests()
    return PageList(partFiles(analysis, pages, templates))
        + activityFiles(analysis.activity.weeks, pages, templates, facts)
        + moreIssuesFiles(analysis.issues, pages, templates)
        + issueFiles(analysis.issues.all, pages, templates, facts)
        + releaseFiles(analysis.releases.all, pages, templates, facts)
        + compareFiles(analysis.releases.pairs, pages, templates, facts)
        + dayFiles(analysis.facts.days, pages, templates, facts)
}

/// The pages of which an app has one each.
private func partFiles(
    _ analysis: AppAnalysis, _ pages: AppPages, _ templates: ThemeTemplates
) -> [PageFile] {
    let app = pages.facts.app.id
    @Sendable func document(_ tables: [DataTable]) -> DataDocument {
        DataDocument(
            title: pages.facts.app.name, capturedAt: pages.facts.capturedAt, site: pages.site, tables: tables)
    }
    return [
        PageFile(
            .part(.activity, of: app), templates.activity, data: { document([eventsTable(pages.items)]) }
        ) { pages.activity() },
        PageFile(.part(.issues, of: app), templates.issues, data: { document(pages.issuesTables) }) {
            pages.issues
        },
        PageFile(
            .part(.releases, of: app), templates.releases, data: { document([analysis.releases.table]) }
        ) { pages.releases },
        PageFile(
            .part(.usage, of: app), templates.usage,
            data: { document([analysis.usage.table(with: analysis.stability)]) },
            checks: { pages.mismatches(in: $0) }
        ) { pages.usage },
    ]
}

private func activityFiles(
    _ weeks: [CivilWeek], _ pages: AppPages, _ templates: ThemeTemplates, _ facts: FactsDigests
) -> PageList {
    PageList(of: weeks) { week in
        PageFile(
            .activity(week, of: pages.facts.app.id), templates.activity, from: { pages.inputs(of: week) },
            facts, page: pages.activity)
    }
}

/// The parts of the list of issues after the first.
private func moreIssuesFiles(
    _ issues: IssuesSection, _ pages: AppPages, _ templates: ThemeTemplates
) -> PageList {
    PageList(of: Array((1...IssuesPage.parts(issues).count).dropFirst())) { part in
        PageFile(.issues(part: part, of: pages.facts.app.id), templates.issues) { pages.issues(part: part) }
    }
}

private func issueFiles(
    _ issues: [IssueFacts], _ pages: AppPages, _ templates: ThemeTemplates, _ facts: FactsDigests
) -> PageList {
    PageList(of: issues) { issue in
        PageFile(
            .issue(issue.issue.id, of: pages.facts.app.id), templates.issue,
            from: { pages.inputs(of: issue) }, facts,
            data: { inputs in
                DataDocument(
                    title: inputs.issue.issue.title, capturedAt: inputs.issue.capturedAt,
                    site: pages.site, tables: [inputs.issue.daysTable(inputs.surroundings.coverage)])
            }, page: pages.issue)
    }
}

private func releaseFiles(
    _ releases: [ReleaseFacts], _ pages: AppPages, _ templates: ThemeTemplates, _ facts: FactsDigests
) -> PageList {
    PageList(of: releases) { release in
        PageFile(
            .release(release.label, of: pages.facts.app.id), templates.release,
            from: { pages.inputs(of: release) }, facts,
            data: { inputs in
                DataDocument(
                    title: "\(pages.facts.app.name) \(inputs.release.release.version)",
                    capturedAt: inputs.release.pageCapturedAt, site: pages.site, tables: inputs.tables)
            }, checks: { $1.mismatches },
            summary: { templates.summary.text(of: pages.summary($0), in: .github) }, page: pages.release)
    }
}

private func compareFiles(
    _ pairs: [PairFacts], _ pages: AppPages, _ templates: ThemeTemplates, _ facts: FactsDigests
) -> PageList {
    PageList(of: pairs) { pair in
        PageFile(
            pair.path(of: pages.facts.app.id), templates.compare, from: { pages.inputs(of: pair) }, facts,
            data: { inputs in
                DataDocument(
                    title:
                        "\(pages.facts.app.name) \(inputs.pair.later.version) vs. \(inputs.pair.earlier.version)",
                    capturedAt: inputs.pair.capturedAt, site: pages.site, tables: inputs.tables)
            }, checks: { $1.mismatches }, page: pages.comparison)
    }
}

private func dayFiles(
    _ days: [CivilDate], _ pages: AppPages, _ templates: ThemeTemplates, _ facts: FactsDigests
) -> PageList {
    PageList(of: days) { date in
        let path = SitePath.day(date, of: pages.facts.app.id)
        let data: @Sendable (DayInputs) -> DataDocument = { inputs in
            let day = inputs.day
            return DataDocument(
                title: "\(inputs.facts.app.name), \(date)", capturedAt: day.capturedAt,
                site: pages.site, tables: [day.issuesTable, day.healthTable, day.healthAsReportedTable])
        }
        return PageFile(
            path, templates.day, from: { pages.inputs(of: date) }, facts, data: data,
            checks: { $1.mismatches($0.day, $0.conflicts) },
            summary: { templates.summary.text(of: pages.summary($0), in: .github) }, page: pages.day)
    }
}

/// The page of sources and failed checks, the first where many apps are on several, which is made when all other pages
/// have been checked.
func sourcesFile(
    _ digests: [AppSummaryRow], _ muteProblems: [Diagnostic], _ failedChecks: [Diagnostic],
    _ input: SiteInput,
    _ templates: ThemeTemplates
) -> PageFile {
    let (site, publications) = (input.facts, input.publications)
    let sources: @Sendable () -> DataDocument = {
        DataDocument(
            title: site.title, capturedAt: AppSummaryRow.newestCapture(digests), site: site,
            tables: [AppSummaryRow.sourcesTable(digests)])
    }
    return PageFile(.sources, templates.sources, data: sources) {
        SourcesPage(
            digests, mutes: muteProblems, failedChecks: failedChecks, publications: publications, site: site)
    }
}

/// The pages of the whole site, without that of sources.
func siteFiles(
    _ digests: [AppSummaryRow], _ live: LiveContent, _ input: SiteInput, _ templates: ThemeTemplates
) -> [PageFile] {
    let site = input.facts
    guard site.hasApps else { return contentFiles(live, input, templates) }
    let levels = input.apps.map { (app: $0.app.name, levels: $0.targets) }
    let table: @Sendable () -> DataDocument = {
        DataDocument(
            title: site.title, capturedAt: AppSummaryRow.newestCapture(digests), site: site,
            tables: [AppSummaryRow.table(digests), eventsTable(feedItems(digests))])
    }
    let lists = AppLists(digests)
    let own = [
        PageFile(.portfolio, templates.portfolio, data: table, checks: \.mismatches) {
            PortfolioPage(lists, introduction: live.introduction, site: site)
        },
        PageFile(.notFound, templates.notFound, isListed: false) { NotFoundPage(site: site) },
    ]
    return own + methodsFiles(MethodsList(digests, targets: levels), live, templates, site)
        + moreSourcesFiles(SourceList(digests), templates, site)
        + listFiles(lists, templates, site) + weekFiles(digests, templates, site)
        + live.pages.map { page, blocks in contentFile(page, blocks, input, templates) }
}

/// The pages of methods.
private func methodsFiles(
    _ list: MethodsList, _ live: LiveContent, _ templates: ThemeTemplates, _ site: SiteFacts
) -> [PageFile] {
    (1...list.parts.count).map { part in
        PageFile(.methods(part: part), templates.methods) {
            MethodsPage(list, part: part, rules: standardRules, introduction: live.methods, site: site)
        }
    }
}

/// The pages of sources after the first, which has the failed checks and is made last.
private func moreSourcesFiles(
    _ list: SourceList, _ templates: ThemeTemplates, _ site: SiteFacts
) -> [PageFile] {
    (1...list.parts.count).dropFirst().map { part in
        PageFile(.sources(part: part), templates.sources) { SourcesPage(list, part: part, site: site) }
    }
}

/// The pages of groups and of all apps that the entry page has no room for.
private func listFiles(_ lists: AppLists, _ templates: ThemeTemplates, _ site: SiteFacts) -> [PageFile] {
    lists.pages.map { part in
        let apps = part.list.apps
        let data: @Sendable () -> DataDocument = {
            DataDocument(
                title: part.list.name, capturedAt: AppSummaryRow.newestCapture(apps), site: site,
                tables: [AppSummaryRow.table(apps)])
        }
        return PageFile(part.path, templates.list, data: data, checks: \.mismatches) {
            ListPage(part, site: site)
        }
    }
}

/// The pages of the weeks of all apps, with their summaries.
private func weekFiles(
    _ digests: [AppSummaryRow], _ templates: ThemeTemplates, _ site: SiteFacts
) -> [PageFile] {
    let apps = digests.map(\.weeks)
    let weeks = WeekPage.weeks(of: apps)
    return weeks.flatMap { week -> [PageFile] in
        let list = WeekList(week, apps)
        return (1...list.parts.count).map { part -> PageFile in
            weekFile(.week(week, part: part), templates, site, hasData: part == 1) {
                WeekPageInputs(list, part: part, apps, weeks: weeks)
            }
        }
    }
}

/// - Parameter hasData: whether data and a summary are next to it.
private func weekFile(
    _ path: SitePath, _ templates: ThemeTemplates, _ site: SiteFacts, hasData: Bool,
    _ inputs: @escaping @Sendable () -> WeekPageInputs
) -> PageFile {
    let data: @Sendable (WeekPageInputs) -> DataDocument = { WeekPage.data($0, site: site) }
    let summary: @Sendable (WeekPageInputs) -> String = { WeekSummary($0, site: site).text(in: .github) }
    return PageFile(
        path, templates.week, from: inputs, digest: { digestOfValue($0) }, data: hasData ? data : nil,
        summary: hasData ? summary : nil, page: { WeekPage($0, site: site) })
}

/// The pages of a site without apps: the owner's, of which `index.md` is the entry page.
private func contentFiles(
    _ live: LiveContent, _ input: SiteInput, _ templates: ThemeTemplates
) -> [PageFile] {
    let site = input.facts
    let entry = input.content.introduction.map { text in
        PageFile(.portfolio, templates.content) {
            ContentPage(
                title: input.content.introductionTitle ?? site.title, heading: text.heading,
                source: text.source,
                markdown: text.markdown, summary: site.title, blocks: live.entryBlocks, site: site)
        }
    }
    return [entry].compactMap(\.self)
        + [PageFile(.notFound, templates.notFound, isListed: false) { NotFoundPage(site: site) }]
        + live.pages.map { page, blocks in contentFile(page, blocks, input, templates) }
}

private func contentFile(
    _ page: ContentFolder.Page, _ blocks: LiveBlocks, _ input: SiteInput, _ templates: ThemeTemplates
) -> PageFile {
    let site = input.facts
    let sections = input.content.sections(above: page)
    return PageFile(page.path, templates.content) {
        ContentPage(
            title: page.title, heading: page.text.heading, source: page.text.source,
            markdown: page.text.markdown, summary: page.summary,
            sections: sections, blocks: blocks, site: site)
    }
}
