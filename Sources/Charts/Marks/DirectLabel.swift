/// A text on the right of the plot, at the height of what it names.
struct DirectLabel {
    enum Role: Hashable {
        case value, comparison, target, critical
        /// A line behind the newest, with the dashes of its place, from 1.
        case older(Int)
    }

    let role: Role
    let text: String
    var y: Int

    init(_ role: Role, _ text: String, y: Int = 0) {
        self.role = role
        self.text = text
        self.y = y
    }
}

extension DirectLabel {
    /// How much room it takes on the right of the plot.
    var reach: Int {
        switch role {
        case .older: estimatedWidth(text) + 350
        case .value: estimatedBoldWidth(text) + 140
        case .comparison, .target, .critical: estimatedWidth(text) + 140
        }
    }
}

/// The labels moved apart so that none touches another, within the ends; the order by height is kept.
func spread(_ labels: [DirectLabel], top: Int, bottom: Int, gap: Int = 135) -> [DirectLabel] {
    // Equal heights keep the order of the list: sorting alone does not promise it.
    var sorted = labels.enumerated().sorted { ($0.element.y, $0.offset) < ($1.element.y, $1.offset) }.map(
        \.element)
    for index in sorted.indices.dropFirst() {
        sorted[index].y = max(sorted[index].y, sorted[index - 1].y + gap)
    }
    var floor = bottom
    for index in sorted.indices.reversed() {
        sorted[index].y = max(min(sorted[index].y, floor), top)
        floor = sorted[index].y - gap
    }
    return sorted
}

/// Draws the labels on the right of the plot.
func drawDirectLabels(_ labels: [DirectLabel], _ plot: Plot, _ out: inout SVGWriter) {
    for label in spread(labels, top: plot.y.top, bottom: plot.y.bottom) {
        switch label.role {
        case .value: out.raw("<text class=\"chart-value\" font-weight=\"600\"")
        case .comparison: out.raw("<text class=\"chart-comparison-label\"")
        case .target: out.raw("<text class=\"chart-target-label\"")
        case .critical: out.raw("<text class=\"chart-critical-label\"")
        case .older(let place):
            drawDash(place, x: plot.x.right + 80, y: label.y, &out)
            out.raw("<text class=\"chart-comparison-label\"")
            out.label(label.text, x: plot.x.right + 290, y: label.y + 40)
            continue
        }
        out.label(label.text, x: plot.x.right + 80, y: label.y + 40)
    }
}

/// A piece of a line before its name, so that the dashes find their label.
private func drawDash(_ place: Int, x: Int, y: Int, _ out: inout SVGWriter) {
    out.raw("<path class=\"chart-comparison\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.5\"")
    out.raw(olderDash(place))
    out.raw(" d=\"")
    var pen = PathPen()
    pen.move(x, y, &out)
    pen.horizontal(x + 170, &out)
    out.raw("\"/>")
}
