/// What is not labeled where it is: symbols with words, in as many rows as they need.
struct Legend {
    /// What a symbol looks like.
    enum Symbol: Hashable {
        case band
        case target
        case hatch
        case expectation
        case above
        case absence(ChartPoint.Absence)
        case cell(CalendarChart.Level)
        case event(EventMark.Kind)
    }

    struct Entry: Hashable {
        let symbol: Symbol
        let text: String

        init(_ symbol: Symbol, _ text: String) {
            self.symbol = symbol
            self.text = text
        }
    }

    private(set) var placed: [Place] = []

    struct Place: Hashable {
        let entry: Entry
        let x: Int
        let row: Int
    }

    /// Puts the entries into rows from the left to the right.
    init(_ entries: [Entry], left: Int, right: Int) {
        var (x, row) = (left, 0)
        for entry in entries {
            let width = 170 + estimatedWidth(entry.text) * 11 / 12
            if x > left, x + width > right { (x, row) = (left, row + 1) }
            placed.append(Place(entry: entry, x: x, row: row))
            x += width + 200
        }
    }

    /// How many rows there are; zero when there is nothing to explain.
    var rows: Int { placed.last.map { $0.row + 1 } ?? 0 }

    /// The height of all rows.
    var height: Int { rows * Self.rowHeight }

    static let rowHeight = 180
}

/// The entries for what a series shows: its intervals, its provisional days, its days without a value.
func legendEntries(_ summary: SeriesSummary) -> [Legend.Entry] {
    var entries: [Legend.Entry] = []
    if summary.hasIntervals { entries.append(Legend.Entry(.band, "95% interval")) }
    if summary.provisional > 0 { entries.append(Legend.Entry(.hatch, "Provisional")) }
    for absence in ChartPoint.Absence.allCases where summary.absences[absence.rank] > 0 {
        entries.append(Legend.Entry(.absence(absence), absence.text))
    }
    return entries
}

/// Draws what explains the marks of a plot, which a narrow drawing has from the wide one.
func drawLegend(on canvas: Canvas, _ plot: Plot, usingThatOf wide: Plot?, _ out: inout SVGWriter) {
    guard plot.legend.rows > 0 else { return }
    func moved(_ wide: Plot) -> Int? {
        wide.legend.placed == plot.legend.placed ? plot.legendLine - wide.legendLine : nil
    }
    drawLetters("legend", on: canvas, usingThoseOf: wide, moved: moved, &out) {
        drawLegend(plot.legend, y: plot.legendLine, id: canvas.wideID, &$0)
    }
}

/// Draws the rows of a legend; the first has this baseline.
func drawLegend(_ legend: Legend, y: Int, id: String, _ out: inout SVGWriter) {
    guard legend.rows > 0 else { return }
    for place in legend.placed {
        drawSymbol(place.entry.symbol, x: place.x, y: y + place.row * Legend.rowHeight - 40, id: id, &out)
    }
    out.raw("<g class=\"chart-legend\" font-size=\"11\">")
    for place in legend.placed {
        out.raw("<text")
        out.label(place.entry.text, x: place.x + 170, y: y + place.row * Legend.rowHeight)
    }
    out.raw("</g>")
}

/// A symbol in a field of 13 units; the point is the middle of its left edge.
private func drawSymbol(_ symbol: Legend.Symbol, x: Int, y: Int, id: String, _ out: inout SVGWriter) {
    var pen = PathPen()
    switch symbol {
    case .band, .hatch:
        if symbol == .band {
            out.raw("<path class=\"chart-band\" fill-opacity=\".3\" d=\"")
        } else {
            out.raw("<path stroke=\"currentColor\" stroke-opacity=\".3\" fill=\"url(#")
            out.escaped(id)
            out.raw("-hatch)\" d=\"")
        }
        pen.move(x, y - 40, &out)
        pen.horizontal(x + 130, &out)
        pen.vertical(y + 40, &out)
        pen.horizontal(x, &out)
        out.raw("z\"/>")
    case .expectation:
        out.raw("<path fill-opacity=\".14\" d=\"")
        pen.move(x, y - 40, &out)
        pen.horizontal(x + 130, &out)
        pen.vertical(y + 40, &out)
        pen.horizontal(x, &out)
        out.raw("z\"/><path fill=\"none\" stroke=\"currentColor\" stroke-dasharray=\"3 2\" d=\"")
        pen.move(x, y, &out)
        pen.horizontal(x + 130, &out)
        out.raw("\"/>")
    case .target:
        out.raw(
            "<path class=\"chart-target\" stroke-dasharray=\"5 2\" fill=\"none\" stroke=\"currentColor\" d=\""
        )
        pen.move(x, y, &out)
        pen.horizontal(x + 120, &out)
        out.raw("\"/>")
    case .above: drawEventShape(.alert, x: x + 65, y: y, &out)
    case .absence(let absence): drawAbsence(absence, at: [(x + 65, y)], &out)
    case .cell(let level): drawCell(level, x: x + 5, y: y - 60, size: 120, &out)
    case .event(let kind): drawEventShape(kind, x: x + 65, y: y, &out)
    }
}

/// Says in the middle of a plot that there is nothing to draw.
///
/// - Parameter absence: why, where all days have the same reason.
func drawEmptiness(_ plot: Plot, _ absence: ChartPoint.Absence?, _ out: inout SVGWriter) {
    out.raw("<text class=\"chart-empty\" text-anchor=\"middle\"")
    let text = (absence ?? .missing).text
    out.label(text, x: (plot.x.left + plot.x.right) / 2, y: (plot.y.top + plot.y.bottom) / 2 - 60)
}
