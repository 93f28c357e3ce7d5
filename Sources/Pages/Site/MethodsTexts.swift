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
            "1 − users who met a crash ÷ all users, over one day. Users are never added up over days, releases or apps.",
        source: nil),
    FormulaRow(
        name: "Crash-free sessions",
        text:
            "1 − crashed sessions ÷ all sessions. Sessions may be added up, so releases are judged over their whole life.",
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
            "As many as the width of the interval bears out: \(PercentFormat(interval: Interval(lower: 0, upper: 1)).decimals) "
            + "from \(trimmedDecimalText(PercentFormat.decimalSteps.one, decimals: 2)) percentage points on, "
            + "\(PercentFormat(interval: nil).decimals) from \(trimmedDecimalText(PercentFormat.decimalSteps.two, decimals: 2)) on, "
            + "else \(PercentFormat(interval: Interval(lower: 0, upper: 0)).decimals). "
            + "\(PercentFormat.levelText(1)) is shown only when nothing crashed, and then with the lower bound of its interval. "
            + "Where nothing was counted there is no rate: “\(PercentFormat.noneText("sessions"))”.",
        source: nil),
    FormulaRow(
        name: "Below the minimum",
        text:
            "A rate whose interval is wider than \(PercentFormat.precisionText()) is shown as below the minimum, with about how many more "
            + "must be counted. A day of a release whose interval is wider than \(PercentFormat.precisionText(undrawnHalfWidth)) "
            + "is not drawn in the comparison by age.",
        source: nil),
    FormulaRow(
        name: "Verdict",
        text:
            "Meets target: the whole interval is at or above the target. Below target: all of it is below the target. "
            + "Critical: all of it is below the critical level. Otherwise there is not enough data, with about how many more are needed.",
        source: nil),
    FormulaRow(
        name: "Provisional",
        text:
            provisionalText,
        source: nil),
    FormulaRow(
        name: "Issue counts",
        text:
            "Lists show the events of \(AppReport.issueSpan) days, added up. Users are as the source counts them over the issue's life; they are not added up.",
        source: nil),
    FormulaRow(
        name: "Session adoption", text: "Sessions of a release ÷ sessions of all releases, on the last day.",
        source: nil),
]

private let courseFormulas: [FormulaRow] = [
    FormulaRow(
        name: "Stickiness", text: "Daily active users ÷ monthly active users of the same day.", source: nil),
    FormulaRow(
        name: "Trend",
        text:
            "A chart of days says that its last \(SeriesTrend.span) days rise or fall only when at least \(SeriesTrend.fewest) are known "
            + "and the Mann–Kendall test finds p < \(trimmedDecimalText(SeriesTrend.level, decimals: 4)).",
        source: "H. B. Mann, Nonparametric tests against trend, Econometrica 13 (1945)"),
    FormulaRow(
        name: "Expected events",
        text:
            "Every \(ExpectedRanges.step) days of an issue from its \(ExpectedRanges.past) days before: their mean, and the range that holds "
            + "\(PercentFormat.levelText(ExpectedRanges.held)) of a count distribution of that mean and variance. "
            + "A wild day is learnt as at most \(trimmedDecimalText(ExpectedRanges.learnt, decimals: 1)) times one more than its upper bound. "
            + "With fewer than \(ExpectedRanges.fewest) known days before there is no range.",
        source: "N. L. Johnson, A. W. Kemp, S. Kotz, Univariate Discrete Distributions (2005)"),
    FormulaRow(
        name: "Comparison by age",
        text:
            "Day k after the release against day k of the releases before.",
        source: nil),
    FormulaRow(
        name: "Users met by an issue",
        text:
            "Users whom the issue met on the day ÷ all users of the day, with its Wilson interval; "
            + "where all users are not known, the count with its exact \(standardConfidenceText) Poisson interval.",
        source: "F. Garwood, Fiducial limits for the Poisson distribution, Biometrika 28 (1936)"),
]

/// The five states of a number and what they look like.
let standardStates: [FactRow] = [
    FactRow(name: "loaded", value: "The number is current."),
    FactRow(name: "stale", value: "The newest fetch failed; the last good number stays, with its time."),
    FactRow(name: "failed", value: "No fetch ever succeeded; the reason is shown."),
    FactRow(
        name: "unavailable",
        value: "The source cannot know it, or has none for this day; never shown as zero."),
    FactRow(name: "insufficient", value: "There is a number, but the sample is too small for a verdict."),
]

private let provisionalText: String = {
    let age = SettlingAge.standard
    let points = decimalText(DayFinality.agreedPoints, decimals: 2)
    let share = decimalText(DayFinality.agreedShare * 100, decimals: 1)
    return """
        A day of a source is settled when two successive snapshots that cover it agree and the newer one was \
        captured at least \(age.settlesAfterHours) hours after its end (in UTC), or when one was captured at least \
        \(age.finalAfterHours / 24) days after it; a source that states another delay has its own ages. Snapshots \
        agree when crash-free rates differ by less than \(points) percentage points and counts by at most \
        \(share)%. Until then the day is provisional, and its page says why.
        """
}()
