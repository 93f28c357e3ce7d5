package import Analysis
import Formatting

/// The words on issues that are no events, with their constants.
let trendFormulas: [FormulaRow] = IssueTrends.statements().map {
    FormulaRow(name: $0.name, text: $0.text, source: nil)
}

extension IssueTrends {
    /// The rules with their live constants, for the methods page: name and text.
    package static func statements(_ settings: Settings = Settings()) -> [(name: String, text: String)] {
        let level = plainDecimal(settings.discoveryRate * 100)
        return [
            (
                "Rising",
                "At least \(settings.least) events in \(settings.recent) days and \(plainDecimal(settings.factor, 2))× the "
                    + "number expected per session from the \(settings.before) days before. "
                    + "Negative binomial test, \(level)% false discovery rate (Benjamini–Hochberg)."
            ),
            (
                "Gone",
                "No event for \(settings.silence)–\(settings.before) days, less than "
                    + "\(plainDecimal(settings.silenceP * 100))% likely at the previous \(settings.before)-day rate."
            ),
            (
                "Issue trend",
                "Mann–Kendall test over \(settings.before) days at \(plainDecimal(settings.courseP * 100))%; "
                    + "slope by Theil–Sen (median daily change)."
            ),
            (
                "Rank change",
                "The \(settings.recent)-day rank against the \(settings.recent) days before, shown if the "
                    + "\(standardConfidenceText) intervals don't overlap or the issue moves \(settings.move) or more places."
            ),
        ]
    }
}
