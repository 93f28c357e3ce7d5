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
        .model("frame", "What stands around every page", \.frame),
        .text("title", "The page's title", \.title),
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
