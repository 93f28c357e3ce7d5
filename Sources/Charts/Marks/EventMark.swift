package import AppHealth

/// Something that happened on a day, shown in a lane under the plot.
package struct EventMark: Hashable, Sendable {
    /// What it was; each kind has a shape of its own.
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// Something needed attention: a triangle.
        case alert
        /// An alert was over: a circle.
        case recovery
        /// A note was added: a square.
        case note
    }

    /// The day.
    package let date: CivilDate
    /// What it was.
    package let kind: Kind
    /// What happened, in a few words.
    package let text: String

    /// Makes a mark.
    package init(_ date: CivilDate, _ kind: Kind, text: String) {
        self.date = date
        self.kind = kind
        self.text = text
    }
}

extension EventMark.Kind {
    /// The words at the end of its lane.
    func text(_ count: Int) -> String {
        let one =
            switch self {
            case .alert: "alert"
            case .recovery: "recovery"
            case .note: "note"
            }
        if count == 1 { return "1 " + one }
        return "\(count) " + (self == .recovery ? "recoveries" : one + "s")
    }
}

/// The lanes of events: one for each kind that there is, with the days that have room for a shape.
struct EventLanes {
    private(set) var lanes: [(kind: EventMark.Kind, count: Int, indexes: [Int])] = []

    init(_ events: [EventMark], _ domain: DateDomain) {
        for kind in EventMark.Kind.allCases {
            let days = events.compactMap { $0.kind == kind ? domain.index(of: $0.date) : nil }
            if !days.isEmpty { lanes.append((kind, days.count, Set(days).sorted())) }
        }
    }

    static let laneHeight = 150
    var height: Int { lanes.count * Self.laneHeight }

    /// Their names with their baselines.
    func names(top: Int) -> [(text: String, y: Int)] {
        lanes.enumerated().map { row, lane in
            (lane.kind.text(lane.count), Self.middle(row, top: top) + 40)
        }
    }

    static func middle(_ row: Int, top: Int) -> Int { top + row * laneHeight + laneHeight / 2 }
}

/// Draws the lines of the lanes from a top on.
func drawLaneLines(_ lanes: EventLanes, _ x: DateScale, top: Int, _ out: inout SVGWriter) {
    guard !lanes.lanes.isEmpty else { return }
    out.raw("<path class=\"chart-grid\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".13\" d=\"")
    var pen = PathPen()
    for row in lanes.lanes.indices {
        pen.move(x.left, EventLanes.middle(row, top: top), &out)
        pen.horizontal(x.right, &out)
    }
    out.raw("\"/>")
}

/// Draws the events on the lanes.
func drawEvents(_ lanes: EventLanes, _ x: DateScale, top: Int, _ out: inout SVGWriter) {
    for (row, lane) in lanes.lanes.enumerated() {
        drawEvents(lane.kind, at: lane.indexes, x, EventLanes.middle(row, top: top), &out)
    }
}

/// The shapes of one lane; one that would touch the one before is skipped.
private func drawEvents(
    _ kind: EventMark.Kind, at indexes: [Int], _ x: DateScale, _ y: Int, _ out: inout SVGWriter
) {
    openEventShapes(kind, &out)
    var free = Int.min
    for index in indexes where x.center(index) - 40 >= free {
        addEventShape(kind, x: x.center(index), y: y, &out)
        free = x.center(index) + 45
    }
    out.raw("\"/>")
}

/// The names of rows under a plot, on its right, each with its baseline.
func drawLaneLabels(_ names: [(text: String, y: Int)], _ x: DateScale, _ out: inout SVGWriter) {
    guard !names.isEmpty else { return }
    out.raw("<g class=\"chart-lane-label\" font-size=\"11\">")
    for name in names {
        out.raw("<text")
        out.label(name.text, x: x.right + 80, y: name.y)
    }
    out.raw("</g>")
}

/// The shape of a kind about a point.
func drawEventShape(_ kind: EventMark.Kind, x: Int, y: Int, _ out: inout SVGWriter) {
    openEventShapes(kind, &out)
    addEventShape(kind, x: x, y: y, &out)
    out.raw("\"/>")
}

private func openEventShapes(_ kind: EventMark.Kind, _ out: inout SVGWriter) {
    switch kind {
    case .alert: out.raw("<path class=\"chart-alert\" d=\"")
    case .recovery: out.raw("<path class=\"chart-recovery\" d=\"")
    case .note: out.raw("<path class=\"chart-note\" d=\"")
    }
}

private func addEventShape(_ kind: EventMark.Kind, x: Int, y: Int, _ out: inout SVGWriter) {
    var pen = PathPen()
    switch kind {
    case .alert:
        pen.move(x - 45, y + 38, &out)
        out.raw("h9l-4.5-8z")
    case .recovery:
        pen.move(x - 38, y, &out)
        out.raw("a3.8 3.8 0 1 0 7.6 0a3.8 3.8 0 1 0-7.6 0z")
    case .note:
        pen.move(x - 33, y - 33, &out)
        out.raw("h6.6v6.6h-6.6z")
    }
}

/// The labels of releases with the row each is in; those without room are skipped, the oldest first.
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

    /// How far under the top of the plot the names on its right are clear of labels that reach over it.
    static let clearance = 120

    /// Puts the labels into at most two rows from the newest to the oldest.
    ///
    /// - Parameter endsAtPlot: whether a name is where labels would reach over the right end of the plot.
    init(_ marks: [ReleaseMark], _ scale: DateScale, endsAtPlot: Bool) {
        let known = marks.compactMap { mark in
            scale.domain.index(of: mark.date).map { (index: $0, mark: mark) }
        }
        var lower: [ClosedRange<Int>] = []
        let edge = scale.right + (endsAtPlot ? 70 : 400)
        var limits = [edge, edge]
        for (index, mark) in known.sorted(by: { ($1.index, $1.mark.label) < ($0.index, $0.mark.label) }) {
            if days.last != index { days.append(index) }
            let text = displayText(mark.label, limit: 18)
            let width = estimatedWidth(text) * 11 / 12
            let x = scale.center(index)
            let isBefore = x + 40 + width > edge
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

/// Thin upright lines on the days of releases.
func drawReleaseLines(_ labels: ReleaseLabels, _ plot: Plot, _ out: inout SVGWriter) {
    guard !labels.days.isEmpty else { return }
    let rowOfDay = Dictionary(labels.placed.map { ($0.x, $0.row) }, uniquingKeysWith: max)
    out.raw("<path class=\"chart-release\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".35\" d=\"")
    var pen = PathPen()
    for day in labels.days {
        let x = plot.x.center(day)
        pen.move(x, plot.y.top - (rowOfDay[x].map { 140 * $0 + 120 } ?? 0), &out)
        pen.vertical(plot.y.bottom, &out)
    }
    out.raw("\"/>")
}

/// The labels of releases above the plot.
func drawReleaseNames(_ labels: ReleaseLabels, _ plot: Plot, _ out: inout SVGWriter) {
    guard !labels.placed.isEmpty else { return }
    out.raw("<g class=\"chart-release-label\" font-size=\"11\">")
    for label in labels.placed {
        out.raw(label.isBefore ? "<text text-anchor=\"end\"" : "<text")
        out.label(label.text, x: label.x + (label.isBefore ? -40 : 40), y: plot.y.top - 140 * label.row - 40)
    }
    out.raw("</g>")
}
