package import Analysis
import AppHealth
import Formatting
import Settings
package import Templates

/// What is around every page: titles, ways to other pages, how fresh the figures are.
package struct Frame: TemplateModel {
    package static let modelName = "frame"
    package var siteTitle: String
    package var title: String
    package var summary: String
    package var root: String
    package var stem: String
    package var isDemo: Bool
    package var asOf: String?
    package var freshness: String
    package var isIndexed: Bool
    /// The audience.
    package var audience: Audience
    package var isPublic: Bool { audience.reader == .public }
    package var hidden: String?
    package var hasApps: Bool
    package var hasData: Bool
    /// What is written of the page and next to it, of that which the page has.
    let outputs: Set<PageOutput>
    /// Whether `data.json` is next to the page.
    package var hasJSON: Bool { hasData && outputs.contains(.json) }
    /// Whether `data.csv` is.
    package var hasCSV: Bool { hasData && outputs.contains(.csv) }
    /// Whether its Markdown version is next to the page.
    package var hasMarkdown: Bool { outputs.contains(.markdown) }
    /// Whether its charts have files.
    package var hasChartFiles: Bool { outputs.contains(.charts) }
    package var tables: [String]
    package var crumbs: [LinkItem]
    package var group: LinkItem?
    package var navigation: [LinkItem]
    package var failedChecks: [DiagnosticView] = []

    package static let fields: [Field<Frame>] = [
        .text("siteTitle", "The name of the site, such as `Harbour apps`", \.siteTitle),
        .text("title", "The name of the page, such as `Sketchbook`", \.title),
        .text("summary", "One sentence about the page", \.summary),
        .url("root", "The way to the top of the site, such as `../../`; empty at the top", \.root),
        .url("stem", "The page's own address without ending, such as `apps/sketchbook/index`", \.stem),
        .flag("isDemo", "True when the data is made up", \.isDemo),
        .optionalText(
            "asOf",
            "The instant of the report, such as `2026-11-20 06:30 UTC`; only on the pages that show how things are now: those of all apps, of sources, and an app's overview",
            \.asOf),
        .text(
            "freshness",
            "How fresh the data is, such as `Data through Thu, Nov 19, 2026 (UTC).`; empty when no data is on the page",
            \.freshness
        ),
        .flag("hasFreshness", "True when there is data on the page") { !$0.freshness.isEmpty },
        .flag("isIndexed", "True when search engines may list the page", \.isIndexed),
        .flag("isPublic", "True when notes, names and code locations are hidden", \.isPublic),
        .optionalText(
            "hidden",
            "What is hidden, such as `Hidden on this site: issue titles and notes.`",
            \.hidden),
        .flag("hasApps", "True when the site reports on apps; false for a site of pages alone", \.hasApps),
        .flag("hasMarkdown", "True when its Markdown version is next to the page", \.hasMarkdown),
        .flag("hasData", "True when data is next to the page", \.hasData),
        .flag("hasJSON", "True when `data.json` is next to the page", \.hasJSON),
        .flag("hasCSV", "True when `data.csv` is next to the page", \.hasCSV),
        .texts(
            "tables", "The other tables next to the page: `releases` is `data-releases.csv`", \.tables),
        .list("crumbs", "The way from the home page to this one", \.crumbs),
        .optional(
            "group", "The group that the page leads back to; absent when the app is in none", \.group),
        .list("navigation", "The pages that every page leads to", \.navigation),
        .list(
            "failedChecks", "What the report found wrong with the page when it checked itself", \.failedChecks
        ),
        .flag("hasFailedChecks", "True when there is at least one") { !$0.failedChecks.isEmpty },
    ]
}

/// A link to a page of the site.
package struct LinkItem: TemplateModel {
    package static let modelName = "link-item"
    package var title: String
    package var stem: String?
    package var isCurrent: Bool

    package static let fields: [Field<LinkItem>] = [
        .text("title", "What the link says, such as `Issues`", \.title),
        .optionalUrl(
            "stem", "The address without ending, such as `../issues/index`; absent when there is none", \.stem
        ),
        .flag("isCurrent", "True for the page it is on", \.isCurrent),
    ]
}

extension Frame {
    /// The frame of a page of the site.
    package init(
        _ path: SitePath, title: String, summary: String, freshness: String,
        crumbs: [(String, SitePath)] = [],
        hasData: Bool = false, tables: [String] = [], showsInstant: Bool = false, site: SiteFacts
    ) {
        let links = site.links(from: path)
        self.siteTitle = site.title
        self.title = title
        self.summary = summary
        self.root = path.root
        self.stem = path.stem
        self.isDemo = site.isDemo
        self.asOf = showsInstant ? site.asOf.tableText : nil
        self.freshness = freshness
        self.isIndexed = site.isIndexed
        self.audience = site.audience
        self.hidden = hiddenSentence(site.audience)
        self.hasApps = site.hasApps
        self.outputs = site.outputs[path.kind]
        self.hasData = hasData && !outputs.isDisjoint(with: [.json, .csv])
        self.tables = tables
        self.crumbs = crumbs.map { LinkItem(title: $0, stem: links.stem(to: $1), isCurrent: false) }
        self.group = zip(crumbs, self.crumbs).first { $0.0.1.isOfGroups }?.1
        let own = site.contentPages.map { ($0.title, $0.path) }
        let pages =
            site.hasApps
            ? [("Apps", SitePath.portfolio)] + own + [("Methods", .methods), ("Data sources", .sources)] : own
        self.navigation = pages.map {
            LinkItem(title: $0.0, stem: links.stem(to: $0.1), isCurrent: $0.1 == path)
        }
    }
}

extension App {
    /// The way from the entry page to the overview of the app, without the overview.
    var wayAbove: [(String, SitePath)] {
        [("Apps", .portfolio)] + (group.map { [($0, .group($0))] } ?? [])
    }

    /// The way from the entry page to the overview of the app.
    var way: [(String, SitePath)] { wayAbove + [(name, .app(id))] }
}

/// The pages of one app as links from one of them.
func partLinks(of app: App, from path: SitePath, _ links: Links) -> [LinkItem] {
    let pages =
        [("Overview", SitePath.app(app.id))]
        + AppPart.allCases.map {
            ($0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst(), SitePath.part($0, of: app.id))
        }
    return pages.map { LinkItem(title: $0.0, stem: links.stem(to: $0.1), isCurrent: $0.1 == path) }
}

/// What a site leaves out for its readers; nil when it shows everything.
func hiddenSentence(_ audience: Audience) -> String? {
    guard audience.hidesData else { return nil }
    var parts: [String] = []
    if audience.hidesCounts { parts.append("counts of users, sessions and events") }
    if audience.titles == .hidden { parts.append("issue titles") }
    if audience.reader == .public {
        parts += ["code locations", "notes", "names", "mutes", "links to services", "error messages"]
    }
    let list = parts.dropLast().joined(separator: ", ") + (parts.count > 1 ? " and " : "")
    return "Hidden on this site: \(list)\(parts.last ?? "")."
}
