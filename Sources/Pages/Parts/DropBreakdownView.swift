import Analysis
import AppHealth
import Charts
import Estimates
import Formatting
package import Templates

/// Why the crash-free rate dropped.
package struct DropBreakdownView: TemplateModel {
    package static let modelName = "drop-causes"
    /// One or two sentences whose numbers add up.
    package var sentence: String
    package var span: String
    package var releases: [DropReleaseRow]
    /// The whole drop in percentage points, such as `0.62`; what the rows contribute adds up to it.
    package var total: String
    /// What all releases contributed by crashing more themselves.
    package var totalWithin: String
    /// What sessions that moved between releases contributed.
    package var totalShift: String
    package var issues: [DropIssueRow]
    /// The drop as steps.
    package var chart: ChartView?

    package static let fields: [Field<DropBreakdownView>] = [
        .text(
            "sentence", "`Crash-free sessions are down 0.62 pp from the 7 days before: 0.55 pp from 4.3.0 …`",
            \.sentence),
        .text(
            "span",
            "What is compared with what, such as `Thu, Nov 19, 2026 vs. 7 days to Mon, Nov 16, 2026`",
            \.span),
        .list("releases", "The releases that contributed most, then all others together", \.releases),
        .text("total", "The whole drop in percentage points, such as `0.62`", \.total),
        .text("totalWithin", "What of it came from crash rates, such as `0.55`", \.totalWithin),
        .text("totalShift", "What of it came from adoption, such as `0.07`", \.totalShift),
        .list("issues", "The issues that increased most in the release that contributed most", \.issues),
        .optional("chart", "The drop as steps from the rate before to the rate after", \.chart),
    ]
}

/// What one release contributed to a drop.
package struct DropReleaseRow: TemplateModel {
    package static let modelName = "drop-release"
    package var version: String
    package var stem: String?
    package var share: String
    package var crashFree: String
    package var within: String
    package var shift: String

    package static let fields: [Field<DropReleaseRow>] = [
        .text("version", "The release's label, or words for what is none", \.version),
        .optionalUrl("stem", "The address of the release's page without ending", \.stem),
        .text("share", "Its share of sessions, such as `4.1% → 22.8%`", \.share),
        .text("crashFree", "Its crash-free sessions, such as `99.41% → 96.02%`", \.crashFree),
        .text("within", "Percentage points from crashing more itself, such as `0.55`", \.within),
        .text("shift", "Percentage points from sessions that moved to it, such as `0.07`", \.shift),
    ]
}

/// An issue that increased while the rate dropped.
package struct DropIssueRow: TemplateModel {
    package static let modelName = "drop-issue"
    package var title: String
    package var stem: String?
    package var rise: String
    package var share: String
    package var whole: String

    package static let fields: [Field<DropIssueRow>] = [
        .text("title", "The issue's headline", \.title),
        .optionalUrl("stem", "The address of the issue's page without ending", \.stem),
        .text("rise", "How much it increased, such as `+412 users a day`", \.rise),
        .text("share", "Its share of the increase of all issues that increased, such as `71.3%`", \.share),
        .text("whole", "What it is a share of, such as `the increase in events per session`", \.whole),
    ]
}

extension DropBreakdownView {
    /// Why the rate is down.
    init(_ causes: DropBreakdown, in scope: AppScope) {
        let points = causes.shownPoints
        // Releases without a part in the drop are folded with the others.
        let relevant = (points.lastIndex { $0.within != 0 || $0.shift != 0 } ?? 0) + 1
        let limit = min(relevant, 4)
        let text: (Double) -> String = { decimalText($0, decimals: causes.decimals) }
        let isFolded = causes.parts.count > limit + 1
        let named = isFolded ? limit : causes.parts.count
        var rows = zip(causes.parts, points).prefix(named).map { part, points in
            DropReleaseRow(part, within: text(points.within), shift: text(points.shift), in: scope)
        }
        if isFolded {
            let rest = causes.shownPoints(from: limit)
            rows.append(
                DropReleaseRow(
                    version: "\(causes.parts.count - limit) others", stem: nil, share: "–", crashFree: "–",
                    within: text(rest.within),
                    shift: text(rest.shift)))
        }
        let sums = causes.shownPoints(from: 0)
        self.init(
            sentence: causes.sentence(counts: scope.audience.counts),
            span: "\(spanText(causes.after)) vs. \(beforeText(causes))",
            releases: rows, total: text(causes.shownDrop), totalWithin: text(sums.within),
            totalShift: text(sums.shift),
            issues: causes.issues.prefix(3).map { rise in
                DropIssueRow(
                    title: rise.issue.headline, stem: scope.stem(toIssue: rise.issue.id),
                    rise: scope.hidesCounts ? "up" : rise.text,
                    share: PercentFormat(decimals: 1).text(rise.share), whole: rise.wholeText)
            }, chart: causes.waterfall.map { ChartView(figure: $0) })
    }
}

extension DropReleaseRow {
    fileprivate init(
        _ part: DropBreakdown.Part, within: String, shift: String, in scope: AppScope
    ) {
        let style = PercentFormat(decimals: 1)
        let rates = [part.crashedBefore, part.crashedAfter].map { crashed in
            crashed.map { PercentFormat.crashFree($0).brief } ?? "–"
        }
        self.init(
            version: part.label ?? "Unknown",
            stem: scope.stem(toRelease: part.label),
            share: "\(style.text(part.shareBefore)) → \(style.text(part.shareAfter))",
            crashFree: rates.joined(separator: " → "), within: within, shift: shift)
    }
}

/// `7 days to Tue, Jan 26, 2016`, with `alert-free` where others are between.
private func beforeText(_ causes: DropBreakdown) -> String {
    guard let first = causes.before.first, let last = causes.before.last else { return "–" }
    let count = causes.before.count
    guard first.days(to: last) + 1 > count else { return spanText(first...last) }
    return "\(count) alert-free days to \(last.compactText)"
}

/// `Wed, Jan 27, 2016`, or `7 days to Wed, Jan 27, 2016`.
private func spanText(_ days: ClosedRange<CivilDate>) -> String {
    let count = days.lowerBound.days(to: days.upperBound) + 1
    return (count == 1 ? "" : "\(count) days to ") + days.upperBound.compactText
}

extension DropBreakdown {
    /// The drop as steps from the rate before to the rate after: the release that contributed most crashing more,
    /// sessions moving between releases, and the other releases themselves. The steps shown add up.
    fileprivate var waterfall: WaterfallChart? {
        guard let worst = parts.first else { return nil }
        let name = worst.label ?? "unknown releases"
        let labels = [
            "\(name) crashing \(worst.within < 0 ? "less" : "more")", "Sessions moving",
            "Other releases",
        ]
        return WaterfallChart(
            name: "why-it-dropped", title: "Why crash-free sessions dropped",
            start: .init(label: "Before", rate: fraction(ofPercent: shownBefore)),
            steps: zip(labels, steps).filter { $1.shown != 0 }.map {
                .init(label: $0, change: -fraction(ofPercent: $1.shown))
            },
            end: .init(label: "After", rate: fraction(ofPercent: shownAfter)),
            display: PercentFormat(decimals: decimals))
    }
}

/// A rate or a difference in 0…1 from percent of at most four decimals, without what the division adds.
private func fraction(ofPercent value: Double) -> Double { (value * 10_000).rounded() / 1_000_000 }
