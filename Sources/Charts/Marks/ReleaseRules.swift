import AppHealth

/// The labels of releases with the row each stands in; those without room are left out, the oldest first.
struct ReleaseLabels {
    struct Placed {
        let text: String
        let x: Int
        let row: Int
        let isBefore: Bool
    }

    private(set) var placed: [Placed] = []
    /// The places of all releases, each day once.
    private(set) var days: [Int] = []
    private(set) var rows = 0

    /// Puts the labels into at most two rows from the newest to the oldest.
    init(_ marks: [ReleaseMark], _ scale: DateScale) {
        let known = marks.compactMap { mark in
            scale.domain.index(of: mark.date).map { (index: $0, mark: mark) }
        }
        var lower: [ClosedRange<Int>] = []
        var limits = [scale.right + 400, scale.right + 400]
        for (index, mark) in known.sorted(by: { ($1.index, $1.mark.label) < ($0.index, $0.mark.label) }) {
            if days.last != index { days.append(index) }
            let text = displayText(mark.label, limit: 18)
            let width = estimatedWidth(text) * 11 / 12
            let x = scale.center(index)
            let isBefore = x + 40 + width > scale.right + 400
            let (begin, end) = isBefore ? (x - 40 - width, x - 40) : (x + 40, x + 40 + width)
            guard begin >= scale.left - 300, let row = limits.firstIndex(where: { end <= $0 }) else {
                continue
            }
            // A line that rises to the upper row must not strike through a label of the lower one.
            guard row == 0 || !lower.contains(where: { $0.lowerBound - 20 <= x && x <= $0.upperBound + 20 })
            else { continue }
            limits[row] = begin - 80
            if row == 0 { lower.append(begin...end) } else { limits[0] = min(limits[0], x - 30) }
            placed.append(Placed(text: text, x: x, row: row, isBefore: isBefore))
            rows = max(rows, row + 1)
        }
    }
}

/// Thin upright lines on the days of releases, and the labels above the plot.
func drawReleases(_ labels: ReleaseLabels, _ plot: Plot, _ out: inout SVGWriter) {
    guard !labels.days.isEmpty else { return }
    let rowOfDay = Dictionary(labels.placed.map { ($0.x, $0.row) }, uniquingKeysWith: max)
    out.raw("<path class=\"chart-release\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".35\" d=\"")
    var pen = PathPen()
    for day in labels.days {
        let x = plot.x.center(day)
        pen.move(x, plot.y.top - (rowOfDay[x].map { 140 * $0 + 120 } ?? 0), &out)
        pen.vertical(plot.y.bottom, &out)
    }
    out.raw("\"/><g class=\"chart-release-label\" font-size=\"11\">")
    for label in labels.placed {
        out.raw(label.isBefore ? "<text text-anchor=\"end\"" : "<text")
        out.label(label.text, x: label.x + (label.isBefore ? -40 : 40), y: plot.y.top - 140 * label.row - 40)
    }
    out.raw("</g>")
}
