package import AppHealth
import Estimates
import Formatting

/// Shares of a whole by day, stacked: the adoption of releases.
package struct ShareChart: Chart, Hashable {
    /// One part of the whole.
    package struct Part: Hashable, Sendable {
        /// Its name, such as a version label.
        package let label: String
        /// Its counts by day; a day that is skipped has none.
        package let counts: [CivilDate: Int]

        /// Makes a part.
        package init(label: String, counts: [CivilDate: Int]) {
            self.label = label
            self.counts = counts
        }
    }

    package var name: String
    package var title: String
    /// The days shown.
    package let domain: DateDomain
    /// The parts from the newest to the oldest.
    package let parts: [Part]
    /// The whole of each day, at least the sum of its parts; a day without one is a gap.
    package let wholes: [CivilDate: Int]
    /// Why a day that has no whole has none.
    package let absences: [CivilDate: ChartPoint.Absence]

    /// The share that a part must reach on some day to have a layer of its own; smaller ones are pooled.
    package static let pooledBelow = 0.05
    /// How many parts have a layer of their own.
    package static let mostParts = 5

    /// Makes a chart.
    package init(
        name: String, title: String, domain: DateDomain, parts: [Part], wholes: [CivilDate: Int],
        absences: [CivilDate: ChartPoint.Absence] = [:]
    ) {
        self.name = name
        self.title = title
        self.domain = domain
        self.parts = parts
        self.wholes = wholes
        self.absences = absences
    }

    package func text() -> String {
        let layers = layers
        let newest = layers.first.map { layer in
            sparkText(layer.shares.suffix(60).map(\.self), domain: Interval(lower: 0, upper: 1))
        }
        return (newest ?? "") + "\n" + sentence(layers)
    }

    package var description: String { sentence(layers) }

    package var table: ChartTable {
        let layers = layers
        let rows = (0..<domain.count).map { index in
            let day = domain.first.advanced(by: index)
            let shares = layers.map {
                ChartCell.value($0.shares[index], .rate, PercentFormat(decimals: 1))
            }
            return [.day(day)] + shares + [.text(whole(day) == nil ? absence(of: day).text : "")]
        }
        return ChartTable(columns: [.day] + layers.map { .named($0.label) } + [.state], cells: rows)
    }
}

extension ShareChart {
    /// A part of its own, or what is left: its shares by day, nil on days without a whole.
    struct Layer {
        let label: String
        let isRest: Bool
        var shares: [Double?]
    }

    /// The whole of a day, when there is one.
    func whole(_ day: CivilDate) -> Int? { wholes[day].flatMap { $0 > 0 ? $0 : nil } }

    /// Why a day has no share.
    func absence(of day: CivilDate) -> ChartPoint.Absence {
        absences[day] ?? (wholes[day] == 0 ? .noSessions : .missing)
    }

    /// The layers from the newest to the oldest, then the rest of the whole when it is ever seen.
    var layers: [Layer] {
        let days = (0..<domain.count).map { domain.first.advanced(by: $0) }
        let wholes = days.map(whole)
        let shares = parts.map { part in
            zip(days, wholes).map { day, whole in
                whole.map { min(Double(max(part.counts[day] ?? 0, 0)) / Double($0), 1) }
            }
        }
        let kept = ownParts(shares, newest: wholes.lastIndex { $0 != nil })
        var layers = kept.map {
            Layer(label: displayText(parts[$0].label, limit: 18), isRest: false, shares: shares[$0])
        }
        let rest = zip(days, wholes).map { day, whole in
            whole.map { Double(self.rest(of: $0, without: kept, on: day)) / Double($0) }
        }
        if rest.contains(where: { ($0 ?? 0) > 0.000_5 }) {
            layers.append(Layer(label: "Other", isRest: true, shares: rest))
        }
        return layers
    }

    /// What some parts do not count of the whole of a day.
    private func rest(of whole: Int, without kept: [Int], on day: CivilDate) -> Int {
        kept.reduce(whole) { rest, part in rest - min(max(parts[part].counts[day] ?? 0, 0), rest) }
    }

    /// The places of the parts that have a layer of their own: those in use on the newest day first, then those that once
    /// were the greatest. Where these have less than half of the newest day, the newest parts in use fill up.
    private func ownParts(_ shares: [[Double?]], newest: Int?) -> [Int] {
        let greatest = shares.map { $0.compactMap(\.self).max() ?? 0 }
        let latest = shares.map { shares in newest.flatMap { shares[$0] } ?? 0 }
        let isUsed = latest.map { $0 >= Self.pooledBelow }
        let large = shares.indices.filter { greatest[$0] >= Self.pooledBelow }
        let sorted = large.sorted { first, second in
            guard isUsed[first] == isUsed[second] else { return isUsed[first] }
            let size = isUsed[first] ? latest : greatest
            return (size[first], second) > (size[second], first)
        }
        let own = Array(sorted.prefix(Self.mostParts))
        guard own.reduce(0, { $0 + latest[$1] }) < 0.5 else { return own.sorted() }
        let small = shares.indices.filter { latest[$0] > 0 && !own.contains($0) }
        return (own + small.prefix(Self.mostParts - own.count)).sorted()
    }

    func sentence(_ layers: [Layer]) -> String {
        let days = spanText(domain.first, domain.last)
        guard let last = layers.first?.shares.lastIndex(where: { $0 != nil }) else {
            return "\(days): no data."
        }
        let precision = PercentFormat(decimals: 1)
        let shares = layers.compactMap { layer in
            layer.shares[last].map { "\(layer.label) \(precision.text(min($0, 1)))" }
        }
        let day = last == domain.count - 1 ? "" : " (\(domain.first.advanced(by: last).shortText))"
        let gaps = (0..<domain.count).count { whole(domain.first.advanced(by: $0)) == nil }
        let missing = gaps == 0 ? "" : " \(daysText(gaps)) without data."
        return "\(days): latest\(day) \(shares.joined(separator: ", "))." + missing
    }
}

extension ShareChart {
    /// The drawing: the newest part lies at the bottom, on the base line, where it is read best.
    package func drawing(_ size: DrawingSize) -> Drawing {
        let layers = layers
        let ticks = NiceTicks(0, 100, wished: 4, limits: 0...100)
        let texts = tickLabels(ticks, .rate)
        let states = states
        let tops = tops(layers)
        let summary = SeriesSummary(states)
        let margins = Plot.Margins(
            size: size, left: max((texts.map(estimatedWidth).max() ?? 0) + 130, 400),
            right: max(names(layers, tops).map(\.label.reach).max() ?? 0, 160), top: 80,
            plotHeight: 1900, hasGlyphs: summary.hasAbsences,
            legend: legendEntries(summary))
        let (plot, wide) = Plot.nextToWide(domain: domain, ticks: ticks, margins: margins)
        let canvas = Canvas(name: name, title: title, size, height: plot.height)
        return draw(
            on: canvas, description: sentence(layers), capacity: 2000 + domain.count * layers.count * 12
        ) {
            out in
            drawShapes(on: canvas, plot, usingThoseOf: wide, &out) { out in
                drawGridLines(plot, &out)
                for index in layers.indices.reversed() { drawLayer(index, layers, tops, plot, &out) }
            }
            drawTickLabels(on: canvas, plot, usingThoseOf: wide, texts, &out)
            if layers.isEmpty { drawEmptiness(plot, summary.soleAbsence, &out) }
            drawDateAxis(plot, &out)
            if summary.hasAbsences { drawAbsences(states, plot.x, line: plot.glyphLine, &out) }
            drawNames(layers, tops, plot, &out)
            drawLegend(on: canvas, plot, usingThatOf: wide, &out)
        }
    }

    /// The days with the reasons of those that have no share.
    private var states: DaySeries {
        DaySeries(
            first: domain.first,
            (0..<domain.count).map { index in
                let day = domain.first.advanced(by: index)
                return whole(day) == nil ? ChartPoint(day, absent: absence(of: day)) : ChartPoint(day, 1)
            })
    }

    /// The upper edge of each layer by day, from the bottom up.
    private func tops(_ layers: [Layer]) -> [[Double?]] {
        var sums = [Double](repeating: 0, count: domain.count)
        return layers.map { layer in
            layer.shares.enumerated().map { day, share in
                guard let share else { return nil }
                sums[day] = min(sums[day] + share, 1)
                return sums[day]
            }
        }
    }

    /// All that lies below the upper edge of a layer and above the one beneath, in tenths of a unit, whose numbers are
    /// shorter, and scaled. Its outline has the color of the ground, so that neighbors are distinguished without color.
    private func drawLayer(
        _ index: Int, _ layers: [Layer], _ tops: [[Double?]], _ plot: Plot, _ out: inout SVGWriter
    ) {
        if layers[index].isRest {
            out.raw("<path class=\"chart-rest chart-seam\" fill-opacity=\".1\"")
        } else {
            out.raw("<path class=\"chart-area chart-seam\" fill-opacity=\"")
            out.raw(tint(index))
            out.raw("\"")
        }
        out.raw(" stroke=\"none\" stroke-width=\"15\" transform=\"scale(.1)\" d=\"")
        var pen = PathPen(isTenfold: true)
        for run in runs(tops[index], where: { $0 != nil }) {
            let upper = edge(tops[index], run, plot)
            let lower = index == 0 ? edge([], run, plot) : edge(tops[index - 1], run, plot)
            let outline = upper + lower.reversed()
            pen.move(outline[0].x, outline[0].y, &out)
            for point in outline.dropFirst() { pen.line(point.x, point.y, &out) }
            pen.close(&out)
        }
        out.raw("\"/>")
    }

    /// An edge of a layer over some days, from side to side, without the points within level parts; without heights it
    /// is the base line.
    private func edge(_ heights: [Double?], _ run: Range<Int>, _ plot: Plot) -> [(x: Int, y: Int)] {
        func y(_ day: Int) -> Int { plot.y((heights.isEmpty ? 0 : heights[day] ?? 0) * 100) }
        let days = run.map { (x: plot.x.center($0), y: y($0)) }
        let all =
            [(x: plot.x.edge(run.lowerBound), y: y(run.lowerBound))] + days
            + [(x: plot.x.edge(run.upperBound), y: y(run.upperBound - 1))]
        return all.indices.compactMap { place in
            let isLevel =
                place > 0 && place + 1 < all.count && all[place - 1].y == all[place].y
                && all[place + 1].y == all[place].y
            return isLevel ? nil : all[place]
        }
    }

    /// The names on the right, with the heights that they stand at: of the layers that reach the last day.
    private func names(_ layers: [Layer], _ tops: [[Double?]]) -> [(label: DirectLabel, height: Double)] {
        let last = domain.count - 1
        return layers.enumerated().compactMap { index, layer in
            guard let share = layer.shares[last], share >= 0.02 else { return nil }
            let text = "\(layer.label) \(PercentFormat(decimals: 0).text(min(share, 1)))"
            return (
                DirectLabel(index == 0 ? .value : .comparison, text), middle(index, last, tops)
            )
        }
    }

    /// The middle of a layer on a day, in percent.
    private func middle(_ index: Int, _ day: Int, _ tops: [[Double?]]) -> Double {
        let below = index == 0 ? 0 : tops[index - 1][day] ?? 0
        return ((tops[index][day] ?? 0) + below) * 50
    }

    /// Each layer's name: on the right where it reaches the last day, else within, where it is thickest.
    private func drawNames(_ layers: [Layer], _ tops: [[Double?]], _ plot: Plot, _ out: inout SVGWriter) {
        let right = names(layers, tops).map {
            DirectLabel($0.label.role, $0.label.text, y: plot.y($0.height))
        }
        for (index, layer) in layers.enumerated() where (layer.shares.last.flatMap(\.self) ?? 0) < 0.02 {
            guard let day = roomiest(layer, plot) else { continue }
            out.raw("<text class=\"chart-halo\" stroke-width=\"3\" font-size=\"11\" text-anchor=\"middle\"")
            out.label(layer.label, x: plot.x.center(day), y: plot.y(middle(index, day, tops)) + 40)
        }
        drawDirectLabels(right, plot, &out)
    }

    /// The day on which a name fits into a layer best; nil when it fits nowhere.
    private func roomiest(_ layer: Layer, _ plot: Plot) -> Int? {
        let half = estimatedWidth(layer.label) / 2 + 40
        let days = layer.shares.indices.filter { day in
            plot.x.center(day) - half >= plot.x.left && plot.x.center(day) + half <= plot.x.right
        }
        let best = days.max { (layer.shares[$0] ?? 0, $1) < (layer.shares[$1] ?? 0, $0) }
        return best.flatMap { (layer.shares[$0] ?? 0) >= 0.09 ? $0 : nil }
    }
}

/// How strongly a layer is tinted: the newest most.
private func tint(_ index: Int) -> StaticString {
    switch index {
    case 0: ".62"
    case 1: ".42"
    case 2: ".3"
    case 3: ".2"
    default: ".12"
    }
}
