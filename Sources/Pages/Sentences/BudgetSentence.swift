package import Analysis
import AppHealth
import Formatting
import Statistics

extension StabilityBudget {
    /// `sessions` or `user-days`.
    package var unit: String { basis == .users ? "user-days" : "sessions" }

    /// `Of the 6,580 crashed user-days that the target of 99% allows in 28 days, 5,102 are spent and 1,478 are
    /// left. At the pace of the last 7 days the rest ends between Tue, Dec 1, 2026 and Fri, Dec 11, 2026.`
    package var sentence: String { sentence(counts: .shown) }

    /// The sentence with counts, or with the share of the budget that is left.
    package func sentence(counts: Audience.Display) -> String {
        guard counts == .shown else { return shareSentence }
        let whole = countText(Int(budget.allowed.rounded()))
        let spent = Int(budget.spent.rounded())
        let left = Int(budget.allowed.rounded()) - spent
        let days = countedDays == Self.span ? "" : ", \(countedDays) of them with figures"
        let rest = left < 0 ? "\(countText(-left)) more than that" : "\(countText(left)) are left"
        return
            "Of the \(whole) crashed \(unit) that the target of \(PercentFormat.levelText(1 - budget.allowance)) allows in "
            + "\(Self.span) days\(days), \(countText(spent)) are spent: \(rest). \(forecastText)"
    }

    private var shareSentence: String {
        let whole =
            "the crashed \(unit) that the target of \(PercentFormat.levelText(1 - budget.allowance)) allows in \(Self.span) days"
        guard let left = leftShare else { return "The target allows no crashed \(unit). \(forecastText)" }
        let share = decimalText((abs(left) * 100).rounded(.down), decimals: 0) + "%"
        return left < 0
            ? "More than \(whole) are spent: \(share) more. \(forecastText)"
            : "\(share) of \(whole) are left. \(forecastText)"
    }

    /// When the rest ends, as a span of days, or why that is not told.
    package var forecastText: String {
        let pace = "At the pace of the last \(ErrorBudget.paceDays) days the rest"
        guard let forecast else {
            return
                "\(budget.left < 0 ? "It is overspent, but not by more than chance explains" : "No end is forecast"): "
                + "there is not enough data to tell on which side of the target the rate lies."
        }
        switch forecast {
        case .spent: return "The budget is overspent."
        case .unknown: return "The last \(ErrorBudget.paceDays) days have no figures to tell the pace."
        case .notWithin(let days): return "\(pace) does not end within \(days) days."
        case .ends(let earliest, let latest):
            let first = lastDay.advanced(by: earliest).compactText
            guard let latest else {
                return
                    "\(pace) ends on \(first) at the earliest, perhaps not within \(ErrorBudget.horizon) days."
            }
            return earliest == latest
                ? "\(pace) ends on \(first)."
                : "\(pace) ends between \(first) and \(lastDay.advanced(by: latest).compactText)."
        }
    }
}
