/// A page in a dialect.
package struct PageText: Sendable, Hashable {
    /// The text, with a line end at its end.
    package let text: String
    /// Whether something is skipped, because the dialect holds no more.
    package let isCut: Bool
}

/// The Markdown of a page, which has the tables and folded parts of GitHub, in a dialect.
///
/// In GitHub's dialect it stays as it is, byte for byte, unless it is too long.
///
/// - Parameter address: where a link or a picture leads from where the text is read; nil for nowhere.
package func pageText(
    _ markdown: String, in dialect: MarkdownDialect, address: ((String) -> String?)? = nil
) -> PageText {
    pageText(markdown, in: dialect, limit: dialect.limit, because: dialect.limitWords ?? "", address: address)
}

/// The same with a limit, counted in UTF-16 units: they are never fewer than the characters that a service counts.
package func pageText(
    _ markdown: String, in dialect: MarkdownDialect, limit: Int?, because reason: String,
    address: ((String) -> String?)? = nil
) -> PageText {
    if dialect == .github, address == nil, fits(markdown, limit) {
        return PageText(text: markdown, isCut: false)
    }
    var blocks = documentBlocks(ofMarkdown: markdown)
    if let address { blocks = readdressed(blocks, address) }
    if dialect == .plain || dialect == .slack { blocks = withoutRepeatedPictures(blocks) }
    return fittingText(blocks, limit: limit, because: reason, unfolds: !dialect.hasFolds) { blocks in
        dialect == .plain ? layoutText(blocks, .file) : documentText(blocks, in: dialect)
    }
}

/// A document as text, cut at the borders of its blocks as little as it takes to keep to a limit.
///
/// It is longer only when its first heading alone is. What makes other blocks of these, as a list of a table, belongs
/// into `write`: what is least important is known of the blocks as they are here.
///
/// - Parameters:
///   - listsTables: whether rows of tables are written as entries of lists, for the line that says what is gone.
///   - unfolds: whether folded parts are written as sections below their titles, for that line, too.
package func fittingText(
    _ blocks: [Block], limit: Int?, because reason: String, listsTables: Bool = false,
    unfolds: Bool = false, write: ([Block]) -> String
) -> PageText {
    let whole = write(blocks)
    guard let limit, !fits(whole, limit) else { return PageText(text: whole, isCut: false) }
    let cut = DocumentCut(blocks, listsTables: listsTables, unfolds: unfolds)
    var (fitting, tooMany) = (cut.count, 0)
    var best = write(cut.without(fitting, because: reason))
    while fitting - tooMany > 1 {
        let middle = (fitting + tooMany) / 2
        let text = write(cut.without(middle, because: reason))
        if fits(text, limit) { (fitting, best) = (middle, text) } else { tooMany = middle }
    }
    return PageText(text: best, isCut: true)
}

/// A text has never more UTF-16 units than bytes.
private func fits(_ text: String, _ limit: Int?) -> Bool {
    guard let limit else { return true }
    return text.utf8.count <= limit || text.utf16.count <= limit
}

/// A way to write a document for others to paste or to post.
package enum MarkdownDialect: String, Codable, Sendable, CaseIterable {
    /// GitHub Flavored Markdown: tables and folded parts.
    case github
    /// CommonMark 0.31 without HTML: lists in the place of tables.
    case commonmark
    /// Text without markup, tables aligned.
    case plain
    /// Slack's mrkdwn: `*bold*` and `<address|text>`.
    case slack

    /// Whether something can be folded in it.
    package var hasFolds: Bool { self == .github }

    /// The most characters that the place it is written for holds.
    ///
    /// GitHub refuses the body of a release beyond 125,000 characters; Slack cuts the text of a message after 40,000
    /// (`chat.postMessage`, "Truncating content").
    package var limit: Int? {
        switch self {
        case .github: 125_000
        case .slack: 40_000
        case .commonmark, .plain: nil
        }
    }

    /// The limit as the end of a sentence, when there is one.
    package var limitWords: String? {
        switch self {
        case .github: "125,000 characters is the most that a release body holds"
        case .slack: "40,000 characters is the most that a message holds"
        case .commonmark, .plain: nil
        }
    }
}

/// The document in a dialect, with a line end at its end.
package func documentText(_ blocks: [Block], in dialect: MarkdownDialect) -> String {
    switch dialect {
    case .github: markdownText(blocks, hasTables: true)
    case .commonmark: markdownText(blocks, hasTables: false)
    case .slack: slackText(blocks)
    case .plain: layoutText(blocks, .file)
    }
}
