import Statistics

extension BarChart {
    /// The drawing from the back to the front.
    func drawing(_ setting: Setting) -> String {
        let series = series
        var summary = SeriesSummary(series)
        summary.hasIntervals = false
        let greatest = summary.highest.flatMap { series.points[$0].value } ?? 0
        // Things that are counted have no ticks between whole numbers.
        let ticks = NiceTicks(0, max(greatest, 1), wished: greatest < 4 ? max(Int(greatest), 1) : 4)
        let legend = legendText(summary)
        let shown = tickLabels(ticks, .count)
        let margins = Plot.Margins(
            left: max((shown.map(estimatedWidth).max() ?? 0) + 130, 400), right: 160, top: 120,
            plotHeight: 1400,
            hasGlyphs: summary.hasAbsences, hasLegend: legend != nil)
        let plot = Plot(domain: domain, ticks: ticks, margins: margins)
        let canvas = Canvas(name: name, title: title, setting: setting)
        var out = SVGWriter(capacity: 2000 + domain.count * 24)
        canvas.open(width: Plot.width, height: plot.height, description: description(of: series), &out)
        drawGrid(plot, labels: shown, &out)
        drawBars(series, plot, &out)
        drawZeros(series, plot, &out)
        if summary.first == nil { drawEmptiness(plot, &out) }
        if summary.provisional > 0 { drawHatch(series, plot, id: canvas.id, &out) }
        drawDateAxis(plot, &out)
        if summary.hasAbsences { drawAbsences(series, plot, &out) }
        if let legend { drawLegend(legend, plot, &out) }
        canvas.close(&out)
        return out.text
    }
}
