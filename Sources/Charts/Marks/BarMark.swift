/// Bars from the base line, one for each day with a count above zero.
func drawBars(_ series: DaySeries, _ plot: Plot, _ out: inout SVGWriter) {
    out.raw("<path class=\"chart-bar\" fill-opacity=\".75\" d=\"")
    let gap = plot.x.columnWidth >= 30 ? max(Int(plot.x.columnWidth * 0.2), 10) : 0
    let inset = max(gap, Int(plot.x.columnWidth) - 280)
    var pen = PathPen()
    for (index, point) in series.points.enumerated() {
        guard let value = point.value, value > 0 else { continue }
        let begin = plot.x.edge(index) + inset / 2
        let end = max(plot.x.edge(index + 1) - (inset - inset / 2), begin + 1)
        // A count above zero is always seen.
        let height = max(plot.y.bottom - plot.y(value), 15)
        pen.move(begin, plot.y.bottom, &out)
        pen.vertical(plot.y.bottom - height, &out)
        pen.horizontal(end, &out)
        pen.vertical(plot.y.bottom, &out)
        pen.close(&out)
    }
    out.raw("\"/>")
}

/// A short tick in the colour of the text on the base line of each day whose count is zero: not a gap.
func drawZeros(_ series: DaySeries, _ plot: Plot, _ out: inout SVGWriter) {
    let zeros = series.points.indices.filter { series.points[$0].value == 0 }
    guard !zeros.isEmpty else { return }
    out.raw("<path class=\"chart-zero\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"3\" d=\"")
    let half = min(Int(plot.x.columnWidth * 0.35), 60)
    var pen = PathPen()
    for index in zeros {
        pen.move(plot.x.center(index) - half, plot.y.bottom - 10, &out)
        pen.horizontal(plot.x.center(index) + half, &out)
    }
    out.raw("\"/>")
}
