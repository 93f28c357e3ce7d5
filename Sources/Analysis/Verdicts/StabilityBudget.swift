package import AppHealth
import Formatting
package import Statistics

/// The error budget of an app: what its target allows over 28 days, what is spent, and how long the rest lasts.
package struct StabilityBudget: Hashable, Sendable {
    /// What is counted: sessions, or users of single days, which add up to user-days and not to users.
    package let basis: Basis
    /// The last day of the window.
    package let lastDay: CivilDate
    /// The counts.
    package let budget: ErrorBudget
    /// Against the app's levels, by the interval that the app's own dispersion widens.
    package let verdict: Verdict

    /// How many days a window has.
    package static let span = 28
    /// How many days the dispersion is read from.
    package static let dispersionSpan = 56

    /// The budget of the window that ends with a day; nil when no day of it has figures.
    package init?(_ evidence: HistoryIndex, through lastDay: CivilDate) {
        func counts(_ span: Int) -> [DayCount?] {
            (0..<span).map { back in
                evidence.crashedShare(on: lastDay.advanced(by: 1 - span + back)).flatMap { share in
                    share.denominator > ReleaseHistory.largest
                        ? nil : DayCount(total: share.denominator, crashed: share.numerator)
                }
            }
        }
        let dispersion = dayDispersion(counts(Self.dispersionSpan))
        guard
            let budget = ErrorBudget(
                counts(Self.span), target: evidence.targets.target, dispersion: dispersion)
        else { return nil }
        self.basis = evidence.basis
        self.lastDay = lastDay
        self.budget = budget
        self.verdict = budgetVerdict(budget, evidence.targets)
    }

    /// `sessions` or `user-days`.
    package var unit: String { basis == .users ? "user-days" : "sessions" }

    /// How many days of the window have figures.
    package var countedDays: Int { budget.days.count { $0 != nil } }

    /// The share of the budget that is left; negative when overspent, nil when the target allows none.
    package var leftShare: Double? { budget.allowed > 0 ? budget.left / budget.allowed : nil }

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

    /// When the rest ends; nil while the interval of the rate reaches over the target, as then it is not known
    /// whether the window keeps to the budget at all.
    package var forecast: BudgetForecast? {
        if case .notEnoughData = verdict { return nil }
        return budget.forecast
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

/// The four-way verdict on counts that are worth as many as their dispersion leaves of them.
private func budgetVerdict(_ budget: ErrorBudget, _ targets: Targets) -> Verdict {
    let spent = Int((budget.spent / budget.dispersion).rounded())
    let verdict = Verdict(
        on: Fraction(spent, of: max(spent, Int((budget.total / budget.dispersion).rounded()))),
        against: targets)
    guard case .notEnoughData(let needed) = verdict else { return verdict }
    return .notEnoughData(needed: Int(min(1e15, (Double(needed) * budget.dispersion).rounded(.up))))
}
