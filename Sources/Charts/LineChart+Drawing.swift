import Statistics

extension LineChart {
    /// The drawing from the back to the front.
    package func drawing() -> Drawing {
        let series = series
        let other = comparison.map { DaySeries($0.points, domain: domain, unit: unit) }
        let summary = SeriesSummary(series)
        let ticks = ticks(series, other)
        let tickTexts = tickLabels(ticks, unit)
        let names = directLabels(series, summary, other)
        let lanes = EventLanes(events, domain)
        let (plot, releaseLabels) = layout(ticks, tickTexts, names, summary, lanes)
        let canvas = Canvas(name: name, title: title, height: plot.height)
        return draw(on: canvas, description: description(of: series), capacity: 2500 + domain.count * 32) {
            out in
            if summary.provisional > 0 { drawHatch(series, plot, id: canvas.id, &out) }
            drawGrid(plot, labels: tickTexts, &out)
            drawReleases(releaseLabels, plot, &out)
            drawData(series, other, summary, plot, id: canvas.id, &out)
            if summary.first == nil { drawEmptiness(plot, &out) }
            drawDateAxis(plot, &out)
            if summary.hasAbsences { drawAbsences(series, plot.x, line: plot.glyphLine, &out) }
            drawDirectLabels(placed(names, series, summary, other, plot.y), plot, &out)
            drawEventLanes(lanes, plot.x, top: plot.laneTop, &out)
            drawAdoptionBands(adoption, plot.x, top: plot.laneTop + lanes.height + 40, &out)
            drawLegend(plot.legend, y: plot.legendLine, id: canvas.id, &out)
        }
    }

    /// The height of the rows of releases under the lanes, with a little room above.
    private var bandsHeight: Int { adoption.isEmpty ? 0 : adoption.count * bandRowHeight + 40 }

    private func drawData(
        _ series: DaySeries, _ other: DaySeries?, _ summary: SeriesSummary, _ plot: Plot, id: String,
        _ out: inout SVGWriter
    ) {
        let line = vertices(series, unit: unit, plot.x, plot.y)
        if summary.hasIntervals { drawBand(line, id: id, plot, &out) }
        for rule in rules { drawRule(rule, unit: unit, plot, &out) }
        if let other { drawLine(vertices(other, unit: unit, plot.x, plot.y), isComparison: true, &out) }
        guard let end = line.last else { return }
        drawLine(line, &out)
        drawEndDot(end, &out)
    }

    private func layout(
        _ ticks: NiceTicks, _ tickTexts: [String], _ names: [DirectLabel], _ summary: SeriesSummary,
        _ lanes: EventLanes
    ) -> (Plot, ReleaseLabels) {
        let small =
            lanes.lanes.map { $0.kind.text($0.count) }
            + adoption.map { bandLabel($0, DaySeries($0.points, domain: domain, unit: .rate)) }
        let widest = (names.map(\.reach) + small.map { estimatedWidth($0) * 11 / 12 + 140 })
            .max()
        var margins = Plot.Margins(
            left: max((tickTexts.map(estimatedWidth).max() ?? 0) + 130, 400),
            right: max(widest ?? 0, 160), top: 120, plotHeight: 1900,
            hasGlyphs: summary.hasAbsences, legend: legendEntries(summary),
            lanes: lanes.height + bandsHeight)
        let scale = DateScale(domain: domain, left: margins.left, right: Plot.width - margins.right)
        let labels = ReleaseLabels(releases, scale)
        margins.top += labels.rows * 140
        return (Plot(domain: domain, ticks: ticks, margins: margins), labels)
    }
}
