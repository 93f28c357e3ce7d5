import Markup

extension ContentPage {
    /// A page that the site's owner wrote, with what its fences show.
    ///
    /// - Parameters:
    ///   - source: the text for the HTML.
    ///   - markdown: the text for the Markdown version.
    ///   - sections: the pages between the entry page and this one.
    package init(
        title: String, source: String, markdown: String? = nil, summary: String,
        sections: [(title: String, path: SitePath)] = [], blocks: LiveBlocks, site: SiteFacts
    ) {
        let home = (title: site.hasApps ? "Apps" : site.title, path: SitePath.portfolio)
        self.frame = Frame(
            blocks.path, title: title, summary: summary, freshness: "",
            crumbs: blocks.path == .portfolio ? [] : ([home] + sections).map { ($0.title, $0.path) },
            site: site)
        self.title = title
        // The ids of the page itself.
        self.body = blocks.body(
            source, markdown: markdown, options: .init(takenAnchors: ["main", "contents"]))
        self.contents = body.headings.map { ContentsRow(title: $0.text, anchor: $0.id, level: $0.level) }
    }
}

extension LiveBlocks {
    /// The owner's words on one of the site's own pages; their anchors are apart from those of the page.
    package func introduction(_ source: String?, markdown: String? = nil) -> ContentBody? {
        source.map { body($0, markdown: markdown, options: .init(anchorPrefix: "words-")) }
    }
}
