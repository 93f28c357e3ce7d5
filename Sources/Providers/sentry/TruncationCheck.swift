import AppHealth

/// How many sessions of a span an answer by release leaves out, measured against those of all releases.
struct TruncationCheck: Equatable, CustomStringConvertible {
    private let span: DaySpan
    private let lacking: Int
    private let total: Int
    private let isFull: Bool

    /// Compares the sums of the groups with the totals of the same days.
    init(
        _ answer: SentrySessions, _ span: DaySpan, _ groups: [[CivilDate: Int]],
        of totals: [CivilDate: Int],
        points: Int
    ) {
        self.span = span
        let dates = totals.keys.filter { $0 >= span.first && $0 <= span.last }
        let pairs = dates.map { date in
            (all: totals[date] ?? 0, told: groups.reduce(0) { $0.addingCapped($1[date] ?? 0) })
        }
        total = pairs.reduce(0) { $0.addingCapped($1.all) }
        lacking = pairs.reduce(0) { $0.addingCapped(max(0, $1.all - $1.told)) }
        // Some servers cut at half of the points.
        let most = SessionPlan.mostGroups(days: answer.intervals.count, points: points / 2)
        isFull = answer.groups.count >= most
    }

    /// Whether groups were left out: sessions are lacking, and the answer is about as large as it may be or
    /// lacks more than one in a thousand. Fewer come and go between two questions.
    var isLikely: Bool { lacking > 0 && (isFull || lacking > total / 1000) }

    /// `2026-11-19: 1234 of 50000 sessions`.
    var description: String { "\(span): \(lacking) of \(total) sessions" }
}

extension Int {
    fileprivate func addingCapped(_ other: Int) -> Int {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}
