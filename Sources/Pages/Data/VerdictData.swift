package import Analysis
import AppHealth
import Statistics

extension AppAnalysis {
    /// The error budget of 28 days: one row, or none without figures.
    package var budgetTable: DataTable {
        let rows = [lastDay.budget].compactMap(\.self).map { budget -> [DataCell] in
            let counts = budget.budget
            return [
                .text(budget.lastDay.description), .text(budget.unit), .count(budget.countedDays),
                .rate(1 - counts.allowance), .count(Int(counts.total)), .number(cents(counts.allowed)),
                .count(Int(counts.spent)), .number(cents(counts.left)), .number(cents(counts.dispersion)),
                .text(VerdictView(budget.verdict, why: "").name),
            ] + forecastCells(budget)
        }
        return DataTable(
            "budget",
            columns: [
                "through", "unit", "days", "target", "total", "allowed", "spent", "left", "dispersion",
                "verdict", "endsEarliest", "endsLatest",
            ], rows: rows)
    }
}

/// The stage of a release with the share behind it.
func stageCells(_ stage: ReleaseStage?) -> [DataCell] {
    guard let stage else { return [.absent, .absent, .absent, .absent, .absent] }
    return [
        .text(stage.stage.rawValue), .text(stage.basis.rawValue), .rate(stage.share.value),
        stage.interval.map { .rate($0.lower) } ?? .absent,
        stage.interval.map { .rate($0.upper) } ?? .absent,
    ]
}

/// What the adoption and the stage of a release are shares of.
func shareCountCells(_ release: ReleaseFacts) -> [DataCell] {
    [release.adoption.value, release.stage?.share].flatMap { share -> [DataCell] in
        [.count(orAbsent: share?.numerator), .count(orAbsent: share?.denominator)]
    }
}

/// A verdict on a release with the bounds that hold at every look.
func rolloutCells(_ judgement: ReleaseEvaluation) -> [DataCell] {
    let needed: Int? = if case .notEnoughData(let needed) = judgement.verdict { needed } else { nil }
    let bounds = judgement.basis?.crashFree
    return [
        .text(judgement.verdict.name), .count(orAbsent: needed),
        bounds.map { .rate($0.lower) } ?? .absent, bounds.map { .rate($0.upper) } ?? .absent,
    ]
}

/// The days between which the rest ends; absent when it does not end within the horizon.
private func forecastCells(_ budget: StabilityBudget) -> [DataCell] {
    guard case .ends(let earliest, let latest) = budget.forecast else { return [.absent, .absent] }
    return [earliest, latest].map { days in
        days.map { .text(budget.lastDay.advanced(by: $0).description) } ?? .absent
    }
}

/// To two decimals: more would be digits of the machine.
func cents(_ value: Double) -> Double { (value * 100).rounded() / 100 }
