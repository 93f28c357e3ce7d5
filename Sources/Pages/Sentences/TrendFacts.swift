import Analysis
import AppHealth
import Formatting
import Statistics

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
                    value: risingText(count, expected) + " (adjusted p \(pText(p)))"))
        case .gone(let days, let expected, let p)?:
            rows.append(
                FactRow(
                    name: "Gone",
                    value:
                        "none for \(daysText(days)), "
                        + (hidesCounts ? "some" : "about \(countText(roundedCount(expected)))") + " "
                        + "expected (p \(pText(p)))"))
        case nil: break
        }
        if let course = trend.course {
            let slope = decimalText(abs(course.slope), decimals: 1)
            let pace = hidesCounts ? "over the days" : slope == "0.0" ? "slowly" : "by about \(slope) a day"
            let word = "\(course.rises ? "rises" : "falls") \(pace)"
            rows.append(
                FactRow(
                    name: "Trend, \(AppFacts.listSpan) days",
                    value: "\(word) (p \(pText(course.pValue)))"))
        }
        if let rank = trend.rank {
            let before =
                trend.rankBefore.map { "previously \($0)" } ?? "new"
            rows.append(FactRow(name: "Rank, 7 days", value: "\(rank) (\(before))"))
        }
        return rows
    }

    private func risingText(_ count: Int, _ expected: Double) -> String {
        hidesCounts
            ? timesText(Double(count), expected)
            : "\(countText(count)), about \(countText(roundedCount(expected))) expected"
    }
}

/// `= 0.012`, `< 0.001`.
private func pText(_ value: Double) -> String {
    value < 0.001 ? "< 0.001" : "= " + decimalText(value, decimals: 3)
}
