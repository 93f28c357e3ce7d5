import Markup

extension ContentPage {
    /// A page that the site's owner wrote, with what its fences show.
    package init(title: String, source: String, summary: String, blocks: LiveBlocks, site: SiteFacts) {
        self.frame = Frame(
            blocks.path, title: title, summary: summary, freshness: "", crumbs: [("Apps", .portfolio)],
            site: site)
        self.title = title
        // The ids of the page itself.
        self.body = blocks.body(source, options: .init(takenAnchors: ["main", "contents"]))
        self.contents = body.headings.map { ContentsRow(title: $0.text, anchor: $0.id, level: $0.level) }
    }
}

extension LiveBlocks {
    /// The owner's words on one of the site's own pages; their anchors are apart from those of the page.
    package func introduction(_ source: String?) -> ContentBody? {
        source.map { body($0, options: .init(anchorPrefix: "words-")) }
    }
}
