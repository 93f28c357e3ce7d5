import Analysis
import AppHealth
import Diagnostics
import Pages

/// The pages of one app.
func appFiles(_ report: AppReport, _ templates: ThemeTemplates, _ site: SiteFacts) -> [PageFile] {
    let app = report.app.id
    let name = report.app.name
    @Sendable func document(_ tables: DataTable...) -> DataDocument {
        DataDocument(title: name, site: site, tables: tables)
    }
    let parts = [
        PageFile(
            .app(app), templates.app,
            data: { document(report.healthTable, report.releasesTable, report.budgetTable) },
            checks: { report.mismatches(in: $0) }
        ) {
            AppPage(report, site: site)
        },
        PageFile(.part(.activity, of: app), templates.activity, data: { document(eventsTable(report.items)) })
        { ActivityPage(report, site: site) },
        PageFile(.part(.issues, of: app), templates.issues, data: { document(report.issuesTable) }) {
            IssuesPage(report, site: site)
        },
        PageFile(.part(.releases, of: app), templates.releases, data: { document(report.releasesTable) }) {
            ReleasesPage(report, site: site)
        },
        PageFile(
            .part(.usage, of: app), templates.usage, data: { document(report.usageTable) },
            checks: { report.mismatches(in: $0) }
        ) {
            UsagePage(report, site: site)
        },
    ]
    return parts + weekFiles(report, templates, site) + issueFiles(report, templates, site)
        + releaseFiles(report, templates, site) + compareFiles(report, templates, site)
        + dayFiles(report, templates, site)
}

private func weekFiles(_ report: AppReport, _ templates: ThemeTemplates, _ site: SiteFacts) -> [PageFile] {
    report.activeWeeks.map { week in
        PageFile(.activity(week, of: report.app.id), templates.activity) {
            ActivityPage(week, report, site: site)
        }
    }
}

private func issueFiles(_ report: AppReport, _ templates: ThemeTemplates, _ site: SiteFacts) -> [PageFile] {
    report.rankedIssues.map { issue in
        let data: @Sendable () -> DataDocument = {
            DataDocument(title: issue.title, site: site, tables: [report.daysTable(of: issue)])
        }
        return PageFile(.issue(issue.id, of: report.app.id), templates.issue, data: data) {
            IssuePage(issue, report, site: site)
        }
    }
}

private func releaseFiles(_ report: AppReport, _ templates: ThemeTemplates, _ site: SiteFacts) -> [PageFile] {
    report.releases.flatMap { release -> [PageFile] in
        let path = SitePath.release(release.version.label, of: report.app.id)
        let data: @Sendable () -> DataDocument = {
            DataDocument(
                title: "\(report.app.name) \(release.version)", site: site,
                tables: [
                    report.daysTable(of: release), report.issuesTable(of: release),
                    report.agesTable(of: release),
                ])
        }
        return [
            PageFile(path, templates.release, data: data, checks: { report.mismatches(in: $0) }) {
                ReleasePage(release, report, site: site)
            },
            PageFile(summaryBeside: path, templates.summary) {
                SummaryDocument(release: release, report, site.outwardLinks, isDemo: site.isDemo)
            },
        ]
    }
}

private func compareFiles(_ report: AppReport, _ templates: ThemeTemplates, _ site: SiteFacts) -> [PageFile] {
    report.pairs.map { pair in
        let data: @Sendable () -> DataDocument = {
            DataDocument(
                title: "\(report.app.name) \(pair.later.version) beside \(pair.earlier.version)", site: site,
                tables: [report.differencesTable(of: pair), report.comparedIssuesTable(of: pair)])
        }
        return PageFile(
            report.path(of: pair), templates.compare, data: data, checks: { report.mismatches(in: $0) }
        ) {
            ComparePage(pair, report, site: site)
        }
    }
}

private func dayFiles(_ report: AppReport, _ templates: ThemeTemplates, _ site: SiteFacts) -> [PageFile] {
    report.evidence.days.flatMap { day -> [PageFile] in
        let path = SitePath.day(day, of: report.app.id)
        let data: @Sendable () -> DataDocument = {
            let tables = [
                report.issuesTable(of: day), report.healthTable(of: day),
                report.healthAsReportedTable(of: day),
            ]
            return DataDocument(title: "\(report.app.name), \(day)", site: site, tables: tables)
        }
        return [
            PageFile(path, templates.day, data: data, checks: { report.mismatches(in: $0, day) }) {
                DayPage(day, report, site: site)
            },
            PageFile(summaryBeside: path, templates.summary) {
                SummaryDocument(day: day, report, site.outwardLinks, isDemo: site.isDemo)
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
