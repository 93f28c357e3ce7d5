import AppHealth
import Markup

extension ContentPage {
    /// A page that the site's owner wrote.
    package init(_ path: SitePath, title: String, source: String, summary: String, site: SiteFacts) {
        self.frame = Frame(
            path, title: title, summary: summary, freshness: "", crumbs: [("Apps", .portfolio)], site: site)
        self.title = title
        self.source = source
        self.contents = commonMarkPage(source).headings.map {
            ContentsRow(title: $0.text, anchor: $0.id, level: $0.level)
        }
    }
}
