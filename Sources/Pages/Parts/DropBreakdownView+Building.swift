import Analysis
import AppHealth
import Formatting
import Statistics

extension AppReport {
    /// Why the rate is down on a day; nil when no Stability Alert is open on it.
    func dropCauses(on day: CivilDate, _ links: Links) -> DropBreakdownView? {
        evidence.openDrop(on: day, events: falls).map { view(of: $0, links) }
    }

    private func view(of causes: DropBreakdown, _ links: Links) -> DropBreakdownView {
        let limit = 4
        let points = causes.shownPoints
        let text: (Double) -> String = { decimalText($0, decimals: causes.decimals) }
        let isFolded = causes.parts.count > limit + 1
        let named = isFolded ? limit : causes.parts.count
        var rows = zip(causes.parts, points).prefix(named).map { part, points in
            row(part, within: text(points.within), shift: text(points.shift), links)
        }
        if isFolded {
            let rest = points.dropFirst(limit)
            rows.append(
                DropReleaseRow(
                    version: "\(causes.parts.count - limit) others", stem: nil, share: "–", crashFree: "–",
                    within: text(rest.reduce(0) { $0 + $1.within }),
                    shift: text(rest.reduce(0) { $0 + $1.shift })))
        }
        return DropBreakdownView(
            sentence: causes.sentence(counts: audience.counts),
            span: "\(spanText(causes.after)) against \(beforeText(causes))",
            releases: rows, total: text(points.reduce(0) { $0 + $1.within + $1.shift }),
            issues: causes.issues.prefix(3).map { rise in
                DropIssueRow(
                    title: title(of: rise.issue), stem: links.stem(to: .issue(rise.issue.id, of: app.id)),
                    rise: hidesCounts ? (rise.text.hasPrefix("−") ? "down" : "up") : rise.text,
                    share: PercentFormat(decimals: 1).text(rise.share))
            }, chart: causes.waterfall.map { ChartView(figure: $0).alone })
    }

    private func row(_ part: DropBreakdown.Part, within: String, shift: String, _ links: Links)
        -> DropReleaseRow
    {
        let style = PercentFormat(decimals: 1)
        let rates = [part.counts.before, part.counts.after].map { count in
            Fraction(count.crashed, of: count.total).map { PercentFormat.crashFree($0).brief } ?? "–"
        }
        let isKnown = releases.contains { $0.version.label == part.label }
        return DropReleaseRow(
            version: part.label ?? "no known release",
            stem: isKnown ? part.label.flatMap { links.stem(to: .release($0, of: app.id)) } : nil,
            share: "\(style.text(part.shareBefore)) → \(style.text(part.shareAfter))",
            crashFree: rates.joined(separator: " → "), within: within, shift: shift)
    }
}

/// `7 days to Tue, Jan 26, 2016`, with `without an alert` where others lie between.
private func beforeText(_ causes: DropBreakdown) -> String {
    guard let first = causes.before.first, let last = causes.before.last else { return "–" }
    let count = causes.before.count
    guard first.days(to: last) + 1 > count else { return spanText(first...last) }
    return "\(count) days without an alert to \(last.compactText)"
}

/// `Wed, Jan 27, 2016`, or `7 days to Wed, Jan 27, 2016`.
private func spanText(_ days: ClosedRange<CivilDate>) -> String {
    let count = days.lowerBound.days(to: days.upperBound) + 1
    return (count == 1 ? "" : "\(count) days to ") + days.upperBound.compactText
}
