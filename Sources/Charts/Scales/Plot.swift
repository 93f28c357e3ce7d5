import Estimates
import Formatting

/// The plotting area of a chart with its two scales; all positions are tenths of a unit.
struct Plot {
    let x: DateScale
    let y: LinearScale
    let ticks: NiceTicks
    /// The height of the whole drawing.
    let height: Int
    /// Where glyphs of absent days stand.
    let glyphLine: Int
    /// The baseline of the labels of the days.
    let dayLabelLine: Int
    /// Where lanes and bands under the plot begin.
    let laneTop: Int
    /// The baseline of the first row of the legend.
    let legendLine: Int
    /// What explains the marks.
    let legend: Legend

    /// Lays out the area: room on the left for tick labels, on the right for direct labels, below for what is
    /// there.
    init(domain: DateDomain, ticks: NiceTicks, margins: Margins) {
        self.ticks = ticks
        self.x = DateScale(domain: domain, left: margins.left, right: margins.size.width - margins.right)
        let bottom = margins.top + margins.plotHeight
        self.y = LinearScale(lower: ticks.lower, upper: ticks.upper, top: margins.top, bottom: bottom)
        self.glyphLine = bottom + 90
        self.dayLabelLine = bottom + (margins.hasGlyphs ? 310 : 190)
        self.laneTop = dayLabelLine + 100
        self.legend = Legend(margins.legend, left: margins.left, right: margins.size.width)
        let end = dayLabelLine + (margins.lanes > 0 ? margins.lanes + 100 : 0)
        self.legendLine = end + 230
        self.height = (legend.rows > 0 ? legendLine + legend.height - Legend.rowHeight : end) + 80
    }

    /// The plot of a drawing, and that of the wide drawing next to it when this is the narrow one.
    static func nextToWide(domain: DateDomain, ticks: NiceTicks, margins: Margins) -> (
        plot: Plot, wide: Plot?
    ) {
        let plot = Plot(domain: domain, ticks: ticks, margins: margins)
        guard margins.size == .narrow else { return (plot, nil) }
        var margins = margins
        margins.size = .wide
        return (plot, Plot(domain: domain, ticks: ticks, margins: margins))
    }

    /// How much room is around the area, and what is there.
    struct Margins {
        var size: DrawingSize
        var left: Int
        var right: Int
        var top: Int
        var plotHeight: Int
        var hasGlyphs: Bool
        var legend: [Legend.Entry]
        /// The height of the lanes under the labels of the days.
        var lanes = 0
    }
}

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

/// Draws the shapes of a plot that are alike in the wide and the narrow drawing: lines and areas, no letters.
///
/// They are the most of a drawing. The narrow one has them moved and pressed together; a style sheet keeps the width of
/// their strokes.
///
/// - Parameter wide: the plot of the wide drawing, when this is the narrow one.
func drawShapes(
    on canvas: Canvas, _ plot: Plot, usingThoseOf wide: Plot?, _ out: inout SVGWriter,
    _ marks: (inout SVGWriter) -> Void
) {
    guard let wide else { return drawForBoth("shapes", on: canvas, &out, marks) }
    let ratio = (plot.x.right - plot.x.left) * 10_000 / max(wide.x.right - wide.x.left, 1)
    drawAgain("shapes", of: canvas, &out) { out in
        out.raw(" transform=\"translate(")
        out.tenths(plot.x.left)
        out.raw(" ")
        out.tenths(plot.y.top - wide.y.top)
        out.raw(")scale(")
        out.tenThousandths(ratio)
        out.raw(" 1)translate(")
        out.tenths(-wide.x.left)
        out.raw(")\"")
    }
}

/// Draws words and symbols that are alike in the wide and the narrow drawing.
///
/// - Parameters:
///   - wide: the plot of the wide drawing, when this is the narrow one.
///   - moved: how far they are under their place in the wide drawing; nil when they differ.
func drawLetters(
    _ part: StaticString, on canvas: Canvas, usingThoseOf wide: Plot?, moved: (Plot) -> Int?,
    _ out: inout SVGWriter, _ marks: (inout SVGWriter) -> Void
) {
    guard let wide else { return drawForBoth(part, on: canvas, &out, marks) }
    guard let moved = moved(wide) else { return marks(&out) }
    drawAgain(part, of: canvas, &out) { out in
        guard moved != 0 else { return }
        out.raw(" y=\"")
        out.tenths(moved)
        out.raw("\"")
    }
}

/// Draws marks on the wide drawing under a name, by which the narrow one next to it has them too: a page has them once.
private func drawForBoth(
    _ part: StaticString, on canvas: Canvas, _ out: inout SVGWriter, _ marks: (inout SVGWriter) -> Void
) {
    out.raw("<g id=\"")
    out.escaped(canvas.wideID)
    out.raw("-")
    out.raw(part)
    out.raw("\">")
    marks(&out)
    out.raw("</g>")
}

/// Draws marks of the wide drawing on the narrow one.
private func drawAgain(
    _ part: StaticString, of canvas: Canvas, _ out: inout SVGWriter, place: (inout SVGWriter) -> Void
) {
    out.raw("<use href=\"#")
    out.escaped(canvas.wideID)
    out.raw("-")
    out.raw(part)
    out.raw("\"")
    place(&out)
    out.raw("/>")
}

/// The calm lines behind a plot.
func drawGridLines(_ plot: Plot, _ out: inout SVGWriter) {
    out.raw("<path class=\"chart-grid\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".13\" d=\"")
    var pen = PathPen()
    for tick in plot.ticks.ticks where tick != plot.y.lower {
        pen.move(plot.x.left, plot.y(tick), &out)
        pen.horizontal(plot.x.right, &out)
    }
    out.raw("\"/>")
}

/// The labels of the vertical axis, which a narrow drawing has from the wide one.
func drawTickLabels(
    on canvas: Canvas, _ plot: Plot, usingThoseOf wide: Plot?, _ labels: [String], _ out: inout SVGWriter
) {
    func moved(_ wide: Plot) -> Int? { wide.x.left == plot.x.left ? plot.y.top - wide.y.top : nil }
    drawLetters("ticks", on: canvas, usingThoseOf: wide, moved: moved, &out) {
        drawTickLabels(plot, labels, &$0)
    }
}

/// The labels of the vertical axis.
private func drawTickLabels(_ plot: Plot, _ labels: [String], _ out: inout SVGWriter) {
    out.raw("<g class=\"chart-tick\" text-anchor=\"end\">")
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
