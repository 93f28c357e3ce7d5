package import AppHealth
package import Statistics

/// The error budget of an app: what its target allows over 28 days, what is spent, and how long the rest lasts.
package struct StabilityBudget: Hashable, Codable, Sendable {
    /// What is counted: sessions, or users of single days, which add up to user-days and not to users.
    package let basis: Basis
    /// The last day of the window.
    package let lastDay: CivilDate
    /// The counts.
    package let budget: ErrorBudget
    /// Against the app's levels, by the interval that the app's own dispersion widens.
    package let verdict: Verdict
    /// Whether there are days whose differences show how they vary.
    private let showsDispersion: Bool
    /// What is left of it.
    package internal(set) var remaining: RemainingBudget

    /// How many days a window has.
    package static let span = 28
    /// How many days the dispersion is read from.
    package static let dispersionSpan = 56

    /// The budget of the window that ends with a day; nil when no day of it has figures.
    package init?(_ index: HistoryIndex, through lastDay: CivilDate) {
        self.init(
            index, DailyCounts(index, lastDay.advanced(by: 1 - Self.dispersionSpan)...lastDay),
            through: lastDay)
    }

    /// The same from counts that are known already.
    init?(_ index: HistoryIndex, _ counts: DailyCounts, through lastDay: CivilDate) {
        let targets = index.levels[lastDay]
        let past = counts.course(Self.dispersionSpan, through: lastDay)
        let dispersion = dayDispersion(past)
        guard
            let budget = ErrorBudget(
                counts.last(Self.span, through: lastDay), target: targets.target,
                dispersion: dispersion)
        else { return nil }
        self.basis = index.rates.basis
        self.lastDay = lastDay
        self.budget = budget
        self.showsDispersion = hasDispersion(past)
        self.verdict = budgetVerdict(budget, targets)
        self.remaining = RemainingBudget(of: budget)
    }

    /// How many days of the window have figures.
    package var countedDays: Int { budget.days.count { $0 != nil } }

    /// The share of the budget that is left; negative when overspent, nil when the target allows none.
    package var leftShare: Double? { remaining.share }

    /// When the rest ends; nil where it is not known whether it does.
    ///
    /// What is left is counted, so how long it lasts is known where the pace of the last days is for certain on one
    /// side of what is allowed, however close to the target the rate of the window is. Else that rate must be on one
    /// side. What is overspent within chance has no end to come, whatever the pace.
    package var forecast: BudgetForecast? {
        guard case .notEnoughData = verdict else { return budget.forecast }
        return !isOverspent && budget.isPaceClear ? budget.forecast : nil
    }
}

/// The four-way verdict on counts that are worth as many as their dispersion leaves of them.
private func budgetVerdict(_ budget: ErrorBudget, _ targets: Targets) -> Verdict {
    let share = Fraction(Int(budget.spent), of: Int(budget.total), deviation: budget.deviation)
    return Verdict(on: share, dispersion: budget.dispersion, against: targets)
}

/// The whole part of what is allowed; what is whole but for the inexactness of a product is that number.
private func wholePart(_ value: Double) -> Int {
    let nearest = value.rounded()
    return Int(abs(value - nearest) <= max(1, nearest) * 1e-9 ? nearest : value.rounded(.down))
}

/// A bound of a count as it is shown: to a tenth where it is small, for a whole number may be on the other side of what is
/// allowed.
private func bound(_ value: Double, _ rule: FloatingPointRoundingRule) -> Double {
    value < 10 ? (value * 10).rounded(rule) / 10 : value.rounded(rule)
}

/// The budget in whole counts, as it is shown: what is left is what is allowed without what is spent.
extension StabilityBudget {
    /// All of the window.
    package var total: Int { Int(budget.total) }
    /// How many may crash: rounded down, so that what is left is too and what is overspent is rounded up.
    package var allowed: Int { wholePart(budget.allowed) }
    /// Those that crashed.
    package var spent: Int { Int(budget.spent.rounded()) }
    /// How many more may crash; negative when overspent.
    package var left: Int { allowed - spent }
    /// Whether more is spent than there was, however little.
    package var isOverspent: Bool { budget.left < 0 }
    /// Whether more is spent than chance explains: the rate of the window is below the target for certain.
    package var isOverspentBeyondChance: Bool { verdict == .misses || verdict == .critical }
    /// The interval of the expected crashed count of the window, rounded outwards; never more than all.
    package var spending: ClosedRange<Double>? {
        budget.spending.map {
            let upper = min(bound($0.upper, .up), Double(max(total, spent)))
            return min(bound($0.lower, .down), upper)...upper
        }
    }
    /// How many may crash, with the part of one.
    package var exactAllowed: Double { budget.allowed }
    /// How many more may crash, with the part of one.
    package var exactLeft: Double { budget.left }
    /// Those that crashed, as many as were counted.
    package var counted: Int { Int(budget.spent) }
    /// The target that allows them, in 0…1.
    package var target: Double { 1 - budget.allowance }
    /// How many times wider the days vary than chance alone has it, 1 or more; nil where too little is known to say.
    package var dispersion: Double? { showsDispersion ? budget.dispersion : nil }
    /// The relative standard error of all of the window, and of what is allowed; nil when they are exact.
    package var deviation: Double? { budget.deviation }

    /// How many of the last days set the pace.
    package static let paceDays = ErrorBudget.paceDays
    /// How far a forecast looks.
    package static let horizon = ErrorBudget.horizon
}
