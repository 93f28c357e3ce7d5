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
    return fittingText(blocks, limit: limit, because: reason) { blocks in
        dialect == .plain ? layoutText(blocks, .file) : documentText(blocks, in: dialect)
    }
}

/// A document as text, cut at the borders of its blocks as little as it takes to keep to a limit.
///
/// It is longer only when its first heading alone is.
package func fittingText(
    _ blocks: [Block], limit: Int?, because reason: String, write: ([Block]) -> String
) -> PageText {
    let whole = write(blocks)
    guard let limit, !fits(whole, limit) else { return PageText(text: whole, isCut: false) }
    let cut = DocumentCut(blocks)
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
