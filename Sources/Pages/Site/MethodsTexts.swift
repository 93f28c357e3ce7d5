import AppHealth
import Statistics

/// The formulas that pages use, with their constants.
let standardFormulas: [FormulaRow] = [
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
            "The 95 % Wilson score interval of the two counts. Decimals follow its width; 100 % is shown only when nothing crashed.",
        source:
            "E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927)"
    ),
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
    FormulaRow(
        name: "Stickiness", text: "Daily active users ÷ monthly active users of the same day.", source: nil),
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
    let points = decimalText(Settlement.agreedPoints, decimals: 2)
    let share = decimalText(Settlement.agreedShare * 100, decimals: 1)
    return """
        A day of a source is settled when two successive snapshots that cover it agree and the newer one was \
        captured at least \(age.settlesAfterHours) hours after its end (in UTC), or when one was captured at least \
        \(age.finalAfterHours / 24) days after it; a source that states another delay has its own ages. Snapshots \
        agree when crash-free rates differ by less than \(points) percentage points and counts by at most \
        \(share) %. Until then the day is provisional, and its page says why.
        """
}()
