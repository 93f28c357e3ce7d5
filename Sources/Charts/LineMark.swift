import Statistics

/// A line through neighbouring values; gaps stay gaps, and a value between two gaps is a dot.
func drawLine(_ vertices: [Vertex], isComparison: Bool = false, _ out: inout SVGWriter) {
    var dots: [Vertex] = []
    for (index, vertex) in vertices.enumerated() where vertex.isStart {
        if index + 1 == vertices.count || vertices[index + 1].isStart { dots.append(vertex) }
    }
    if dots.count < vertices.count { drawSegments(vertices, isComparison: isComparison, &out) }
    if !dots.isEmpty { drawDots(dots, isComparison: isComparison, &out) }
}

/// From so many points on a line is drawn in tenths of a unit, whose numbers are shorter, and scaled.
private let leastLong = 40

private func drawSegments(_ vertices: [Vertex], isComparison: Bool, _ out: inout SVGWriter) {
    let isLong = vertices.count >= leastLong
    switch (isComparison, isLong) {
    case (true, false):
        out.raw("<path class=\"chart-comparison\" stroke-opacity=\".6\" stroke-width=\"1.5\"")
        out.raw(" stroke-dasharray=\"5 3\"")
    case (true, true):
        out.raw("<path class=\"chart-comparison\" stroke-opacity=\".6\" stroke-width=\"15\"")
        out.raw(" stroke-dasharray=\"50 30\" transform=\"scale(.1)\"")
    case (false, false): out.raw("<path class=\"chart-line\" stroke-width=\"2\"")
    case (false, true): out.raw("<path class=\"chart-line\" stroke-width=\"20\" transform=\"scale(.1)\"")
    }
    out.raw(" fill=\"none\" stroke=\"currentColor\" d=\"")
    var pen = PathPen(isTenfold: isLong)
    for (index, vertex) in vertices.enumerated() {
        if !vertex.isStart {
            if isLevel(vertices, at: index) { continue }
            pen.line(vertex.x, vertex.y, &out)
        } else if index + 1 < vertices.count, !vertices[index + 1].isStart {
            pen.move(vertex.x, vertex.y, &out)
        }
    }
    out.raw("\"/>")
}

/// Whether a point lies within a level part of the line, which is drawn in one step.
private func isLevel(_ vertices: [Vertex], at index: Int) -> Bool {
    guard index > 0, index + 1 < vertices.count, !vertices[index + 1].isStart else { return false }
    return vertices[index - 1].y == vertices[index].y && vertices[index + 1].y == vertices[index].y
}

private func drawDots(_ dots: [Vertex], isComparison: Bool, _ out: inout SVGWriter) {
    out.raw(
        isComparison ? "<path class=\"chart-comparison\" stroke-opacity=\".5\"" : "<path class=\"chart-dot\"")
    out.raw(" fill=\"none\" stroke=\"currentColor\" stroke-width=\"5\" stroke-linecap=\"round\" d=\"")
    var pen = PathPen()
    for dot in dots {
        pen.move(dot.x, dot.y, &out)
        pen.horizontal(dot.x, &out)
    }
    out.raw("\"/>")
}

/// The dot at the last value.
func drawEndDot(_ vertex: Vertex, _ out: inout SVGWriter) {
    out.raw("<circle class=\"chart-end\" r=\"3.5\"")
    out.coordinate(" cx=\"", vertex.x)
    out.coordinate(" cy=\"", vertex.y)
    out.raw("/>")
}
