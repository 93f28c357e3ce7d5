package import Analysis
import AppHealth
import Statistics

/// The tables of two releases.
extension AppAnalysis {
    /// The rates of two releases over each span, with the differences.
    package func differencesTable(of pair: PairFacts) -> DataTable {
        let (names, scope) = (pair.names, AppScope(facts, .absent))
        return DataTable(
            "differences",
            columns: [
                "measure", "unit", "span", "later", "laterTotal", "laterCrashed", "laterCrashFree",
                "laterCrashFreeLower", "laterCrashFreeUpper", "earlier", "earlierTotal", "earlierCrashed",
                "earlierCrashFree", "earlierCrashFreeLower", "earlierCrashFreeUpper", "difference",
                "differenceLower", "differenceUpper", "state",
            ],
            rows: pair.rates.map { rate in
                [
                    .text(rate.span.rawValue), .text(rate.span.basis.rawValue),
                    .text(rate.window?.text(scope) ?? ""),
                ]
                    + cells(names.later, rate.later.value)
                    + cells(names.earlier, rate.earlier.value)
                    + differenceCells(rate.difference(names).value)
                    + [.text(ComparedRateRow(rate, of: names, in: scope).difference.state.rawValue)]
            })
    }

    /// The issues of two releases; the table says in which they were seen.
    package func comparedIssuesTable(of pair: PairFacts) -> DataTable {
        let rows = [("later", pair.onlyLater), ("both", pair.both), ("earlier", pair.onlyEarlier)]
            .flatMap { place, list -> [[DataCell]] in
                list.compactMap { one in
                    issues[one.id].map { known -> [DataCell] in
                        let issue = known.issue
                        return [
                            .text(issue.id), .text(issue.title), .text(issue.state.rawValue),
                            .text(place), .flag(one.roles.contains(.new)),
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

    private func cells(_ label: String, _ crashed: Fraction?) -> [DataCell] {
        [.text(label), .count(orAbsent: crashed?.denominator), .count(orAbsent: crashed?.numerator)]
            + rateCells(crashed)
    }

    private func differenceCells(_ difference: RateDifference?) -> [DataCell] {
        guard let pair = difference?.pair, let interval = difference?.interval else {
            return [.absent, .absent, .absent]
        }
        // All digits would tell the counts that the difference is made of.
        return [pair.difference, interval.lower, interval.upper].map {
            .number(facts.audience.hidesCounts ? ($0 * 10_000).rounded() / 10_000 : $0)
        }
    }
}
