import AppHealth
import Estimates
import Formatting

/// A line over days with its interval band, levels, release marks and the states of days without a value; under
/// the plot there may stand lanes of events and the adoption of releases.
package struct LineChart: Chart, Hashable {
    package var name: String
    package var title: String
    /// What the values measure.
    package let unit: ChartUnit
    /// The days shown; points outside are skipped.
    package let domain: DateDomain
    /// The series in any order; days without a point are missing.
    package let points: [ChartPoint]
    /// Levels that the values are held against.
    package let rules: [LevelRule]
    /// Releases in any order.
    package let releases: [ReleaseMark]
    /// A second series, drawn behind.
    package let comparison: ComparisonLine?
    /// What happened, in any order.
    package let events: [EventMark]
    /// The shares of the newest releases, newest first; at most four are drawn.
    package let adoption: [AdoptionBand]
    /// The trend of the newest days; nil when too few are known.
    package let trend: SeriesTrend?

    /// Makes a chart; rules that the unit does not admit are skipped.
    package init(
        name: String, title: String, unit: ChartUnit, domain: DateDomain, points: [ChartPoint],
        rules: [LevelRule] = [], releases: [ReleaseMark] = [], comparison: ComparisonLine? = nil,
        events: [EventMark] = [], adoption: [AdoptionBand] = [], trend: SeriesTrend? = nil
    ) {
        self.name = name
        self.title = title
        self.unit = unit
        self.domain = domain
        self.points = points
        self.rules = rules.filter { unit.admits($0.value) }
        self.releases = releases
        self.comparison = comparison
        self.events = events.filter { domain.index(of: $0.date) != nil }
        self.adoption = Array(adoption.prefix(4))
        self.trend = trend
    }

    package var description: String { description(of: series) }

    package func text() -> String {
        let series = series
        return glyphLine(series) + "\n" + description(of: series)
    }
}

extension LineChart {
    var series: DaySeries { DaySeries(points, domain: domain, unit: unit) }

    /// The decimals that the newest interval bears out.
    func precision(of series: DaySeries) -> PercentFormat {
        PercentFormat(interval: series.points.last { $0.interval != nil }?.interval)
    }

    func description(of series: DaySeries) -> String {
        let precision = precision(of: series)
        let parts = [
            sentence(for: series, unit: unit, precision: precision, trend: trend),
            comparisonSentence(series, precision), levelSentence(rules, unit), eventSentence,
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }

    /// `Previous week: 5,120 (Nov 19).`
    private func comparisonSentence(_ series: DaySeries, _ precision: PercentFormat) -> String? {
        guard let comparison, let last = series.points.last(where: { $0.value != nil }) else { return nil }
        let other = DaySeries(comparison.points, domain: domain, unit: unit)
        let then = domain.index(of: last.date).flatMap { other.points[$0].value }
        return then.map {
            "\(displayText(comparison.label, limit: 40)): \(unit.text($0, precision)) (\(last.date.shortText))."
        }
    }

    private var eventSentence: String? {
        let counts = EventMark.Kind.allCases.compactMap { kind in
            let count = events.count { $0.kind == kind }
            return count == 0 ? nil : kind.text(count)
        }
        return counts.isEmpty ? nil : counts.joined(separator: ", ") + "."
    }
}

extension LineChart {
    /// Counts against the counts of the same weekdays a week before, which stand behind as a dashed line.
    ///
    /// - Parameter points: the counts of the domain and of the seven days before it.
    package static func againstTheWeekBefore(
        name: String, title: String, domain: DateDomain, points: [ChartPoint], events: [EventMark] = [],
        trend: SeriesTrend? = nil
    ) -> LineChart {
        let before = points.map { point in
            ChartPoint(point.date.advanced(by: 7), point.value)
        }
        return LineChart(
            name: name, title: title, unit: .count, domain: domain, points: points,
            comparison: ComparisonLine(label: ChartColumn.previousWeek.heading, points: before),
            events: events, trend: trend)
    }
}

extension LineChart {
    package var table: ChartTable {
        let series = series
        let plain = seriesTable(series, unit: unit, precision: precision(of: series), comparison: comparison)
        guard !events.isEmpty || !adoption.isEmpty else { return plain }
        let shares = adoption.map { DaySeries($0.points, domain: domain, unit: .rate) }
        let happened = Dictionary(grouping: events, by: \.date)
        let cells = plain.cells.enumerated().map { index, row -> [ChartCell] in
            let day = domain.first.advanced(by: index)
            var more = shares.map { ChartCell.value($0.points[index].value, .rate, .init(decimals: 1)) }
            if !events.isEmpty {
                let texts = (happened[day] ?? []).map { displayText($0.text, limit: 120) }
                more.append(.text(texts.joined(separator: "; ")))
            }
            return row + more
        }
        return ChartTable(
            columns: plain.heads + adoption.map { .share(of: $0.label) }
                + (events.isEmpty ? [] : [.activity]),
            cells: cells)
    }
}

extension LineChart {
    /// The drawing from the back to the front.
    package func drawing(_ size: DrawingSize) -> Drawing {
        let series = series
        let other = comparison.map { DaySeries($0.points, domain: domain, unit: unit) }
        let summary = SeriesSummary(series)
        let ticks = ticks(series, other, wished: 4)
        let tickTexts = tickLabels(ticks, unit)
        let names = directLabels(series, summary, other)
        let lanes = EventLanes(events, domain)
        let height = LinearScale(lower: ticks.lower, upper: ticks.upper, top: 0, bottom: Self.plotHeight)
        let reachesTop = spread(
            placed(names, series, summary, other, height), top: 0, bottom: Self.plotHeight
        ).contains { $0.y < ReleaseLabels.clearance }
        let parts = Parts(
            ticks: ticks, tickTexts: tickTexts, names: names, summary: summary, lanes: lanes,
            namesReachTop: reachesTop)
        let (plot, releaseLabels) = layout(parts, size)
        let wide = size == .wide ? nil : layout(parts, .wide).0
        let bandTop = plot.laneTop + lanes.height + 40
        let canvas = Canvas(name: name, title: title, size, height: plot.height)
        return draw(on: canvas, description: description(of: series), capacity: 2500 + domain.count * 32) {
            out in
            if summary.provisional > 0 { drawHatch(series, plot, on: canvas, &out) }
            drawShapes(on: canvas, plot, usingThoseOf: wide, &out) { out in
                drawGridLines(plot, &out)
                drawReleaseLines(releaseLabels, plot, &out)
                drawData(series, other, summary, plot, &out)
                drawLaneLines(lanes, plot.x, top: plot.laneTop, &out)
                drawAdoptionBands(adoption, plot.x, top: bandTop, &out)
            }
            if let end = vertices(series, unit: unit, plot.x, plot.y).last { drawEndDot(end, &out) }
            drawTickLabels(on: canvas, plot, usingThoseOf: wide, tickTexts, &out)
            drawReleaseNames(releaseLabels, plot, &out)
            if summary.first == nil { drawEmptiness(plot, summary.soleAbsence, &out) }
            drawDateAxis(plot, &out)
            if summary.hasAbsences { drawAbsences(series, plot.x, line: plot.glyphLine, &out) }
            drawDirectLabels(placed(names, series, summary, other, plot.y), plot, &out)
            drawEvents(lanes, plot.x, top: plot.laneTop, &out)
            let rows = lanes.names(top: plot.laneTop) + adoptionNames(adoption, plot.x, top: bandTop)
            drawLaneLabels(rows, plot.x, &out)
            drawLegend(on: canvas, plot, usingThatOf: wide, &out)
        }
    }

    private static let plotHeight = 1900

    /// The height of the rows of releases under the lanes, with a little room above.
    private var bandsHeight: Int { adoption.isEmpty ? 0 : adoption.count * bandRowHeight + 40 }

    private func drawData(
        _ series: DaySeries, _ other: DaySeries?, _ summary: SeriesSummary, _ plot: Plot,
        _ out: inout SVGWriter
    ) {
        let line = vertices(series, unit: unit, plot.x, plot.y)
        if summary.hasIntervals { drawBand(line, plot, &out) }
        for rule in rules { drawRule(rule, unit: unit, plot, &out) }
        if let other { drawLine(vertices(other, unit: unit, plot.x, plot.y), isComparison: true, &out) }
        drawLine(line, &out)
    }

    /// What takes room around the plot.
    private struct Parts {
        let ticks: NiceTicks
        let tickTexts: [String]
        let names: [DirectLabel]
        let summary: SeriesSummary
        let lanes: EventLanes
        let namesReachTop: Bool
    }

    private func layout(_ parts: Parts, _ size: DrawingSize) -> (Plot, ReleaseLabels) {
        let small =
            parts.lanes.lanes.map { $0.kind.text($0.count) }
            + adoption.map { bandLabel($0, DaySeries($0.points, domain: domain, unit: .rate)) }
        let widest = (parts.names.map(\.reach) + small.map { estimatedWidth($0) * 11 / 12 + 140 })
            .max()
        var margins = Plot.Margins(
            size: size, left: max((parts.tickTexts.map(estimatedWidth).max() ?? 0) + 130, 400),
            right: max(widest ?? 0, 160), top: 120, plotHeight: Self.plotHeight,
            hasGlyphs: parts.summary.hasAbsences, legend: legendEntries(parts.summary),
            lanes: parts.lanes.height + bandsHeight)
        let scale = DateScale(domain: domain, left: margins.left, right: size.width - margins.right)
        let labels = ReleaseLabels(releases, scale, endsAtPlot: parts.namesReachTop)
        margins.top += labels.rows * 140
        return (Plot(domain: domain, ticks: parts.ticks, margins: margins), labels)
    }
}

extension LineChart {
    /// What is on the right of the plot: the last value, the comparison and the levels.
    func directLabels(_ series: DaySeries, _ summary: SeriesSummary, _ other: DaySeries?) -> [DirectLabel] {
        var labels: [DirectLabel] = []
        if let last = summary.last, let value = series.points[last].value {
            labels.append(DirectLabel(.value, unit.text(value, precision(of: series))))
        }
        if let comparison, let other, other.points.contains(where: { $0.value != nil }) {
            labels.append(DirectLabel(.comparison, displayText(comparison.label, limit: 18)))
        }
        for rule in rules {
            let text = "\(displayText(rule.label, limit: 14)) \(unit.levelText(rule.value))"
            labels.append(DirectLabel(rule.kind == .target ? .target : .critical, text))
        }
        return labels
    }

    /// The labels at the height of what they name.
    func placed(
        _ labels: [DirectLabel], _ series: DaySeries, _ summary: SeriesSummary, _ other: DaySeries?,
        _ y: LinearScale
    ) -> [DirectLabel] {
        var levels = rules.makeIterator()
        return labels.map { label in
            let value =
                switch label.role {
                case .value: summary.last.flatMap { series.points[$0].value }
                case .comparison: other?.points.last { $0.value != nil }?.value
                case .target, .critical, .older: levels.next()?.value
                }
            return DirectLabel(label.role, label.text, y: y(unit.onAxis(value ?? 0)))
        }
    }
}
