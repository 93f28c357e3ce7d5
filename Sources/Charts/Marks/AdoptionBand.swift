import AppHealth
import Estimates
import Formatting

/// A release's share of all sessions by day, as a thin strip under a plot.
package struct AdoptionBand: Hashable, Sendable {
    /// The version label.
    package let label: String
    /// Its share in 0…1 on the days that are known.
    package let points: [ChartPoint]

    /// Makes a band.
    package init(label: String, points: [ChartPoint]) {
        self.label = label
        self.points = points
    }
}

/// The height of the row of one release.
let bandRowHeight = 160

/// The releases with a row each from a top on, and the line that each row stays on.
private func rows(_ bands: [AdoptionBand], _ x: DateScale, top: Int) -> [(
    band: AdoptionBand, series: DaySeries, base: Int
)] {
    bands.enumerated().map { row, band in
        (
            band, series: DaySeries(band.points, domain: x.domain, unit: .rate),
            base: top + row * bandRowHeight + 130
        )
    }
}

/// Draws one row for each release from a top on, as high as its share.
func drawAdoptionBands(_ bands: [AdoptionBand], _ x: DateScale, top: Int, _ out: inout SVGWriter) {
    guard !bands.isEmpty else { return }
    let rows = rows(bands, x, top: top)
    out.raw("<path class=\"chart-area\" fill-opacity=\".5\" d=\"")
    for row in rows { drawShareSteps(row.series, x, base: row.base, &out) }
    out.raw("\"/><path class=\"chart-grid\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".3\" d=\"")
    for row in rows { drawBaseLine(row.series, x, base: row.base, &out) }
    out.raw("\"/>")
}

/// The name of each release and its last share, with their baselines.
func adoptionNames(_ bands: [AdoptionBand], _ x: DateScale, top: Int) -> [(text: String, y: Int)] {
    rows(bands, x, top: top).map { (bandLabel($0.band, $0.series), $0.base - 20) }
}

/// `4.2.1 62%`: the name, and the share on the last day that is known.
func bandLabel(_ band: AdoptionBand, _ series: DaySeries) -> String {
    let last = series.points.last { $0.value != nil }?.value
    let share = last.map { " " + PercentFormat(decimals: 0).text($0) } ?? ""
    return displayText(band.label, limit: 12) + share
}

private func drawShareSteps(_ series: DaySeries, _ x: DateScale, base: Int, _ out: inout SVGWriter) {
    var pen = PathPen()
    for run in runs(series.points, where: { ($0.value ?? 0) > 0 }) {
        pen.move(x.edge(run.lowerBound), base, &out)
        var drawn: Int?
        for index in run {
            // A share above zero is always seen.
            let height = max(Int(((series.points[index].value ?? 0) * 110).rounded()), 8)
            guard height != drawn else { continue }
            if drawn != nil { pen.horizontal(x.edge(index), &out) }
            pen.vertical(base - height, &out)
            drawn = height
        }
        pen.horizontal(x.edge(run.upperBound), &out)
        pen.vertical(base, &out)
        pen.close(&out)
    }
}

/// The line on which the share of the known days is drawn.
private func drawBaseLine(_ series: DaySeries, _ x: DateScale, base: Int, _ out: inout SVGWriter) {
    var pen = PathPen()
    for run in runs(series.points, where: { $0.value != nil }) {
        pen.move(x.edge(run.lowerBound), base, &out)
        pen.horizontal(x.edge(run.upperBound), &out)
    }
}
