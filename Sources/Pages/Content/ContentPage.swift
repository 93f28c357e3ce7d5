import Markup
package import Templates

/// A page that the site's owner wrote in CommonMark.
package struct ContentPage: TemplateModel {
    package static let modelName = "content"
    package var frame: Frame
    package var title: String
    /// The text without its title, and the live blocks in it.
    package var body: ContentBody
    package var contents: [ContentsRow]

    package static let fields: [Field<ContentPage>] = [
        .model("frame", "What is around every page", \.frame),
        .text("title", "The heading of the page, or its title where it has none", \.title),
        .list("parts", "The text without its title, cut where live blocks stand in it") { $0.body.parts },
        .list("contents", "The headings of the page", \.contents),
        .flag("hasContents", "True when there are at least two headings") { $0.contents.count > 1 },
    ]
}

/// A heading of a page.
package struct ContentsRow: TemplateModel, Hashable {
    package static let modelName = "contents-row"
    package var title: String
    package var anchor: String
    package var level: Int

    package static let fields: [Field<ContentsRow>] = [
        .text("title", "The heading", \.title),
        .text("anchor", "Its anchor on the page, without `#`", \.anchor),
        .number("level", "Its level as shown, from 2", \.level),
    ]
}

extension ContentPage {
    /// A page that the site's owner wrote, with what its fences show.
    ///
    /// - Parameters:
    ///   - heading: what the page begins with; nil for its title.
    ///   - source: the text for the HTML.
    ///   - markdown: the text for the Markdown version.
    ///   - sections: the pages between the entry page and this one.
    package init(
        title: String, heading: String? = nil, source: String, markdown: String? = nil, summary: String,
        sections: [(title: String, path: SitePath)] = [], blocks: LiveBlocks, site: SiteFacts
    ) {
        let home = (title: site.hasApps ? "Apps" : site.title, path: SitePath.portfolio)
        self.frame = Frame(
            blocks.path, title: title, summary: summary, freshness: "",
            crumbs: blocks.path == .portfolio ? [] : ([home] + sections).map { ($0.title, $0.path) },
            site: site)
        self.title = heading ?? title
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
