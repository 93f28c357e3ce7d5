import Alerts
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
            data: { document(report.healthTable, report.releasesTable, report.budgetTable) }
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
        PageFile(.part(.usage, of: app), templates.usage, data: { document(report.usageTable) }) {
            UsagePage(report, site: site)
        },
    ]
    return parts + issueFiles(report, templates, site) + releaseFiles(report, templates, site)
        + dayFiles(report, templates, site)
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
            PageFile(path, templates.release, data: data) { ReleasePage(release, report, site: site) },
            PageFile(summaryBeside: path, templates.summary) {
                SummaryDocument(release: release, report, site.outwardLinks, isDemo: site.isDemo)
            },
        ]
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
            PageFile(path, templates.day, data: data) { DayPage(day, report, site: site) },
            PageFile(summaryBeside: path, templates.summary) {
                SummaryDocument(day: day, report, site.outwardLinks, isDemo: site.isDemo)
            },
        ]
    }
}

/// The pages of the whole site.
func siteFiles(
    _ digests: [AppDigest], _ muteProblems: [Diagnostic], _ input: SiteInput, _ templates: ThemeTemplates
) -> [PageFile] {
    let site = input.facts
    let content = input.content
    let levels = input.apps.map { (app: $0.app.name, levels: $0.targets) }
    let table: @Sendable () -> DataDocument = {
        DataDocument(
            title: site.title, site: site,
            tables: [AppDigest.table(digests), eventsTable(feedItems(digests))])
    }
    let sources: @Sendable () -> DataDocument = {
        DataDocument(title: site.title, site: site, tables: [AppDigest.sourcesTable(digests)])
    }
    let own = [
        PageFile(.portfolio, templates.portfolio, data: table) {
            PortfolioPage(digests, introduction: content.introduction, site: site)
        },
        PageFile(.methods, templates.methods) {
            MethodsPage(
                digests, targets: levels, rules: standardRules, introduction: content.methods, site: site)
        },
        PageFile(.health, templates.health, data: sources) {
            HealthPage(digests, mutes: muteProblems, site: site)
        },
        PageFile(.notFound, templates.notFound, isListed: false) { NotFoundPage(site: site) },
    ]
    return own
        + content.pages.map { page in
            PageFile(page.path, templates.content) {
                ContentPage(
                    page.path, title: page.title, source: page.source, summary: page.summary, site: site)
            }
        }
}
