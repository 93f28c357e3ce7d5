import Markup
package import Templates

/// A note that somebody wrote.
package struct NoteView: TemplateModel, Hashable {
    package static let modelName = "note"
    package var author: String
    package var written: String
    package var subject: String
    package var stem: String?
    /// CommonMark; foreign text.
    package var source: String
    /// Whether its images are loaded; a file that stands alone loads none.
    var showsImages = true

    package static let fields: [Field<NoteView>] = [
        .text("author", "Who wrote it; `Somebody` when unknown", \.author),
        .text("written", "When, such as `Tue, Oct 13, 2026, 09:12 UTC`", \.written),
        .text("subject", "What it is about, such as `Atomic.swift line 54`", \.subject),
        .optionalUrl("stem", "The address of what it is about, without ending", \.stem),
        .markup("body", "What it says: HTML without raw HTML in HTML, plain words in Markdown") {
            note, language in
            switch language {
            case .html, .xml:
                html(
                    fromCommonMark: note.source,
                    options: .init(headingShift: 3, anchors: false, images: note.showsImages))
            case .markdown, .plain:
                Markup(escaping: plainText(fromCommonMark: note.source), language: language)
            }
        },
    ]
}
