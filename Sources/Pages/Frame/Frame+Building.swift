import Analysis
import AppHealth
import Formatting

extension Frame {
    /// The frame of a page of the site.
    package init(
        _ path: SitePath, title: String, summary: String, freshness: String,
        crumbs: [(String, SitePath)] = [],
        hasData: Bool = false, tables: [String] = [], site: SiteFacts
    ) {
        let links = site.links(from: path)
        self.siteTitle = site.title
        self.title = title
        self.summary = summary
        self.root = path.root
        self.stem = path.stem
        self.isDemo = site.isDemo
        self.asOf = site.asOf.tableText
        self.freshness = freshness
        self.isIndexed = site.isIndexed
        self.audience = site.audience
        self.leftOut = leftOutSentence(site.audience)
        self.hasApps = site.hasApps
        self.hasData = hasData
        self.tables = tables
        self.crumbs = crumbs.map { LinkItem(title: $0, stem: links.stem(to: $1), isCurrent: false) }
        let own = site.contentPages.map { ($0.title, $0.path) }
        let pages =
            site.hasApps
            ? [("Apps", SitePath.portfolio)] + own + [("Methods", .methods), ("Sources", .health)] : own
        self.navigation = pages.map {
            LinkItem(title: $0.0, stem: links.stem(to: $0.1), isCurrent: $0.1 == path)
        }
    }
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
func leftOutSentence(_ audience: Audience) -> String? {
    guard audience.leavesOut else { return nil }
    var parts: [String] = []
    if audience.hidesCounts { parts.append("counts of users, sessions and events") }
    if audience.titles == .hidden { parts.append("titles of issues") }
    if audience.reader == .public {
        parts += ["code places", "notes", "names", "mutes", "links into services", "the words of errors"]
    }
    let list = parts.dropLast().joined(separator: ", ") + (parts.count > 1 ? " and " : "")
    return "Left out of this edition: \(list)\(parts.last ?? "")."
}
