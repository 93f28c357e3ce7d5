import Analysis
package import AppHealth
import Statistics

extension AppReport {
    /// The health of every day of the archive.
    package var healthTable: DataTable {
        DataTable("health", columns: healthColumns, rows: evidence.days.map(healthRow))
    }

    /// All issues, in the order of the issues page.
    package var issuesTable: DataTable {
        let rows = rankedIssues.map { issue -> [DataCell] in
            [
                .text(issue.id), .text(issue.title), .text(issue.kind.rawValue), .text(issue.state.rawValue),
                .text(orAbsent: issue.place?.file), .count(orAbsent: issue.place?.line),
                .text(orAbsent: issue.firstSeen?.description), .text(orAbsent: issue.lastSeen?.description),
                .text(orAbsent: issue.firstVersion?.description),
                .text(orAbsent: issue.lastVersion?.description),
                .text(orAbsent: issue.fixedIn?.description), .count(orAbsent: windows.events[issue.id]),
                .count(orAbsent: issue.events), .count(orAbsent: issue.users),
            ]
        }
        return DataTable("issues", columns: issueColumns, rows: rows)
    }

    /// All releases, newest first.
    package var releasesTable: DataTable {
        let rows = releases.map { release -> [DataCell] in
            let totals = releaseTotals(release.version.label)
            let crashed = releaseCrashed(release.version.label).value
            return [
                .text(release.version.label), .text(release.version.build),
                .text(orAbsent: release.releasedAt?.description), .count(orAbsent: totals.sessions),
                .count(orAbsent: totals.crashed),
            ] + rateCells(crashed) + [
                adoption(release.version.label).value.map { .rate($0.value) } ?? .absent
            ] + stageCells(release.version.label) + shareCountCells(release.version.label)
                + rolloutCells(judgement(on: release))
        }
        return DataTable("releases", columns: releaseColumns, rows: rows)
    }

    /// The use of every day that a source knows.
    package var usageTable: DataTable {
        let rows = (usageSource?.usage ?? []).map { day -> [DataCell] in
            [
                .text(day.date.description), .count(orAbsent: day.activeUsers),
                .count(orAbsent: day.weeklyActiveUsers), .count(orAbsent: day.monthlyActiveUsers),
                .count(orAbsent: day.newUsers), .count(orAbsent: day.sessions),
            ]
        }
        return DataTable(
            "usage",
            columns: [
                "date", "activeUsers", "weeklyActiveUsers", "monthlyActiveUsers", "newUsers", "sessions",
            ], rows: rows)
    }

    /// The issues of a day.
    package func issuesTable(of day: CivilDate) -> DataTable {
        let entries = summary(of: day)?.entries ?? []
        return DataTable(
            "issues", columns: ["rank", "previousRank", "id", "title", "users", "events"],
            rows: entries.map { entry in
                [
                    .count(entry.rank), .count(orAbsent: entry.previousRank), .text(entry.issue.id),
                    .text(entry.issue.title), .count(entry.users), .count(orAbsent: entry.events),
                ]
            })
    }

    /// The health of one day.
    package func healthTable(of day: CivilDate) -> DataTable {
        DataTable("health", columns: healthColumns, rows: [healthRow(day)])
    }

    /// The health of one day as it was first reported: no row when it never was.
    package func healthAsReportedTable(of day: CivilDate) -> DataTable {
        let reported = evidence.stability?.healthAsReported[day]
        return DataTable(
            "healthAsReported", columns: healthColumns,
            rows: reported.map { [healthRow(day, $0)] } ?? [])
    }

    private func healthRow(_ date: CivilDate) -> [DataCell] { healthRow(date, evidence.health[date]) }

    private func healthRow(_ date: CivilDate, _ day: HealthDay?) -> [DataCell] {
        return [
            .text(date.description), .count(orAbsent: day?.sessions), .count(orAbsent: day?.crashedSessions),
            .count(orAbsent: day?.users), .count(orAbsent: day?.crashedUsers),
        ] + rateCells(day?.crashedUserShare) + rateCells(day?.crashedSessionShare)
            + [day == nil ? .absent : .flag(isProvisional(date))]
    }
}

/// The crash-free rate of a crashed share with its bounds.
func rateCells(_ crashed: Fraction?) -> [DataCell] {
    guard let free = crashed?.complement,
        let bounds = wilsonInterval(successes: free.numerator, of: free.denominator)
    else { return [.absent, .absent, .absent] }
    return [.rate(free.value), .rate(bounds.lower), .rate(bounds.upper)]
}

private let healthColumns = [
    "date", "sessions", "crashedSessions", "users", "crashedUsers", "crashFreeUsers", "crashFreeUsersLower",
    "crashFreeUsersUpper", "crashFreeSessions", "crashFreeSessionsLower", "crashFreeSessionsUpper",
    "provisional",
]
private let issueColumns = [
    "id", "title", "kind", "state", "file", "line", "firstSeen", "lastSeen", "firstVersion", "lastVersion",
    "fixedIn",
    "eventsInWindow", "events", "users",
]
private let releaseColumns = [
    "version", "build", "releasedAt", "sessions", "crashedSessions", "crashFreeSessions",
    "crashFreeSessionsLower",
    "crashFreeSessionsUpper", "adoption", "stage", "stageBasis", "stageShare", "stageShareLower",
    "stageShareUpper", "adoptionSessions", "adoptionOf", "stageCount", "stageOf", "rollout", "rolloutNeeded",
    "rolloutLower", "rolloutUpper",
]

extension AppSummaryRow {
    /// One row for each app, in the order of the configuration.
    package static func table(_ digests: [AppSummaryRow]) -> DataTable {
        DataTable(
            "apps",
            columns: [
                "id", "name", "verdict", "day", "basis", "crashFree", "crashFreeLower", "crashFreeUpper",
                "openAlerts", "budget", "crashed", "of", "budgetSpent", "budgetAllowed",
            ],
            rows: digests.map { digest in
                [
                    .text(digest.id.text), .text(digest.row.name), .text(digest.verdictName),
                    .text(digest.lastDay.description), .text(digest.basis.rawValue),
                ] + rateCells(digest.crashed) + [
                    .count(digest.row.openAlerts), .text(orAbsent: digest.row.budget),
                    .count(orAbsent: digest.crashed?.numerator),
                    .count(orAbsent: digest.crashed?.denominator),
                    .count(orAbsent: digest.budget.map { Int($0.budget.spent) }),
                    digest.budget.map { .number(cents($0.budget.allowed)) } ?? .absent,
                ]
            })
    }
}
