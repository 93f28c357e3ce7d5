/// A level line across the plot.
func drawRule(_ rule: LevelRule, unit: ChartUnit, _ plot: Plot, _ out: inout SVGWriter) {
    switch rule.kind {
    case .target: out.raw("<path class=\"chart-target\" stroke-dasharray=\"6 3\"")
    case .critical: out.raw("<path class=\"chart-critical\" stroke-dasharray=\"2 3\"")
    }
    out.raw(" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".7\" d=\"")
    var pen = PathPen()
    pen.move(plot.x.left, plot.y(unit.onAxis(rule.value)), &out)
    pen.horizontal(plot.x.right, &out)
    out.raw("\"/>")
}
