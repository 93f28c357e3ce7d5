import Analysis
import AppHealth
import Formatting
import Statistics

/// What stands behind events: sizes, intervals, samples, how long, and how often they would be wrong.
struct EventFacts {
    private let causes: [String: DropBreakdown]
    private let scope: AppScope
    private var hidesCounts: Bool { scope.hidesCounts }

    init(_ stability: StabilitySection, _ scope: AppScope) {
        self.causes = stability.causes
        self.scope = scope
    }

    private func countText(_ count: Int) -> String { scope.countText(count) }

    /// What stands behind an event: sizes, intervals, samples, how long, and how often it would be wrong.
    func rows(of event: Event) -> [FactRow] {
        switch event {
        case .stability(let alert): stability(alert)
        case .velocity(let alert): velocityFacts(alert)
        case .usage(let anomaly): usageFacts(anomaly)
        case .recovery(let recovery): recoveryFacts(recovery)
        case .topIssues, .newIssue, .newNote, .regressed, .sourceTrouble, .releaseVerdict, .withdrawn:
            []
        }
    }

    /// What stands behind a fall; without what explains it where that stands beside it and the fall lasts.
    func stability(_ alert: StabilityAlert, besideCauses: Bool = false) -> [FactRow] {
        let (episode, finding) = (alert.episode, alert.episode.finding)
        let whom = alert.basis.rawValue
        let style = PercentFormat(interval: finding.rise)
        var rows = [
            FactRow(name: "Change", value: changeText(finding)),
            FactRow(
                name: "Expected",
                value: "\(style.text(1 - min(finding.expected, 1))) from "
                    + "\(sampleText(finding.baselineTotal, whom, days: finding.baselineDays))"),
            FactRow(
                name: "Seen",
                value: Fraction(finding.crashed, of: finding.total).map {
                    "\(PercentFormat.crashFree($0).text) of "
                        + sampleText(finding.total, whom, days: finding.window)
                } ?? "–"),
            FactRow(name: "Duration", value: nightsText(episode.first, episode.last)),
            FactRow(name: "State", value: stateText(episode.state, since: episode.first)),
        ]
        if episode.worst != finding {
            rows.insert(FactRow(name: "At its worst", value: changeText(episode.worst)), at: 1)
        }
        if let other = alert.other {
            let said = other.finding.map { "fell too: \(changeText($0))" } ?? "did not fall noticeably"
            rows.append(FactRow(name: "Crash-free \(other.basis.rawValue)", value: said))
        }
        if !(besideCauses && alert.episode.isOpen), let causes = causes[alert.occasion.id] {
            // Feeds and Markdown end each fact with a full stop.
            let said = causes.sentence(counts: scope.audience.counts)
            rows.append(FactRow(name: "What explains it", value: String(said.trimmedEnd)))
        }
        return rows + [falseAlarms(CrashRateDropDetector.falseReportsPerYear)]
    }

    private func velocityFacts(_ alert: IssueVelocityAlert) -> [FactRow] {
        var rows = [
            FactRow(
                name: "Share",
                value: "\(shareText(alert.share)) (\(intervalText(alert.share))) of "
                    + sampleText(alert.share.denominator, "sessions", days: 1))
        ]
        if let users = alert.users, !hidesCounts {
            rows.append(FactRow(name: "Users", value: countText(users)))
        }
        switch alert.grounds {
        case .newIssue:
            rows.append(FactRow(name: "Expected", value: "nothing: the issue is new"))
        case .ownPast(let finding, let falseReports):
            rows.append(FactRow(name: "Expected", value: expectedText(finding)))
            rows.append(falseAlarms(falseReports))
        case .worseThanMuted:
            rows.append(FactRow(name: "Expected", value: "less: it was muted up to a level, and reached it"))
        }
        return rows
    }

    private func expectedText(_ finding: VelocityFinding) -> String {
        let expected = finding.expected * Double(finding.sessions)
        guard !hidesCounts else {
            return "fewer in all versions: \(timesText(Double(finding.affected), expected)) were seen"
        }
        return "about \(countText(roundedCount(expected))) in all versions instead of "
            + "\(countText(finding.affected)), from \(countText(finding.past)) sessions before"
    }

    private func usageFacts(_ anomaly: UsageAnomaly) -> [FactRow] {
        let range = anomaly.finding.range
        let expected =
            FactRow(
                name: "Expected",
                value:
                    "about \(countText(roundedCount(anomaly.finding.expected))), \(standardConfidenceText) of days between "
                    + "\(countText(roundedCount(range.lower))) and \(countText(roundedCount(range.upper)))")
        return (hidesCounts ? [] : [expected]) + [
            FactRow(name: "Duration", value: nightsText(anomaly.occasion.day, anomaly.last)),
            falseAlarms(UsageAnomalyDetector.falseReportsPerYear),
        ]
    }

    private func recoveryFacts(_ recovery: Recovery) -> [FactRow] {
        let shown = PercentFormat.crashFree(recovery.share)
        return [
            FactRow(
                name: "Seen",
                value: "\(shown.text) of "
                    + sampleText(recovery.share.denominator, recovery.basis.rawValue, days: 1)),
            FactRow(name: "Before the fall", value: shown.display.text(1 - min(recovery.expected, 1))),
            FactRow(
                name: "Duration",
                value: "\(daysText(recovery.days)) since \(recovery.alertDay.compactText)"),
        ]
    }

    /// `164,030 users of 7 days`: users come again, so those of several days are counted on each.
    private func sampleText(_ count: Int, _ whom: String, days: Int) -> String {
        if hidesCounts { return days == 1 ? whom : "daily \(whom) of \(days) days" }
        return days == 1 ? "\(countText(count)) \(whom)" : "\(countText(count)) daily \(whom) of \(days) days"
    }

    /// `5 days, Oct 14–18, 2026`.
    private func nightsText(_ first: CivilDate, _ last: CivilDate) -> String {
        "\(daysText(first.days(to: last) + 1)), \(spanText(first, last))"
    }

    private func falseAlarms(_ perYear: Double) -> FactRow {
        FactRow(name: "False alarms to expect", value: "about \(decimalText(perYear, decimals: 1)) a year")
    }

    private func intervalText(_ share: Fraction) -> String { PercentFormat.share(share).interval }
}

/// `−1.83 pp (−2.16 to −1.52)`.
func changeText(_ finding: DropFinding) -> String {
    let style = PercentFormat(interval: finding.rise)
    guard let rise = finding.rise else { return style.changeText(-finding.size) }
    let fall = Interval(lower: -rise.upper, upper: -rise.lower)
    return "\(style.changeText(-finding.size)) (\(style.changeBounds(fall)))"
}

func stateText(_ state: StabilityEpisode.State, since first: CivilDate) -> String {
    switch state {
    case .open(let days): return "open for \(daysText(days))"
    case .recovered(let day, _):
        return "recovered on \(day.compactText) after \(daysText(first.days(to: day)))"
    case .followed(let day): return "fell anew on \(day.compactText)"
    }
}

/// `4.2 times as many as expected`.
func timesText(_ count: Double, _ expected: Double) -> String {
    "\(decimalText(count / max(expected, 0.5), decimals: 1)) times as many as expected"
}

/// `1 day`, `9 days`.
func daysText(_ days: Int) -> String { "\(days) \(days == 1 ? "day" : "days")" }

extension StabilityEpisode {
    fileprivate var isOpen: Bool { if case .open = state { true } else { false } }
}

extension String {
    /// Without the full stop of a sentence.
    fileprivate var trimmedEnd: Substring { hasSuffix(".") ? dropLast() : self[...] }
}
