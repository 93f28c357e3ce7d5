import AppHealth

/// Days from the first to the last, both included; never empty.
struct DaySpan: Hashable, Sendable {
    var first: CivilDate
    var last: CivilDate

    /// The span of so many days, at least one, that ends on a day.
    init(days: Int, endingOn last: CivilDate) {
        self.last = last
        first = last.advanced(by: -max(0, days - 1))
    }

    /// How many days it has.
    var count: Int { first.days(to: last) + 1 }

    /// The span cut into parts of at most so many days and of nearly the same length, the newest first.
    func parts(ofAtMost days: Int) -> [DaySpan] {
        let parts = (count + max(1, days) - 1) / max(1, days)
        var result: [DaySpan] = []
        var (end, left) = (last, count)
        for part in stride(from: parts, to: 0, by: -1) {
            let length = (left + part - 1) / part
            result.append(DaySpan(days: length, endingOn: end))
            end = end.advanced(by: -length)
            left -= length
        }
        return result
    }
}

extension DaySpan: CustomStringConvertible {
    /// `2026-11-01…2026-11-19`, or the one day.
    var description: String { count == 1 ? "\(first)" : "\(first)…\(last)" }
}
