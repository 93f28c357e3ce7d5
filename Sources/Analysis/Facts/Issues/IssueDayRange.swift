import AppHealth

/// Rows of one issue, ordered by date: a history of years is not gone through for a few of its days.
extension [IssueDay] {
    /// The rows of a day.
    func rows(on day: CivilDate) -> ArraySlice<IssueDay> { rows(on: day...day) }

    /// The rows of successive days.
    func rows(on days: ClosedRange<CivilDate>) -> ArraySlice<IssueDay> {
        let start = place(of: days.lowerBound)
        var end = start
        while end < count, self[end].date <= days.upperBound { end += 1 }
        return self[start..<end]
    }

    /// Where the rows of a day are, or would be.
    private func place(of day: CivilDate) -> Int {
        // With a row on each day it is as far from the first as the days are apart.
        let guess = first.map { $0.date.days(to: day) } ?? -1
        if indices.contains(guess), self[guess].date == day, guess == 0 || self[guess - 1].date < day {
            return guess
        }
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].date < day { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
