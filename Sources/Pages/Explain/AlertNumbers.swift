import Analysis
import AppHealth
import Diagnostics
import Estimates
import Formatting

/// Where the numbers of alerts come from.
struct AlertOrigins {
    /// The source of the stability.
    let stability: Explanation.Origin?
    /// The source of sessions.
    let sessions: Explanation.Origin?
    /// The source of the crashes by day.
    let crashes: Explanation.Origin?
    /// The source of the issues.
    let issues: Explanation.Origin?
    /// The source of active users.
    let usage: Explanation.Origin?
}

/// The numbers of alerts and of what explains them.
extension AppScope {
    /// The numbers of events, each under the event's anchor.
    func alertNumbers(_ events: [EventRecord], from origins: AlertOrigins) -> [Explanation] {
        events.flatMap { record in
            alertNumbers(record, origins).map { $0.within(record.event.occasion.anchor) }
        }
    }

    private func alertNumbers(_ record: EventRecord, _ origins: AlertOrigins) -> [Explanation] {
        switch record.event {
        case .stability(let alert):
            [dropNumber(alert, origins.stability)]
                + [record.cause.map { causeNumber($0, origins.sessions) }].compactMap(\.self)
        case .crashes(let alert):
            [riseNumber(alert, origins.crashes)]
        case .velocity(let alert):
            [
                alert.share.map {
                    shareNumber(
                        .sessionShare, $0, part: "sessions with the issue, at most", whole: "sessions",
                        window: "\(alert.hours) hours to \(alert.occasion.day.compactText)",
                        origin: origins.issues)
                } ?? eventsNumber(alert, origins.issues)
            ].compactMap(\.self)
        case .usage(let anomaly):
            [usageNumber(anomaly, origins.usage ?? origins.stability)]
        case .recovery(let recovery):
            [recoveryNumber(recovery, origins.stability)].compactMap(\.self)
        case .topIssues, .newIssue, .newNote, .regressed, .sourceTrouble, .releaseVerdict, .withdrawn,
            .raised:
            []
        }
    }

    private func dropNumber(_ alert: StabilityAlert, _ origin: Explanation.Origin?) -> Explanation {
        let (finding, unit) = (alert.episode.finding, alert.basis.rawValue)
        // Coarse where counts are hidden, as the rates made of them are.
        let text = Formatting.countText
        let expected = finding.expected
        let rows = [
            ("\(unit) of the day", text(finding.total)), ("affected", text(finding.crashed)),
            ("expected crashed share", decimalText(expected * 100, decimals: 4) + "%"),
            ("\(unit) of the \(finding.baselineDays) days before", text(finding.baselineTotal)),
        ]
        return Explanation(
            id: FigureID.change.rawValue, label: "\(labels[.change]) of crash-free \(unit)",
            value: changeText(finding),
            window: "\(counted(finding.window, "day")) to \(alert.episode.first.compactText)",
            quantity: .stated(
                rows: rows.map { Explanation.Row(what: $0.0, count: $0.1) },
                formula:
                    "expected crashed share − \(text(finding.crashed)) ÷ \(text(finding.total)), "
                    + "score \(decimalText(finding.score, decimals: 2))"),
            origin: origin)
    }

    private func recoveryNumber(_ recovery: Recovery, _ origin: Explanation.Origin?) -> Explanation? {
        guard case .rate(let basis, let share, _) = recovery.level else { return nil }
        return Explanation(
            id: FigureID.crashFree.rawValue, label: "Crash-free \(basis.rawValue)",
            value: PercentFormat.crashFree(share).rate, interval: PercentFormat.crashFree(share).interval,
            window: "on \(recovery.occasion.day.compactText)",
            quantity: .crashFree(share, unit: basis.rawValue), origin: origin)
    }

    private func riseNumber(_ alert: CrashCountAlert, _ origin: Explanation.Origin?) -> Explanation {
        let finding = alert.episode.finding
        let (low, high) = (finding.range.lowerBound, finding.range.upperBound)
        let counts = [
            ("expected", decimalText(finding.expected, decimals: 1)),
            ("expected range", "\(countText(low))–\(countText(high))"),
            ("observed", countText(finding.crashes)),
        ]
        let rows = unlessHidden(counts) + [("days before", Formatting.countText(finding.baselineDays))]
        return Explanation(
            id: FigureID.change.rawValue,
            label: "More crashes than expected (\(alert.basisText))",
            value: timesText(finding.ratio),
            window: "\(counted(finding.window, "day")) to \(alert.episode.first.compactText)",
            quantity: .stated(
                rows: rows.map { Explanation.Row(what: $0.0, count: $0.1) },
                formula: "observed ÷ expected, score \(decimalText(finding.score, decimals: 2))"),
            origin: origin)
    }

    private func eventsNumber(_ alert: IssueVelocityAlert, _ origin: Explanation.Origin?) -> Explanation? {
        guard case .events(let events) = alert.extent, case .ownPast(let finding, _, _) = alert.grounds else {
            return nil
        }
        let expected = finding.expectedEvents
        let counts = [("expected", decimalText(expected, decimals: 1)), ("observed", countText(events))]
        let rows = unlessHidden(counts) + [("days before", Formatting.countText(finding.past))]
        return Explanation(
            id: FigureID.change.rawValue,
            label: "More events than expected (no sessions are known, so no share)",
            value: timesText(finding.ratio),
            window: "\(alert.hours) hours to \(alert.occasion.day.compactText)",
            quantity: .stated(
                rows: rows.map { Explanation.Row(what: $0.0, count: $0.1) },
                formula: "observed ÷ expected, score \(decimalText(finding.score, decimals: 2))"),
            origin: origin)
    }

    private func usageNumber(_ anomaly: UsageAnomaly, _ origin: Explanation.Origin?) -> Explanation {
        let finding = anomaly.finding
        let rows = unlessHidden([
            ("expected", anomaly.expectedText), ("observed", countText(finding.count)),
        ])
        return Explanation(
            id: FigureID.change.rawValue,
            label: anomaly.change < 0 ? "Less use than expected" : "More use than expected",
            value: anomaly.sizeText,
            window: "on \(anomaly.occasion.day.compactText)",
            quantity: .stated(
                rows: rows.map { Explanation.Row(what: $0.0, count: $0.1) }, formula: "|seen ÷ expected − 1|"),
            origin: origin)
    }

    private func unlessHidden<Row>(_ rows: [Row]) -> [Row] { hidesCounts ? [] : rows }

    /// The whole drop, with what each release contributes.
    func causeNumber(_ causes: DropBreakdown, _ origin: Explanation.Origin?) -> Explanation {
        let points = causes.shownPoints
        let text: (Double) -> String = { decimalText($0, decimals: causes.decimals) }
        let rows = zip(causes.parts, points).map { part, points in
            let counts = [part.countBefore, part.countAfter].map {
                "\(Formatting.countText($0.crashed)) of \(Formatting.countText($0.total))"
            }
            return Explanation.Row(
                what: part.label ?? "unknown releases",
                count: "\(counts.joined(separator: " → ")) sessions crashed: "
                    + "\(text(points.within)) from crash rate, \(text(points.shift)) from adoption")
        }
        return Explanation(
            id: FigureID.dropParts.rawValue, label: labels[.dropParts],
            value: pointsText(causes.shownDrop, decimals: causes.decimals),
            window: "\(causes.after.upperBound.compactText) vs. \(causes.daysText)",
            quantity: .stated(
                rows: rows,
                formula:
                    "Σ min(w, w′)(r′ − r), and Σ (w′ − w)(r′ − L) over releases that gained a share, with shares w of "
                    + "sessions and crashed shares r before, w′ and r′ after, and L of the releases that lost theirs, before"
            ),
            origin: origin)
    }
}
