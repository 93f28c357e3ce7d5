import AppHealth
import Estimates
import Formatting

/// The points of a series put onto the days of a domain: one for every day, absent ones included.
struct DaySeries {
    let domain: DateDomain
    private(set) var points: [ChartPoint]

    /// Days without a point, and values that the unit does not admit or below the minimum, are missing; of
    /// two points for a day the later one in the list counts.
    init(_ given: [ChartPoint], domain: DateDomain, unit: ChartUnit, minimum: Double = -.infinity) {
        self.domain = domain
        self.points = []
        points.reserveCapacity(domain.count)
        for point in given
        where points.count < domain.count && point.date == domain.first.advanced(by: points.count) {
            points.append(Self.admitted(point, unit, minimum))
        }
        // Points that are not simply in order take the slower way.
        guard points.count < domain.count || points.count < given.count else { return }
        for index in points.count..<max(points.count, domain.count) {
            points.append(ChartPoint(domain.first.advanced(by: index), absent: .missing))
        }
        for point in given {
            guard let index = domain.index(of: point.date) else { continue }
            points[index] = Self.admitted(point, unit, minimum)
        }
    }

    /// Days that are in order and complete.
    init(first: CivilDate, _ points: [ChartPoint]) {
        self.domain = DateDomain(first: first, count: points.count)
        self.points = points
    }

    private static func admitted(_ point: ChartPoint, _ unit: ChartUnit, _ minimum: Double) -> ChartPoint {
        guard let value = point.value, !unit.admits(value) || value < minimum else { return point }
        return ChartPoint(point.date, absent: .missing, provisional: point.provisional)
    }
}

/// What there is to say about a series in a sentence.
struct SeriesSummary {
    var first: Int?
    var last: Int?
    var lowest: Int?
    var highest: Int?
    var absences = [Int](repeating: 0, count: ChartPoint.Absence.allCases.count)
    var provisional = 0
    var hasIntervals = false
    var hasAbsences: Bool { absences.contains { $0 > 0 } }

    /// The reason that all days without a value share; nil when there are several or no such days.
    var soleAbsence: ChartPoint.Absence? {
        let kinds = ChartPoint.Absence.allCases.filter { absences[$0.rank] > 0 }
        return kinds.count == 1 ? kinds[0] : nil
    }

    init(_ series: DaySeries) {
        var low = Double.infinity
        var high = -Double.infinity
        for (index, point) in series.points.enumerated() {
            if point.provisional { provisional += 1 }
            switch point.content {
            case .absent(let absence): absences[absence.rank] += 1
            case .value(let value, let interval):
                if first == nil { first = index }
                last = index
                if value < low { (low, lowest) = (value, index) }
                if value > high { (high, highest) = (value, index) }
                if interval != nil { hasIntervals = true }
            }
        }
    }
}

extension ChartPoint.Absence {
    /// Its place in the list of all cases.
    var rank: Int {
        switch self {
        case .missing: 0
        case .failed: 1
        case .notCollected: 2
        case .noSessions: 3
        case .belowMinimum: 4
        }
    }
}

/// The numbers of a series of days, with a column for intervals and for a comparison only when there are any.
func seriesTable(
    _ series: DaySeries, unit: ChartUnit, precision: PercentFormat, comparison: ComparisonLine? = nil
) -> ChartTable {
    let hasIntervals = series.points.contains { $0.interval != nil }
    let other = comparison.map { DaySeries($0.points, domain: series.domain, unit: unit) }
    var columns: [ChartColumn] = [.day, .value(unit)]
    if hasIntervals { columns.append(.interval) }
    if let comparison {
        let isPrevious = comparison.label == ChartColumn.previousWeek.heading
        columns.append(isPrevious ? .previousWeek : .named(comparison.label))
    }
    columns.append(.state)
    let rows = series.points.enumerated().map { index, point in
        var row: [ChartCell] = [.day(point.date), .value(point.value, unit, precision)]
        if hasIntervals { row.append(.interval(point.interval, unit, precision)) }
        if let other { row.append(.value(other.points[index].value, unit, precision)) }
        row.append(.text(stateText(point)))
        return row
    }
    return ChartTable(columns: columns, cells: rows)
}

/// Why a point has no value and whether it may still change, in words; empty for a settled value.
func stateText(_ point: ChartPoint) -> String {
    let state = point.absence?.text ?? ""
    guard point.provisional else { return state }
    return state.isEmpty ? "Provisional" : state + ", provisional"
}
