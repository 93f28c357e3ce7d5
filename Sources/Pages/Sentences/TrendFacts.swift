package import Analysis
import AppHealth
import Diagnostics
import Estimates
import Formatting

extension AppScope {
    /// What the days of an issue show of its course; empty when nothing is sure.
    func trendFacts(_ trend: IssueTrend?) -> [FactRow] {
        guard let trend else { return [] }
        var rows: [FactRow] = []
        switch trend.change {
        case .rising(let count, let expected, let p)?:
            rows.append(
                FactRow(
                    name: "Rising",
                    value: risingText(count, expected, trend.unit) + " (adjusted p \(chanceText(p)))"))
        case .gone(let days, let expected, let p)?:
            let usual = hidesCounts ? "some" : "about \(trend.unit.text(roundedCount(expected)))"
            let silence = "none for \(counted(days, "day")), \(usual) expected"
            rows.append(FactRow(name: "Gone", value: "\(silence) (p \(chanceText(p)))"))
        case nil: break
        }
        if let course = trend.course {
            let slope = decimalText(abs(course.slope), decimals: 1)
            // Of an issue that is not there on most days, the median of the slopes says nothing of how fast it rises.
            let pace =
                hidesCounts
                ? " over the days" : slope == "0.0" ? "" : " by about \(slope) \(trend.unit.words) a day"
            let word = (course.rises ? "rises" : "falls") + pace
            rows.append(
                FactRow(
                    name: "Trend, \(AppFacts.listSpan) days",
                    value: "\(word) (p \(pText(course.pValue)))"))
        }
        if let rank = trend.rank {
            rows.append(FactRow(name: "Rank by \(trend.unit.words), 7 days", value: rankText(rank, trend)))
        }
        return rows
    }

    /// `3`, `3 (previously 5)`, `3 (new)`; where not every issue of each day is known, `3 of those reported`.
    private func rankText(_ rank: Int, _ trend: IssueTrend) -> String {
        let place = trend.isRankedByAll ? "\(rank)" : "\(rank) of those reported"
        if let former = trend.formerRank { return "\(place) (previously \(former))" }
        guard trend.rankBefore == nil else { return place }
        return "\(place) (\(trend.isRankedByAll ? "new" : "previously not reported"))"
    }

    /// `= 0.012`; where counts are hidden, `< 0.05`: how likely none is follows from the count that is expected.
    private func chanceText(_ value: Double) -> String {
        guard hidesCounts else { return pText(value) }
        return [0.001, 0.01, 0.05].first { value < $0 }.map { "< \($0)" } ?? "≥ 0.05"
    }

    private func risingText(_ count: Int, _ expected: Double, _ unit: IssueTrend.Unit) -> String {
        hidesCounts
            ? timesText(IssueTrend.Change.ratio(count, expected: expected))
            : "\(unit.text(count)), about \(countText(roundedCount(expected))) expected"
    }
}

extension IssueTrend {
    /// Its place of the 7 days before, where the counts bear out that it has another one now.
    fileprivate var formerRank: Int? { move == nil ? nil : rankBefore }

    /// `7-day rank 2, previously 4`; nil where no change is sure.
    var movedRankText: String? {
        guard let rank, let formerRank else { return nil }
        return "7-day rank \(rank), previously \(formerRank)"
    }
}

extension IssueTrend.Unit {
    /// `events`, `user-days`.
    fileprivate var words: String { self == .events ? "events" : "user-days" }

    /// `1 event`, `18 user-days`.
    fileprivate func text(_ count: Int) -> String { unitText(count, words) }
}

/// `= 0.012`, `< 0.001`.
private func pText(_ value: Double) -> String {
    value < 0.001 ? "< 0.001" : "= " + decimalText(value, decimals: 3)
}

extension StabilityBudget {
    /// `sessions` or `user-days`.
    package var unit: String { basis == .users ? "user-days" : "sessions" }

    /// `33% of the 28-day error budget remains: 2,268 of 6,749 crashed user-days. At the pace of the last 7 days, it
    /// runs out between Dec 1 and Dec 11, 2026.`
    package var sentence: String { sentence(counts: .shown) }

    /// The sentence with counts, or with the share of the budget that is left.
    package func sentence(counts: Audience.Display) -> String {
        let days = countedDays == Self.span ? "" : " Data for \(countedDays) of \(Self.span) days."
        let error = deviationText(deviation).map { " Counts \($0)." } ?? ""
        return "\(remainderText(counts)).\(days)\(error)\(forecast == .spent ? "" : " " + forecastText)"
    }

    private func remainderText(_ counts: Audience.Display) -> String {
        guard let share = leftShare else {
            guard left < 0, counts == .shown else { return "The target allows no crashed \(unit)" }
            return "Overspent by \(crashedText(-left)); the target allows none"
        }
        let percent = budgetPercentText(share)
        let whole = "the \(Self.span)-day error budget"
        guard counts == .shown else {
            return share < 0 ? "Overspent by \(percent) of \(whole)" : "\(percent) of \(whole) remains"
        }
        guard !remaining.allowsLessThanOne else {
            let result = share < 0 ? "Overspent by \(crashedText(spent))" : "\(percent) of \(whole) remains"
            return "\(result); the target allows less than one"
        }
        return share < 0
            ? "Overspent by \(crashedText(-left)), \(percent) of \(whole) of \(countText(allowed))"
            : "\(percent) of \(whole) remains: \(countText(left)) of \(crashedText(allowed))"
    }

    /// `1 crashed user-day`, `2,268 crashed user-days`.
    private func crashedText(_ count: Int) -> String {
        unitText(count, "crashed \(unit)")
    }

    /// When the budget runs out, as a span of days, or why there is no forecast.
    package var forecastText: String {
        let pace = "At the pace of the last \(Self.paceDays) days, it"
        guard let forecast else {
            let which = isOverspent ? "rate of these days" : "pace of the last \(Self.paceDays) days"
            return
                "\(isOverspent ? "Overspent, but within chance. " : "")No forecast: "
                + "the \(which) may be on either side of the target."
        }
        switch forecast {
        case .spent: return "The budget is overspent."
        case .unknown: return "No forecast: no crash data for the last \(Self.paceDays) days."
        case .notWithin(let days): return "\(pace) lasts more than \(days) days."
        case .ends(let earliest, let latest):
            let first = lastDay.advanced(by: earliest).compactText
            guard let latest else {
                return
                    "\(pace) runs out on \(first) at the earliest, or lasts more than \(Self.horizon) days."
            }
            return earliest == latest
                ? "\(pace) runs out on \(first)."
                : "\(pace) runs out between \(first) and \(lastDay.advanced(by: latest).compactText)."
        }
    }
}
