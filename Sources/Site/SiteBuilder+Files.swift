import Analysis
import AppHealth
import Diagnostics
import Pages

/// The pages of one app.
func appFiles(_ analysis: AppAnalysis, _ templates: ThemeTemplates, _ site: SiteFacts) -> [PageFile] {
    let app = analysis.facts.app.id
    let name = analysis.facts.app.name
    @Sendable func document(_ tables: DataTable...) -> DataDocument {
        DataDocument(title: name, site: site, tables: tables)
    }
    let parts = [
        PageFile(
            .app(app), templates.app,
            data: { document(analysis.healthTable, analysis.releasesTable, analysis.budgetTable) },
            checks: { analysis.mismatches(in: $0) }
        ) {
            AppPage(analysis, site: site)
        },
        PageFile(
            .part(.activity, of: app), templates.activity, data: { document(eventsTable(analysis.items)) }
        ) { ActivityPage(analysis, site: site) },
        PageFile(.part(.issues, of: app), templates.issues, data: { document(analysis.issuesTable) }) {
            IssuesPage(analysis, site: site)
        },
        PageFile(.part(.releases, of: app), templates.releases, data: { document(analysis.releasesTable) }) {
            ReleasesPage(analysis, site: site)
        },
        PageFile(
            .part(.usage, of: app), templates.usage, data: { document(analysis.usageTable) },
            checks: { analysis.mismatches(in: $0) }
        ) {
            UsagePage(analysis, site: site)
        },
    ]
    return parts + weekFiles(analysis, templates, site) + issueFiles(analysis, templates, site)
        + releaseFiles(analysis, templates, site) + compareFiles(analysis, templates, site)
        + dayFiles(analysis, templates, site)
}

private func weekFiles(_ analysis: AppAnalysis, _ templates: ThemeTemplates, _ site: SiteFacts) -> [PageFile]
{
    analysis.activity.weeks.map { week in
        PageFile(.activity(week, of: analysis.facts.app.id), templates.activity) {
            ActivityPage(week, analysis, site: site)
        }
    }
}

private func issueFiles(_ analysis: AppAnalysis, _ templates: ThemeTemplates, _ site: SiteFacts) -> [PageFile]
{
    analysis.issues.all.map { issue in
        let data: @Sendable () -> DataDocument = {
            DataDocument(title: issue.issue.title, site: site, tables: [analysis.daysTable(of: issue)])
        }
        return PageFile(.issue(issue.issue.id, of: analysis.facts.app.id), templates.issue, data: data) {
            IssuePage(issue, analysis, site: site)
        }
    }
}

private func releaseFiles(_ analysis: AppAnalysis, _ templates: ThemeTemplates, _ site: SiteFacts)
    -> [PageFile]
{
    analysis.releases.all.flatMap { release -> [PageFile] in
        let path = SitePath.release(release.label, of: analysis.facts.app.id)
        let data: @Sendable () -> DataDocument = {
            DataDocument(
                title: "\(analysis.facts.app.name) \(release.release.version)", site: site,
                tables: [
                    analysis.daysTable(of: release), analysis.issuesTable(of: release),
                    analysis.agesTable(of: release),
                ])
        }
        return [
            PageFile(path, templates.release, data: data, checks: { analysis.mismatches(in: $0) }) {
                ReleasePage(release, analysis, site: site)
            },
            PageFile(summaryNextTo: path, templates.summary) {
                SummaryDocument(release: release, analysis, site.outwardLinks, isDemo: site.isDemo)
            },
        ]
    }
}

private func compareFiles(_ analysis: AppAnalysis, _ templates: ThemeTemplates, _ site: SiteFacts)
    -> [PageFile]
{
    analysis.releases.pairs.map { pair in
        let data: @Sendable () -> DataDocument = {
            DataDocument(
                title: "\(analysis.facts.app.name) \(pair.later.version) vs. \(pair.earlier.version)",
                site: site,
                tables: [analysis.differencesTable(of: pair), analysis.comparedIssuesTable(of: pair)])
        }
        return PageFile(
            pair.path(of: analysis.facts.app.id), templates.compare, data: data,
            checks: { analysis.mismatches(in: $0) }
        ) {
            ComparePage(pair, analysis, site: site)
        }
    }
}

private func dayFiles(_ analysis: AppAnalysis, _ templates: ThemeTemplates, _ site: SiteFacts) -> [PageFile] {
    analysis.facts.days.flatMap { day -> [PageFile] in
        let path = SitePath.day(day, of: analysis.facts.app.id)
        let data: @Sendable () -> DataDocument = {
            let tables = [
                analysis.issuesTable(of: day), analysis.healthTable(of: day),
                analysis.healthAsReportedTable(of: day),
            ]
            return DataDocument(title: "\(analysis.facts.app.name), \(day)", site: site, tables: tables)
        }
        return [
            PageFile(path, templates.day, data: data, checks: { analysis.mismatches(in: $0, day) }) {
                DayPage(day, analysis, site: site)
            },
            PageFile(summaryNextTo: path, templates.summary) {
                SummaryDocument(day: day, analysis, site.outwardLinks, isDemo: site.isDemo)
            },
        ]
    }
}

/// The page of sources and failed checks, which is made when all other pages have been checked.
func healthFile(
    _ digests: [AppSummaryRow], _ muteProblems: [Diagnostic], _ failedChecks: [Diagnostic],
    _ input: SiteInput,
    _ templates: ThemeTemplates
) -> PageFile {
    let site = input.facts
    let sources: @Sendable () -> DataDocument = {
        DataDocument(title: site.title, site: site, tables: [AppSummaryRow.sourcesTable(digests)])
    }
    return PageFile(.health, templates.health, data: sources) {
        HealthPage(digests, mutes: muteProblems, failedChecks: failedChecks, site: site)
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
            title: site.title, site: site,
            tables: [AppSummaryRow.table(digests), eventsTable(feedItems(digests))])
    }
    let own = [
        PageFile(.portfolio, templates.portfolio, data: table, checks: \.mismatches) {
            PortfolioPage(digests, introduction: live.introduction, site: site)
        },
        PageFile(.methods, templates.methods) {
            MethodsPage(
                digests, targets: levels, rules: standardRules, introduction: live.methods, site: site)
        },
        PageFile(.notFound, templates.notFound, isListed: false) { NotFoundPage(site: site) },
    ]
    return own + live.pages.map { page, blocks in contentFile(page, blocks, input, templates) }
}

/// The pages of a site without apps: the owner's, of which `index.md` is the entry page.
private func contentFiles(
    _ live: LiveContent, _ input: SiteInput, _ templates: ThemeTemplates
) -> [PageFile] {
    let site = input.facts
    let entry = input.content.introduction.map { text in
        PageFile(.portfolio, templates.content) {
            ContentPage(
                title: input.content.introductionTitle ?? site.title, source: text.source,
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
            title: page.title, source: page.text.source, markdown: page.text.markdown, summary: page.summary,
            sections: sections, blocks: blocks, site: site)
    }
}
