import AppHealth
import Foundation

/// How far back a table reaches, as its rows of an app show: one rule for sessions, use and crashes.
///
/// A table keeps its rows for a time, or begins later than another one. Of its oldest day it may have a part alone; before
/// that day it says as little as after its newest row, unless no row is chance.
struct TableBegin {
    /// The oldest day with a row, of which the table has a part alone; nil where that day is whole.
    let partDay: CivilDate?
    /// The first day of which the table says anything; nil where it reaches back to the first day that was requested.
    let first: CivilDate?

    /// A day with less than this share of what is known of it, or usual, is a part.
    private static let leastShare = 0.75
    /// Below this probability no row is no chance.
    private static let chance = 0.05

    /// - Parameters:
    ///   - rows: The rows of each day that has any.
    ///   - stored: Those that earlier fetches stored.
    ///   - comparable: Those of them of which the same rows are counted; nil for all.
    ///   - active: The days on which there may be some.
    ///   - span: The days that were requested.
    ///   - begin: The day of the oldest row of all; nil where it is not known apart from these rows.
    ///   - wasRead: Whether earlier fetches read the days before the oldest row, and would have stored what they had.
    ///   - manyRows: With so many rows on an ordinary day, one with much less is a part.
    init(
        _ rows: [CivilDate: Int], stored: [CivilDate: Int], comparable: [CivilDate: Int]? = nil,
        active: Set<CivilDate>, span: Range<CivilDate>, begin: CivilDate? = nil, wasRead: Bool = false,
        manyRows: Int
    ) {
        guard let oldest = rows.keys.min(), begin.map({ $0 >= oldest }) ?? true else {
            (partDay, first) = (nil, nil)
            return
        }
        let count = rows[oldest] ?? 0
        let mayBePart = oldest > span.lowerBound || begin == oldest
        if let known = (comparable ?? stored)[oldest] {
            // Where the table may begin on that day, each row less was lost with the time. Otherwise it may have been deleted.
            let isPart = mayBePart ? known > count : Double(count) < Double(known) * Self.leastShare
            partDay = isPart ? oldest : nil
        } else {
            let later = oldest.advanced(by: 1)...oldest.advanced(by: OrdinaryDay.span)
            let usual = OrdinaryDay(rows.filter { later.contains($0.key) }.values, atLeast: 1)?.count ?? 0
            let isLow = Double(count) < Double(usual) * Self.leastShare
            partDay = mayBePart && usual >= manyRows && isLow ? oldest : nil
        }
        let hadEarlier = stored.contains { $0.value > 0 && span.contains($0.key) && $0.key < oldest }
        let isChance = !hadEarlier && (wasRead || Self.mayLackRows(before: oldest, rows, active))
        first = isChance ? nil : oldest
    }

    /// Whether a day is not before what the table has.
    func reaches(_ day: CivilDate) -> Bool { day != partDay && first.map { day >= $0 } ?? true }

    /// Whether the days before the oldest row lack one by chance, by how many later days lack one.
    private static func mayLackRows(
        before oldest: CivilDate, _ rows: [CivilDate: Int], _ active: Set<CivilDate>
    ) -> Bool {
        let lacking = active.count { $0 < oldest }
        let later = active.filter { $0 >= oldest }
        let share = Double(later.count { rows[$0] != nil }) / Double(later.count + 1)
        return pow(1 - share, Double(lacking)) >= chance
    }
}
