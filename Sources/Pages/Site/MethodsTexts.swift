package import Analysis
import AppHealth
import Charts
import Estimates
import Formatting

/// The formulas that pages use, with their constants.
let standardFormulas: [FormulaRow] = countFormulas + verdictFormulas + courseFormulas

/// How the rates with the narrowest intervals are written.
private let narrowest = PercentFormat(interval: Interval(lower: 0, upper: 0))

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
        name: "Crash-free user-days",
        text:
            "1 − affected users ÷ all users of each day, both summed over days: who used the app on several days counts on each. Of releases whose source counts users and no sessions.",
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
            + "otherwise \(narrowest.decimals). "
            + "\(PercentFormat.levelText(1)) appears only when nothing crashed, with its lower bound; without sessions there is no rate. "
            + "A rate that its decimals would round to \(PercentFormat.levelText(0)) or \(PercentFormat.levelText(1)) is written as \(narrowest.text(1e-9)) or \(narrowest.text(1 - 1e-9)); "
            + "an interval that ends there has one bound.",
        source: nil),
    FormulaRow(
        name: "Low precision",
        text:
            "The interval is wider than \(PercentFormat.precisionText()); the page says about how many more are needed. "
            + "Release days wider than \(PercentFormat.precisionText(Fraction.undrawnHalfWidth)) are not drawn by age.",
        source: nil),
    FormulaRow(
        name: "Status",
        text:
            "Meets target, Below target, Critical: the whole interval is at or above the target, below it, or below the critical level. "
            + "Otherwise Not enough data, with about how many more are needed, if any number would do.",
        source: nil),
    FormulaRow(
        name: "No crashes reported",
        text:
            "Without any crash, a day is Unknown where at least \(plainDecimal(CrashSilence.leastExpected)) are expected within up to "
            + "\(CrashSilence.mostDays) days and chance cannot explain none. Expected is the median crashed share of up to "
            + "\(StabilityBudget.dispersionSpan) days before. Such days end no alert; the status of the week and the error budget "
            + "go by the other days. A release is compared with earlier releases at the same age and with the app before it. "
            + "Days after the next reported crash count as usual.",
        source: nil),
    FormulaRow(
        name: "Provisional",
        text:
            provisionalText,
        source: nil),
    FormulaRow(
        name: "Late crashes",
        text:
            "The status of a day says that crash reports are still coming in while less than \(threshold(RateIndex.inPart)) of "
            + "its crashes are expected to be there, by what final days had at the same age. "
            + "A Go must hold with the crashes that are still expected.",
        source: nil),
    FormulaRow(
        name: "Issue counts",
        text:
            "Lists show the events of \(AppFacts.listSpan) days, added up. Users are as the source counts them over the issue's life; they are not added up.",
        source: nil),
    FormulaRow(
        name: "Session adoption",
        text:
            "Sessions of the release ÷ all sessions, on the last day, or on the day with which a release that is no longer used ends.",
        source: nil),
]

private let courseFormulas: [FormulaRow] = [
    FormulaRow(
        name: "Stickiness", text: "Daily ÷ monthly active users of the same day.", source: nil),
    FormulaRow(
        name: "Trend",
        text:
            "A chart of days says that its last \(CourseTrend.span) days rise or fall only when at least \(CourseTrend.fewest) are known "
            + "and the Mann–Kendall test finds p < \(trimmedDecimalText(CourseTrend.level, decimals: 4)). "
            + "Of rates, days are put together until a crash is to be expected of each part, and each is compared with what is "
            + "to be expected of it in units of chance: few sessions make no trend.",
        source:
            "H. B. Mann, Nonparametric tests against trend, Econometrica 13 (1945); M. F. Freeman and J. W. Tukey, Transformations related to the angular and the square root, Ann. Math. Stat. 21 (1950)"
    ),
    FormulaRow(
        name: "Expected events",
        text:
            "For every week from Monday, the mean of the \(ExpectedCount.past) days before, with \(plainDecimal(ExpectedCount.added)) added to their sum, "
            + "and the range holding \(PercentFormat.levelText(ExpectedCount.held)) of counts with that mean and variance. "
            + "Outliers count as at most \(trimmedDecimalText(ExpectedCount.learned, decimals: 1)) × (upper bound + one); "
            + "with under \(ExpectedCount.fewest) days of data there is no range. "
            + "Crashes of an app without rates have such a range of the forecast of their alert, for each day by itself.",
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
    StateRow(
        "stale",
        "The latest fetch failed, or nothing came for \(Silence.dailyHours) hours where it came daily, else \(Silence.usualHours / 24) days; "
            + "the last good value is shown, with its time. A status that met the target is then Unknown."),
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

/// The texts of the methods page that are the same on every site.
package let fixedTexts: [String] =
    (standardFormulas + trendFormulas).flatMap { [$0.name, $0.text, $0.source ?? ""] }
    + standardStates.flatMap { [$0.label, $0.text] }

/// How verdicts, comparisons and budgets are calculated, with their constants.
let verdictFormulas: [FormulaRow] = [
    FormulaRow(
        name: "Release verdict",
        text:
            "The first match counts. Unknown: no daily sessions or users by release. "
            + "Roll back: worse than earlier releases and below the critical level. Hold: worse, or below target. "
            + "Go: at or above target, on \(ReleaseVerdict.leastDays) days, with \(threshold(ReleaseHistory.threshold)) of sessions. "
            + "Where a source counts users alone, user-days take the place of sessions. "
            + "Otherwise Not enough data. The interval of the rate is always-valid: \(standardConfidenceText) at every daily check together, "
            + "widened by daily variance over \(StabilityBudget.dispersionSpan) days. "
            + "Verdicts cover \(ReleaseHistory.longest) days. Go becomes Unknown if the data is stale or no crashes are reported, "
            + "and Not enough data while late crashes may undo it.",
        source:
            "H. Robbins, Statistical methods related to the law of the iterated logarithm, Ann. Math. Stat. 41 (1970)"
    ),
    FormulaRow(
        name: "Same age",
        text:
            "From the first day with \(threshold(ReleaseHistory.threshold)) of sessions, a release is compared with the "
            + "\(ReleaseComparison.peerCount) before it at the same age and the same session count. "
            + "Releases in use before data began or below the critical level are excluded, "
            + "and those worse than earlier ones for \(UnmatchedRelease.haltedDays) days, so that a hotfix is compared with sound releases. "
            + "It is worse once both e-values reach \(decimalText(ReleaseComparison.eValue, decimals: 0)), at any number of checks, "
            + "also on the same days as far as these could show a release \(decimalText(ReleaseComparison.plainRatio, decimals: 0)) times as bad, "
            + "and stays so until they reach it the other way round on the days after; "
            + "the Newcombe interval of the difference next to it is \(standardConfidenceText) at a single check, and decides nothing. "
            + "They come from generalized least squares on daily differences: early-adopter SD \(threshold(ReleaseComparison.adopterSpread)), halving every "
            + "\(decimalText(ReleaseComparison.adopterHalfLife, decimals: 0)) days; daily SD shrunk to \(PercentFormat(decimals: 1).text(ReleaseComparison.daySpread)).",
        source:
            "A. C. Aitken, On least squares and linear combination of observations, Proc. Roy. Soc. Edinburgh 55 (1935); "
            + "G. Shafer, Testing by betting, J. R. Stat. Soc. A 184 (2021)"),
    FormulaRow(
        name: "Release comparison",
        text:
            "Later rate − earlier rate with its \(standardConfidenceText) Newcombe interval: "
            + "at the same age, at the same session count and over lifetimes; users by single day. "
            + "“Crashes more” and “Crashes less” need an e-value of \(decimalText(ReleaseComparison.eValue, decimals: 0)) "
            + "at the same age and the same direction at the same session count. "
            + "Not enough data: the interval includes no difference and is wider than \(PercentFormat.precisionText()). "
            + "Expected events are events ÷ sessions × sessions of the other release.",
        source:
            "R. G. Newcombe, Interval estimation for the difference between independent proportions, Stat. Med. 17 (1998)"
    ),
    FormulaRow(
        name: "Adoption",
        text:
            "Adopted once the lower \(standardConfidenceText) bound of the daily share is \(threshold(ReleaseStage.threshold)) or more, "
            + "then Replaced once the upper bound is below it, or after \(ReleaseStage.silentDays) known days without a session; "
            + "Low until then. In users if counted for the release that day, otherwise in sessions.",
        source: nil),
    FormulaRow(
        name: "Why it dropped",
        text:
            "Σ min(w, w′)(r′ − r) + Σ (w′ − w)(r′ − L) splits the drop in crash-free sessions into releases crashing more (r) "
            + "and sessions moving to releases whose share w grew, from those that lost it (L). It adds up exactly. "
            + "It compares with the last \(DropBreakdown.comparedDays) alert-free days, at most \(DropBreakdown.lookBack) back; "
            + "an alert explains its first day. There is no split unless the drop is "
            + "\(plainDecimal(DropBreakdown.scales.lowerBound))–\(plainDecimal(DropBreakdown.scales.upperBound))× "
            + "the change of all releases together.",
        source: "E. M. Kitagawa, Components of a difference between two rates, JASA 50 (1955)"),
    FormulaRow(
        name: "Most crashes",
        text:
            "The fewest issues with \(threshold(TopCrashIssues.wantedShare)) of crashes (all issue events, or all crashed sessions if more). "
            + "One user can hit several, so affected users are at least the largest issue's and at most the sum or all affected users.",
        source: nil),
    FormulaRow(
        name: "Error budget",
        text:
            "(1 − target) × sessions (or user-days) of \(StabilityBudget.span) days may crash. "
            + "Days without crash reports are skipped. The status widens the rate's interval by daily variance over \(StabilityBudget.dispersionSpan) days; "
            + "the forecast continues the pace of the last \(StabilityBudget.paceDays) days for up to \(StabilityBudget.horizon). "
            + "While some of the budget remains, it is given where the interval of that pace is on one side of what is allowed, or the status is known.",
        source:
            "J. von Neumann, Distribution of the ratio of the mean square successive difference, Ann. Math. Stat. 12 (1941)"
    ),
]

private func threshold(_ share: Double) -> String { PercentFormat.levelText(share) }

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
                "At least \(settings.least) events (user-days if events are unknown) in \(settings.recent) days and \(plainDecimal(settings.factor, 2))× the "
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
                "Mann–Kendall test over \(settings.before) days at \(plainDecimal(CourseTrend.level * 100))%, "
                    + "which the chart of the issue goes by; slope by Theil–Sen (median daily change)."
            ),
            (
                "Rank change",
                "The \(settings.recent)-day rank against the \(settings.recent) days before, shown if \(standardConfidenceText) "
                    + "intervals of shares don't overlap: below \(settings.move) places, of this issue and the one now at its former rank; "
                    + "from \(settings.move) on, of this issue before and now."
            ),
        ]
    }
}
