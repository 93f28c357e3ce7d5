import Analysis
import AppHealth
import Formatting
import Statistics

/// The numbers of alerts and of what explains them.
extension AppReport {
    /// The numbers of events, each under the event's anchor.
    func alertNumbers(_ events: [Event]) -> [Explanation] {
        events.flatMap { event in
            alertNumbers(event).map { $0.within(anchor(of: event.occasion)) }
        }
    }

    /// The numbers of what happened on some days.
    func alertNumbers(on days: some Sequence<CivilDate>) -> [Explanation] {
        let days = Set(days)
        return alertNumbers(events.filter { days.contains($0.occasion.day) })
    }

    /// Why the rate is down on a day; nil when no Stability Alert is open on it.
    func causeNumber(on day: CivilDate) -> Explanation? {
        evidence.openDrop(on: day, events: falls).map(causeNumber)
    }

    private func alertNumbers(_ event: Event) -> [Explanation] {
        switch event {
        case .stability(let alert):
            [fallNumber(alert)] + [causes[alert.occasion.id].map(causeNumber)].compactMap(\.self)
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
                    value: PercentFormat.crashFree(recovery.share).rate,
                    interval: PercentFormat.crashFree(recovery.share).interval,
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
            ("expected crashed share", decimalText(expected * 100, decimals: 4) + "%"),
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
            id: "change", label: anomaly.change < 0 ? "Less use than expected" : "More use than expected",
            value: anomaly.sizeText,
            window: "on \(anomaly.occasion.day.compactText)",
            quantity: .stated(
                rows: rows.map { Explanation.Row(what: $0.0, count: $0.1) }, formula: "|seen ÷ expected − 1|"),
            origin: usageSource.map(Explanation.Origin.init) ?? stabilityOrigin)
    }

    /// The whole fall, with what each release contributes.
    private func causeNumber(_ causes: DropBreakdown) -> Explanation {
        let points = causes.shownPoints
        let text: (Double) -> String = { decimalText($0, decimals: causes.decimals) }
        let rows = zip(causes.parts, points).map { part, points in
            let counts = [part.counts.before, part.counts.after].map {
                "\(countText($0.crashed)) of \(countText($0.total))"
            }
            return Explanation.Row(
                what: part.label ?? "no known release",
                count: "\(counts.joined(separator: " → ")) sessions crashed: "
                    + "\(text(points.within)) by crashing more, \(text(points.shift)) by its share")
        }
        return Explanation(
            id: "why-it-fell", label: "Fall of crash-free sessions in points",
            value: text(points.reduce(0) { $0 + $1.within + $1.shift }),
            window: "\(causes.after.upperBound.compactText) against \(causes.daysText)",
            quantity: .stated(
                rows: rows,
                formula:
                    "Σ w̄(r′ − r) + Σ (w′ − w)(r̄ − R̄), with shares w of sessions, crashed shares r, R̄ of all "
                    + "releases, and bars for midpoints"),
            origin: stabilityOrigin)
    }
}
