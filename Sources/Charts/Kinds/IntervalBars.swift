package import Estimates
import Formatting

/// Rows of estimates with their intervals, on one scale from zero.
package struct IntervalBars: Chart, Hashable {
    /// One row.
    package struct Row: Hashable, Sendable {
        /// What is estimated; foreign text.
        package let label: String
        /// The estimate, or nil when there is none.
        package let value: Double?
        /// The span that the estimate may have.
        package let interval: Interval?

        /// Makes a row.
        package init(label: String, value: Double?, interval: Interval?) {
            self.label = label
            self.value = value
            self.interval = interval
        }
    }

    package var name: String
    package var title: String
    /// What the values measure.
    package let unit: ChartUnit
    /// The rows in their order, at most twenty.
    package let rows: [Row]
    /// What is before a row's name in the sentence, such as `Issue`.
    package let subject: String

    /// Makes a chart; values that the unit does not admit, or below zero, are missing.
    package init(name: String, title: String, unit: ChartUnit, subject: String, rows: [Row]) {
        self.name = name
        self.title = title
        self.unit = unit
        self.subject = subject
        self.rows = rows.prefix(20).map { row in
            let isKnown = row.value.map { unit.admits($0) && $0 >= 0 } ?? false
            let hasBounds = row.interval.map { unit.admits($0.lower) && unit.admits($0.upper) } ?? false
            return Row(
                label: row.label, value: isKnown ? row.value : nil,
                interval: isKnown && hasBounds ? row.interval : nil)
        }
    }

    package var description: String {
        let known = rows.filter { $0.value != nil }
        guard let first = known.max(by: { ($0.value ?? 0) < ($1.value ?? 0) }) else { return "No data." }
        func text(_ row: Row) -> String {
            "\(displayText(row.label, limit: 60)) \(valueText(row))"
        }
        let missing = rows.count - known.count
        let gaps = missing == 0 ? "" : " \(missing) of \(rows.count) without data."
        if known.count == 1 { return "One value: \(text(first))." + gaps }
        let last = known.min { ($0.value ?? 0) < ($1.value ?? 0) } ?? first
        return "\(rows.count) \(subject). Highest: \(text(first)); lowest: \(text(last))." + gaps
    }

    package func text() -> String {
        sparkText(
            rows.map(\.value), domain: rows.compactMap(\.value).max().map { Interval(lower: 0, upper: $0) })
            + "\n" + description
    }

    package var table: ChartTable {
        let precision = precision
        return ChartTable(
            columns: [.name, .value(unit), .interval],
            cells: rows.map { row in
                [
                    .text(displayText(row.label, limit: 200)), .value(row.value, unit, precision),
                    .interval(row.interval, unit, precision),
                ]
            })
    }
}

extension IntervalBars {
    /// The decimals that the widest interval bears out, for all rows alike.
    var precision: PercentFormat {
        PercentFormat(interval: rows.compactMap(\.interval).max { $0.width < $1.width })
    }

    /// `1.24% (1.02–1.51)`.
    func valueText(_ row: Row) -> String {
        guard let value = row.value else { return "–" }
        let precision = precision
        let bounds = row.interval.map { " (\(intervalText($0, unit, precision)))" } ?? ""
        return unit.text(value, precision) + bounds
    }
}

extension IntervalBars {
    /// The drawing: a bar for each estimate, a whisker for its interval, its numbers on the right.
    package func drawing(_ size: DrawingSize) -> Drawing {
        let texts = rows.map(valueText)
        let frame = RowFrame(size, count: rows.count, values: texts)
        let canvas = Canvas(name: name, title: title, kind: .list, size, height: frame.bottom + 270)
        let scale = scale(frame)
        return draw(on: canvas, description: description, capacity: 1200 + rows.count * 420) { out in
            drawTicks(scale, frame, &out)
            for (index, row) in rows.enumerated() {
                drawRowTexts(row.label, texts[index], frame, index, &out)
                drawRow(row, scale, y: frame.middle(index), &out)
            }
            guard rows.isEmpty else { return }
            out.raw("<text class=\"chart-empty\" text-anchor=\"middle\"")
            out.label("No data", x: (frame.left + frame.right) / 2, y: frame.top + frame.rowHeight)
        }
    }

    private func scale(_ frame: RowFrame) -> RowScale {
        let values = rows.compactMap(\.value)
        let greatest = values.max() ?? 0
        // A whisker that reaches far beyond all bars does not crush them.
        let reach =
            rows.compactMap { $0.interval?.upper }.max().map { upper in
                greatest > 0 ? min(upper, greatest * 1.8) : upper
            } ?? 0
        let most = max(greatest, reach)
        let limit = unit.onAxis(most > 0 ? most : unit == .rate ? 0.01 : 1)
        let wished = unit == .count && limit < 4 ? max(Int(limit), 1) : 4
        return RowScale(ticks: NiceTicks(0, limit, wished: wished), left: frame.left, right: frame.right)
    }

    private func drawTicks(_ scale: RowScale, _ frame: RowFrame, _ out: inout SVGWriter) {
        out.raw(
            "<path class=\"chart-grid\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".13\" d=\"")
        var pen = PathPen()
        for tick in scale.ticks.ticks.dropFirst() {
            pen.move(scale(tick), frame.top, &out)
            pen.vertical(frame.bottom, &out)
        }
        out.raw(
            "\"/><path class=\"chart-axis\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".45\" d=\""
        )
        pen.move(scale.left, frame.top, &out)
        pen.vertical(frame.bottom, &out)
        out.raw("\"/>")
        drawRowTicks(scale, unit, frame, &out)
    }

    private func drawRow(_ row: Row, _ scale: RowScale, y: Int, _ out: inout SVGWriter) {
        guard let value = row.value else { return }
        drawBar(to: scale(unit.onAxis(value)), from: scale.left, y: y, &out)
        if let interval = row.interval { drawWhisker(interval, scale, y: y, &out) }
    }

    private func drawBar(to end: Int, from begin: Int, y: Int, _ out: inout SVGWriter) {
        out.raw("<path class=\"chart-bar\" fill-opacity=\".35\" d=\"")
        var pen = PathPen()
        pen.move(begin, y - 60, &out)
        // A value above zero is always seen.
        pen.horizontal(max(end, begin + 10), &out)
        pen.vertical(y + 60, &out)
        pen.horizontal(begin, &out)
        out.raw("z\"/>")
    }

    private func drawWhisker(_ interval: Interval, _ scale: RowScale, y: Int, _ out: inout SVGWriter) {
        let (low, high) = (scale(unit.onAxis(interval.lower)), scale(unit.onAxis(interval.upper)))
        out.raw("<path class=\"chart-line chart-whisker\" fill=\"none\" stroke=\"currentColor\"")
        out.raw(" stroke-width=\"1.5\" d=\"")
        var pen = PathPen()
        pen.move(low, y - 35, &out)
        pen.vertical(y + 35, &out)
        pen.move(low, y, &out)
        pen.horizontal(high, &out)
        // What goes on beyond the scale has no end stroke.
        if unit.onAxis(interval.upper) <= scale.ticks.upper {
            pen.move(high, y - 35, &out)
            pen.vertical(y + 35, &out)
        }
        out.raw("\"/>")
    }
}
