import Statistics

/// What is left of an error budget, without the days that it was counted from.
package struct RemainingBudget: Hashable, Codable, Sendable {
    /// The share that is left; negative when overspent, nil when the target allows none.
    package internal(set) var share: Double?
    /// How many crashed; where counts are hidden, 0 or 1.
    package internal(set) var spent: Int
    /// Whether a part of one crash is all that the target allows; where counts are hidden, false.
    package internal(set) var allowsLessThanOne: Bool
    /// How many days of the window have figures.
    package let countedDays: Int
}

extension RemainingBudget {
    /// What is left of a budget.
    init(of budget: ErrorBudget) {
        self.init(
            share: budget.allowed > 0 ? budget.left / budget.allowed : nil,
            spent: Int(budget.spent.rounded()),
            allowsLessThanOne: budget.allowed > 0 && budget.allowed < 1 - 1e-9,
            countedDays: budget.days.count { $0 != nil })
    }
}
