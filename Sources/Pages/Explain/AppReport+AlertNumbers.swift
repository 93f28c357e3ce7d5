import Alerts
import AppHealth
import Statistics

/// The numbers of alerts and of what explains them.
extension AppReport {
    /// The numbers of events, each under the event's anchor.
    func alertNumbers(_ events: [Event]) -> [Explanation] {
        events.flatMap { event in
            alertNumbers(event).map { $0.within(anchor(of: event.occasion)) }
        }
    }

    /// Why the rate is down on a day, release by release; none when no Stability Alert is open on it.
    func causeNumbers(on day: CivilDate) -> [Explanation] {
        evidence.openDrop(on: day, events: falls).map(causeNumbers) ?? []
    }

    private func alertNumbers(_ event: Event) -> [Explanation] {
        switch event {
        case .stability(let alert):
            [fallNumber(alert)] + (causes[alert.occasion.id].map(causeNumbers) ?? [])
        case .velocity(let alert):
            [
                shareNumber(
                    "Share of sessions", alert.share, part: "events of the issue", whole: "sessions",
                    window: "\(alert.hours) hours to \(alert.occasion.day.compactText)", origin: issuesOrigin)
            ]
        case .usage(let anomaly): [usageNumber(anomaly)]
        case .recovery(let recovery):
            [
                Explanation(
                    id: "crash-free", label: "Crash-free \(recovery.basis.rawValue)",
                    value: RateDisplay.crashFree(recovery.share).rate,
                    interval: RateDisplay.crashFree(recovery.share).interval,
                    window: "on \(recovery.occasion.day.compactText)",
                    quantity: .crashFree(recovery.share, unit: recovery.basis.rawValue),
                    origin: stabilityOrigin)
            ]
        case .topIssues, .newIssue, .newNote, .regressed, .sourceTrouble, .releaseVerdict, .withdrawn: []
        }
    }

    private func fallNumber(_ alert: StabilityAlert) -> Explanation {
        let (finding, unit) = (alert.episode.finding, alert.basis.rawValue)
        let expected = finding.expected
        let rows = [
            ("\(unit) of the night", countText(finding.total)),
            ("of them met a crash", countText(finding.crashed)),
            ("expected crashed share", decimalText(expected * 100, decimals: 4) + "\u{A0}%"),
            ("\(unit) of the \(finding.baselineDays) days before", countText(finding.baselineTotal)),
        ]
        return Explanation(
            id: "change", label: "Fall of crash-free \(unit)", value: changeText(finding),
            window: "\(daysText(finding.window)) to \(alert.episode.first.compactText)",
            quantity: .stated(
                rows: rows.map { Explanation.Row(what: $0.0, count: $0.1) },
                formula:
                    "expected crashed share − \(countText(finding.crashed)) ÷ \(countText(finding.total)), "
                    + "which had a score of \(decimalText(finding.score, decimals: 2))"),
            origin: stabilityOrigin)
    }

    private func usageNumber(_ anomaly: UsageAnomaly) -> Explanation {
        let finding = anomaly.finding
        let rows = [
            ("expected", countText(roundedCount(finding.expected))), ("seen", countText(finding.count)),
        ]
        return Explanation(
            id: "change", label: "Change of use",
            value: RateDisplay.sentence(share: min(abs(anomaly.change), 1)),
            window: "on \(anomaly.occasion.day.compactText)",
            quantity: .stated(
                rows: rows.map { Explanation.Row(what: $0.0, count: $0.1) }, formula: "seen ÷ expected − 1"),
            origin: usageSource.map(Explanation.Origin.init) ?? stabilityOrigin)
    }

    private func causeNumbers(_ causes: DropCauses) -> [Explanation] {
        zip(causes.parts, causes.shownPoints).map { part, points in
            let (before, after) = (part.counts.before, part.counts.after)
            let name = part.label ?? "no known release"
            let style = RateDisplay(decimals: 1)
            let rows = [
                ("sessions before", countText(before.total)), ("of them crashed", countText(before.crashed)),
                ("sessions after", countText(after.total)), ("of them crashed", countText(after.crashed)),
                ("share before", style.text(part.shareBefore)), ("share after", style.text(part.shareAfter)),
            ]
            let (within, shift) = (
                decimalText(points.within, decimals: causes.decimals),
                decimalText(points.shift, decimals: causes.decimals)
            )
            return Explanation(
                id: "cause-\(Slug(anyText: name).text)", label: "What \(name) contributes to the fall",
                value: "\(within) points by crashing more, \(shift) by its share",
                window: "\(causes.after.upperBound.compactText) against \(causes.daysText)",
                quantity: .stated(
                    rows: rows.map { Explanation.Row(what: $0.0, count: $0.1) },
                    formula: "w̄(r′ − r) = \(within), (w′ − w)(r̄ − R̄) = \(shift), with shares w of sessions, "
                        + "crashed shares r, and R̄ of all"),
                origin: stabilityOrigin)
        }
    }
}
