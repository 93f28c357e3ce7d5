import Analysis
import AppHealth
import Estimates
import Formatting
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
        self.verdict = VerdictView(budget.verdict, why: budget.sentence(counts: display))
        self.verdict.words = budget.words
        self.sentence = budget.sentence(counts: display)
        self.brief = budget.remaining.text(counts: display)
        let window = [
            FactRow(
                name: "Window",
                value: "\(StabilityBudget.span) days to \(budget.lastDay.compactText), "
                    + "data for \(budget.countedDays)")
        ]
        let sums = [
            FactRow(name: "Total", value: unitText(budget.total, budget.unit)),
            FactRow(
                name: "Allowed",
                value: budget.remaining.allowsLessThanOne ? "less than 1" : countText(budget.allowed)),
            FactRow(name: "Spent", value: countText(budget.spent) + spendingText(budget)),
            FactRow(name: "Remaining", value: remainingText(budget)),
        ]
        let outlook = [
            FactRow(
                name: "Day-to-day variance",
                value: budget.dispersion.map { "\(dispersionText($0))× chance" } ?? "No data")
        ]
        let share = [FactRow(name: "Remaining", value: budget.remaining.shareText(counts: display))]
        self.facts = window + (display == .shown ? sums : share) + countedRow(budget.deviation) + outlook
    }
}

extension StabilityBudget {
    /// What became of it, in words that no status of a day has, once that is known.
    fileprivate var words: String {
        switch verdict {
        case .meets: "Within budget"
        case .misses, .critical: "Overspent"
        case .notEnoughData where isCloseToTarget: "Close to the target"
        case .notEnoughData, .unknown: verdict.words.sentenceCased
        }
    }

    /// `Error budget: Within budget. 33% of the 28-day error budget remains: …`; a word that the sentence begins with is
    /// written once.
    func summaryLine(counts display: Audience.Display) -> String {
        let sentence = sentence(counts: display)
        return "Error budget: " + (sentence.hasPrefix(words) ? sentence : "\(words). \(sentence)")
    }

    /// Whether so little is left or overspent, and what was spent is known so well, that no amount of data would soon say
    /// more. Of a few sessions that is not known.
    private var isCloseToTarget: Bool {
        guard let leftShare, let spending else { return false }
        let width = spending.upperBound - spending.lowerBound
        return abs(leftShare) <= Self.closeShare && width <= Self.closeWidth * exactAllowed
    }
    private static let closeShare = 0.1
    /// How wide the interval of what was spent may be, of what is allowed.
    private static let closeWidth = 0.5
}

private func remainingText(_ budget: StabilityBudget) -> String {
    let isPartOfOne = budget.left == 0 && !budget.isOverspent && budget.exactLeft > 1e-9
    return isPartOfOne ? "less than 1" : countText(budget.left)
}

private func spendingText(_ budget: StabilityBudget) -> String {
    budget.spending.map { " (\(boundText($0.lowerBound))–\(boundText($0.upperBound)))" } ?? ""
}

/// `0`, `0.2`, `18`
private func boundText(_ value: Double) -> String {
    value == value.rounded() ? countText(Int(value)) : decimalText(value, decimals: 1)
}

extension RemainingBudget {
    /// `37% remaining`, `overspent by 2; data for 9 of 28 days`; in counts when the target allows no crash, or less than
    /// one.
    func text(counts: Audience.Display) -> String {
        let span = StabilityBudget.span
        return shareText(counts: counts)
            + (countedDays < span ? "; data for \(countedDays) of \(span) days" : "")
    }

    /// The same without its days.
    func shareText(counts: Audience.Display) -> String {
        guard let share else {
            if spent == 0 { return "none allowed, none spent" }
            return counts == .hidden ? "overspent" : "overspent by \(countText(spent))"
        }
        guard share < 0 else { return "\(budgetPercentText(share)) remaining" }
        let isCounted = allowsLessThanOne && counts == .shown
        return "overspent by \(isCounted ? countText(spent) : budgetPercentText(share))"
    }
}

/// `1.1`, `20,114`: a decimal says nothing of a large one.
private func dispersionText(_ value: Double) -> String {
    value < 1000 ? decimalText(value, decimals: 1) : countText(Int(min(value.rounded(), 1e15)))
}

/// The share of a budget in whole percent, rounded to the cautious side: down what remains, up what is overspent. What
/// is a whole percent but for the inexactness of a division is that one.
func budgetPercentText(_ share: Double) -> String {
    let percent = min(abs(share) * 100, 1e15)
    let nearest = percent.rounded()
    let isWhole = abs(percent - nearest) <= max(1, nearest) * 1e-9
    let whole = isWhole ? nearest : percent.rounded(share < 0 ? .up : .down)
    return countText(Int(whole)) + "%"
}
