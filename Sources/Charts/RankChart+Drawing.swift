import AppHealth
import Formatting
import Statistics

extension RankChart {
    private static let rowHeight = 260

    /// The drawing: ranks from the top down, names at the newest end.
    package func drawing() -> Drawing {
        var taken: Set<Int> = []
        // Two subjects of one rank, which a ranking does not have, would stand on one another.
        let labels = lines.map { line in
            taken.insert(place(line)).inserted && place(line) <= limit
                ? fitted(line.label, width: 2000) + movement(line) : nil
        }
        let widest = labels.compactMap { $0.map(estimatedBoldWidth) }.max() ?? 0
        let x = DateScale(
            domain: DateDomain(first: days.first ?? CivilDate(daysSinceEpoch: 0), count: max(days.count, 1)),
            left: 250, right: Plot.width - max(widest + 140, 400))
        let lowest = max(lines.flatMap(\.ranks).compactMap(\.self).max() ?? 0, 2)
        let bottom = 60 + lowest * Self.rowHeight
        let canvas = Canvas(name: name, title: title, height: bottom + 260)
        return draw(on: canvas, description: description, capacity: 1500 + lines.count * 500) { out in
            drawRanks(x, to: lowest, &out)
            for line in lines.reversed() { drawPath(line, x, &out) }
            for (line, label) in zip(lines, labels) { drawEnd(line, label, x, &out) }
            drawDays(x, bottom: bottom, &out)
            guard lines.isEmpty else { return }
            out.raw("<text class=\"chart-empty\" text-anchor=\"middle\"")
            out.label("No ranking", x: (x.left + x.right) / 2, y: bottom / 2)
        }
    }

    private func y(_ rank: Int) -> Int { 60 + (rank - 1) * Self.rowHeight + Self.rowHeight / 2 }

    /// ` ▲3` for what rose, ` ▼2` for what fell, ` new` for what was not ranked at first.
    private func movement(_ line: Line) -> String {
        guard days.count > 1 else { return "" }
        if isNew(line) { return "  new" }
        let climb = climb(line)
        return climb == 0 ? "" : climb > 0 ? "  ▲\(climb)" : "  ▼\(-climb)"
    }

    private func isRising(_ line: Line) -> Bool {
        line.ranks.last != .some(nil) && (climb(line) > 0 || isNew(line)) && days.count > 1
    }

    private func drawRanks(_ x: DateScale, to lowest: Int, _ out: inout SVGWriter) {
        out.raw("<g class=\"chart-tick\" text-anchor=\"end\">")
        for rank in 1...lowest {
            out.raw("<text")
            out.label("\(rank)", x: x.left - 60, y: y(rank) + 40)
        }
        out.raw(
            "</g><path class=\"chart-grid\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".1\" d=\"")
        var pen = PathPen()
        for rank in 1...lowest {
            pen.move(x.left, y(rank), &out)
            pen.horizontal(x.right, &out)
        }
        out.raw("\"/>")
    }

    /// Level on each day and sloped between two, so that a rank is read where it holds.
    private func drawPath(_ line: Line, _ x: DateScale, _ out: inout SVGWriter) {
        out.raw(
            isRising(line)
                ? "<path class=\"chart-rise\" stroke-width=\"2.5\""
                : "<path class=\"chart-comparison\" stroke-width=\"2\" stroke-opacity=\".55\"")
        out.raw(
            " fill=\"none\" stroke=\"currentColor\" stroke-linejoin=\"round\" stroke-linecap=\"round\" d=\"")
        var pen = PathPen()
        let half = max(Int(x.columnWidth * 0.22), 4)
        for run in runs(line.ranks, where: { $0 != nil }) {
            for index in run {
                let place = y(line.ranks[index] ?? 1)
                if index == run.lowerBound {
                    pen.move(x.center(index) - half, place, &out)
                } else {
                    pen.line(x.center(index) - half, place, &out)
                }
                pen.line(x.center(index) + half, place, &out)
            }
        }
        out.raw("\"/>")
    }

    private func drawEnd(_ line: Line, _ label: String?, _ x: DateScale, _ out: inout SVGWriter) {
        guard let label, let rank = line.ranks.last.flatMap(\.self) else { return }
        out.raw(
            isRising(line)
                ? "<text class=\"chart-rise-label\" font-weight=\"600\"" : "<text class=\"chart-name\"")
        out.label(label, x: x.right + 80, y: y(rank) + 40)
    }

    private func drawDays(_ x: DateScale, bottom: Int, _ out: inout SVGWriter) {
        guard !days.isEmpty else { return }
        out.raw("<g class=\"chart-tick\" text-anchor=\"middle\">")
        // From the newest back, so that the last day always has its label.
        var shown: [(x: Int, text: String)] = []
        var free = Int.max
        for index in days.indices.reversed() {
            let text = days[index].shortText
            let half = estimatedWidth(text) / 2
            guard x.center(index) + half <= free else { continue }
            free = x.center(index) - half - 250
            shown.append((x.center(index), text))
        }
        for day in shown.reversed() {
            out.raw("<text")
            out.label(day.text, x: day.x, y: bottom + 150)
        }
        out.raw("</g>")
    }
}
