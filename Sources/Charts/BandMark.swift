/// The area between the bounds of neighbouring intervals; a lone one is a narrow bar.
func drawBand(_ vertices: [Vertex], id: String, _ plot: Plot, _ out: inout SVGWriter) {
    drawClip(id: id, plot, &out)
    out.raw("<path class=\"chart-band\" fill-opacity=\".16\" clip-path=\"url(#")
    out.escaped(id)
    out.raw("-clip)\" d=\"")
    var pen = PathPen()
    var begin = 0
    while begin < vertices.count {
        var end = begin + 1
        while end < vertices.count, !vertices[end].isStart, vertices[end].hasBounds { end += 1 }
        if vertices[begin].hasBounds { drawRun(vertices[begin..<end], &pen, &out) }
        begin = end
    }
    out.raw("\"/>")
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
