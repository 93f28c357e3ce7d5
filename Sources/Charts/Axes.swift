import Formatting
import Statistics

/// The text of a tick of the vertical axis.
func tickLabel(_ value: Double, _ unit: ChartUnit, decimals: Int) -> String {
    switch unit {
    case .rate: decimalText(value, decimals: value == 100 || value == 0 ? 0 : decimals) + "%"
    case .count: decimals > 0 ? decimalText(value, decimals: decimals) : compactCountText(value)
    }
}

/// The labels of all ticks.
func tickLabels(_ ticks: NiceTicks, _ unit: ChartUnit) -> [String] {
    ticks.ticks.map { tickLabel($0, unit, decimals: ticks.decimals) }
}

/// The calm lines behind a plot and the labels of the vertical axis.
func drawGrid(_ plot: Plot, labels: [String], _ out: inout SVGWriter) {
    out.raw("<path class=\"chart-grid\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".13\" d=\"")
    var pen = PathPen()
    for tick in plot.ticks.ticks where tick != plot.y.lower {
        pen.move(plot.x.left, plot.y(tick), &out)
        pen.horizontal(plot.x.right, &out)
    }
    out.raw("\"/><g class=\"chart-tick\" text-anchor=\"end\">")
    for (tick, label) in zip(plot.ticks.ticks, labels) {
        out.raw("<text")
        out.label(label, x: plot.x.left - 80, y: plot.y(tick) + 40)
    }
    out.raw("</g>")
}

/// The base line with its ticks and the labels of the days.
func drawDateAxis(_ plot: Plot, _ out: inout SVGWriter) { drawAxis(plot, dateTicks(plot.x), &out) }

/// The base line with these ticks and their labels.
func drawAxis(_ plot: Plot, _ ticks: [DateTick], _ out: inout SVGWriter) {
    out.raw("<path class=\"chart-axis\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".45\" d=\"")
    var pen = PathPen()
    pen.move(plot.x.left, plot.y.bottom, &out)
    pen.horizontal(plot.x.right, &out)
    for tick in ticks {
        pen.move(plot.x.center(tick.index), plot.y.bottom, &out)
        pen.vertical(plot.y.bottom + 40, &out)
    }
    out.raw("\"/><g class=\"chart-tick\" text-anchor=\"middle\">")
    for tick in ticks {
        out.raw("<text")
        out.label(tick.label, x: plot.x.center(tick.index), y: plot.dayLabelLine)
    }
    out.raw("</g>")
}
