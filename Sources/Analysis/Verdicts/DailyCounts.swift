import AppHealth
import Statistics

/// All and crashed of each day of a span on the basis of an app, for whoever needs many windows of them.
struct DailyCounts {
    private let first: CivilDate
    private let counts: [DayCount?]
    /// The first day of each service that counts otherwise than the one before it.
    private let changes: Set<CivilDate>

    /// The counts of some days; nil for a day without figures, with impossible ones, or on which crashes were not reported.
    init(_ index: HistoryIndex, _ days: ClosedRange<CivilDate>) {
        first = days.lowerBound
        let silent = index.rates.silentDays(index.rates.basis)
        changes = Set(index.sourceChanges.days(of: [index.rates.basis.capability]))
        counts = (0...days.lowerBound.days(to: days.upperBound)).map { place in
            let day = days.lowerBound.advanced(by: place)
            guard !silent.contains(day) else { return nil }
            return index.rates.crashedShare(on: day).flatMap { share in
                DayCount(
                    total: share.denominator, crashed: share.numerator,
                    deviation: index.rates.health[day].flatMap { index.rates.basis.deviation(of: $0) })
            }
        }
    }

    /// Those of a window that ends with a day; nil also for days that are not in the span.
    func last(_ span: Int, through day: CivilDate) -> [DayCount?] {
        let end = first.days(to: day) + 1
        return (end - span..<end).map { counts.indices.contains($0) ? counts[$0] : nil }
    }

    /// The same with a gap between the days of two services: what changes there is how they count, not the app.
    func course(_ span: Int, through day: CivilDate) -> [DayCount?] {
        let window = last(span, through: day)
        guard !changes.isEmpty else { return window }
        let start = day.advanced(by: 1 - span)
        return window.enumerated().flatMap { place, count in
            changes.contains(start.advanced(by: place)) ? [nil, count] : [count]
        }
    }
}
