import AppHealth

/// How questions about sessions are divided so that no response is cut: Sentry gives at most 10,000 points in one response
/// and leaves out the smallest groups beyond without a word.
struct SessionPlan: Equatable {
    /// The most points of one response.
    static let mostPoints = 10_000
    /// How many session statuses a server may report of each release.
    static let statuses = 5

    /// The spans to request, one after the other, the newest first.
    var spans: [DaySpan]
    /// How many groups find no place even in a question about one day.
    var skippedGroups: Int

    /// The plan for days and groups; a group takes a point for each day and one for its total.
    init(days: DaySpan, groups: Int, points: Int = SessionPlan.mostPoints) {
        let groups = max(1, groups)
        let longest = points / groups - 1
        spans = days.parts(ofAtMost: max(1, longest))
        skippedGroups = max(0, groups - Self.mostGroups(days: 1, points: points))
    }

    /// How many groups a response about so many days may hold.
    static func mostGroups(days: Int, points: Int = SessionPlan.mostPoints) -> Int {
        points / (max(0, min(days, points)) + 1)
    }
}

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

    /// Its days, oldest first.
    var days: [CivilDate] { (0..<count).map { first.advanced(by: $0) } }

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

/// How many sessions of a span a response by release leaves out, measured against those of all releases.
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
            (all: totals[date] ?? 0, known: groups.reduce(0) { $0.addingCapped($1[date] ?? 0) })
        }
        total = pairs.reduce(0) { $0.addingCapped($1.all) }
        lacking = pairs.reduce(0) { $0.addingCapped(max(0, $1.all - $1.known)) }
        // Some servers cut at half of the points.
        let most = SessionPlan.mostGroups(days: answer.intervals.count, points: points / 2)
        isFull = answer.groups.count >= most
    }

    /// Whether groups were skipped: sessions are lacking, and the response is about as large as it may be or
    /// lacks more than one in a thousand. Fewer come and go between two questions.
    var isLikely: Bool { lacking > 0 && (isFull || lacking > total / 1000) }

    /// `2026-11-19: 1234 of 50000 sessions`.
    var description: String { "\(span): \(lacking) of \(total) sessions" }
}
