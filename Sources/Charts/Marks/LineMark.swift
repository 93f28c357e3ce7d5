import Estimates

/// A line through neighboring values; gaps stay gaps, and a value between two gaps is a dot.
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
        isComparison
            ? "<path class=\"chart-comparison chart-dot\" stroke-opacity=\".5\"" : "<path class=\"chart-dot\""
    )
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

/// A value and its bounds where they are drawn, in tenths of a unit.
struct Vertex: Hashable, Sendable {
    var x: Int
    var y: Int
    var upperY: Int
    var lowerY: Int
    var hasBounds: Bool
    /// Whether the line begins here: nothing is drawn from the vertex before.
    var isStart: Bool
}

/// The vertices of a series in order; where many days share a pixel, only the extremes of each are kept.
func vertices(_ series: DaySeries, unit: ChartUnit, _ x: DateScale, _ y: LinearScale) -> [Vertex] {
    var result: [Vertex] = []
    result.reserveCapacity(series.points.count)
    var isStart = true
    for (index, point) in series.points.enumerated() {
        guard case .value(let value, let interval) = point.content else {
            isStart = true
            continue
        }
        let place = y(unit.onAxis(value))
        var vertex = Vertex(
            x: x.center(index), y: place, upperY: place, lowerY: place, hasBounds: false, isStart: isStart)
        if let interval {
            vertex.upperY = y(unit.onAxis(interval.upper))
            vertex.lowerY = y(unit.onAxis(interval.lower))
            vertex.hasBounds = true
        }
        result.append(vertex)
        isStart = false
    }
    return x.columnWidth < 5 ? thinned(result) : result
}

/// At most four vertices for each pixel of a run: the first, the highest, the lowest and the last.
private func thinned(_ vertices: [Vertex]) -> [Vertex] {
    var result: [Vertex] = []
    var begin = 0
    while begin < vertices.count {
        var end = begin + 1
        var (high, low) = (begin, begin)
        while end < vertices.count, !vertices[end].isStart, vertices[end].x / 10 == vertices[begin].x / 10 {
            if vertices[end].y < vertices[high].y { high = end }
            if vertices[end].y > vertices[low].y { low = end }
            end += 1
        }
        for index in Set([begin, high, low, end - 1]).sorted() { result.append(vertices[index]) }
        begin = end
    }
    return result
}

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

/// The area between the bounds of neighboring intervals; a lone one is a narrow bar. It ends with the plot.
///
/// It has two points a day and no outline, so it is drawn in tenths of a unit, whose numbers are shorter, and
/// scaled.
func drawBand(_ vertices: [Vertex], _ plot: Plot, _ out: inout SVGWriter) {
    let vertices = vertices.map { vertex in
        var held = vertex
        held.upperY = min(max(vertex.upperY, plot.y.top), plot.y.bottom)
        held.lowerY = min(max(vertex.lowerY, plot.y.top), plot.y.bottom)
        return held
    }
    out.raw("<path class=\"chart-band\" fill-opacity=\".16\" transform=\"scale(.1)\" d=\"")
    var pen = PathPen(isTenfold: true)
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
