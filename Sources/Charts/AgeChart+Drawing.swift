import Statistics

extension AgeChart {
    /// The drawing from the back to the front: the older releases behind the newest.
    package func drawing() -> Drawing {
        let all = series
        let newest = all.first ?? DaySeries([], domain: domain, unit: unit)
        let summary = ownSummary(newest)
        let ticks = ticks(all)
        let texts = tickLabels(ticks, unit)
        let names = names
        let margins = Plot.Margins(
            left: max((texts.map(estimatedWidth).max() ?? 0) + 130, 400),
            right: max(names.map(\.reach).max() ?? 0, 160), top: 120,
            plotHeight: 1900, hasGlyphs: summary.hasAbsences, legend: legendEntries(summary))
        let plot = Plot(domain: domain, ticks: ticks, margins: margins)
        // A young release lies at the left, where a narrow screen then begins.
        let canvas = Canvas(name: name, title: title, kind: endsEarly ? .list : .chart, height: plot.height)
        return draw(on: canvas, description: description, capacity: 3000 + domain.count * 60) { out in
            if summary.provisional > 0 { drawHatch(newest, plot, id: canvas.id, &out) }
            drawGrid(plot, labels: texts, &out)
            drawLines(all, hasIntervals: summary.hasIntervals, plot, id: canvas.id, &out)
            if summary.first == nil { drawEmptiness(plot, &out) }
            drawAxis(plot, ageTicks(plot.x), &out)
            let reached = newest.reached(lines.first?.values.count ?? 0)
            if summary.hasAbsences { drawAbsences(reached, plot.x, line: plot.glyphLine, &out) }
            drawDirectLabels(placed(names, all, plot.y), plot, &out)
            drawLegend(plot.legend, y: plot.legendLine, id: canvas.id, &out)
        }
    }

    /// What the newest release shows on the days that it has reached.
    private func ownSummary(_ newest: DaySeries) -> SeriesSummary {
        SeriesSummary(newest.reached(lines.first?.values.count ?? 0))
    }

    private func drawLines(
        _ all: [DaySeries], hasIntervals: Bool, _ plot: Plot, id: String, _ out: inout SVGWriter
    ) {
        let paths = all.map { vertices($0, unit: unit, plot.x, plot.y) }
        if hasIntervals, let newest = paths.first { drawBand(newest, id: id, plot, &out) }
        for rule in rules { drawRule(rule, unit: unit, plot, &out) }
        for (place, path) in paths.enumerated().dropFirst().reversed() {
            drawOlderLine(path, dash: place, &out)
        }
        guard let path = paths.first, let end = path.last else { return }
        drawLine(path, &out)
        drawEndDot(end, &out)
        drawNewestName(at: end, &out)
    }

    private func ticks(_ all: [DaySeries]) -> NiceTicks {
        valueTicks(
            unit, values: all.flatMap { $0.points.lazy.compactMap(\.value) } + rules.map(\.value),
            intervals: all.first?.points.compactMap(\.interval) ?? [])
    }

    private var names: [DirectLabel] {
        let labels = zip(lines, series).enumerated().compactMap { place, pair -> DirectLabel? in
            guard pair.1.points.contains(where: { $0.value != nil }) else { return nil }
            if place == 0 { return endsEarly ? nil : DirectLabel(.value, newestText) }
            return DirectLabel(.older(place), displayText(pair.0.label, limit: 12))
        }
        return labels
            + rules.map { rule in
                DirectLabel(
                    rule.kind == .target ? .target : .critical,
                    "\(displayText(rule.label, limit: 14)) \(unit.levelText(rule.value))")
            }
    }

    /// Whether the newest release has so few days that its name stands at its end within the plot.
    private var endsEarly: Bool {
        guard let last = series.first?.points.lastIndex(where: { $0.value != nil }) else { return false }
        return (last + 1) * 4 < domain.count * 3
    }

    /// `4.3.0 95.57%`.
    private var newestText: String {
        let last = series.first?.points.last { $0.value != nil }?.value
        return displayText(lines.first?.label ?? "", limit: 12)
            + (last.map { " " + unit.text($0, precision) } ?? "")
    }

    private func drawNewestName(at end: Vertex, _ out: inout SVGWriter) {
        guard endsEarly else { return }
        out.raw("<text class=\"chart-halo chart-value\" stroke-width=\"4\" font-weight=\"600\"")
        out.label(newestText, x: end.x + 90, y: end.y + 40)
    }

    private func placed(_ names: [DirectLabel], _ all: [DaySeries], _ y: LinearScale) -> [DirectLabel] {
        let shown = endsEarly ? all.dropFirst() : all[...]
        let lasts = shown.compactMap { $0.points.last { $0.value != nil }?.value } + rules.map(\.value)
        return zip(names, lasts).map { DirectLabel($0.role, $0.text, y: y(unit.onAxis($1))) }
    }
}

/// The ages that are labelled: every day where there is room, else steps that people count in.
private func ageTicks(_ scale: DateScale) -> [DateTick] {
    let step = [1, 2, 7, 14, 28, 56, 112].first { scale.columnWidth * Double($0) >= 420 } ?? 112
    return stride(from: 0, to: scale.domain.count, by: step).map { age in
        DateTick(index: age, label: age == 0 ? "Day 0" : "\(age)")
    }
}

extension DaySeries {
    /// The same days, where those that are not reached yet have no state of their own.
    func reached(_ count: Int) -> DaySeries {
        DaySeries(first: domain.first, Array(points.prefix(max(min(count, points.count), 1))))
    }
}

/// A line behind the newest; the dashes tell it from the others.
private func drawOlderLine(_ vertices: [Vertex], dash: Int, _ out: inout SVGWriter) {
    out.raw("<path class=\"chart-comparison\" stroke-width=\"1.5\" stroke-opacity=\".75\" fill=\"none\"")
    out.raw(olderDash(dash))
    out.raw(" stroke=\"currentColor\" stroke-linejoin=\"round\" d=\"")
    var pen = PathPen()
    for (index, vertex) in vertices.enumerated() {
        if !vertex.isStart {
            pen.line(vertex.x, vertex.y, &out)
            continue
        }
        pen.move(vertex.x, vertex.y, &out)
        // A value between two gaps is a short stroke.
        if index + 1 == vertices.count || vertices[index + 1].isStart { pen.horizontal(vertex.x + 15, &out) }
    }
    out.raw("\"/>")
}

/// The dashes of the first, second and third line behind the newest.
func olderDash(_ place: Int) -> StaticString {
    switch place {
    case 1: ""
    case 2: " stroke-dasharray=\"6 3\""
    default: " stroke-dasharray=\"2 2\""
    }
}
