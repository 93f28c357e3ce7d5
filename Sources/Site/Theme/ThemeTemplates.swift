package import Diagnostics
import Markup
package import Pages
package import Templates

/// The HTML and the Markdown template of one page model.
package struct PageTemplates<Page: TemplateModel>: Sendable {
    /// For `.html`.
    let html: Template<Page>
    /// For `.md`.
    let markdown: Template<Page>
}

/// All templates of a theme, resolved against the page models: it exists only when every name in them does.
package struct ThemeTemplates: Sendable {
    let portfolio: PageTemplates<PortfolioPage>
    let list: PageTemplates<ListPage>
    let app: PageTemplates<AppPage>
    let activity: PageTemplates<ActivityPage>
    let issues: PageTemplates<IssuesPage>
    let issue: PageTemplates<IssuePage>
    let releases: PageTemplates<ReleasesPage>
    let release: PageTemplates<ReleasePage>
    let compare: PageTemplates<ComparePage>
    let day: PageTemplates<DayPage>
    let usage: PageTemplates<UsagePage>
    let week: PageTemplates<WeekPage>
    let methods: PageTemplates<MethodsPage>
    let sources: PageTemplates<SourcesPage>
    let notFound: PageTemplates<NotFoundPage>
    let content: PageTemplates<ContentPage>
    /// The summary of a day or a release in each dialect.
    package let summary: SummaryWriter
    let singleFile: Template<SingleFilePage>
    /// What the templates lead to.
    package let assets: ThemeAssets
    /// The paths of the files that some page uses.
    package let usedPaths: Set<String>
    /// The numbers in the words of its HTML templates over those of the default theme.
    let ownNumbers: [ShownNumber]

    /// Loads every template of a theme.
    ///
    /// - Returns: the templates, or nil when anything is wrong; and everything that is wrong.
    package static func load(_ layers: ThemeLayers) -> (ThemeTemplates?, [Diagnostic]) {
        let (assets, problems) = ThemeAssets.load(layers)
        guard assets.isComplete else { return (nil, problems) }
        var loader = ThemeLoader(
            library: TemplateLibrary(lookup: layers.lookup, assets: assets.names), problems: problems)
        let portfolio = loader.pair(PortfolioPage.self)
        let list = loader.pair(ListPage.self)
        let app = loader.pair(AppPage.self)
        let activity = loader.pair(ActivityPage.self)
        let issues = loader.pair(IssuesPage.self)
        let issue = loader.pair(IssuePage.self)
        let releases = loader.pair(ReleasesPage.self)
        let release = loader.pair(ReleasePage.self)
        let compare = loader.pair(ComparePage.self)
        let day = loader.pair(DayPage.self)
        let usage = loader.pair(UsagePage.self)
        let week = loader.pair(WeekPage.self)
        let methods = loader.pair(MethodsPage.self)
        let sources = loader.pair(SourcesPage.self)
        let notFound = loader.pair(NotFoundPage.self)
        let content = loader.pair(ContentPage.self)
        let summary = loader.summary(layers)
        let singleFile = loader.single(SingleFilePage.self, .html)
        guard let portfolio, let list, let app, let activity, let issues, let issue, let releases,
            let release,
            let compare, let day, let usage, let week, let methods, let sources, let notFound, let content,
            let summary,
            let singleFile
        else { return (nil, loader.problems) }
        guard problems.isEmpty else { return (nil, problems) }
        return (
            ThemeTemplates(
                portfolio: portfolio, list: list, app: app, activity: activity, issues: issues, issue: issue,
                releases: releases, release: release, compare: compare, day: day, usage: usage,
                week: week, methods: methods,
                sources: sources,
                notFound: notFound, content: content, summary: summary, singleFile: singleFile,
                assets: assets, usedPaths: loader.library.usedPaths, ownNumbers: loader.ownNumbers(layers)),
            loader.problems
        )
    }
}

/// Loads templates and gathers what is wrong with them; a mistake in a shared partial is reported once.
private struct ThemeLoader {
    var library: TemplateLibrary
    var problems: [Diagnostic]

    /// A theme may leave the summary to the program; one that it has must be right.
    mutating func summary(_ layers: ThemeLayers) -> SummaryWriter? {
        if case .missing = layers.lookup(.page, SummaryDocument.modelName, .markdown) {
            return SummaryWriter(template: nil)
        }
        return single(SummaryDocument.self, .markdown).map { SummaryWriter(template: $0) }
    }

    func ownNumbers(_ layers: ThemeLayers) -> [ShownNumber] {
        let base = (layers.folders.last ?? "") + "/"
        let own = library.literals(in: .html).filter { !$0.key.hasPrefix(base) }
        return own.sorted { $0.key < $1.key }.flatMap { shownNumbers(inHTML: $0.value) }
    }

    mutating func pair<Page: TemplateModel>(_ page: Page.Type) -> PageTemplates<Page>? {
        let html = single(page, .html)
        let markdown = single(page, .markdown)
        guard let html, let markdown else { return nil }
        return PageTemplates(html: html, markdown: markdown)
    }

    mutating func single<Page: TemplateModel>(_ page: Page.Type, _ language: OutputLanguage) -> Template<
        Page
    >? {
        do throws(TemplateErrors) {
            return try library.template(page.modelName, for: page, in: language)
        } catch {
            for diagnostic in error.errors.map(\.diagnostic) where !problems.contains(diagnostic) {
                problems.append(diagnostic)
            }
            return nil
        }
    }
}
