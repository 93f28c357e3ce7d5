import Analysis
import AppHealth
import Statistics

extension AppReport {
    /// The rates of two releases over each span, with the differences.
    package func differencesTable(of releases: ComparedReleases) -> DataTable {
        let rates = comparedRates(releases, lifePair(releases))
        return DataTable(
            "differences",
            columns: [
                "measure", "unit", "span", "later", "laterTotal", "laterCrashed", "laterCrashFree",
                "laterCrashFreeLower", "laterCrashFreeUpper", "earlier", "earlierTotal", "earlierCrashed",
                "earlierCrashFree", "earlierCrashFreeLower", "earlierCrashFreeUpper", "difference",
                "differenceLower", "differenceUpper", "state",
            ],
            rows: rates.map { rate in
                [.text(rate.span.rawValue), .text(rate.span.basis.rawValue), .text(rate.window)]
                    + cells(rate.names.later, rate.later.value)
                    + cells(rate.names.earlier, rate.earlier.value)
                    + differenceCells(rate.difference.value)
                    + [.text(ComparedRateRow(rate, self).difference.state.rawValue)]
            })
    }

    /// The issues of two releases; the table says in which they were seen.
    package func comparedIssuesTable(of releases: ComparedReleases) -> DataTable {
        let lists = comparedIssues(releases)
        let regressed = Set(regressedIssues(in: releases.later.version.label).map(\.id))
        let sessions = sessionCounts(releases)
        let rows = [("later", lists.onlyLater), ("both", lists.both), ("earlier", lists.onlyEarlier)]
            .flatMap { place, issues in
                issues.map { one -> [DataCell] in
                    let roles = self.roles(
                        of: one.issue, in: releases.later.version.label, regressed: regressed)
                    let shares = [
                        share(one.later, of: sessions.later), share(one.earlier, of: sessions.earlier),
                    ]
                    return [
                        .text(one.issue.id), .text(one.issue.title), .text(one.issue.state.rawValue),
                        .text(place), .flag(roles.contains("new")), .flag(roles.contains("regressed")),
                        .count(orAbsent: one.later?.events), .count(orAbsent: one.earlier?.events),
                    ] + shares.map { $0.map { .rate($0.value) } ?? .absent }
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
            .number(hidesCounts ? ($0 * 10_000).rounded() / 10_000 : $0)
        }
    }
}
