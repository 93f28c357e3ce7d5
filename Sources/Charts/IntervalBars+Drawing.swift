import Statistics

extension IntervalBars {
    private static let rowHeight = 260
    private static let left = 2500

    /// The drawing: a bar for each estimate, a whisker for its interval, its numbers on the right.
    package func drawing() -> Drawing {
        let texts = rows.map(valueText)
        let right = Plot.width - max((texts.map(estimatedWidth).max() ?? 0) + 100, 300)
        let top = 40
        let bottom = top + max(rows.count, 2) * Self.rowHeight
        let canvas = Canvas(name: name, title: title, kind: .list, height: bottom + 270)
        let scale = scale(right: right)
        return draw(on: canvas, description: description, capacity: 1200 + rows.count * 420) { out in
            drawTicks(scale, top: top, bottom: bottom, &out)
            for (index, row) in rows.enumerated() {
                drawRow(row, texts[index], scale, y: top + index * Self.rowHeight + Self.rowHeight / 2, &out)
            }
            guard rows.isEmpty else { return }
            out.raw("<text class=\"chart-empty\" text-anchor=\"middle\"")
            out.label("No values", x: (Self.left + right) / 2, y: top + Self.rowHeight)
        }
    }

    /// Values to positions; it lies on its side, so the upper end is the right one.
    private struct Scale {
        let ticks: NiceTicks
        let left: Int
        let right: Int

        func callAsFunction(_ value: Double) -> Int {
            let share = (value - ticks.lower) / (ticks.upper - ticks.lower)
            return left + Int((min(max(share, 0), 1) * Double(right - left)).rounded())
        }
    }

    private func scale(right: Int) -> Scale {
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
        return Scale(ticks: NiceTicks(0, limit, wished: wished), left: Self.left, right: right)
    }

    private func drawTicks(_ scale: Scale, top: Int, bottom: Int, _ out: inout SVGWriter) {
        out.raw(
            "<path class=\"chart-grid\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".13\" d=\"")
        var pen = PathPen()
        for tick in scale.ticks.ticks.dropFirst() {
            pen.move(scale(tick), top, &out)
            pen.vertical(bottom, &out)
        }
        out.raw(
            "\"/><path class=\"chart-axis\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".45\" d=\""
        )
        pen.move(scale.left, top, &out)
        pen.vertical(bottom, &out)
        out.raw("\"/><g class=\"chart-tick\" text-anchor=\"middle\">")
        var free = Int.min
        for (tick, label) in zip(scale.ticks.ticks, tickLabels(scale.ticks, unit)) {
            let half = estimatedWidth(label) / 2
            guard scale(tick) - half >= free else { continue }
            free = scale(tick) + half + 120
            out.raw("<text")
            out.label(label, x: scale(tick), y: bottom + 170)
        }
        out.raw("</g>")
    }

    private func drawRow(_ row: Row, _ text: String, _ scale: Scale, y: Int, _ out: inout SVGWriter) {
        out.raw("<text class=\"chart-name\" text-anchor=\"end\"")
        out.label(fitted(row.label, width: Self.left - 140), x: Self.left - 100, y: y + 40)
        if let value = row.value {
            drawBar(to: scale(unit.onAxis(value)), from: scale.left, y: y, &out)
            if let interval = row.interval { drawWhisker(interval, scale, y: y, &out) }
        }
        out.raw("<text class=\"chart-row-value\"")
        out.label(text, x: scale.right + 100, y: y + 40)
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

    private func drawWhisker(_ interval: Interval, _ scale: Scale, y: Int, _ out: inout SVGWriter) {
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

/// Text cut to a width in tenths at a font size of 12, with an ellipsis.
func fitted(_ text: String, width: Int) -> String {
    let clean = displayText(text, limit: 200)
    guard estimatedWidth(clean) > width else { return clean }
    var kept = String.UnicodeScalarView()
    var used = 120
    for scalar in clean.unicodeScalars {
        used += estimatedWidth(String(scalar))
        guard used <= width else { break }
        kept.append(scalar)
    }
    return String(kept) + "…"
}
