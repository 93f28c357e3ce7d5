import AppHealth
import Estimates
import Formatting

/// Releases compared at the same age: day k of one against day k of the others.
package struct AgeChart: Chart, Hashable {
    /// One release from its day 0 on.
    package struct Line: Hashable, Sendable {
        /// The version label.
        package let label: String
        /// The values from day 0 on.
        package let values: [ChartPoint.Content]

        /// Makes a line.
        package init(label: String, values: [ChartPoint.Content]) {
            self.label = label
            self.values = values
        }
    }

    package var name: String
    package var title: String
    /// What the values measure.
    package let unit: ChartUnit
    /// The releases, newest first; at most four are drawn.
    package let lines: [Line]
    /// Levels that the values are held against.
    package let rules: [LevelRule]
    /// How many of the newest release's last days late data may still change.
    package let provisional: Int
    /// What the days are counted from.
    package let start: Start

    /// What the days of a chart are counted from.
    package enum Start: Hashable, Sendable {
        /// The day that the source calls the day of the release.
        case release
        /// The first day on which the release had this share of the sessions, such as `1%`.
        case share(String)
    }

    /// The most days of age that are drawn.
    package static let longestAge = 400

    /// Makes a chart; rules that the unit does not admit are skipped.
    package init(
        name: String, title: String, unit: ChartUnit, lines: [Line], rules: [LevelRule] = [],
        provisional: Int = 0, start: Start = .release
    ) {
        self.name = name
        self.title = title
        self.unit = unit
        self.lines = Array(lines.prefix(4))
        self.rules = rules.filter { unit.admits($0.value) }
        self.provisional = max(provisional, 0)
        self.start = start
    }

    package func text() -> String {
        let newest = series.first.map { glyphLine($0) } ?? ""
        return newest + "\n" + description
    }

    package var table: ChartTable {
        let (series, precision) = (series, precision)
        var columns: [ChartColumn] = [.age(from: start)]
        for (index, line) in lines.enumerated() {
            columns.append(.named(line.label, limit: 40))
            if index == 0 { columns.append(.interval) }
        }
        if let newest = lines.first {
            columns.append(
                ChartColumn("State of \(displayText(newest.label, limit: 40))", key: ChartColumn.state.key))
        }
        let rows = (0..<domain.count).map { age in
            var row: [ChartCell] = [.value(Double(age), .count, precision)]
            for (index, one) in series.enumerated() {
                row.append(.value(one.points[age].value, unit, precision))
                if index == 0 { row.append(.interval(one.points[age].interval, unit, precision)) }
            }
            if let newest = series.first {
                let isFuture = age >= lines[0].values.count
                row.append(.text(isFuture ? "Not reached" : stateText(newest.points[age])))
            }
            return row
        }
        return ChartTable(columns: columns, cells: rows)
    }
}

extension AgeChart {
    /// The ages as days of a calendar that begins with day 0, so that all marks of days serve them too.
    var domain: DateDomain {
        let longest = lines.map(\.values.count).max() ?? 1
        return DateDomain(first: CivilDate(daysSinceEpoch: 0), count: min(max(longest, 2), Self.longestAge))
    }

    /// The lines on the ages; what a line has not reached yet is missing.
    var series: [DaySeries] {
        let domain = domain
        return lines.enumerated().map { place, line in
            let settled = place == 0 ? line.values.count - provisional : .max
            let points = line.values.prefix(domain.count).enumerated().map { age, content in
                let date = domain.first.advanced(by: age)
                return switch content {
                case .value(let value, let interval):
                    ChartPoint(date, value, interval: interval, provisional: age >= settled)
                case .absent(let absence): ChartPoint(date, absent: absence, provisional: age >= settled)
                }
            }
            return DaySeries(points, domain: domain, unit: unit)
        }
    }

    /// The decimals that the newest interval of the newest release bears out.
    var precision: PercentFormat {
        let intervals = lines.first?.values.compactMap { content in
            if case .value(_, let interval) = content { interval } else { nil }
        }
        return PercentFormat(interval: intervals?.last)
    }
}

extension AgeChart {
    /// What is known of the newest release, and of the others at the same age.
    package var description: String {
        let series = series
        guard let newest = series.first, let line = lines.first,
            let age = newest.points.lastIndex(where: { $0.value != nil })
        else { return emptyText }
        let precision = precision
        var parts = [
            "\(displayText(line.label, limit: 40)) on day \(age): \(unit.text(newest.points[age].value ?? 0, precision))."
        ]
        let others = zip(lines, series).dropFirst().compactMap { other, days in
            days.points[age].value.map {
                "\(displayText(other.label, limit: 40)) \(unit.text($0, precision))"
            }
        }
        if !others.isEmpty { parts.append("Same age: \(others.joined(separator: ", ")).") }
        parts.append(lowest(newest, precision))
        let reached = newest.points.prefix(line.values.count)
        let gaps = reached.count { $0.value == nil }
        if gaps > 0 { parts.append("\(gaps) of \(daysText(reached.count)) without data.") }
        if let levels = levelSentence(rules, unit) { parts.append(levels) }
        return parts.joined(separator: " ")
    }

    /// Why the newest release has no value: `Too little data on 142 days.`, or each reason with its days.
    private var emptyText: String {
        guard let newest = series.first else { return "No data." }
        let reasons = ownSummary(newest)
        guard let reason = reasons.soleAbsence else {
            return gapSentence(reasons) ?? "No data."
        }
        if reason == .missing { return "No data." }
        return "\(reason.text) on \(daysText(reasons.absences[reason.rank]))."
    }

    private func lowest(_ series: DaySeries, _ precision: PercentFormat) -> String {
        let summary = SeriesSummary(series)
        guard let low = summary.lowest, let high = summary.highest else { return "" }
        func text(_ index: Int) -> String {
            "\(unit.text(series.points[index].value ?? 0, precision)) (day \(index))"
        }
        return "Lowest \(text(low)), highest \(text(high))."
    }
}

extension AgeChart {
    /// The drawing from the back to the front: the older releases behind the newest.
    package func drawing(_ size: DrawingSize) -> Drawing {
        let all = series
        let newest = all.first ?? DaySeries([], domain: domain, unit: unit)
        let summary = ownSummary(newest)
        let ticks = ticks(all, wished: 4)
        let texts = tickLabels(ticks, unit)
        let names = names
        let margins = Plot.Margins(
            size: size, left: max((texts.map(estimatedWidth).max() ?? 0) + 130, 400),
            right: max(names.map(\.reach).max() ?? 0, 160), top: 120,
            plotHeight: 1900, hasGlyphs: summary.hasAbsences,
            legend: legendEntries(summary))
        let (plot, wide) = Plot.nextToWide(domain: domain, ticks: ticks, margins: margins)
        let canvas = Canvas(name: name, title: title, size, height: plot.height)
        return draw(on: canvas, description: description, capacity: 3000 + domain.count * 60) { out in
            if summary.provisional > 0 { drawHatch(newest, plot, on: canvas, &out) }
            drawShapes(on: canvas, plot, usingThoseOf: wide, &out) { out in
                drawGridLines(plot, &out)
                drawLines(all, hasIntervals: summary.hasIntervals, plot, &out)
            }
            drawTickLabels(on: canvas, plot, usingThoseOf: wide, texts, &out)
            if let end = vertices(newest, unit: unit, plot.x, plot.y).last {
                drawEndDot(end, &out)
                drawNewestName(at: end, &out)
            }
            if summary.first == nil { drawEmptiness(plot, summary.soleAbsence, &out) }
            drawAxis(plot, ageTicks(plot.x), &out)
            let reached = newest.reached(lines.first?.values.count ?? 0)
            if summary.hasAbsences { drawAbsences(reached, plot.x, line: plot.glyphLine, &out) }
            drawDirectLabels(placed(names, all, plot.y), plot, &out)
            drawLegend(on: canvas, plot, usingThatOf: wide, &out)
        }
    }

    /// What the newest release shows on the days that it has reached.
    private func ownSummary(_ newest: DaySeries) -> SeriesSummary {
        SeriesSummary(newest.reached(lines.first?.values.count ?? 0))
    }

    private func drawLines(
        _ all: [DaySeries], hasIntervals: Bool, _ plot: Plot, _ out: inout SVGWriter
    ) {
        let paths = all.map { vertices($0, unit: unit, plot.x, plot.y) }
        if hasIntervals, let newest = paths.first { drawBand(newest, plot, &out) }
        for rule in rules { drawRule(rule, unit: unit, plot, &out) }
        for (place, path) in paths.enumerated().dropFirst().reversed() {
            drawOlderLine(path, dash: place, &out)
        }
        if let path = paths.first { drawLine(path, &out) }
    }

    private func ticks(_ all: [DaySeries], wished: Int) -> NiceTicks {
        valueTicks(
            unit, values: all.flatMap { $0.points.lazy.compactMap(\.value) } + rules.map(\.value),
            intervals: all.first?.points.compactMap(\.interval) ?? [], wished: wished)
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

    /// Whether the newest release has so few days that its name is at its end within the plot.
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

/// The ages that are labeled: every day where there is room, else steps that people count in.
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

/// A line behind the newest; the dashes distinguish it.
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
