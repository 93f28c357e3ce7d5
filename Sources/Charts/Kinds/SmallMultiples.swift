import AppHealth
import Estimates
import Formatting

/// Several series on the same days and one scale, each in a panel of its own.
package struct SmallMultiples: Chart, Hashable {
    /// One panel.
    package struct Panel: Hashable, Sendable {
        /// Whose series it is; foreign text.
        package let label: String
        /// The series in any order.
        package let points: [ChartPoint]
        /// The level that should be kept, when there is one.
        package let target: Double?
        /// The shape at the last value.
        package let endMark: Sparkline.EndMark

        /// Makes a panel.
        package init(
            label: String, points: [ChartPoint], target: Double? = nil, endMark: Sparkline.EndMark = .plain
        ) {
            self.label = label
            self.points = points
            self.target = target
            self.endMark = endMark
        }
    }

    package var name: String
    package var title: String
    /// What the values measure.
    package let unit: ChartUnit
    /// The days of all panels.
    package let domain: DateDomain
    /// The panels in their order, at most twenty-four.
    package let panels: [Panel]
    /// How many more there were.
    package let omitted: Int

    /// Makes a chart.
    package init(name: String, title: String, unit: ChartUnit, domain: DateDomain, panels: [Panel]) {
        self.name = name
        self.title = title
        self.unit = unit
        self.domain = domain
        self.panels = Array(panels.prefix(24))
        self.omitted = max(panels.count - 24, 0)
    }

    package var description: String {
        let lasts = panels.map { panel -> String in
            let series = DaySeries(panel.points, domain: domain, unit: unit)
            let label = displayText(panel.label, limit: 40)
            guard let last = series.points.last(where: { $0.value != nil }), let value = last.value else {
                return "\(label): no data."
            }
            let lowest = series.points.compactMap(\.value).min() ?? value
            let precision = precision(series)
            return "\(label): latest \(unit.text(value, precision)), lowest \(unit.text(lowest, precision))."
        }
        guard !lasts.isEmpty else { return "No data." }
        let more = omitted == 0 ? "" : " \(omitted) more not drawn."
        return "\(spanText(domain.first, domain.last)), on one scale. " + lasts.joined(separator: " ") + more
    }

    package func text() -> String {
        let glyphs = panels.map { panel in
            glyphLine(DaySeries(panel.points, domain: domain, unit: unit))
        }
        return glyphs.joined(separator: " ") + "\n" + description
    }

    package var table: ChartTable {
        let all = panels.map { DaySeries($0.points, domain: domain, unit: unit) }
        let precisions = all.map(precision)
        return ChartTable(
            columns: [.day] + panels.map { .named($0.label) },
            cells: (0..<domain.count).map { index in
                [.day(domain.first.advanced(by: index))]
                    + zip(all, precisions).map { .value($0.points[index].value, unit, $1) }
            })
    }
}

extension SmallMultiples {
    func precision(_ series: DaySeries) -> PercentFormat {
        PercentFormat(interval: series.points.last { $0.interval != nil }?.interval)
    }
}

extension SmallMultiples {
    /// The drawing: panels row by row, with the labels of the scale before each row.
    package func drawing(_ size: DrawingSize) -> Drawing {
        let all = panels.map { DaySeries($0.points, domain: domain, unit: unit) }
        let ticks = valueTicks(
            unit, values: all.flatMap { $0.points.compactMap(\.value) } + panels.compactMap(\.target),
            intervals: [], wished: 3)
        let texts = tickLabels(ticks, unit)
        let grid = Grid(
            size, count: panels.count, left: max((texts.map(estimatedWidth).max() ?? 0) + 130, 400))
        let hasTargets = panels.contains { $0.target != nil }
        let kinds =
            (hasTargets ? [Legend.Entry(.target, "Target of each")] : []) + legendEntries(combined(all))
        let legend = Legend(kinds, left: grid.left, right: size.width)
        let canvas = Canvas(
            name: name, title: title, kind: .list, size,
            height: grid.height + (legend.rows > 0 ? 60 + legend.height : 0))
        return draw(on: canvas, description: description, capacity: 1500 + panels.count * 900) { out in
            let frame = Frame(grid: grid, ticks: ticks, texts: texts)
            for (index, panel) in panels.enumerated() {
                drawPanel(panel, all[index], at: index, in: frame, &out)
            }
            if panels.isEmpty {
                out.raw("<text class=\"chart-empty\" text-anchor=\"middle\"")
                out.label("No data", x: size.width / 2, y: grid.height / 2)
            }
            drawLegend(legend, y: grid.height + 120, id: canvas.wideID, &out)
        }
    }

    /// The states of all panels together; the intervals are not drawn.
    private func combined(_ all: [DaySeries]) -> SeriesSummary {
        var summary = SeriesSummary(DaySeries(first: domain.first, all.flatMap(\.points)))
        summary.hasIntervals = false
        summary.provisional = 0
        return summary
    }

    /// What all panels have in common: their places and their scale.
    private struct Frame {
        let grid: Grid
        let ticks: NiceTicks
        /// The labels of the scale.
        let texts: [String]
    }

    private func drawPanel(
        _ panel: Panel, _ series: DaySeries, at index: Int, in frame: Frame, _ out: inout SVGWriter
    ) {
        let (grid, ticks) = (frame.grid, frame.ticks)
        let (left, top) = grid.corner(index)
        let x = DateScale(domain: domain, left: left, right: left + grid.panelWidth)
        let y = LinearScale(
            lower: ticks.lower, upper: ticks.upper, top: top + 270, bottom: top + 270 + grid.plotHeight)
        drawScale(x, y, ticks, index % grid.columns == 0 ? frame.texts : [], &out)
        let last = series.points.last { $0.value != nil }?.value
        let value = last.map { unit.text($0, precision(series)) } ?? "No data"
        out.raw("<text class=\"chart-name\" font-weight=\"600\"")
        out.label(
            fitted(panel.label, width: (grid.panelWidth - estimatedBoldWidth(value) - 100) * 10 / 11),
            x: left, y: top + 150)
        out.raw(
            last == nil
                ? "<text class=\"chart-empty\" text-anchor=\"end\""
                : "<text class=\"chart-value\" text-anchor=\"end\"")
        out.label(value, x: left + grid.panelWidth, y: top + 150)
        if let target = panel.target, unit.admits(target) { drawTarget(target, x, y, &out) }
        let line = vertices(series, unit: unit, x, y)
        drawLine(line, &out)
        if let end = line.last {
            let isHollow = series.points.last?.value == nil
            drawEndMark(panel.endMark, x: end.x, y: end.y, isHollow: isHollow, &out)
        }
        drawAbsences(series, x, line: y.bottom + 70, &out)
        drawSpan(x, y: y.bottom + 230, &out)
    }

    private func drawScale(
        _ x: DateScale, _ y: LinearScale, _ ticks: NiceTicks, _ texts: [String], _ out: inout SVGWriter
    ) {
        out.raw(
            "<path class=\"chart-grid\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".13\" d=\"")
        var pen = PathPen()
        for tick in ticks.ticks where tick != ticks.lower {
            pen.move(x.left, y(tick), &out)
            pen.horizontal(x.right, &out)
        }
        out.raw(
            "\"/><path class=\"chart-axis\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".45\" d=\""
        )
        pen.move(x.left, y.bottom, &out)
        pen.horizontal(x.right, &out)
        out.raw("\"/>")
        guard !texts.isEmpty else { return }
        out.raw("<g class=\"chart-tick\" font-size=\"11\" text-anchor=\"end\">")
        for (tick, text) in zip(ticks.ticks, texts) {
            out.raw("<text")
            out.label(text, x: x.left - 80, y: y(tick) + 40)
        }
        out.raw("</g>")
    }

    private func drawTarget(_ target: Double, _ x: DateScale, _ y: LinearScale, _ out: inout SVGWriter) {
        out.raw("<path class=\"chart-target\" stroke-dasharray=\"6 3\" fill=\"none\" stroke=\"currentColor\"")
        out.raw(" stroke-opacity=\".7\" d=\"")
        var pen = PathPen()
        pen.move(x.left, y(unit.onAxis(target)), &out)
        pen.horizontal(x.right, &out)
        out.raw("\"/>")
    }

    /// The first and the last day at the ends of a panel.
    private func drawSpan(_ x: DateScale, y: Int, _ out: inout SVGWriter) {
        out.raw("<g class=\"chart-tick\" font-size=\"11\"><text")
        out.label(domain.first.shortText, x: x.left, y: y)
        if domain.count > 1 {
            out.raw("<text text-anchor=\"end\"")
            out.label(domain.last.shortText, x: x.right, y: y)
        }
        out.raw("</g>")
    }
}

/// Where the panels stand.
private struct Grid {
    static let gap = 260

    let columns: Int
    let rows: Int
    let left: Int
    let panelWidth: Int
    let plotHeight: Int

    /// Panels in a row where there is room, else below one another and lower.
    init(_ size: DrawingSize, count: Int, left: Int) {
        columns = size == .narrow ? 1 : min(max(count, 1), count == 4 ? 2 : 3)
        plotHeight = size == .narrow ? 500 : 800
        rows = (max(count, 1) + columns - 1) / columns
        self.left = left
        panelWidth = (size.width - left - (columns - 1) * Self.gap) / columns
    }

    private var rowHeight: Int { plotHeight + 620 }

    var height: Int { rows * rowHeight - 20 }

    func corner(_ index: Int) -> (left: Int, top: Int) {
        (left + index % columns * (panelWidth + Self.gap), index / columns * rowHeight)
    }
}
