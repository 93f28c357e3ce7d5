/// What is left of an error budget, without the days that it was counted from.
package struct RemainingBudget: Hashable, Codable, Sendable {
    /// The share that is left; negative when overspent, nil when the target allows none.
    package let share: Double?
    /// How many crashed; where counts are hidden, 0 or 1.
    package let spent: Int
    /// How many days of the window have figures.
    package let countedDays: Int
}

extension StabilityBudget {
    /// What is left of it.
    package var remaining: RemainingBudget {
        RemainingBudget(
            share: leftShare, spent: hidesCounts ? min(1, spent) : spent, countedDays: countedDays)
    }
}
