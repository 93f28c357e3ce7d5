/// A way to write a document for others to paste or to post.
package enum MarkdownDialect: String, Sendable, CaseIterable {
    /// GitHub Flavored Markdown: tables and folded parts.
    case github
    /// CommonMark 0.31 without HTML: lists in the place of tables.
    case commonmark
    /// Text without markup, tables aligned.
    case plain
    /// Slack's mrkdwn: `*bold*` and `<address|text>`.
    case slack

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
    case .plain: layoutText(blocks, width: nil, hasColours: false)
    }
}
