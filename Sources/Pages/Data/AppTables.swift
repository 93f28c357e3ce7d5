package import Analysis
package import AppHealth
import Statistics

extension AppAnalysis {
    /// The health of every day of the archive.
    package var healthTable: DataTable {
        DataTable("health", columns: healthColumns, rows: facts.days.map(healthRow))
    }

    /// All issues, in the order of the issues page.
    package var issuesTable: DataTable {
        let rows = issues.all.map { facts -> [DataCell] in
            let issue = facts.issue
            return [
                .text(issue.id), .text(issue.title), .text(issue.kind.rawValue), .text(issue.state.rawValue),
                .text(orAbsent: issue.place?.file), .count(orAbsent: issue.place?.line),
                .text(orAbsent: issue.firstSeen?.description), .text(orAbsent: issue.lastSeen?.description),
                .text(orAbsent: issue.firstVersion?.description),
                .text(orAbsent: issue.lastVersion?.description),
                .text(orAbsent: issue.fixedIn?.description), .count(orAbsent: facts.windowEvents),
                facts.windowEvents == nil ? .absent : .count(facts.windowDays),
                .count(orAbsent: issue.events), .count(orAbsent: issue.users),
            ]
        }
        return DataTable("issues", columns: issueColumns, rows: rows)
    }

    /// All releases, newest first.
    package var releasesTable: DataTable {
        let rows = releases.all.map { facts -> [DataCell] in
            let release = facts.release
            return [
                .text(release.version.label), .text(release.version.build),
                .text(orAbsent: release.releasedAt?.description), .count(orAbsent: facts.sessions),
                .count(orAbsent: facts.crashedSessions),
            ] + rateCells(facts.crashed.value) + [
                facts.adoption.value.map { .rate($0.value) } ?? .absent
            ] + stageCells(facts.stage) + shareCountCells(facts) + rolloutCells(facts.evaluation)
        }
        return DataTable("releases", columns: releaseColumns, rows: rows)
    }

    /// The use of every day that a source knows.
    package var usageTable: DataTable {
        let rows = usage.days.map { day -> [DataCell] in
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
        let entries = issues.summaries[day]?.entries ?? []
        return DataTable(
            "issues", columns: ["rank", "previousRank", "id", "title", "users", "events"],
            rows: entries.map { entry in
                [
                    .count(entry.rank), .count(orAbsent: entry.previousRank), .text(entry.issue.id),
                    .text(entry.issue.title), .count(orAbsent: entry.users), .count(orAbsent: entry.events),
                ]
            })
    }

    /// The health of one day.
    package func healthTable(of day: CivilDate) -> DataTable {
        DataTable("health", columns: healthColumns, rows: [healthRow(day)])
    }

    /// The health of one day as it was first reported: no row when it never was.
    package func healthAsReportedTable(of day: CivilDate) -> DataTable {
        let reported = self.day(day).reported
        return DataTable(
            "healthAsReported", columns: healthColumns,
            rows: reported.map { [healthRow(day, $0, crashes: $0.crashes)] } ?? [])
    }

    private func healthRow(_ date: CivilDate) -> [DataCell] {
        healthRow(date, stability.health[date], crashes: stability.crashes[date])
    }

    private func healthRow(_ date: CivilDate, _ day: HealthDay?, crashes: Int?) -> [DataCell] {
        return [
            .text(date.description), .count(orAbsent: day?.sessions), .count(orAbsent: day?.crashedSessions),
            .count(orAbsent: day?.users), .count(orAbsent: day?.crashedUsers), .count(orAbsent: crashes),
        ] + rateCells(day?.crashedUserShare) + rateCells(day?.crashedSessionShare)
            + [day == nil ? .absent : .flag(stability.isProvisional(date))]
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
    "date", "sessions", "crashedSessions", "users", "crashedUsers", "crashes", "crashFreeUsers",
    "crashFreeUsersLower",
    "crashFreeUsersUpper", "crashFreeSessions", "crashFreeSessionsLower", "crashFreeSessionsUpper",
    "provisional",
]
private let issueColumns = [
    "id", "title", "kind", "state", "file", "line", "firstSeen", "lastSeen", "firstVersion", "lastVersion",
    "fixedIn",
    "eventsInWindow", "daysInWindow", "events", "users",
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
