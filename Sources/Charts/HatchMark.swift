/// Diagonal lines over the days that late data may still change.
func drawHatch(_ series: DaySeries, _ plot: Plot, id: String, _ out: inout SVGWriter) {
    out.raw("<pattern id=\"")
    out.escaped(id)
    out.raw(
        "-hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">")
    out.raw(
        "<path class=\"chart-hatch\" stroke=\"currentColor\" stroke-opacity=\".22\" d=\"M0 0v6\"/></pattern>")
    out.raw("<path fill=\"url(#")
    out.escaped(id)
    out.raw("-hatch)\" d=\"")
    var pen = PathPen()
    for run in runs(series.points, where: \.provisional) {
        pen.move(plot.x.edge(run.lowerBound), plot.y.top, &out)
        pen.horizontal(plot.x.edge(run.upperBound), &out)
        pen.vertical(plot.y.bottom, &out)
        pen.horizontal(plot.x.edge(run.lowerBound), &out)
        pen.close(&out)
    }
    out.raw("\"/>")
}

/// The ranges of neighbouring elements that have a property.
func runs<Element>(_ elements: [Element], where has: (Element) -> Bool) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var start: Int?
    for (index, element) in elements.enumerated() {
        if has(element) {
            if start == nil { start = index }
        } else if let begin = start {
            result.append(begin..<index)
            start = nil
        }
    }
    if let start { result.append(start..<elements.count) }
    return result
}
