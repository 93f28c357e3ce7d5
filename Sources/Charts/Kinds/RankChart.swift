package import AppHealth
import Estimates
import Formatting

/// How subjects move in a ranking over days.
package struct RankChart: Chart, Hashable {
    /// One subject.
    package struct Line: Hashable, Sendable {
        /// Its name; foreign text.
        package let label: String
        /// Its rank from 1 on each day, nil when it was not ranked.
        package let ranks: [Int?]

        /// Makes a line.
        package init(label: String, ranks: [Int?]) {
            self.label = label
            self.ranks = ranks
        }
    }

    package var name: String
    package var title: String
    /// The days of the ranking, in order.
    package let days: [CivilDate]
    /// The subjects that are shown, those of the newest ranking first.
    package let lines: [Line]
    /// The lowest rank that is shown.
    package let limit: Int

    /// Makes a chart; ranks outside 1…limit are skipped, and so are lines that have none.
    package init(name: String, title: String, days: [CivilDate], lines: [Line], limit: Int = 8) {
        self.name = name
        self.title = title
        let kept = Array(days.suffix(28))
        self.days = kept
        let limit = min(max(limit, 1), 20)
        self.limit = limit
        let skipped = days.count - kept.count
        self.lines = lines.map { line in
            let ranks = line.ranks.prefix(days.count).dropFirst(skipped).map { rank in
                rank.flatMap { (1...limit).contains($0) ? $0 : nil }
            }
            // Days that a line does not report are days on which it was not ranked.
            let rest = [Int?](repeating: nil, count: max(kept.count - ranks.count, 0))
            return Line(label: line.label, ranks: ranks + rest)
        }.filter { $0.ranks.contains { $0 != nil } }
    }

    package var description: String {
        guard let first = days.first, let last = days.last, !lines.isEmpty else { return "No data." }
        let now = lines.filter { $0.ranks.last != .some(nil) }.sorted { place($0) < place($1) }
        let top = now.first.map {
            "First on \(last.shortText): \(displayText($0.label, limit: 60))."
        }
        let risen = now.max { climb($0) < climb($1) }.flatMap { line in
            climb(line) > 0
                ? "Biggest climb: \(displayText(line.label, limit: 60)), \(start(line)) to \(place(line))."
                : nil
        }
        let count = now.count(where: hasEntered)
        let entered = count == 0 ? nil : "\(count) of \(now.count) entered the ranking."
        let span = spanText(first, last) + "."
        return [span, top ?? "No ranking on \(last.shortText).", risen, entered].compactMap(\.self)
            .joined(separator: " ")
    }

    package func text() -> String {
        let first = lines.first?.ranks.map { $0.map { Double(limit - $0) } } ?? []
        return sparkText(first, domain: Interval(lower: 0, upper: Double(limit - 1))) + "\n" + description
    }

    package var table: ChartTable {
        ChartTable(
            columns: [.day] + lines.map { .named($0.label) },
            cells: days.enumerated().map { index, day in
                [.day(day)]
                    + lines.map { line in
                        let rank = index < line.ranks.count ? line.ranks[index] : nil
                        return .value(rank.map(Double.init), .count, PercentFormat(decimals: 0))
                    }
            })
    }
}

extension RankChart {
    /// Its newest rank, or one beyond the last when it has none.
    func place(_ line: Line) -> Int { line.ranks.last.flatMap(\.self) ?? limit + 1 }

    /// Its first rank.
    func start(_ line: Line) -> Int { line.ranks.lazy.compactMap(\.self).first ?? limit + 1 }

    /// Whether it was never ranked before its newest run of days.
    func hasEntered(_ line: Line) -> Bool {
        guard line.ranks.first == .some(nil), let start = line.ranks.firstIndex(where: { $0 != nil }) else {
            return false
        }
        return line.ranks[start...].allSatisfy { $0 != nil }
    }

    /// How many places it rose since its first rank; negative when it fell.
    func climb(_ line: Line) -> Int {
        line.ranks.last == .some(nil) ? 0 : start(line) - place(line)
    }
}

extension RankChart {
    /// The drawing: ranks from the top down, names at the newest end; in a narrow place above it.
    package func drawing(_ size: DrawingSize) -> Drawing {
        var taken: Set<Int> = []
        // Two subjects of one rank, which a ranking does not have, would stand on one another.
        let labels = lines.map { line in
            taken.insert(place(line)).inserted && place(line) <= limit
                ? fitted(line.label, width: size == .wide ? 2000 : 2700) + movement(line) : nil
        }
        let widest = labels.compactMap { $0.map(estimatedBoldWidth) }.max() ?? 0
        let x = DateScale(
            domain: DateDomain(first: days.first ?? CivilDate(daysSinceEpoch: 0), count: max(days.count, 1)),
            left: 250, right: size == .wide ? size.width - max(widest + 140, 400) : size.width - 20)
        let lowest = max(lines.flatMap(\.ranks).compactMap(\.self).max() ?? 0, 2)
        let rows = Rows(size)
        let bottom = 60 + lowest * rows.height
        let canvas = Canvas(name: name, title: title, kind: .list, size, height: bottom + 260)
        return draw(on: canvas, description: description, capacity: 1500 + lines.count * 500) { out in
            drawRanks(x, to: lowest, rows, &out)
            for line in lines.reversed() { drawPath(line, x, rows, &out) }
            for (line, label) in zip(lines, labels) { drawEnd(line, label, x, rows, &out) }
            drawDays(x, bottom: bottom, width: size.width, &out)
            guard lines.isEmpty else { return }
            out.raw("<text class=\"chart-empty\" text-anchor=\"middle\"")
            out.label("No data", x: (x.left + x.right) / 2, y: bottom / 2)
        }
    }

    /// Where the ranks stand.
    private struct Rows {
        let size: DrawingSize
        let height: Int

        init(_ size: DrawingSize) { (self.size, height) = (size, size == .wide ? 260 : 380) }

        /// The height of the line of a rank; a name is above it in a narrow place.
        func callAsFunction(_ rank: Int) -> Int {
            60 + (rank - 1) * height + (size == .wide ? height / 2 : 270)
        }
    }

    /// ` ▲3` for what rose, ` ▼2` for what fell, ` entered` for what was not ranked at first.
    private func movement(_ line: Line) -> String {
        guard days.count > 1 else { return "" }
        if hasEntered(line) { return "  entered" }
        let climb = climb(line)
        return climb == 0 ? "" : climb > 0 ? "  ▲\(climb)" : "  ▼\(-climb)"
    }

    private func isRising(_ line: Line) -> Bool {
        line.ranks.last != .some(nil) && (climb(line) > 0 || hasEntered(line)) && days.count > 1
    }

    private func drawRanks(_ x: DateScale, to lowest: Int, _ y: Rows, _ out: inout SVGWriter) {
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
    private func drawPath(_ line: Line, _ x: DateScale, _ y: Rows, _ out: inout SVGWriter) {
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

    private func drawEnd(
        _ line: Line, _ label: String?, _ x: DateScale, _ y: Rows, _ out: inout SVGWriter
    ) {
        guard let label, let rank = line.ranks.last.flatMap(\.self) else { return }
        guard y.size == .wide else {
            out.raw("<text class=\"chart-halo")
            out.raw(isRising(line) ? " chart-rise-label\" font-weight=\"600\"" : "\"")
            out.raw(" stroke-width=\"4\" text-anchor=\"end\"")
            out.label(label, x: x.right, y: y(rank) - 110)
            return
        }
        out.raw(
            isRising(line)
                ? "<text class=\"chart-rise-label\" font-weight=\"600\"" : "<text class=\"chart-name\"")
        out.label(label, x: x.right + 80, y: y(rank) + 40)
    }

    private func drawDays(_ x: DateScale, bottom: Int, width: Int, _ out: inout SVGWriter) {
        guard !days.isEmpty else { return }
        out.raw("<g class=\"chart-tick\" text-anchor=\"middle\">")
        // From the newest back, so that the last day always has its label.
        var shown: [(x: Int, text: String)] = []
        var free = Int.max
        for index in days.indices.reversed() {
            let text = days[index].shortText
            let half = estimatedWidth(text) / 2
            // The last day is at the edge of a narrow drawing, and its label stays within.
            let center = min(x.center(index), width - half - 60)
            guard center + half <= free else { continue }
            free = center - half - 250
            shown.append((center, text))
        }
        for day in shown.reversed() {
            out.raw("<text")
            out.label(day.text, x: day.x, y: bottom + 150)
        }
        out.raw("</g>")
    }
}
