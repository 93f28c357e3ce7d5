import AppHealth

/// How far a table of first uses is loaded, which may be later than that of the sessions.
///
/// A day without a row between others had no new user; before the first and after the last it may not be loaded.
struct FirstUseReach {
    private let counts: [CivilDate: Int?]
    private let first: CivilDate?
    private let last: CivilDate?
    /// Whether days have so many new users that none is no chance.
    private let isBusy: Bool
    /// Whether the table is loaded apart from that of the sessions.
    private let isApart: Bool

    init(_ rows: [(CivilDate, Int?)], isApart: Bool) {
        let counts = Dictionary(rows) { first, _ in first }
        let (first, last) = (counts.keys.min(), counts.keys.max())
        let days = first.flatMap { first in last.map { (first...$0).all } } ?? []
        let usual = OrdinaryDay(days.map { (counts[$0] ?? nil) ?? 0 })?.count ?? 0
        (self.counts, self.first, self.last, self.isApart) = (counts, first, last, isApart)
        isBusy = usual >= OrdinaryDay.manyRows
    }

    /// The new users of a day with sessions; nil when they are unknown.
    func newUsers(on day: CivilDate) -> Int? {
        if let count = counts[day] { return count }
        guard isApart else { return 0 }
        guard let first, let last, !isBusy else { return nil }
        return day > first && day < last ? 0 : nil
    }
}
