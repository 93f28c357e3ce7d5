package import Markup
package import Templates

/// What the site's owner wrote, with the live blocks in their places.
package struct ContentBody: Sendable {
    /// Texts and blocks, in order.
    package let parts: [ContentPart]
    /// The headings, in order.
    let headings: [Heading]
    /// The charts among the blocks.
    let charts: [ChartView]

    /// A text with its blocks; nil is a block that is still to be gathered.
    init(
        _ source: String, markdown: String?, views: [(any TemplateModel)?], options: CommonMarkOptions
    ) {
        var options = options
        // The page has the only heading of the first level, so the owner's highest one becomes the second.
        let highest = commonMarkPage(source).headings.map(\.level).min() ?? 2
        options.headingShift = max(0, 2 - highest)
        let text = FencedText(source, markdown: markdown, fences: LiveFence.names, options: options)
        var parts: [ContentPart] = []
        for (index, (html, commonMark)) in zip(text.html, text.commonMark).enumerated() {
            if index > 0, index <= views.count, let view = views[index - 1] {
                parts.append(ContentPart(view: view))
            }
            if html.text.contains(where: { !$0.isWhitespace }) {
                parts.append(ContentPart(view: ContentText(html: html, commonMark: commonMark)))
            }
        }
        self.parts = parts
        self.headings = text.headings
        self.charts = views.compactMap { $0 as? ChartView }
    }
}

/// A text or a block of a content page.
package struct ContentPart: TemplateModel {
    package static let modelName = "content-part"
    /// What is shown.
    package var view: any TemplateModel

    package static let fields: [Field<ContentPart>] = [
        .view(
            "view", "A text or a live block: `{{>*view}}` picks the partial with its name",
            of: [
                ContentText.self, ChartView.self, VerdictBlock.self, TilesBlock.self, TopIssuesBlock.self,
                ReleasesBlock.self, ActivityBlock.self, BudgetBlock.self, NotesBlock.self, AbsentBlock.self,
            ], \.view)
    ]
}

/// A piece of what the site's owner wrote.
package struct ContentText: TemplateModel {
    package static let modelName = "content-text"
    /// As HTML without raw HTML.
    package var html: Markup
    /// As CommonMark.
    package var commonMark: Markup

    package static let fields: [Field<ContentText>] = [
        .markup("body", "The text: HTML without raw HTML in HTML, CommonMark in Markdown") { text, language in
            switch language {
            case .html, .xml: text.html
            case .markdown, .plain: Markup(trusted: text.commonMark.text, language: language)
            }
        }
    ]
}
