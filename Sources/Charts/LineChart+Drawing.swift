import Statistics

extension LineChart {
    /// The drawing from the back to the front.
    func drawing(_ setting: Setting) -> String {
        let series = series
        let other = comparison.map { DaySeries($0.points, domain: domain, unit: unit) }
        let summary = SeriesSummary(series)
        let ticks = ticks(series, other)
        let tickTexts = tickLabels(ticks, unit)
        let names = directLabels(series, summary, other)
        let legend = legendText(summary)
        let (plot, releaseLabels) = layout(ticks, tickTexts, names, summary, hasLegend: legend != nil)
        let canvas = Canvas(name: name, title: title, setting: setting)
        var out = SVGWriter(capacity: 2500 + domain.count * 32)
        canvas.open(width: Plot.width, height: plot.height, description: description(of: series), &out)
        if summary.provisional > 0 { drawHatch(series, plot, id: canvas.id, &out) }
        drawGrid(plot, labels: tickTexts, &out)
        drawReleases(releaseLabels, plot, &out)
        drawData(series, other, summary, plot, id: canvas.id, &out)
        if summary.first == nil { drawEmptiness(plot, &out) }
        drawDateAxis(plot, &out)
        if summary.hasAbsences { drawAbsences(series, plot, &out) }
        drawDirectLabels(placed(names, series, summary, other, plot.y), plot, &out)
        if let legend { drawLegend(legend, plot, &out) }
        canvas.close(&out)
        return out.text
    }

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
        hasLegend: Bool
    ) -> (Plot, ReleaseLabels) {
        var margins = Plot.Margins(
            left: max((tickTexts.map(estimatedWidth).max() ?? 0) + 130, 400),
            right: max((names.map { estimatedWidth($0.text) }.max() ?? 0) + 140, 160), top: 120,
            plotHeight: 1900,
            hasGlyphs: summary.hasAbsences, hasLegend: hasLegend)
        let scale = DateScale(domain: domain, left: margins.left, right: Plot.width - margins.right)
        let labels = ReleaseLabels(releases, scale)
        margins.top += labels.rows * 140
        return (Plot(domain: domain, ticks: ticks, margins: margins), labels)
    }
}
