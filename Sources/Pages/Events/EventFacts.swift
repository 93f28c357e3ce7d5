import Analysis
import AppHealth
import Diagnostics
import Estimates
import Formatting

/// What is behind events: sizes, intervals, samples, how long, and how often they would be wrong.
struct EventFacts {
    private let record: EventRecord
    private let scope: AppScope
    private var hidesCounts: Bool { scope.hidesCounts }

    init(_ record: EventRecord, _ scope: AppScope) {
        self.record = record
        self.scope = scope
    }

    private func countText(_ count: Int) -> String { scope.countText(count) }

    /// What is behind an event: sizes, intervals, samples, how long, and how often it would be wrong.
    var rows: [FactRow] {
        switch record.event {
        case .stability(let alert): stability(alert)
        case .crashes(let alert): crashFacts(alert)
        case .velocity(let alert): velocityFacts(alert)
        case .usage(let anomaly): usageFacts(anomaly)
        case .recovery(let recovery): recoveryFacts(recovery)
        case .raised(let alert): raisedFacts(alert)
        case .topIssues, .newIssue, .newNote, .regressed, .sourceTrouble, .releaseVerdict, .withdrawn:
            []
        }
    }

    /// The facts of a drop; without its causes where the page shows them and the drop is open.
    func stability(_ alert: StabilityAlert, showsCauses: Bool = false) -> [FactRow] {
        let (episode, finding) = (alert.episode, alert.episode.finding)
        let whom = alert.basis.rawValue
        let style = PercentFormat(interval: finding.riseInterval)
        var rows = [
            FactRow(name: "Change", value: changeText(finding)),
            FactRow(
                name: "Expected",
                value: "\(style.text(finding.expectedCrashFree)) "
                    + "(\(pastText(finding.baselineTotal, whom, days: finding.baselineDays)))"),
            FactRow(
                name: "Observed",
                value: finding.crashedShare.map {
                    "\(PercentFormat.crashFree($0).text) of "
                        + sampleText(finding.total, whom, days: finding.window)
                } ?? "–"),
            FactRow(name: "Duration", value: nightsText(episode.first, episode.last)),
            FactRow(name: "State", value: stateText(episode.state, since: episode.first, again: "dropped")),
        ]
        if episode.worst != finding {
            rows.insert(FactRow(name: "Worst", value: changeText(episode.worst)), at: 1)
        }
        rows += countedRow(finding.deviations.map { max($0.window, $0.baseline) })
        rows += sampleRow(finding.sampling)
        if let other = alert.other {
            let said = other.finding.map { "also down: \(changeText($0))" } ?? "no significant drop"
            rows.append(FactRow(name: "Crash-free \(other.basis.rawValue)", value: said))
        }
        if !(showsCauses && alert.episode.state.isOpen), let causes = record.cause {
            // Feeds and Markdown end each fact with a full stop.
            let said = causes.sentence(counts: scope.audience.counts)
            rows.append(FactRow(name: "Why it dropped", value: String(said.trimmedEnd)))
        }
        return rows + [falseAlarms(StabilityRule.falseAlarmsPerYear)]
    }

    /// The facts of a rise of crashes: no rate is among them.
    private func crashFacts(_ alert: CrashCountAlert) -> [FactRow] {
        let (episode, finding) = (alert.episode, alert.episode.finding)
        var rows = [FactRow(name: "Change", value: timesText(finding.ratio))]
        if episode.worst != finding {
            rows.append(
                FactRow(
                    name: "Worst", value: timesText(episode.worst.ratio)))
        }
        if !hidesCounts {
            let range = "\(countText(finding.range.lowerBound))–\(countText(finding.range.upperBound))"
            rows += [
                FactRow(
                    name: "Expected",
                    value:
                        "about \(countText(roundedCount(finding.expected))), \(standardConfidenceText) within "
                        + "\(range) (\(counted(finding.baselineDays, "day")))"),
                FactRow(
                    name: "Observed",
                    value: countedText(finding.crashes, "crash", "crashes")
                        + (finding.window == 1 ? "" : " on \(finding.known) of \(finding.window) days")),
            ]
        }
        return rows + [
            FactRow(name: "Duration", value: nightsText(episode.first, episode.last)),
            FactRow(name: "State", value: stateText(episode.state, since: episode.first, again: "rose")),
            FactRow(name: "Based on", value: alert.basisText),
            falseAlarms(CrashCountRule().facts.falseAlarmsPerYear),
        ]
    }

    private func velocityFacts(_ alert: IssueVelocityAlert) -> [FactRow] {
        var rows: [FactRow] = []
        switch alert.extent {
        case .share(let share):
            rows.append(
                FactRow(
                    name: "Share",
                    value: "\(shareText(share)) (\(intervalText(share))) of "
                        + sampleText(share.denominator, "sessions", days: 1)))
        case .events:
            rows.append(FactRow(name: "Based on", value: "event counts: no sessions are known, so no share"))
        }
        rows += countedRow(alert.share?.deviation)
        if let users = alert.users, !hidesCounts {
            rows.append(FactRow(name: "Users", value: countText(users)))
        }
        switch alert.grounds {
        case .newIssue:
            rows.append(FactRow(name: "Expected", value: "none (new issue)"))
        case .ownPast(let finding, let counted, let falseReports):
            rows += sampleRow(finding.sampling)
            rows.append(FactRow(name: "Expected", value: expectedText(finding, of: counted, alert.hours)))
            rows.append(falseAlarms(falseReports))
        case .worseThanMuted:
            rows.append(FactRow(name: "Expected", value: "below the level of its mute"))
        case .hidden: break
        }
        return rows
    }

    private func expectedText(
        _ finding: VelocityFinding, of counted: IssueVelocityAlert.Counted, _ hours: Int
    ) -> String {
        guard !hidesCounts else { return "\(timesText(finding.ratio)) observed (all versions)" }
        let (one, many) =
            switch counted {
            case .events: ("event", "events")
            case .users where hours > 24: ("user-day", "user-days")
            case .users: ("user", "users")
            }
        return "about \(countedText(roundedCount(finding.expectedEvents), one, many)), "
            + "\(countText(finding.affected)) observed (all versions)"
    }

    private func usageFacts(_ anomaly: UsageAnomaly) -> [FactRow] {
        let range = anomaly.finding.range
        let expected =
            FactRow(
                name: "Expected",
                value:
                    "about \(anomaly.expectedText), \(standardConfidenceText) of days within "
                    + "\(countText(roundedCount(range.lower)))–\(countText(roundedCount(range.upper)))")
        let worst = anomaly.change < 0 ? -anomaly.worstChange : anomaly.worstChange
        let deeper =
            anomaly.worstChange > abs(anomaly.change)
            ? [FactRow(name: "Worst", value: growthText(worst))] : []
        return deeper + (hidesCounts ? [] : [expected]) + countedRow(anomaly.deviation) + [
            FactRow(name: "Duration", value: nightsText(anomaly.occasion.day, anomaly.last)),
            falseAlarms(UsageAnomalyRule.falseAlarmsPerYear),
        ]
    }

    private func recoveryFacts(_ recovery: Recovery) -> [FactRow] {
        let duration = FactRow(
            name: "Duration", value: "\(counted(recovery.days, "day")), from \(recovery.since.compactText)")
        switch recovery.level {
        case .rate(let basis, let share, let expected):
            let shown = PercentFormat.crashFree(share)
            return [
                FactRow(
                    name: "Observed",
                    value: "\(shown.text) of " + sampleText(share.denominator, basis.rawValue, days: 1)),
                FactRow(name: "Before the drop", value: shown.display.text(1 - min(expected, 1))), duration,
            ]
        case .crashes(let crashes, let expected):
            guard !hidesCounts else { return [duration] }
            return [
                FactRow(name: "Observed", value: countedText(crashes, "crash", "crashes")),
                FactRow(name: "Before the rise", value: "about \(countText(roundedCount(expected))) a day"),
                duration,
            ]
        }
    }

    /// `164,030 user-days of 7 days`: users come again, so those of several days are counted on each.
    private func sampleText(_ count: Int, _ whom: String, days: Int) -> String {
        if hidesCounts { return days == 1 ? whom : "\(whom.unitByDay) of \(days) days" }
        return days == 1
            ? unitText(count, whom) : "\(countText(count)) \(whom.unitByDay) of \(days) days"
    }

    /// `47 days, 1,127,531 user-days`.
    private func pastText(_ count: Int, _ whom: String, days: Int) -> String {
        hidesCounts ? counted(days, "day") : "\(counted(days, "day")), \(countText(count)) \(whom.unitByDay)"
    }

    private func raisedFacts(_ alert: RaisedAlert) -> [FactRow] {
        let entry = alert.entry
        var rows = [FactRow(name: "Raised", value: entry.raisedAt.proseText)]
        if alert.lasts {
            rows.append(FactRow(name: "Duration", value: nightsText(entry.firstDay, entry.days.upperBound)))
            rows.append(FactRow(name: "State", value: alert.stateText))
        }
        return rows + [FactRow(name: "Data", value: "too little history to check it again")]
    }

    /// `5 days, Oct 14–18, 2026`.
    private func nightsText(_ first: CivilDate, _ last: CivilDate) -> String {
        "\(counted(first.days(to: last) + 1, "day")), \(spanText(first, last))"
    }

    private func falseAlarms(_ perYear: Double) -> FactRow {
        FactRow(name: "Expected false alarms", value: "about \(decimalText(perYear, decimals: 1)) a year")
    }

    private func intervalText(_ share: Fraction) -> String { PercentFormat.share(share).interval }
}

/// How what rates are counted of is counted, where that is not exact: `±0.56%, approximate`.
func countedRow(_ deviation: Double?) -> [FactRow] {
    deviationText(deviation).map { [FactRow(name: "Counts", value: $0)] } ?? []
}

/// That counts are of a sample: `about 1% of the data, multiplied`.
private func sampleRow(_ sampling: Double?) -> [FactRow] {
    dataPartText(sampling).map { [FactRow(name: "Sample", value: $0)] } ?? []
}

/// `−1.83 pp (−2.16 to −1.52)`.
func changeText(_ finding: DropFinding) -> String {
    let style = PercentFormat(interval: finding.riseInterval)
    guard let drop = finding.changeInterval else { return style.changeText(finding.change) }
    return "\(style.changeText(finding.change)) (\(style.changeBounds(drop)))"
}

/// `open since Mon, Nov 16, 2026`, `recovered on Thu, Oct 22, 2026 after 8 days`, `dropped again on Thu, Oct 22, 2026`.
///
/// - Parameter again: What it did before it was back, such as `dropped`.
func stateText<Level>(_ state: EpisodeState<Level>, since first: CivilDate, again: String) -> String {
    switch state {
    case .open: return "open since \(first.compactText)"
    case .recovered(let day, _):
        return "recovered on \(day.compactText) after \(counted(first.days(to: day), "day"))"
    case .followed(let day): return "\(again) again on \(day.compactText)"
    }
}

extension RaisedAlert {
    /// `open when last checked, on Mon, Nov 16, 2026`, `over since Thu, Oct 22, 2026`: what became of it is not known.
    var stateText: String {
        isOpen
            ? "open when last checked, on \(entry.days.upperBound.compactText)"
            : "over since \(entry.days.upperBound.advanced(by: 1).compactText)"
    }
}

extension String {
    /// `users` summed day by day are `user-days`.
    fileprivate var unitByDay: String { self == "users" ? "user-days" : self }
}

/// `4.2× the expected number`.
func timesText(_ ratio: Double) -> String {
    "\(decimalText(ratio, decimals: 1))× the expected number"
}

extension String {
    /// Without the full stop of a sentence.
    fileprivate var trimmedEnd: Substring { hasSuffix(".") ? dropLast() : self[...] }
}
