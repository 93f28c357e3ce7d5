import Statistics

extension BarChart {
    /// The drawing from the back to the front.
    package func drawing() -> Drawing {
        let series = series
        var summary = SeriesSummary(series)
        summary.hasIntervals = false
        let ranges = ranges
        let ticks = ticks(summary.highest.flatMap { series.points[$0].value } ?? 0, ranges)
        let shown = tickLabels(ticks, .count)
        let margins = Plot.Margins(
            left: max((shown.map(estimatedWidth).max() ?? 0) + 130, 400), right: 160, top: 120,
            plotHeight: 1400, hasGlyphs: summary.hasAbsences, legend: legend(summary, series, ranges))
        let plot = Plot(domain: domain, ticks: ticks, margins: margins)
        let canvas = Canvas(name: name, title: title, height: plot.height)
        return draw(on: canvas, description: description(of: series), capacity: 2000 + domain.count * 24) {
            out in
            if summary.provisional > 0 { drawHatch(series, plot, id: canvas.id, &out) }
            drawGrid(plot, labels: shown, &out)
            drawExpectation(ranges, plot, &out)
            drawBars(series, plot, &out)
            drawZeros(series, plot, &out)
            drawExcess(series, ranges, plot, &out)
            if summary.first == nil { drawEmptiness(plot, &out) }
            drawDateAxis(plot, &out)
            if summary.hasAbsences { drawAbsences(series, plot.x, line: plot.glyphLine, &out) }
            drawLegend(plot.legend, y: plot.legendLine, id: canvas.id, &out)
        }
    }

    private func ticks(_ greatest: Double, _ ranges: [ExpectedRange?]) -> NiceTicks {
        // A range that reaches far beyond all bars does not crush them.
        let reach = ranges.compactMap { $0?.upper }.max().map { min($0, max(greatest * 1.6, 4)) } ?? 0
        let top = max(greatest, reach, 1)
        // Things that are counted have no ticks between whole numbers.
        return NiceTicks(0, top, wished: top < 4 ? max(Int(top), 1) : 4)
    }

    private func legend(
        _ summary: SeriesSummary, _ series: DaySeries, _ ranges: [ExpectedRange?]
    ) -> [Legend.Entry] {
        var entries = legendEntries(summary)
        guard ranges.contains(where: { $0 != nil }) else { return entries }
        entries.insert(Legend.Entry(.expectation, "expected from its own past"), at: 0)
        if !excesses(series, ranges).isEmpty {
            entries.insert(Legend.Entry(.above, "more than expected"), at: 1)
        }
        return entries
    }
}
