/// Writes the steps of a path as short relative coordinates; positions are whole tenths, so nothing drifts.
struct PathPen {
    private var x = 0
    private var y = 0
    private var isDrawing = false
    private var needsSeparator = false
    /// 10 when tenths are written as whole numbers, for a path that is drawn at a tenth of its size.
    private let factor: Int

    /// A pen that writes units, or tenths of them for an element that is scaled by 0.1.
    init(isTenfold: Bool = false) { factor = isTenfold ? 10 : 1 }

    /// Goes to a point without drawing.
    mutating func move(_ toX: Int, _ toY: Int, _ out: inout SVGWriter) {
        out.raw("M")
        needsSeparator = false
        number(toX, &out)
        number(toY, &out)
        (x, y) = (toX, toY)
        isDrawing = false
    }

    /// Draws a straight line to a point.
    mutating func line(_ toX: Int, _ toY: Int, _ out: inout SVGWriter) {
        if !isDrawing {
            out.raw("l")
            needsSeparator = false
            isDrawing = true
        }
        number(toX - x, &out)
        number(toY - y, &out)
        (x, y) = (toX, toY)
    }

    /// Draws level to an x.
    mutating func horizontal(_ toX: Int, _ out: inout SVGWriter) {
        step("h", toX - x, &out)
        x = toX
    }

    /// Draws upright to a y.
    mutating func vertical(_ toY: Int, _ out: inout SVGWriter) {
        step("v", toY - y, &out)
        y = toY
    }

    /// Closes the figure that the last move began.
    mutating func close(_ out: inout SVGWriter) {
        out.raw("z")
        isDrawing = false
    }

    private mutating func step(_ letter: StaticString, _ delta: Int, _ out: inout SVGWriter) {
        out.raw(letter)
        out.tenths(delta * factor)
        isDrawing = false
    }

    private mutating func number(_ value: Int, _ out: inout SVGWriter) {
        if needsSeparator, value >= 0 { out.raw(" ") }
        out.tenths(value * factor)
        needsSeparator = true
    }
}
