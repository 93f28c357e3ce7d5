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
        text(of: document, in: dialect, limit: dialect.limit, because: dialect.limitWords ?? "")
    }

    /// The same with a limit in UTF-16 units: they are never fewer than the characters that a service counts.
    func text(
        of document: SummaryDocument, in dialect: MarkdownDialect, limit: Int?, because reason: String
    ) -> String {
        if dialect == .github, let template {
            return pageText(template.rendered(document), in: dialect, limit: limit, because: reason).text
        }
        return fittingText(document.blocks, limit: limit, because: reason) {
            documentText($0, in: dialect)
        }.text
    }
}
