/// The area between the bounds of neighbouring intervals; a lone one is a narrow bar.
///
/// It has two points a day and no outline, so it is drawn in tenths of a unit, whose numbers are shorter, and
/// scaled.
func drawBand(_ vertices: [Vertex], id: String, _ plot: Plot, _ out: inout SVGWriter) {
    drawClip(id: id, plot, &out)
    out.raw("<g clip-path=\"url(#")
    out.escaped(id)
    out.raw("-clip)\"><path class=\"chart-band\" fill-opacity=\".16\" transform=\"scale(.1)\" d=\"")
    var pen = PathPen(isTenfold: true)
    var begin = 0
    while begin < vertices.count {
        var end = begin + 1
        while end < vertices.count, !vertices[end].isStart, vertices[end].hasBounds { end += 1 }
        if vertices[begin].hasBounds { drawRun(vertices[begin..<end], &pen, &out) }
        begin = end
    }
    out.raw("\"/></g>")
}

private func drawRun(_ run: ArraySlice<Vertex>, _ pen: inout PathPen, _ out: inout SVGWriter) {
    guard let first = run.first else { return }
    if run.count == 1 {
        pen.move(first.x - 25, first.upperY, &out)
        pen.horizontal(first.x + 25, &out)
        pen.vertical(first.lowerY, &out)
        pen.horizontal(first.x - 25, &out)
    } else {
        pen.move(first.x, first.upperY, &out)
        for vertex in run.dropFirst() { pen.line(vertex.x, vertex.upperY, &out) }
        for vertex in run.reversed() { pen.line(vertex.x, vertex.lowerY, &out) }
    }
    pen.close(&out)
}

/// Keeps intervals that reach beyond the axis within the plot.
private func drawClip(id: String, _ plot: Plot, _ out: inout SVGWriter) {
    out.raw("<clipPath id=\"")
    out.escaped(id)
    out.raw("-clip\"><path d=\"")
    var pen = PathPen()
    pen.move(plot.x.left, plot.y.top, &out)
    pen.horizontal(plot.x.right, &out)
    pen.vertical(plot.y.bottom, &out)
    pen.horizontal(plot.x.left, &out)
    out.raw("z\"/></clipPath>")
}
