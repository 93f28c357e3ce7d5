package import Markup
package import Templates

/// Writes summaries in each dialect, cut to what the place that they are written for holds.
package struct SummaryWriter: Sendable {
    /// The theme's own template for GitHub's dialect; nil when the theme leaves it to the program.
    package let template: Template<SummaryDocument>?

    /// A writer with the template of a theme, if it has one.
    package init(template: Template<SummaryDocument>?) {
        self.template = template
    }

    /// The summary in a dialect; never longer than the dialect's limit unless its title alone is.
    package func text(of document: SummaryDocument, in dialect: MarkdownDialect) -> String {
        guard let limit = dialect.limit, let words = dialect.limitWords else {
            return written(document, in: dialect)
        }
        return text(of: document, in: dialect, limit: limit, words: words)
    }

    /// The summary with the fewest entries left out so that it keeps to a limit, in UTF-16 units: they are never
    /// fewer than the characters that a service counts.
    func text(of document: SummaryDocument, in dialect: MarkdownDialect, limit: Int, words: String) -> String
    {
        let whole = written(document, in: dialect)
        if whole.utf16.count <= limit { return whole }
        var (fits, tooMany) = (document.entryCount, 0)
        var best = written(document.withoutEntries(fits, because: words), in: dialect)
        while fits - tooMany > 1 {
            let middle = (fits + tooMany) / 2
            let text = written(document.withoutEntries(middle, because: words), in: dialect)
            if text.utf16.count <= limit { (fits, best) = (middle, text) } else { tooMany = middle }
        }
        return best
    }

    private func written(_ document: SummaryDocument, in dialect: MarkdownDialect) -> String {
        if dialect == .github, let template { return template.rendered(document) }
        return documentText(document.blocks, in: dialect)
    }
}
