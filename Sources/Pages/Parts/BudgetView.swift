import Analysis
import AppHealth
import Formatting
import Statistics
package import Templates

/// The error budget of an app.
package struct BudgetView: TemplateModel {
    package static let modelName = "budget"
    package var verdict: VerdictView
    package var sentence: String
    package var facts: [FactRow]
    package var brief: String

    package static let fields: [Field<BudgetView>] = [
        .model("verdict", "The verdict on the window of 28 days", \.verdict),
        .text("sentence", "What is allowed, spent and remaining, and how long it lasts", \.sentence),
        .list("facts", "The numbers one by one", \.facts),
        .text("brief", "What is left, such as `37% remaining` or `overspent by 12%`", \.brief),
    ]
}

extension BudgetView {
    /// A budget as a page shows it.
    init(_ budget: StabilityBudget, counts display: Audience.Display = .shown) {
        let counts = budget.budget
        let (allowed, spent) = (Int(counts.allowed.rounded()), Int(counts.spent.rounded()))
        self.verdict = VerdictView(budget.verdict, why: budget.sentence(counts: display))
        self.sentence = budget.sentence(counts: display)
        self.brief = briefText(budget, display)
        let window = [
            FactRow(
                name: "Window",
                value: "\(StabilityBudget.span) days to \(budget.lastDay.compactText), "
                    + "data for \(budget.countedDays)")
        ]
        let sums = [
            FactRow(name: "Total", value: "\(countText(Int(counts.total))) \(budget.unit)"),
            FactRow(name: "Allowed", value: countText(allowed)),
            FactRow(name: "Spent", value: countText(spent) + spendingText(counts)),
            FactRow(name: "Remaining", value: countText(allowed - spent)),
        ]
        let outlook = [
            FactRow(
                name: "Day-to-day variance", value: "\(decimalText(counts.dispersion, decimals: 1))× chance")
        ]
        let share = [FactRow(name: "Remaining", value: brief)]
        self.facts = window + (display == .shown ? sums : share) + outlook
    }
}

private func spendingText(_ counts: ErrorBudget) -> String {
    counts.spending.map { interval in
        let (low, high) = (Int(interval.lower.rounded(.down)), Int(interval.upper.rounded(.up)))
        return " (\(countText(low))–\(countText(high)))"
    } ?? ""
}

/// `37% remaining`, `overspent by 12%`; in counts when the target allows no crash.
private func briefText(_ budget: StabilityBudget, _ counts: Audience.Display) -> String {
    guard let share = budget.leftShare else {
        let spent = Int(budget.budget.spent.rounded())
        if counts == .hidden { return spent == 0 ? "none allowed, none spent" : "overspent" }
        return spent == 0 ? "none allowed, none spent" : "overspent by \(countText(spent))"
    }
    let percent = decimalText((abs(share) * 100).rounded(.down), decimals: 0) + "%"
    return share < 0 ? "overspent by \(percent)" : "\(percent) remaining"
}
