package import Analysis
import AppHealth
import Charts
import Estimates
import Formatting

/// What means a count that the audience does not see: neither `–`, which is not known, nor a zero.
let hiddenCountText = "hidden"

/// How the pages of one app write: what they share, who reads them, and where their links lead.
package struct AppScope: Sendable {
    /// What the pages share.
    let facts: AppFacts
    /// Where links lead.
    let links: Links
    /// What figures are called.
    let labels: FigureLabels

    /// The scope of a text of an app.
    package init(_ facts: AppFacts, _ links: Links, labels: FigureLabels = .standard) {
        self.facts = facts
        self.links = links
        self.labels = labels
    }

    /// The scope of a page of an app.
    init(_ facts: AppFacts, at path: SitePath, of site: SiteFacts) {
        self.init(facts, site.links(from: path), labels: site.labels)
    }

    /// The app.
    var app: App { facts.app }
    /// Who reads.
    var audience: Audience { facts.audience }
    /// Whether numbers of users, sessions and events are skipped.
    var hidesCounts: Bool { audience.hidesCounts }

    /// The address of the page of an issue; nil when there is nothing to link to.
    func stem(toIssue id: String) -> String? {
        links.leadsToIssues ? links.stem(to: .issue(id, of: app.id)) : nil
    }

    /// The address of the page of a release; nil when it has none.
    func stem(toRelease label: String?) -> String? {
        label.flatMap { facts.listedReleases.contains($0) ? links.stem(to: .release($0, of: app.id)) : nil }
    }

    /// The address of the page of a day; nil when it has none.
    func stem(toDay day: CivilDate) -> String? {
        facts.listedDays.contains(day) ? links.stem(to: .day(day, of: app.id)) : nil
    }
}

/// Counts as readers see them.
extension AppScope {
    /// A count of users, sessions or events as the audience sees it; numbers of other things, such as of issues, are
    /// written with `Formatting.countText`.
    func countText(_ count: Int) -> String {
        hidesCounts ? hiddenCountText : Formatting.countText(count)
    }

    /// A count as the audience sees it, or `–` when it is not known.
    func countOrDash(_ count: Int?) -> String { count.map(countText) ?? "–" }

    /// The title of a chart of counts.
    func countTitle(_ title: String) -> String {
        hidesCounts ? title + ", 100 = the highest day" : title
    }

    /// Counts as the audience sees them: as they are, or so that the greatest is 100.
    func shown(_ values: [Double?]) -> [Double?] {
        let scale = indexScale(values.compactMap(\.self))
        return values.map { $0.map(scale) }
    }

    /// Days of counts as the audience sees them, with what was expected of them on the same scale.
    func shown(_ points: [ChartPoint], _ expected: [ExpectedRange] = []) -> ([ChartPoint], [ExpectedRange]) {
        guard hidesCounts else { return (points, expected) }
        let scale = indexScale(points.compactMap(\.value))
        let days = points.map { point in
            point.value.map {
                ChartPoint(point.date, scale($0), provisional: point.provisional)
            } ?? point
        }
        let ranges = expected.compactMap { range in
            ExpectedRange(
                range.date, lower: scale(range.lower), mean: scale(range.mean), upper: scale(range.upper))
        }
        return (days, ranges)
    }

    /// A share as the audience sees it.
    func shown(_ share: Fraction) -> Fraction { share.shown(hidingCounts: hidesCounts) }

    /// From counts to hundredths of the greatest. More digits would let the counts be found out, and so would
    /// single hundredths of a small count.
    private func indexScale(_ values: [Double]) -> (Double) -> Double {
        guard hidesCounts, let greatest = values.max(), greatest > 0 else { return { $0 } }
        let step: Double = greatest < 200 ? 10 : 1
        return { ($0 / greatest * 100 / step).rounded() * step }
    }
}
