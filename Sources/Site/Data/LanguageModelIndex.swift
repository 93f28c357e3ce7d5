import AppHealth
import Markup
import Pages
import Settings

/// `llms.txt` (llmstxt.org): what the site is and where its compact Markdown versions are, for language models. It holds no
/// figures, so it changes only when an app or a page comes or goes.
func languageModelIndex(_ digests: [AppSummaryRow], _ schemas: [String], _ input: SiteInput) -> [UInt8] {
    let site = input.facts
    guard site.hasApps else { return contentIndex(input) }
    let demo = site.isDemo ? " All apps, numbers and names are made up." : ""
    var entries = [
        entry("All apps", site.address(of: .portfolio), "apps that need attention first"),
        entry("Methods", "methods/index.md", "every formula and rule with its constants"),
        entry("Data sources", "sources/index.md", "each source, its age and its failures"),
        entry(
            "All of these in one file", mainPagesFile,
            "the Markdown of the main pages of all apps, without data tables"),
        entry("status.json", "status.json", "status of apps and sources for monitors"),
    ]
    if site.hasJSON(.apps) {
        entries.append(entry("data.json", "data.json", "apps and recent activity as typed tables"))
    }
    entries.append(
        entry("feed.json", "feed.json", "activity of all apps (JSON Feed 1.1); feed.xml is the same as Atom"))
    entries += AppLists(digests).pages.filter(\.isFirst).map {
        entry($0.list.name, site.address(of: $0.path), $0.list.summary)
    }
    entries += input.content.pages.map { entry($0.title, $0.path.stem + ".md", "a page of the site's owner") }
    var blocks: [Block] = [
        .heading([.text(site.title)], level: 1),
        .lines([
            [
                .text(
                    "Stability and usage of apps, as reported by their crash reporters and analytics; each rate with its 95% interval.\(demo) "
                        + "\(site.pagesWithMarkdown) a Markdown version at the same URL with .md\(site.markdown.aside). Missing, failed, stale and low-precision data are marked, and never shown as zero."
                )
            ]
        ]),
        .heading([.text("Site")], level: 2),
        .list(entries),
    ]
    for digest in digests {
        blocks.append(.heading([.text(digest.name)], level: 2))
        blocks.append(.list(appEntries(digest, site)))
    }
    if !schemas.isEmpty {
        blocks.append(.heading([.text("Schemas")], level: 2))
        blocks.append(.list(schemas.map { entry($0, "schema/" + $0, "JSON Schema 2020-12") }))
    }
    return Array(documentText(blocks, in: .commonmark).utf8)
}

/// What is worth reading of an app.
private func appEntries(_ digest: AppSummaryRow, _ site: SiteFacts) -> [[Span]] {
    let folder = SitePath.app(digest.id).folder
    func address(_ part: AppPart) -> String { site.address(of: .part(part, of: digest.id)) }
    var entries = [
        entry("Overview", site.address(of: .app(digest.id)), "status, metrics, top issues, releases, notes")
    ]
    if site.hasJSON(.overview) {
        entries.append(
            entry("Daily data", folder + "data.json", "stability by day, releases, error budget"))
    }
    return entries + [
        entry("Issues", address(.issues), "ranked" + site.dataNextTo(.issues)),
        entry(
            "Releases", address(.releases),
            "with verdicts; links to release and comparison pages" + site.dataNextTo(.releases)),
        entry("Usage", address(.usage), "active users" + site.dataNextTo(.usage)),
        entry("Activity", address(.activity), "alerts, notes and changes"),
        entry("Feed", folder + "feed.json", "activity of this app"),
    ]
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
                entry(input.content.introductionTitle ?? site.title, "index.md", "the home page"),
                entry("All pages in one file", mainPagesFile, "their Markdown"),
            ] + pages),
    ]
    return Array(documentText(blocks, in: .commonmark).utf8)
}

extension SiteFacts {
    /// The Markdown version of a page, or its HTML where there is none.
    fileprivate func address(of path: SitePath) -> String {
        path.stem + (outputs[path.kind].contains(.markdown) ? ".md" : ".html")
    }

    /// Which pages have a Markdown version, as a sentence begins.
    fileprivate var pagesWithMarkdown: String {
        outputs.haveMarkdown ? "Every HTML page has" : "Pages have, unless a link leads to their HTML,"
    }

    /// Whether `data.json` is next to the pages of a kind.
    fileprivate func hasJSON(_ kind: PageKind) -> Bool { outputs[kind].contains(.json) }

    fileprivate func dataNextTo(_ kind: PageKind) -> String {
        hasJSON(kind) ? "; data.json next to it" : ""
    }
}

extension MarkdownDialect {
    /// What a program has to know of the Markdown versions.
    fileprivate var aside: String {
        switch self {
        case .github: ""
        case .commonmark: ", with lists instead of tables"
        case .plain: ", which is text without markup here"
        case .slack: ", which is Slack's mrkdwn here"
        }
    }
}

private func entry(_ name: String, _ address: String, _ words: String) -> [Span] {
    [.link(name, to: address), .text(": \(words)")]
}
