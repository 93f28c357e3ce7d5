import Statistics

extension Sparkline {
    /// The drawing: the line, then the end mark.
    package func drawing() -> Drawing {
        let canvas = Canvas(name: name, title: title, kind: .sparkline, width: 1200, height: 280)
        return draw(on: canvas, description: description, capacity: 300 + values.count * 10) { out in
            let line = sparkVertices
            guard let end = line.last else { return }
            drawLine(line, &out)
            let isHollow = values.last == .some(nil)
            drawEndMark(endMark, x: end.x, y: end.y, isHollow: isHollow, &out)
        }
    }

    private var sparkVertices: [Vertex] {
        let present = values.compactMap { $0 }
        guard let least = present.min(), let greatest = present.max() else { return [] }
        let (low, high) = (span?.lower ?? least, span?.upper ?? greatest)
        let y = LinearScale(lower: low, upper: high, top: 40, bottom: 240)
        let step = 1080 / Double(max(values.count - 1, 1))
        var isStart = true
        return values.enumerated().compactMap { index, value in
            guard let value else {
                isStart = true
                return nil
            }
            defer { isStart = false }
            let place = high > low ? min(max(y(value), 40), 240) : 140
            let x = values.count == 1 ? 1130 : 50 + Int((Double(index) * step).rounded())
            return Vertex(x: x, y: place, upperY: place, lowerY: place, hasBounds: false, isStart: isStart)
        }
    }
}

/// The shape at the last value of a small line; hollow when the newest value is a gap.
func drawEndMark(
    _ mark: Sparkline.EndMark, x: Int, y: Int, isHollow: Bool, _ out: inout SVGWriter
) {
    switch mark {
    case .plain: out.raw("<circle class=\"chart-end\"")
    case .warning: out.raw("<path class=\"chart-end chart-warning\"")
    case .critical: out.raw("<path class=\"chart-end chart-critical-end\"")
    }
    if isHollow { out.raw(" fill-opacity=\"0\" stroke=\"currentColor\"") }
    var pen = PathPen()
    switch mark {
    case .plain:
        out.raw(" r=\"2.5\"")
        out.coordinate(" cx=\"", x)
        out.coordinate(" cy=\"", y)
        out.raw("/>")
    case .warning:
        out.raw(" d=\"")
        pen.move(x - 35, y + 25, &out)
        out.raw("h7l-3.5-6z\"/>")
    case .critical:
        out.raw(" d=\"")
        pen.move(x - 38, y, &out)
        out.raw("l3.8-3.8 3.8 3.8-3.8 3.8z\"/>")
    }
}
