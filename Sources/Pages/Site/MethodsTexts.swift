import Analysis
import AppHealth
import Charts
import Formatting
import Statistics

/// The formulas that pages use, with their constants.
let standardFormulas: [FormulaRow] = countFormulas + judgementFormulas + courseFormulas

private let countFormulas: [FormulaRow] = [
    FormulaRow(
        name: "Crash-free users",
        text:
            "1 − affected users ÷ all users, for one day. Users can't be summed across days, releases or apps.",
        source: nil),
    FormulaRow(
        name: "Crash-free sessions",
        text:
            "1 − crashed sessions ÷ all sessions. Sessions can be summed, so releases get a lifetime rate.",
        source: nil),
    FormulaRow(
        name: "Interval",
        text:
            "The \(standardConfidenceText) Wilson score interval of the two counts.",
        source:
            "E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927)"
    ),
    FormulaRow(
        name: "Decimals",
        text:
            "\(PercentFormat(interval: Interval(lower: 0, upper: 1)).decimals) decimal if the interval is "
            + "\(trimmedDecimalText(PercentFormat.decimalSteps.one, decimals: 2)) pp or wider, "
            + "\(PercentFormat(interval: nil).decimals) if \(trimmedDecimalText(PercentFormat.decimalSteps.two, decimals: 2)) pp or wider, "
            + "otherwise \(PercentFormat(interval: Interval(lower: 0, upper: 0)).decimals). "
            + "\(PercentFormat.levelText(1)) appears only when nothing crashed, with its lower bound; without sessions there is no rate.",
        source: nil),
    FormulaRow(
        name: "Low precision",
        text:
            "The interval is wider than \(PercentFormat.precisionText()); the page says about how many more are needed. "
            + "Release days wider than \(PercentFormat.precisionText(undrawnHalfWidth)) are not drawn by age.",
        source: nil),
    FormulaRow(
        name: "Status",
        text:
            "Meets target, Below target, Critical: the whole interval is at or above the target, below it, or below the critical level. "
            + "Otherwise Not enough data, with about how many more are needed.",
        source: nil),
    FormulaRow(
        name: "Provisional",
        text:
            provisionalText,
        source: nil),
    FormulaRow(
        name: "Issue counts",
        text:
            "Lists show the events of \(AppFacts.listSpan) days, added up. Users are as the source counts them over the issue's life; they are not added up.",
        source: nil),
    FormulaRow(
        name: "Session adoption", text: "Sessions of the release ÷ all sessions, on the last day.",
        source: nil),
]

private let courseFormulas: [FormulaRow] = [
    FormulaRow(
        name: "Stickiness", text: "Daily ÷ monthly active users of the same day.", source: nil),
    FormulaRow(
        name: "Trend",
        text:
            "A chart of days says that its last \(SeriesTrend.span) days rise or fall only when at least \(SeriesTrend.fewest) are known "
            + "and the Mann–Kendall test finds p < \(trimmedDecimalText(SeriesTrend.level, decimals: 4)).",
        source: "H. B. Mann, Nonparametric tests against trend, Econometrica 13 (1945)"),
    FormulaRow(
        name: "Expected events",
        text:
            "For every \(ExpectedRanges.step) days, the mean of the \(ExpectedRanges.past) before and the range holding "
            + "\(PercentFormat.levelText(ExpectedRanges.held)) of counts with that mean and variance. "
            + "Outliers count as at most \(trimmedDecimalText(ExpectedRanges.learnt, decimals: 1)) × (upper bound + one); "
            + "with under \(ExpectedRanges.fewest) days of data there is no range.",
        source: "N. L. Johnson, A. W. Kemp, S. Kotz, Univariate Discrete Distributions (2005)"),
    FormulaRow(
        name: "Comparison by age",
        text:
            "Day k of each release next to day k of earlier releases.",
        source: nil),
    FormulaRow(
        name: "Users affected by an issue",
        text:
            "Affected users ÷ all users of the day, with a Wilson interval. "
            + "Without a total, the count with an exact \(standardConfidenceText) Poisson interval.",
        source: "F. Garwood, Fiducial limits for the Poisson distribution, Biometrika 28 (1936)"),
]

/// The data states, as the methods page lists them.
let standardStates: [StateRow] = [
    StateRow("loaded", "Current."),
    StateRow("stale", "The latest fetch failed; the last good value is shown, with its time."),
    StateRow("failed", "No fetch has succeeded; the reason is shown."),
    StateRow("unavailable", "Not provided by the source, or not for this day; never shown as zero."),
    StateRow("insufficient", "The sample is too small."),
]

private let provisionalText: String = {
    let age = SettlingAge.standard
    let points = decimalText(DayFinality.agreedPoints, decimals: 2)
    let share = decimalText(DayFinality.agreedShare * 100, decimals: 1)
    return """
        A day is final when two successive snapshots agree (rates within \(points) pp, counts within \
        \(share)%), the newer taken at least \(age.settlesAfterHours) hours after the day ends (UTC), or when \
        one is taken \(age.finalAfterHours / 24) days after it. Sources with a stated delay use their own times. \
        Until then the day is provisional, and its page says why.
        """
}()
