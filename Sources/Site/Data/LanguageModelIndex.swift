import AppHealth
import Markup
import Pages

/// `llms.txt` (llmstxt.org): what the site is and where its compact twins are, for programs that read. It holds no
/// figures, so it changes only when an app or a page comes or goes.
func languageModelIndex(_ digests: [AppSummaryRow], _ schemas: [String], _ input: SiteInput) -> [UInt8] {
    let site = input.facts
    guard site.hasApps else { return contentIndex(input) }
    let demo = site.isDemo ? " Every app, figure and name is invented." : ""
    var blocks: [Block] = [
        .heading([.text(site.title)], level: 1),
        .lines([
            [
                .text(
                    "Stability and usage of apps, as their crash reporters and analytics told them; each rate with its 95% interval.\(demo) "
                        + "Every HTML page has a Markdown twin at the same address with .md\(site.markdown.aside). Missing, failed, stale and too little data are told apart, and none of them is zero."
                )
            ]
        ]),
        .heading([.text("Site")], level: 2),
        .list(
            [
                entry("State of all apps", "index.md", "the apps that need attention first"),
                entry(
                    "How the numbers are made", "methods/index.md",
                    "every formula and rule with its constants"),
                entry("What was fetched", "health/index.md", "each source, its age and its failures"),
                entry(
                    "All of these in one file", mainPagesFile,
                    "the Markdown of the main pages of all apps, without the numbers behind charts"),
                entry("status.json", "status.json", "verdicts and states of sources for monitors"),
                entry("data.json", "data.json", "the apps and the last events as typed tables"),
                entry(
                    "feed.json", "feed.json",
                    "events of all apps (JSON Feed 1.1); feed.xml is the same as Atom"),
            ]
                + input.content.pages.map {
                    entry($0.title, $0.path.stem + ".md", "a page of the site's owner")
                }),
    ]
    for digest in digests {
        let folder = SitePath.app(digest.id).folder
        blocks.append(.heading([.text(digest.name)], level: 2))
        blocks.append(
            .list([
                entry("Overview", folder + "index.md", "verdict, figures, top issues, releases, notes"),
                entry("Days by number", folder + "data.json", "health of every day, releases, error budget"),
                entry("Issues", folder + "issues/index.md", "ranked; data.json beside it"),
                entry(
                    "Releases", folder + "releases/index.md",
                    "with their verdicts; each leads to its page and to pages beside others; data.json beside it"
                ),
                entry("Usage", folder + "usage/index.md", "active users; data.json beside it"),
                entry(
                    "Activity", folder + "activity/index.md", "alerts and other events; data.json beside it"),
                entry("Feed", folder + "feed.json", "events of this app"),
            ]))
    }
    if !schemas.isEmpty {
        blocks.append(.heading([.text("Schemas")], level: 2))
        blocks.append(.list(schemas.map { entry($0, "schema/" + $0, "JSON Schema 2020-12") }))
    }
    return Array(documentText(blocks, in: .commonmark).utf8)
}

/// `llms.txt` of a site without apps.
private func contentIndex(_ input: SiteInput) -> [UInt8] {
    let site = input.facts
    let pages = input.content.pages.map { entry($0.title, $0.path.stem + ".md", $0.summary) }
    let blocks: [Block] = [
        .heading([.text(site.title)], level: 1),
        .lines([[.text("Every page has a Markdown version at the same URL with .md\(site.markdown.aside).")]]
        ),
        .list(
            [
                entry(input.content.introductionTitle ?? site.title, "index.md", "the entry page"),
                entry("All pages in one file", mainPagesFile, "their Markdown"),
            ] + pages),
    ]
    return Array(documentText(blocks, in: .commonmark).utf8)
}

extension MarkdownDialect {
    /// What a program that reads has to know of the twins.
    fileprivate var aside: String {
        switch self {
        case .github: ""
        case .commonmark: ", with lists in the place of tables"
        case .plain: ", which is text without markup here"
        case .slack: ", which is Slack's mrkdwn here"
        }
    }
}

private func entry(_ name: String, _ address: String, _ words: String) -> [Span] {
    [.link(name, to: address), .text(": \(words)")]
}
