import AppHealth
import Statistics

extension RateIndex {
    /// Crashed and all of each of `days` on a basis; nil for a day without figures, with impossible ones, or
    /// whose figures are not whole yet.
    func crashSeries(_ basis: Basis) -> [DayCount?] {
        let source = sources[basis]
        let counts = days.map { day -> DayCount? in
            guard let health = health[day], source.isOver(day) else { return nil }
            return basis.count(of: health)
        }
        return source.withoutPartialDays(counts, of: days) { $0.total }
    }
}
