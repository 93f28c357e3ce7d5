/// Where the rows of a chart of named rows stand; sizes are in tenths of a unit.
///
/// In a wide place a row has its name on the left of its marks and its numbers on the right, in a narrow one both
/// stand above them.
struct RowFrame {
    let size: DrawingSize
    /// Where the marks of a row begin and end.
    let left: Int
    let right: Int
    let rowHeight: Int
    let top = 40
    let bottom: Int
    private let valueWidth: Int

    /// - Parameters:
    ///   - count: how many rows there are.
    ///   - values: the numbers of the rows, as they are written.
    init(_ size: DrawingSize, count: Int, values: [String]) {
        self.size = size
        valueWidth = values.map(estimatedWidth).max() ?? 0
        (left, right) =
            size == .wide ? (2500, size.width - max(valueWidth + 100, 300)) : (60, size.width - 160)
        rowHeight = size == .wide ? 260 : 410
        bottom = top + max(count, 2) * rowHeight
    }

    /// The middle of the marks of a row.
    func middle(_ row: Int) -> Int { top + row * rowHeight + (size == .wide ? rowHeight / 2 : 270) }

    /// How much room the name of a row has.
    fileprivate var nameWidth: Int { size == .wide ? left - 140 : size.width - valueWidth - 200 }
}

/// Values to positions on an axis that lies on its side, so that the upper end is the right one.
struct RowScale {
    let ticks: NiceTicks
    let left: Int
    let right: Int

    func callAsFunction(_ value: Double) -> Int {
        let share = (value - ticks.lower) / (ticks.upper - ticks.lower)
        return left + Int((min(max(share, 0), 1) * Double(right - left)).rounded())
    }
}

/// Draws the name and the numbers of a row.
func drawRowTexts(_ name: String, _ value: String, _ frame: RowFrame, _ row: Int, _ out: inout SVGWriter) {
    let name = fitted(name, width: frame.nameWidth)
    switch frame.size {
    case .wide:
        let baseline = frame.middle(row) + 40
        out.raw("<text class=\"chart-name\" text-anchor=\"end\"")
        out.label(name, x: frame.left - 100, y: baseline)
        out.raw("<text class=\"chart-row-value\"")
        out.label(value, x: frame.right + 100, y: baseline)
    case .narrow:
        let baseline = frame.middle(row) - 120
        out.raw("<text class=\"chart-halo\" stroke-width=\"3\"")
        out.label(name, x: 0, y: baseline)
        out.raw("<text class=\"chart-halo\" stroke-width=\"3\" text-anchor=\"end\"")
        out.label(value, x: frame.size.width, y: baseline)
    }
}

/// Draws the labels of the ticks below the rows, those that have room.
func drawRowTicks(_ scale: RowScale, _ unit: ChartUnit, _ frame: RowFrame, _ out: inout SVGWriter) {
    out.raw("<g class=\"chart-tick\" text-anchor=\"middle\">")
    var free = Int.min
    for (tick, label) in zip(scale.ticks.ticks, tickLabels(scale.ticks, unit)) {
        let half = estimatedWidth(label) / 2
        guard scale(tick) - half >= free else { continue }
        free = scale(tick) + half + 120
        out.raw("<text")
        out.label(label, x: min(max(scale(tick), half), frame.size.width - half), y: frame.bottom + 170)
    }
    out.raw("</g>")
}
