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
                "An issue was seen at least \(settings.least) times in the last \(settings.recent) days and "
                    + "\(plainDecimal(settings.factor, 2)) times as often as the \(settings.before) days before let "
                    + "expect of as many sessions; the negative binomial tail, with the issue's own scatter, is "
                    + "adjusted over all issues to a false discovery rate of \(level)% (Benjamini–Hochberg)."
            ),
            (
                "Gone",
                "An issue was not seen for at least \(settings.silence) and at most \(settings.before) days, "
                    + "which at the rate of the \(settings.before) days up to its last sighting had a chance below "
                    + "\(plainDecimal(settings.silenceP * 100))%."
            ),
            (
                "Trend of an issue",
                "The Mann–Kendall test over \(settings.before) days at \(plainDecimal(settings.courseP * 100))%, "
                    + "and the Theil–Sen slope: the median change from day to day."
            ),
            (
                "Rank movement",
                "The rank by the counts of \(settings.recent) days against that of the \(settings.recent) days "
                    + "before; shown only where the \(standardConfidenceText) intervals of the issue and of the one that now has its "
                    + "former rank do not overlap, or from \(settings.move) places on."
            ),
        ]
    }
}
