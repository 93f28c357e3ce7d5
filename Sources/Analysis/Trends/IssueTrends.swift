import AppHealth
import Statistics

/// The course of every issue at the end of the report.
///
/// Rising and Gone are states of an issue and no events: they come and go with the window, an event stays.
package struct IssueTrends: Sendable {
    /// The trends by the source's id of the issue; an issue without days has none.
    package let byIssue: [String: IssueTrend]

    /// What counts as a change.
    package struct Settings: Hashable, Codable, Sendable {
        /// The recent days of Rising and of ranks.
        package var recent = 7
        /// The days before them that Rising is held against.
        package var before = 28
        /// The false discovery rate of Rising over all issues, in 0…1 (Benjamini–Hochberg).
        package var discoveryRate = 0.05
        /// The least count of the recent days for Rising.
        package var least = 5
        /// The least factor by which the expected count must be exceeded for Rising.
        package var factor = 1.25
        /// The least days of silence for Gone.
        package var silence = 3
        /// The most likely silence that is reported as Gone, in 0…1.
        package var silenceP = 0.01
        /// The change of rank from which the issue's own share must have moved; below, it is held against the other issue.
        package var move = 5

        /// The longest look back: a silence, and the days before it.
        var lookBack: Int { 2 * before + recent }

        /// The standard settings.
        package init() {}
    }

    /// Judges all issues of an app.
    package init(_ index: HistoryIndex, settings: Settings = Settings()) {
        let table = IssueDayCounts(index, least: 1, span: settings.lookBack, unit: .trend)
        let view = TrendView(table, settings: settings)
        let ids = table.ids
        let rising = view.rising(ids)
        let ranks = RankMoves(
            now: view.totals(ids, back: 0), before: view.totals(ids, back: settings.recent),
            least: settings.move)
        let areRanked = view.isRanked(back: 0) && view.isRanked(back: settings.recent)
        var trends: [String: IssueTrend] = [:]
        for id in ids {
            let counts = view.counts[id] ?? []
            trends[id] = IssueTrend(
                unit: table.trendUnit, change: rising[id] ?? view.gone(counts), course: view.course(counts),
                rank: ranks.now[id], rankBefore: ranks.before[id], isRankedByAll: areRanked,
                move: areRanked ? ranks.move(of: id) : nil)
        }
        byIssue = trends
    }

    /// The courses of issues up to a day on which none of them rises: what lies after it is unknown.
    ///
    /// They have no rank: that is a matter of the other issues.
    static func past(
        of ids: [String], through day: CivilDate, _ index: HistoryIndex, settings: Settings = Settings()
    ) -> [String: IssueTrend] {
        let table = IssueDayCounts(
            index, of: ids, through: day, least: 1, span: settings.lookBack, unit: .trend)
        let view = TrendView(table, settings: settings)
        return view.counts.mapValues { counts in
            IssueTrend(
                unit: table.trendUnit, change: view.gone(counts), course: view.course(counts), rank: nil,
                rankBefore: nil, isRankedByAll: false, move: nil)
        }
    }
}

extension IssueDayCounts {
    fileprivate var trendUnit: IssueTrend.Unit { countsUserDays ? .userDays : .events }
}
