package import Analysis
package import Templates

/// A verdict in words, with a mark that does not need colour.
package struct VerdictView: TemplateModel, Hashable {
    package static let modelName = "verdict"
    package var words: String
    package var name: String
    package var mark: String
    package var why: String

    /// A verdict with its reason.
    package init(_ verdict: Verdict, why: String) {
        self.words = verdict.words
        self.why = why
        switch verdict {
        case .meets: (name, mark) = ("meets", "▲")
        case .misses: (name, mark) = ("misses", "▼")
        case .critical: (name, mark) = ("critical", "▼▼")
        case .notEnoughData: (name, mark) = ("insufficient", "◌")
        case .unknown: (name, mark) = ("unknown", "?")
        }
    }

    package static let fields: [Field<VerdictView>] = [
        .text("words", "The verdict, such as `meets target`", \.words),
        .text(
            "name", "`meets`, `misses`, `critical`, `even`, `insufficient` or `unknown`, for style sheets",
            \.name),
        .text("mark", "A sign that says the same without colour, such as `▲`", \.mark),
        .text("why", "One sentence with the numbers behind it", \.why),
    ]
}
