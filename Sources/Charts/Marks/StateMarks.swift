/// Small shapes under the axis, one for each run of days that share a reason to have no value.
func drawAbsences(_ series: DaySeries, _ x: DateScale, line: Int, _ out: inout SVGWriter) {
    for absence in ChartPoint.Absence.allCases {
        let found = runs(series.points) { $0.absence == absence }
        guard !found.isEmpty else { continue }
        openAbsence(absence, &out)
        var free = Int.min
        for run in found {
            let (begin, end) = (x.edge(run.lowerBound), x.edge(run.upperBound))
            let middle = (begin + end) / 2
            // Shapes that would touch the one before are skipped; the run before shows them too.
            guard middle - 30 >= free else { continue }
            free = max(middle + 35, end)
            drawShape(absence, middle, line, &out)
            if run.count > 1, end - begin > 400 { drawBrace(begin + 15, end - 15, middle, line, &out) }
        }
        out.raw("\"/>")
    }
}

/// Shapes by themselves, for keys and cells; each point is the middle of one. No points draw nothing.
func drawAbsence(_ absence: ChartPoint.Absence, at points: [(x: Int, y: Int)], _ out: inout SVGWriter) {
    guard !points.isEmpty else { return }
    openAbsence(absence, &out)
    for point in points { drawShape(absence, point.x, point.y, &out) }
    out.raw("\"/>")
}

private func openAbsence(_ absence: ChartPoint.Absence, _ out: inout SVGWriter) {
    out.raw("<path class=\"chart-absent chart-")
    out.raw(className(absence))
    out.raw("\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".85\" stroke-width=\"1.4\" d=\"")
}

private func className(_ absence: ChartPoint.Absence) -> StaticString {
    switch absence {
    case .missing: "missing"
    case .failed: "failed"
    case .notCollected: "not-collected"
    case .noSessions: "no-sessions"
    case .belowMinimum: "below-minimum"
    }
}

private func drawShape(_ absence: ChartPoint.Absence, _ x: Int, _ y: Int, _ out: inout SVGWriter) {
    var pen = PathPen()
    switch absence {
    case .missing:
        pen.move(x - 8, y, &out)
        out.raw("a.8.8 0 1 0 1.6 0a.8.8 0 1 0-1.6 0")
    case .failed:
        pen.move(x - 25, y - 25, &out)
        out.raw("l5 5m0-5l-5 5")
    case .notCollected:
        pen.move(x - 25, y, &out)
        out.raw("h5")
    case .noSessions:
        pen.move(x - 25, y, &out)
        out.raw("a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0")
    case .belowMinimum:
        pen.move(x - 30, y - 20, &out)
        out.raw("h6l-3 5z")
    }
}

private func drawBrace(_ begin: Int, _ end: Int, _ middle: Int, _ y: Int, _ out: inout SVGWriter) {
    var pen = PathPen()
    for (outer, inner) in [(begin, middle - 70), (end, middle + 70)] {
        pen.move(outer, y - 20, &out)
        pen.vertical(y, &out)
        pen.horizontal(inner, &out)
    }
}

/// Diagonal lines over the days that late data may still change.
func drawHatch(_ series: DaySeries, _ plot: Plot, on canvas: Canvas, _ out: inout SVGWriter) {
    if canvas.size == .wide { definePattern(id: canvas.wideID, &out) }
    out.raw("<path fill=\"url(#")
    out.escaped(canvas.wideID)
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

private func definePattern(id: String, _ out: inout SVGWriter) {
    out.raw("<pattern id=\"")
    out.escaped(id)
    out.raw(
        "-hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">")
    out.raw(
        "<path class=\"chart-hatch\" stroke=\"currentColor\" stroke-opacity=\".22\" d=\"M0 0v6\"/></pattern>")
}

/// The ranges of neighboring elements that have a property.
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
