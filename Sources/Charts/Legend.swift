/// The one line that explains what is not labelled where it stands; nil when there is nothing to explain.
func legendText(_ summary: SeriesSummary) -> String? {
    var parts: [String] = []
    if summary.hasIntervals { parts.append("Band: 95\u{A0}% interval") }
    if summary.provisional > 0 { parts.append("Hatched: provisional, may still change") }
    for absence in ChartPoint.Absence.allCases where summary.absences[absence.rank] > 0 {
        parts.append("\(absence.glyph) \(absence.text)")
    }
    return parts.isEmpty ? nil : parts.joined(separator: " \u{2002} ")
}

/// Says in the middle of a plot that there is nothing to draw.
func drawEmptiness(_ plot: Plot, _ out: inout SVGWriter) {
    out.raw("<text class=\"chart-empty\" fill-opacity=\".85\" text-anchor=\"middle\"")
    out.label("No values", x: (plot.x.left + plot.x.right) / 2, y: (plot.y.top + plot.y.bottom) / 2 - 60)
}

/// Draws the line of the legend.
func drawLegend(_ text: String, _ plot: Plot, _ out: inout SVGWriter) {
    out.raw("<text class=\"chart-legend\" fill-opacity=\".85\" font-size=\"11\"")
    out.label(text, x: plot.x.left, y: plot.legendLine)
}
