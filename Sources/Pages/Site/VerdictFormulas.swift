import Analysis
import Formatting
import Statistics

/// How the judgements over the numbers are made, with their constants.
let judgementFormulas: [FormulaRow] = [
    FormulaRow(
        name: "Release verdict",
        text:
            "The first line that fits decides. Unknown: no source counts the release's sessions by day. "
            + "Roll back: shown to crash more than the releases before it, and surely below the critical level. "
            + "Hold: shown to crash more than the releases before it, or surely below the target. "
            + "Go: surely at or above the target after \(ReleaseVerdict.leastDays) days or more, having had "
            + "\(threshold(ReleaseHistory.threshold)) of all sessions; it is unknown instead when the newest fetch failed. "
            + "Otherwise there is not enough data. “Surely” is by bounds at \(standardConfidenceText) that hold at all looks together, "
            + "widened by how the days of the app varied in the \(StabilityBudget.dispersionSpan) days before it. A release is judged on its first \(ReleaseHistory.longest) days.",
        source:
            "H. Robbins, Statistical methods related to the law of the iterated logarithm, Ann. Math. Stat. 41 (1970)"
    ),
    FormulaRow(
        name: "Age match",
        text:
            "Day 0 of a release is the first day on which it had \(threshold(ReleaseHistory.threshold)) of all sessions. "
            + "It is compared with the last \(ReleaseComparison.peerCount) releases first used before it, day by day at the same age, "
            + "and again at the same number of their own sessions. It is shown to crash more when the e-value of "
            + "both comparisons has reached \(decimalText(ReleaseRegressionTest().threshold, decimals: 0)), whatever the "
            + "number of looks. It weighs the relative differences of the days by generalized least squares: those who take a "
            + "release first may crash \(threshold(ReleaseContrast.adoption)) more or less than others (one standard deviation, halved every "
            + "\(decimalText(ReleaseContrast.halfLife, decimals: 0)) days), and days vary by what they themselves show, shrunk to a standard deviation of "
            + "\(threshold(ReleaseContrast.noise.squareRoot())). Releases in use before the first figures are not compared with.",
        source:
            "A. C. Aitken, On least squares and linear combination of observations, Proc. Roy. Soc. Edinburgh 55 (1935); "
            + "G. Shafer, Testing by betting, J. R. Stat. Soc. A 184 (2021)"),
    FormulaRow(
        name: "Releases side by side",
        text:
            "The crash-free rate of the later release minus that of the earlier one, with its \(standardConfidenceText) Newcombe interval: "
            + "on the days of the same age that both have counts of, on as many first sessions of each, and over their lives; users on one day alone, as those of several days overlap. "
            + "It “crashes more” or “crashes less” when the e-value at the same age has reached \(decimalText(ReleaseRegressionTest().threshold, decimals: 0)), "
            + "whatever the number of looks, and the interval at as many sessions lies on the same side. There is not enough data when the interval may hold no difference and is wider "
            + "than \(PercentFormat.precisionText()). An issue is in one release alone when no event of it was counted in the other; expected are its events for each session of the one, times the sessions of the other.",
        source:
            "R. G. Newcombe, Interval estimation for the difference between independent proportions, Stat. Med. 17 (1998)"
    ),
    FormulaRow(
        name: "Adoption stage",
        text:
            "Adopted when the lower bound of the \(standardConfidenceText) Wilson interval of a release's share of a day is "
            + "\(threshold(AdoptionStage.threshold)) or more; replaced when, once adopted, the upper bound is below it; "
            + "else unchanged, and low at first. Counted in users where the source tells users of single releases, else in sessions.",
        source: nil),
    FormulaRow(
        name: "Why it fell",
        text:
            "The change of crash-free sessions is Σ (w′ − w)(r̄ − R̄) + Σ w̄(r′ − r) over releases, with their shares w of sessions, "
            + "their crashed shares r, and bars for midpoints: what moved to other releases, and what changed within each. "
            + "It adds up exactly, and the figures shown are rounded so that they do. In sessions, because users of "
            + "several releases overlap and do not add up. Compared is the day (or as many days as the Stability Alert put together) "
            + "with the last \(DropBreakdown.comparedDays) days before the fall on which no Stability Alert was open, at most \(DropBreakdown.lookBack) days back: "
            + "so near that releases had nearly the same shares, and a week, so that each day of the week is among them. "
            + "A Stability Alert tells what explains its first night. What an issue rose is so much more a day.",
        source: "E. M. Kitagawa, Components of a difference between two rates, JASA 50 (1955)"),
    FormulaRow(
        name: "Covering issues",
        text:
            "The fewest issues with \(threshold(TopCrashIssues.share)) of the crashes; each crash belongs to one issue, so the largest first are the fewest. "
            + "All crashes are those of all issues, or all crashed sessions when they are more. Users of several issues overlap: "
            + "at least as many as of the largest, at most as many as all added up or as met a crash at all.",
        source: nil),
    FormulaRow(
        name: "Error budget",
        text:
            "(1 − target) × all sessions, or user-days, of \(StabilityBudget.span) days may crash. User-days add up users day by day; they are not users. "
            + "The verdict is that on the rate of the window, its interval widened by the app's own dispersion: the mean square difference of "
            + "neighbouring days over \(StabilityBudget.dispersionSpan) days in units of chance. The forecast moves the window on day by day at the "
            + "bounds of the pace of the last \(ErrorBudget.paceDays) days, up to \(ErrorBudget.horizon) days ahead; while there is not enough data "
            + "for a verdict, no end is forecast.",
        source:
            "J. von Neumann, Distribution of the ratio of the mean square successive difference, Ann. Math. Stat. 12 (1941)"
    ),
]

private func threshold(_ share: Double) -> String { PercentFormat.levelText(share) }
