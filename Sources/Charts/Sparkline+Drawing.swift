import Statistics

extension Sparkline {
    /// The drawing: the line, then the end mark.
    func drawing(_ setting: Setting) -> String {
        let canvas = Canvas(name: name, title: title, setting: setting)
        var out = SVGWriter(capacity: 900 + values.count * 10)
        open(canvas, &out)
        let line = sparkVertices
        if let end = line.last {
            drawLine(line, &out)
            drawEndMark(end, &out)
        }
        canvas.close(&out)
        return out.text
    }

    private func open(_ canvas: Canvas, _ out: inout SVGWriter) {
        out.raw("<svg")
        if canvas.setting == .standalone { out.raw(" xmlns=\"http://www.w3.org/2000/svg\"") }
        out.raw(" class=\"sparkline\" role=\"img\" aria-labelledby=\"")
        out.escaped(canvas.id)
        out.raw("-title ")
        out.escaped(canvas.id)
        out.raw("-desc\" width=\"120\" height=\"28\" viewBox=\"0 0 120 28\" fill=\"currentColor\">")
        canvas.names(description, &out)
        guard canvas.setting == .standalone else { return }
        out.raw("<style>")
        out.raw(standaloneStyle)
        out.raw("</style>")
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

    private func drawEndMark(_ end: Vertex, _ out: inout SVGWriter) {
        let isHollow = values.last == .some(nil)
        switch endMark {
        case .plain: out.raw("<path class=\"chart-end\"")
        case .warning: out.raw("<path class=\"chart-end chart-warning\"")
        case .critical: out.raw("<path class=\"chart-end chart-critical-end\"")
        }
        if isHollow { out.raw(" fill-opacity=\"0\"") }
        out.raw(" stroke=\"currentColor\" d=\"")
        var pen = PathPen()
        switch endMark {
        case .plain:
            pen.move(end.x - 25, end.y, &out)
            out.raw("a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0z\"/>")
        case .warning:
            pen.move(end.x - 35, end.y + 25, &out)
            out.raw("h7l-3.5-6z\"/>")
        case .critical:
            pen.move(end.x - 38, end.y, &out)
            out.raw("l3.8-3.8 3.8 3.8-3.8 3.8z\"/>")
        }
    }
}
