package import Analysis
import AppHealth
import Estimates

/// The tables of two releases.
extension PairFacts {
    /// The rates of the two over each span, with the differences.
    package func differencesTable(_ facts: AppFacts) -> DataTable {
        let (names, scope) = (names, AppScope(facts, .absent))
        return DataTable(
            "differences",
            columns: [
                "measure", "unit", "firstAge", "lastAge", "countedDays", "firstSessions", "date", "later",
                "laterTotal", "laterCrashed", "laterCrashFree",
                "laterCrashFreeLower", "laterCrashFreeUpper", "earlier", "earlierTotal", "earlierCrashed",
                "earlierCrashFree", "earlierCrashFreeLower", "earlierCrashFreeUpper", "difference",
                "differenceLower", "differenceUpper", "state",
            ],
            rows: rates.map { rate in
                [.text(rate.span.rawValue), .text(rate.span.unit)]
                    + windowCells(rate.window)
                    + cells(names.later, rate.later.value)
                    + cells(names.earlier, rate.earlier.value)
                    + differenceCells(rate.difference(names).value)
                    + [.text(ComparedRateRow(rate, of: names, in: scope).difference.state.rawValue)]
            })
    }

    /// The issues of the two; the table says in which they were seen.
    func issuesTable(_ issues: ListedIssues) -> DataTable {
        let rows = [("later", onlyLater), ("both", both), ("earlier", onlyEarlier)]
            .flatMap { place, list -> [[DataCell]] in
                list.compactMap { one in
                    issues[one.id].map { known -> [DataCell] in
                        let issue = known.issue
                        return [
                            .text(issue.id), .text(issue.title), .text(issue.state.rawValue),
                            .text(place), .flag(orAbsent: one.isNew),
                            .flag(one.roles.contains(.regressed)),
                            .count(orAbsent: one.later?.events), .count(orAbsent: one.earlier?.events),
                        ] + [one.later, one.earlier].map { $0?.share.map { .rate($0.value) } ?? .absent }
                    }
                }
            }
        return DataTable(
            "comparedIssues",
            columns: [
                "id", "title", "state", "seenIn", "isNew", "isRegressed", "laterEvents", "earlierEvents",
                "laterShare", "earlierShare",
            ], rows: rows)
    }

}

/// Ages from the first to the last, of how many days both have data, how many first sessions, and the day of the
/// calendar: what says which part of two lives is compared.
private func windowCells(_ window: PairRate.Window?) -> [DataCell] {
    switch window {
    case .ages(let last, let counted):
        [.count(0), .count(last), .count(counted), .absent, .absent]
    case .age(let age): [.count(age), .count(age), .absent, .absent, .absent]
    case .firstSessions(let count), .firstUserDays(let count):
        [.absent, .absent, .absent, .count(count), .absent]
    case .day(let day): [.absent, .absent, .absent, .absent, .text(day.description)]
    case .lives, nil: [.absent, .absent, .absent, .absent, .absent]
    }
}

private func cells(_ label: String, _ crashed: Fraction?) -> [DataCell] {
    [.text(label), .count(orAbsent: crashed?.denominator), .count(orAbsent: crashed?.numerator)]
        + rateCells(crashed)
}

private func differenceCells(_ difference: RateDifference?) -> [DataCell] {
    guard let points = difference?.difference, let interval = difference?.interval else {
        return [.absent, .absent, .absent]
    }
    return differenceCells(points, interval)
}

/// A difference of two rates with its bounds.
func differenceCells(_ points: Double, _ interval: Interval) -> [DataCell] {
    [points, interval.lower, interval.upper].map(DataCell.number)
}

extension DaySection {
    /// The error budget of the 28 days that end with the day: one row, or none without figures.
    package var budgetTable: DataTable {
        let rows = [budget].compactMap(\.self).map { budget -> [DataCell] in
            return [
                .text(budget.lastDay.description), .text(budget.unit), .count(budget.countedDays),
                .rate(budget.target), .count(budget.total), .number(cents(budget.exactAllowed)),
                .count(budget.counted), .number(cents(budget.exactLeft)),
                budget.dispersion.map { .number(cents($0)) } ?? .absent,
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
        .text(stage.name), .text(stage.basis.rawValue), .rate(stage.share.value),
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
func rolloutCells(_ evaluation: ReleaseEvaluation) -> [DataCell] {
    let needed: Int? = if case .notEnoughData(let needed) = evaluation.verdict { needed } else { nil }
    let bounds = evaluation.basis?.crashFree
    return [
        .text(evaluation.verdict.name), .count(orAbsent: needed),
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
