import Analysis
import Formatting
import Statistics

/// How verdicts, comparisons and budgets are calculated, with their constants.
let judgementFormulas: [FormulaRow] = [
    FormulaRow(
        name: "Release verdict",
        text:
            "The first match counts. Unknown: no daily sessions by release. "
            + "Roll back: worse than earlier releases and below the critical level. Hold: worse, or below target. "
            + "Go: at or above target, on \(ReleaseVerdict.leastDays) days, with \(threshold(ReleaseHistory.threshold)) of sessions. "
            + "Otherwise Not enough data. Intervals are always-valid: \(standardConfidenceText) at every daily check together, "
            + "widened by daily variance over \(StabilityBudget.dispersionSpan) days. "
            + "Verdicts cover \(ReleaseHistory.longest) days, and Go becomes Unknown if the latest fetch failed.",
        source:
            "H. Robbins, Statistical methods related to the law of the iterated logarithm, Ann. Math. Stat. 41 (1970)"
    ),
    FormulaRow(
        name: "Same age",
        text:
            "From the first day with \(threshold(ReleaseHistory.threshold)) of sessions, a release is compared with the "
            + "\(ReleaseComparison.peerCount) before it at the same age and the same session count. "
            + "Releases in use before data began are excluded. "
            + "It is worse once both e-values reach \(decimalText(ReleaseRegressionTest().threshold, decimals: 0)), at any number of checks. "
            + "They come from generalized least squares on daily differences: early-adopter SD \(threshold(ReleaseContrast.adoption)), halving every "
            + "\(decimalText(ReleaseContrast.halfLife, decimals: 0)) days; daily SD shrunk to \(threshold(ReleaseContrast.noise.squareRoot())).",
        source:
            "A. C. Aitken, On least squares and linear combination of observations, Proc. Roy. Soc. Edinburgh 55 (1935); "
            + "G. Shafer, Testing by betting, J. R. Stat. Soc. A 184 (2021)"),
    FormulaRow(
        name: "Release comparison",
        text:
            "Later rate − earlier rate with its \(standardConfidenceText) Newcombe interval: "
            + "at the same age, at the same session count and over lifetimes; users by single day. "
            + "“Crashes more” and “Crashes less” need an e-value of \(decimalText(ReleaseRegressionTest().threshold, decimals: 0)) "
            + "at the same age and the same direction at the same session count. "
            + "Not enough data: the interval includes no difference and is wider than \(PercentFormat.precisionText()). "
            + "Expected events are events ÷ sessions × sessions of the other release.",
        source:
            "R. G. Newcombe, Interval estimation for the difference between independent proportions, Stat. Med. 17 (1998)"
    ),
    FormulaRow(
        name: "Adoption",
        text:
            "Adopted once the lower \(standardConfidenceText) bound of the daily share is \(threshold(AdoptionStage.threshold)) or more, "
            + "then Replaced once the upper bound is below it; Low until then. "
            + "In users if counted by release, otherwise in sessions.",
        source: nil),
    FormulaRow(
        name: "Why it dropped",
        text:
            "Σ w̄(r′ − r) + Σ (w′ − w)(r̄ − R̄) splits the drop in crash-free sessions into releases crashing more (r) "
            + "and sessions moving between releases (share w). It adds up exactly. "
            + "It compares with the last \(DropBreakdown.comparedDays) alert-free days, at most \(DropBreakdown.lookBack) back; "
            + "an alert explains its first day.",
        source: "E. M. Kitagawa, Components of a difference between two rates, JASA 50 (1955)"),
    FormulaRow(
        name: "Most crashes",
        text:
            "The fewest issues with \(threshold(TopCrashIssues.share)) of crashes (all issue events, or all crashed sessions if more). "
            + "One user can hit several, so affected users are at least the largest issue's and at most the sum or all affected users.",
        source: nil),
    FormulaRow(
        name: "Error budget",
        text:
            "(1 − target) × sessions (or user-days) of \(StabilityBudget.span) days may crash. "
            + "The status widens the rate's interval by daily variance over \(StabilityBudget.dispersionSpan) days; "
            + "the forecast continues the pace of the last \(ErrorBudget.paceDays) days for up to \(ErrorBudget.horizon), given enough data.",
        source:
            "J. von Neumann, Distribution of the ratio of the mean square successive difference, Ann. Math. Stat. 12 (1941)"
    ),
]

private func threshold(_ share: Double) -> String { PercentFormat.levelText(share) }
