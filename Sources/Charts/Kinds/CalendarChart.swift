package import AppHealth
import Estimates
import Formatting

/// Weeks of days, each with a verdict: a shape next to every color.
package struct CalendarChart: Chart, Hashable {
    /// What is said of a day.
    package enum Level: Hashable, Sendable, CaseIterable {
        /// It keeps the target: a tinted field.
        case meets
        /// It may or may not: an empty field.
        case unsure
        /// It misses the target: a stroked-out field.
        case misses
        /// It is critical: a crossed-out field.
        case critical
    }

    /// One day.
    package struct Day: Hashable, Sendable {
        /// The day.
        package let date: CivilDate
        /// What is said of it; nil when there is no value.
        package let level: Level?
        /// Why there is none; missing when nothing is said.
        package let absence: ChartPoint.Absence
        /// What the table says next to it, such as the rate.
        package let detail: String

        /// A day with a verdict.
        package init(_ date: CivilDate, _ level: Level, detail: String) {
            self.date = date
            self.level = level
            self.absence = .missing
            self.detail = detail
        }

        /// A day without one.
        package init(_ date: CivilDate, absent: ChartPoint.Absence) {
            self.date = date
            self.level = nil
            self.absence = absent
            self.detail = ""
        }
    }

    package var name: String
    package var title: String
    /// The days shown, at most 53 weeks.
    package let domain: DateDomain
    /// What is known, in any order; days without an entry are missing.
    package let days: [Day]

    /// Makes a chart.
    package init(name: String, title: String, domain: DateDomain, days: [Day]) {
        self.name = name
        self.title = title
        self.domain = DateDomain(last: domain.last, count: min(domain.count, 365))
        self.days = days
    }

    package var description: String { sentence(placed) }

    package func text() -> String {
        let days = placed
        let glyphs = days.suffix(60).map { day -> Character in
            switch day.level {
            case .meets: "■"
            case .unsure: "□"
            case .misses: "▨"
            case .critical: "▩"
            case nil: day.absence.glyph
            }
        }
        return String(glyphs) + "\n" + sentence(days)
    }

    package var table: ChartTable {
        ChartTable(
            columns: [.day, .weekday, .status, .detail],
            cells: placed.map { day in
                [
                    .day(day.date), .text(day.date.weekdayName), .text(day.level?.text ?? day.absence.text),
                    .text(displayText(day.detail, limit: 120)),
                ]
            })
    }
}

extension CalendarChart {
    /// One entry for each day of the domain.
    var placed: [Day] {
        var placed = (0..<domain.count).map { Day(domain.first.advanced(by: $0), absent: .missing) }
        for day in days {
            if let index = domain.index(of: day.date) { placed[index] = day }
        }
        return placed
    }

    private func sentence(_ days: [Day]) -> String {
        let counts = Level.allCases.compactMap { level in
            let count = days.count { $0.level == level }
            return count == 0 ? nil : "\(daysText(count)) \(level.word)"
        }
        let missing = days.count { $0.level == nil }
        let parts = counts + (missing == 0 ? [] : ["\(daysText(missing)) without data"])
        let worst = days.last { $0.level == .critical || $0.level == .misses }
        let last = worst.map { " Latest below target: \($0.date.shortText)." } ?? ""
        return "\(spanText(domain.first, domain.last)): \(parts.joined(separator: ", "))." + last
    }
}

extension CalendarChart.Level {
    /// The label in legends and tables.
    var text: String {
        switch self {
        case .meets: "Meets target"
        case .unsure: "Not enough data"
        case .misses: "Below target"
        case .critical: "Critical"
        }
    }

    /// The words behind a count of days.
    fileprivate var word: String {
        switch self {
        case .meets: "at or above target"
        case .unsure: "with too little data"
        case .misses: "below target"
        case .critical: "critical"
        }
    }
}

extension CalendarChart {
    /// The drawing: a column for each week, a row for each weekday, the newest week on the right.
    package func drawing(_ size: DrawingSize) -> Drawing {
        let days = placed
        let isStrip = !hasNarrowDrawing
        let step = isStrip ? 120 : size == .narrow ? 60 : 125
        let width = isStrip ? Self.left + 27 * step : size.width
        let gap = step / 6
        let legend = Legend(legendEntries(days), left: Self.left, right: width)
        let bottom = Self.top + 7 * step
        let canvas = Canvas(
            name: name, title: title, kind: isStrip ? .strip : .chart, size, width: width,
            height: bottom + 200 + legend.height)
        return draw(on: canvas, description: description, capacity: 1500 + domain.count * 40) { out in
            drawWeekdays(step, &out)
            drawMonths(step, width, &out)
            func place(_ index: Int) -> (x: Int, y: Int) {
                let slot = lead + index
                return (Self.left + slot / 7 * step, Self.top + slot % 7 * step)
            }
            for level in Level.allCases {
                let cells = days.indices.filter { days[$0].level == level }.map(place)
                drawCells(level, cells, size: step - gap, &out)
            }
            let half = (step - gap) / 2
            for absence in ChartPoint.Absence.allCases {
                let cells = days.indices.filter { days[$0].level == nil && days[$0].absence == absence }
                drawAbsence(absence, at: cells.map(place).map { ($0.x + half, $0.y + half) }, &out)
            }
            drawLegend(legend, y: bottom + 200, id: canvas.wideID, &out)
        }
    }

    /// Half a year fits on a telephone; a year takes the width of other charts.
    package var hasNarrowDrawing: Bool { (lead + domain.count + 6) / 7 > 27 }

    /// Days of the first week before the domain.
    private var lead: Int { domain.first.weekday - 1 }

    private static let left = 370
    private static let top = 200

    private func legendEntries(_ days: [Day]) -> [Legend.Entry] {
        let levels = Level.allCases.filter { level in days.contains { $0.level == level } }
        let absences = ChartPoint.Absence.allCases.filter { absence in
            days.contains { $0.level == nil && $0.absence == absence }
        }
        return levels.map { Legend.Entry(.cell($0), $0.text) }
            + absences.map { Legend.Entry(.absence($0), $0.text) }
    }

    private func drawWeekdays(_ step: Int, _ out: inout SVGWriter) {
        out.raw("<g class=\"chart-tick\" font-size=\"11\" text-anchor=\"end\">")
        for (row, name) in ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].enumerated()
        where row % 2 == 0 {
            out.raw("<text")
            out.label(name, x: Self.left - 80, y: Self.top + row * step + (step - 20) / 2 + 40)
        }
        out.raw("</g>")
    }

    /// The months above the week in which they begin; the year is with the first and with each January.
    private func drawMonths(_ step: Int, _ width: Int, _ out: inout SVGWriter) {
        out.raw("<g class=\"chart-tick\" font-size=\"11\">")
        var free = Int.min
        var named = 0
        for index in 0..<domain.count {
            let date = domain.first.advanced(by: index)
            let parts = date.components
            guard index == 0 || parts.day == 1 else { continue }
            // A first month that ends within the week leaves its place to the next.
            if index == 0, parts.day > 22 { continue }
            let isYear = named == 0 || parts.month == 1
            let text = date.monthName.prefix(3) + (isYear ? " \(parts.year)" : "")
            // A month that begins within a week is above the next, which is wholly its own.
            let week = (lead + index + (index == 0 ? 0 : 6)) / 7
            let x = Self.left + week * step
            guard x >= free, x + 250 <= width + 50 else { continue }
            free = x + estimatedWidth(String(text)) + 80
            named += 1
            out.raw("<text")
            out.label(String(text), x: x, y: Self.top - 80)
        }
        out.raw("</g>")
    }
}

/// A field of a level at its upper left corner.
func drawCell(_ level: CalendarChart.Level, x: Int, y: Int, size: Int, _ out: inout SVGWriter) {
    drawCells(level, [(x, y)], size: size, &out)
}

/// All fields of a level: the tint says how good, the strokes say it again.
private func drawCells(
    _ level: CalendarChart.Level, _ corners: [(x: Int, y: Int)], size: Int, _ out: inout SVGWriter
) {
    guard !corners.isEmpty else { return }
    switch level {
    case .meets: out.raw("<path class=\"chart-meets\" fill-opacity=\".42\" d=\"")
    case .unsure:
        out.raw(
            "<path class=\"chart-unsure\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".6\" d=\"")
    case .misses: out.raw("<path class=\"chart-misses\" fill-opacity=\".5\" d=\"")
    case .critical: out.raw("<path class=\"chart-severe\" d=\"")
    }
    var pen = PathPen()
    let inset = level == .unsure ? 5 : 0
    for corner in corners {
        pen.move(corner.x + inset, corner.y + inset, &out)
        pen.horizontal(corner.x + size - inset, &out)
        pen.vertical(corner.y + size - inset, &out)
        pen.horizontal(corner.x + inset, &out)
        pen.close(&out)
    }
    out.raw("\"/>")
    guard level == .misses || level == .critical else { return }
    out.raw("<path class=\"chart-knockout\" fill=\"none\" stroke=\"none\" stroke-width=\"1.6\" d=\"")
    let edge = size / 5
    for corner in corners {
        pen.move(corner.x + edge, corner.y + size - edge, &out)
        pen.line(corner.x + size - edge, corner.y + edge, &out)
        guard level == .critical else { continue }
        pen.move(corner.x + edge, corner.y + edge, &out)
        pen.line(corner.x + size - edge, corner.y + size - edge, &out)
    }
    out.raw("\"/>")
}
