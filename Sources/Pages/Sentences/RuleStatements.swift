package import Analysis
import AppHealth
import Estimates
import Formatting

/// A rule that can say what it does.
package protocol StatedRule: Rule {
    /// What it does, with its live constants: one sentence for the methods page.
    var statement: String { get }
}

/// What rules do, in their order; a rule that cannot say it is skipped.
package func statements(of rules: [any Rule]) -> [(kind: EventKind, text: String)] {
    rules.compactMap { rule in
        (rule as? any StatedRule).map { (type(of: rule).kind, $0.statement) }
    }
}

extension StabilityRule: StatedRule {
    package var statement: String {
        "The crash-free rate over \(choice(facts.windows)) days is below its "
            + "\(facts.history)-day weekday forecast by more than chance, usual variation and "
            + "\(plainDecimal(facts.margin))× the half-year record, with quiet nights for those not judged yet (score above \(plainDecimal(facts.floor))). "
            + "Needs \(facts.firstDays) earlier days, each with at least \(plainDecimal(Self.leastUse * 100))% of the sessions or users of the day, "
            + "and enough days with any in the \(facts.history) days before a drop. "
            + "Ends after \(quietDays) normal days; an open drop that is \(plainDecimal(Self.leastGrowth))× as deep as each alert on it said, and significantly deeper, is another alert. Skips incomplete days and those without crash reports; "
            + "about \(plainDecimal(facts.falseAlarmsPerYear)) false alarms per app and year. Counts of a sample that were multiplied are divided first. "
            + "In \(Basis.users.rawValue), or in sessions where users are not available."
    }
}

extension CrashCountRule: StatedRule {
    package var statement: String {
        "On crash counts, where no rate is known: the crashes of \(choice(facts.windows)) days exceed their "
            + "\(facts.history)-day weekday forecast by more than chance, usual variation and "
            + "\(plainDecimal(facts.margin))× the half-year record, with quiet days for those not judged yet (score above \(plainDecimal(facts.floor))), by \(Self.leastRise) "
            + "crashes and to \(plainDecimal(Self.leastRatio))× the forecast. An open rise that becomes \(plainDecimal(StabilityRule.leastGrowth))× as large, and significantly larger, is another alert. Needs \(facts.firstDays) days of history, ends after \(quietDays) days as before; "
            + "days without a whole total count nowhere; about \(plainDecimal(facts.falseAlarmsPerYear)) false "
            + "alarms per app and year."
    }
}

extension RecoveryRule: StatedRule {
    package var statement: String {
        "The first of \(drop.quietDays) days, once all of them are known, on which more than half of the drop is back; it is no worse "
            + "than \(plainDecimal(drop.usualPart * 100))% of the \(StabilityRule.history) days before the drop or within chance "
            + "(\(standardConfidenceText) Wilson interval) of the expected rate. A day needs a tenth of the first day's \(Basis.users.rawValue)."
    }
}

extension IssueVelocityRule: StatedRule {
    package var statement: String {
        "A new issue (\(newDays) days) reaches \(plainDecimal(percent))% of a version's sessions in a day, with "
            + "\(minimumUsers) users (events if users are unknown) and \(minimumSessions) sessions. An older one, or a new one with as many users, exceeds its \(dailyFacts.history)-day forecast over "
            + "\(choice(dailyFacts.windows)) days and \(plainDecimal(dailyFacts.margin))× the app's record (score above "
            + "\(plainDecimal(dailyFacts.floor)); about \(plainDecimal(dailyFacts.falseAlarmsPerYear)) false alarms a year, and "
            + "up to \(plainDecimal(IssueVelocityRule.mostFalseAlarmsPerYear)) with a few crashes a day), or over "
            + "\(choice(hourlyFacts.windows)) hours where hours are counted (about "
            + "\(plainDecimal(hourlyFacts.falseAlarmsPerYear))). Without sessions, its events of days that are whole exceed "
            + "their forecast (about \(plainDecimal(countedFacts.falseAlarmsPerYear))). Once per issue and version; without versions, again after "
            + "\(againAfter) quiet days."
    }
}

extension UsageAnomalyRule: StatedRule {
    package var statement: String {
        "Active users (or sessions) differ from their weekday forecast by more than usual variation and "
            + "\(plainDecimal(facts.margin, 2))× the half-year record (score above \(plainDecimal(facts.floor))). "
            + "Needs \(facts.firstDays) days of history, ends after \(quietDays) normal days, holds drops for "
            + "\(SettlingAge.standard.settlesAfterHours) hours; what comes on the same day in \(Self.leastMonths) of the last \(Self.months) months is usual. "
            + "About \(plainDecimal(facts.falseAlarmsPerYear)) false alarms per app and year."
    }
}

extension TopIssuesRule: StatedRule {
    package var statement: String {
        "The \(limit) issues with the most users, every complete day. Users overlap, so only the first issue's share is given."
    }
}

extension NewIssueRule: StatedRule {
    package var statement: String {
        "The source first saw the issue on an archived day, and the archive has no earlier data. If the source doesn't say, "
            + "its first archived day counts, from day \(settledAfter)."
    }
}

extension RegressedIssueRule: StatedRule {
    package var statement: String {
        "A fixed issue is seen in the fix version or later (builds break ties), on a day that began after the fix was known, "
            + "once per fix and version. Where the first snapshot with the issue has the fix, a later version counts on any day."
    }
}

extension NewNoteRule: StatedRule {
    package var statement: String {
        "A note was added."
    }
}

extension SourceFailureRule: StatedRule {
    package var statement: String {
        "A fetch failed. It is over with the next one that succeeds; a failure later on that day belongs to it."
    }
}

extension SourceIdleRule: StatedRule {
    package var statement: String {
        "A fetch brought no newer day of all figures, of crash-free rates or of active users, although one was due: see "
            + "'stale'. It is over with the next fetch that does."
    }
}

extension ReleaseVerdictRule: StatedRule {
    package var statement: String {
        "First Go, Hold or Roll back, within \(ReleaseHistory.longest) days of "
            + "\(PercentFormat.sentence(share: ReleaseHistory.threshold)) of sessions."
    }
}

/// A constant as the methods page writes it: `0.5`, `1`.
func plainDecimal(_ value: Double, _ decimals: Int = 1) -> String {
    value == value.rounded() ? decimalText(value, decimals: 0) : decimalText(value, decimals: decimals)
}

/// `1, 3 or 7`.
func choice(_ numbers: [Int]) -> String {
    let texts = numbers.map { "\($0)" }
    guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
    return texts.dropLast().joined(separator: ", ") + " or " + last
}

/// An estimate of a count as a count.
package func roundedCount(_ estimate: Double) -> Int {
    estimate.isFinite ? Int(min(max(estimate.rounded(), 0), 1e15)) : 0
}
