import Markup
package import Templates

/// A page that the site's owner wrote in CommonMark.
package struct ContentPage: TemplateModel {
    package static let modelName = "content"
    /// What stands around every page.
    package var frame: Frame
    /// The page's title.
    package var title: String
    /// The text without its title, in CommonMark.
    package var source: String
    /// The headings of the page.
    package var contents: [ContentsRow]

    package static let fields: [Field<ContentPage>] = [
        .model("frame", "What stands around every page", \.frame),
        .text("title", "The page's title", \.title),
        .markup("body", "The text: HTML without raw HTML in HTML, the source itself in Markdown") {
            ownersMarkup($0.source, $1)
        },
        .list("contents", "The headings of the page", \.contents),
        .flag("hasContents", "True when there are at least two headings") { $0.contents.count > 1 },
    ]
}

/// A heading of a page.
package struct ContentsRow: TemplateModel, Hashable {
    package static let modelName = "contents-row"
    /// The heading.
    package var title: String
    /// Its anchor on the page, without `#`.
    package var anchor: String
    /// Its level, from 1.
    package var level: Int

    package static let fields: [Field<ContentsRow>] = [
        .text("title", "The heading", \.title),
        .text("anchor", "Its anchor on the page, without `#`", \.anchor),
        .number("level", "Its level, from 1", \.level),
    ]
}

/// CommonMark of the site's owner: HTML without raw HTML, or the source itself.
func ownersMarkup(_ source: String, _ language: OutputLanguage) -> Markup {
    switch language {
    case .html, .xml:
        // The page has the only heading of the first level, so the owner's highest one becomes the second.
        let highest = commonMarkPage(source).headings.map(\.level).min() ?? 2
        return html(fromCommonMark: source, options: .init(headingShift: max(0, 2 - highest)))
    case .markdown, .plain:
        return Markup(trusted: source, language: language)
    }
}
