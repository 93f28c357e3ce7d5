import Estimates
package import Formatting

/// How a rate came from one value to another: what each part added or took away, from the first to the last.
package struct WaterfallChart: Chart, Hashable {
    /// What changed the rate.
    package struct Step: Hashable, Sendable {
        /// What it is; foreign text.
        package let label: String
        /// By how much the rate changed, in -1…1; negative when it fell.
        package let change: Double

        /// Makes a step.
        package init(label: String, change: Double) {
            self.label = label
            self.change = change
        }
    }

    /// One of the two rates.
    package struct End: Hashable, Sendable {
        /// When it held, such as `Previous 7 days`.
        package let label: String
        /// The rate in 0…1.
        package let rate: Double

        /// Makes an end.
        package init(label: String, rate: Double) {
            self.label = label
            self.rate = rate
        }
    }

    package var name: String
    package var title: String
    /// The rate before.
    package let start: End
    /// What changed it, in order, at most twelve.
    package let steps: [Step]
    /// The rate after.
    package let end: End
    /// Decimals of rates and changes.
    package let display: PercentFormat

    /// Makes a chart; nil when an end is no rate or a step is not finite.
    package init?(
        name: String, title: String, start: End, steps: [Step], end: End, display: PercentFormat
    ) {
        guard (0...1).contains(start.rate), (0...1).contains(end.rate),
            steps.allSatisfy({ $0.change.magnitude <= 1 })
        else { return nil }
        self.name = name
        self.title = title
        self.start = start
        self.steps = Array(steps.prefix(12))
        self.end = end
        self.display = display
    }

    /// `99.41% to 98.63%. 4.3.0 crashing more: −0.43 pp. Sessions moving to 4.3.0: −0.39 pp.`
    package var description: String {
        let parts = steps.map { "\(displayText($0.label, limit: 60)): \(display.changeText($0.change))." }
        let ends = "From \(display.text(start.rate)) to \(display.text(end.rate))."
        return ([ends] + parts).joined(separator: " ")
    }

    package func text() -> String {
        let levels = levels
        let span = Interval(lower: levels.min() ?? 0, upper: levels.max() ?? 1)
        return sparkText(levels, domain: span) + "\n" + description
    }

    package var table: ChartTable {
        let ends = [start, end].map { end -> [ChartCell] in
            [
                .text(displayText(end.label, limit: 200)), .value(end.rate, .rate, display),
                .change(nil, display),
            ]
        }
        let parts = steps.map { step -> [ChartCell] in
            [
                .text(displayText(step.label, limit: 200)), .value(nil, .rate, display),
                .change(step.change, display),
            ]
        }
        return ChartTable(columns: [.part, .value(.rate), .change], cells: [ends[0]] + parts + [ends[1]])
    }
}

extension WaterfallChart {
    package var hasNarrowDrawing: Bool { false }

    /// The rate at the start, after each step, and at the end.
    private var levels: [Double] {
        var rate = start.rate
        let after = steps.map { step in
            rate += step.change
            return rate
        }
        return [start.rate] + after.dropLast() + [end.rate]
    }

    /// The drawing: a stroke at each end, a bar for each step from the level before to the one after.
    ///
    /// It is small, so the drawing for a narrow place is that for a wide one too.
    package func drawing(_ size: DrawingSize) -> Drawing {
        let values =
            [display.text(start.rate)] + steps.map { display.changeText($0.change) }
            + [display.text(end.rate)]
        let labels = [start.label] + steps.map(\.label) + [end.label]
        let frame = RowFrame(.narrow, count: labels.count, values: values)
        let scale = scale(frame)
        let canvas = Canvas(
            name: name, title: title, kind: .strip, size, width: DrawingSize.narrow.width,
            height: frame.bottom + 270)
        return draw(on: canvas, description: description, capacity: 1200 + labels.count * 420) { out in
            drawScale(scale, frame, &out)
            drawSteps(scale, frame, &out)
            drawEnd(start, 0, scale, frame, &out)
            drawEnd(end, labels.count - 1, scale, frame, &out)
            for (row, label) in labels.enumerated() {
                drawRowTexts(label, values[row], frame, row, &out)
            }
            drawRowTicks(scale, .rate, frame, &out)
        }
    }

    /// The scale holds all levels and begins near the lowest: the steps are read by their length, the ends by
    /// their place.
    private func scale(_ frame: RowFrame) -> RowScale {
        var rate = start.rate
        let all =
            [start.rate, end.rate]
            + steps.map { step in
                rate += step.change
                return rate
            }
        let (low, high) = (all.min() ?? 0, all.max() ?? 1)
        let room = max((high - low) * 0.08, 0.000_1)
        let ticks = NiceTicks(
            max(low - room, 0) * 100, min(high + room, 1) * 100, wished: frame.size == .wide ? 4 : 3,
            limits: 0...100)
        return RowScale(ticks: ticks, left: frame.left, right: frame.right)
    }

    private func drawScale(_ scale: RowScale, _ frame: RowFrame, _ out: inout SVGWriter) {
        out.raw(
            "<path class=\"chart-grid\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".13\" d=\"")
        var pen = PathPen()
        for tick in scale.ticks.ticks {
            pen.move(scale(tick), frame.top, &out)
            pen.vertical(frame.bottom, &out)
        }
        out.raw("\"/>")
    }

    /// A thick stroke at the rate of an end.
    private func drawEnd(
        _ end: End, _ row: Int, _ scale: RowScale, _ frame: RowFrame, _ out: inout SVGWriter
    ) {
        out.raw("<path class=\"chart-line\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"4\" d=\"")
        var pen = PathPen()
        pen.move(scale(end.rate * 100), frame.middle(row) - 75, &out)
        pen.vertical(frame.middle(row) + 75, &out)
        out.raw("\"/>")
    }

    private func drawSteps(_ scale: RowScale, _ frame: RowFrame, _ out: inout SVGWriter) {
        var rate = start.rate
        var joints: [(x: Int, row: Int)] = [(scale(rate * 100), 0)]
        for (index, step) in steps.enumerated() {
            let from = scale(rate * 100)
            rate += step.change
            let to = scale(rate * 100)
            drawBar(step, from: from, to: to, y: frame.middle(index + 1), &out)
            joints.append((to, index + 1))
        }
        out.raw(
            "<path class=\"chart-joint\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".45\" d=\"")
        var pen = PathPen()
        for joint in joints {
            pen.move(joint.x, frame.middle(joint.row) + 60, &out)
            pen.vertical(frame.middle(joint.row + 1) - 60, &out)
        }
        out.raw("\"/>")
    }

    /// A bar that points the way the rate went, so that color is not needed.
    private func drawBar(_ step: Step, from: Int, to: Int, y: Int, _ out: inout SVGWriter) {
        out.raw(
            step.change < 0
                ? "<path class=\"chart-misses\" fill-opacity=\".5\" d=\""
                : "<path class=\"chart-meets\" fill-opacity=\".42\" d=\"")
        // A small change is always seen.
        let tip = abs(to - from) < 20 ? from + (step.change < 0 ? -20 : 20) : to
        let neck = abs(tip - from) < 60 ? from : tip + (tip < from ? 40 : -40)
        var pen = PathPen()
        pen.move(from, y - 60, &out)
        pen.horizontal(neck, &out)
        pen.line(tip, y, &out)
        pen.line(neck, y + 60, &out)
        pen.horizontal(from, &out)
        out.raw("z\"/>")
    }
}
