package import Estimates
import Formatting

/// A line as small as a word, without axes.
package struct Sparkline: Chart, Hashable {
    /// The shape at the last value; shape and color say the same.
    package enum EndMark: Hashable, Sendable {
        /// A dot: nothing to say.
        case plain
        /// A triangle.
        case warning
        /// A diamond.
        case critical
    }

    package var name: String
    package var title: String
    /// What the values measure.
    package let unit: ChartUnit
    /// The values from the oldest to the newest, nil for a gap; at most the newest 400 are drawn.
    package let values: [Double?]
    /// What the height spans; nil for the least to the greatest value.
    package let span: Interval?
    /// The shape at the last value; it is hollow when the newest value is a gap.
    package let endMark: EndMark

    /// Makes a sparkline; values that the unit does not admit are gaps.
    ///
    /// - Parameters:
    ///   - isFromZero: whether the height begins at 0, as that of bars does.
    ///   - leastHeight: what the height spans at least, so that in a column chance does not look like a fall.
    package init(
        name: String, title: String, unit: ChartUnit, values: [Double?], isFromZero: Bool = false,
        leastHeight: Double = 0, endMark: EndMark = .plain
    ) {
        self.name = name
        self.title = title
        self.unit = unit
        self.values = values.suffix(400).map { $0.flatMap { unit.admits($0) ? $0 : nil } }
        self.span = heightSpan(self.values, isFromZero: isFromZero, least: leastHeight)
        self.endMark = endMark
    }

    package func text() -> String { glyphs + "\n" + description }

    package var glyphs: String { sparkText(Array(values.suffix(60)), domain: span) }

    package var description: String {
        let present = values.compactMap { $0 }
        guard let first = present.first, let last = present.last, let low = present.min(),
            let high = present.max()
        else { return values.isEmpty ? "No data." : "No data on \(daysText(values.count))." }
        func text(_ value: Double) -> String { unit.text(value, PercentFormat(decimals: 2)) }
        let gaps = values.count - present.count
        let sentence =
            "Latest \(text(last)), first \(text(first)), lowest \(text(low)), highest \(text(high))."
        return gaps == 0 ? sentence : sentence + " \(gaps) of \(values.count) without data."
    }

    package var table: ChartTable {
        let rows = values.enumerated().map { index, value in
            [
                ChartCell.value(Double(index + 1), .count, PercentFormat(decimals: 0)),
                .value(value, unit, PercentFormat(decimals: 2)),
            ]
        }
        return ChartTable(columns: [.place, .value(unit)], cells: rows)
    }
}

extension Sparkline {
    package var hasNarrowDrawing: Bool { false }

    /// The drawing: the line, then the end mark.
    package func drawing(_ size: DrawingSize) -> Drawing {
        let canvas = Canvas(name: name, title: title, kind: .sparkline, .wide, width: 1200, height: 280)
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
            let place = high > low ? min(max(y(value), 40), 240) : span == .zero ? 240 : 140
            let x = values.count == 1 ? 1130 : 50 + Int((Double(index) * step).rounded())
            return Vertex(x: x, y: place, upperY: place, lowerY: place, hasBounds: false, isStart: isStart)
        }
    }
}

extension Interval {
    /// What zeros alone span from zero on: they are at the bottom, not half high as other equal values.
    static let zero = Interval(lower: 0, upper: 0)
}

/// What the height of some values spans where it is not their own range; the middle of the values is that of the height.
private func heightSpan(_ values: [Double?], isFromZero: Bool, least: Double) -> Interval? {
    let present = values.compactMap(\.self)
    guard let low = present.min(), let high = present.max() else { return nil }
    if isFromZero { return Interval(lower: min(low, 0), upper: high) }
    guard high - low < least else { return nil }
    let middle = (low + high) / 2
    return Interval(lower: middle - least / 2, upper: middle + least / 2)
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
