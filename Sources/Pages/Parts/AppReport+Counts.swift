import Alerts
import AppHealth
import Charts
import Statistics

/// What stands for a count that the audience does not see: neither `–`, which is not known, nor a zero.
let hiddenCountText = "hidden"

extension AppReport {
    /// Whether numbers of users, sessions and events are left out.
    var hidesCounts: Bool { audience.hidesCounts }

    /// A count of users, sessions or events as the audience sees it.
    ///
    /// In every extension of a report it stands before the function of the same name, so that a count cannot be
    /// forgotten; numbers of other things, such as of issues, are written with `Statistics.countText`.
    func countText(_ count: Int) -> String {
        hidesCounts ? hiddenCountText : Statistics.countText(count)
    }

    /// A count as the audience sees it, or `–` when it is not known.
    func countOrDash(_ count: Int?) -> String { count.map(countText) ?? "–" }

    /// The title of a chart of counts.
    func countTitle(_ title: String) -> String {
        hidesCounts ? title + ", 100 = the highest day" : title
    }

    /// Counts as the audience sees them: as they are, or so that the greatest is 100.
    func shown(_ values: [Double?]) -> [Double?] {
        let factor = indexFactor(values.compactMap(\.self))
        return values.map { $0.map { indexed($0, factor) } }
    }

    /// Days of counts as the audience sees them, with what was expected of them on the same scale.
    func shown(_ points: [ChartPoint], _ expected: [ExpectedRange] = []) -> ([ChartPoint], [ExpectedRange]) {
        guard hidesCounts else { return (points, expected) }
        let factor = indexFactor(points.compactMap(\.value))
        let days = points.map { point in
            point.value.map {
                ChartPoint(point.date, indexed($0, factor), provisional: point.provisional)
            } ?? point
        }
        let ranges = expected.compactMap { range in
            ExpectedRange(
                range.date, lower: range.lower * factor, mean: range.mean * factor,
                upper: range.upper * factor)
        }
        return (days, ranges)
    }

    private func indexFactor(_ values: [Double]) -> Double {
        guard hidesCounts, let greatest = values.max(), greatest > 0 else { return 1 }
        return 100 / greatest
    }

    /// Rounded to whole hundredths of the highest day: more digits would let the counts be found out.
    private func indexed(_ value: Double, _ factor: Double) -> Double {
        hidesCounts ? (value * factor).rounded() : value
    }
}
