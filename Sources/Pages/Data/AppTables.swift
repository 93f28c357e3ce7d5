package import Analysis
package import AppHealth
import Estimates

extension StabilitySection {
    /// The health of days.
    package func table(of days: [CivilDate]) -> DataTable {
        DataTable(
            "health", columns: healthColumns,
            rows: days.map { day in
                healthRow(
                    day, rates[day], crashes: crashes[day], isProvisional: isProvisional(day), coverage[day])
            }
        ).naming(days.map { rates[$0]?.namedShare })
    }
}

extension IssuesSection {
    /// All issues, in the order of the issues page.
    package var table: DataTable {
        let isPartial = partialDays.intersects(window)
        let isKnown = isPartial || wholeDays.intersects(window)
        let coverage = DataCell(
            isPartial ? .partial(counted: nil, of: nil) : isKnown ? .complete : .unknown)
        let rows = all.map { facts -> [DataCell] in
            let issue = facts.issue
            return [
                .text(issue.id), .text(issue.title), .text(issue.kind.rawValue), .text(issue.state.rawValue),
                .text(orAbsent: issue.place?.file), .count(orAbsent: issue.place?.line),
                .text(orAbsent: issue.firstSeen?.description), .text(orAbsent: issue.lastSeen?.description),
                .text(orAbsent: issue.firstVersion?.description),
                .text(orAbsent: issue.lastVersion?.description),
                .text(orAbsent: issue.fixedIn?.description), .count(orAbsent: facts.window.events),
                facts.window.events == nil ? .absent : .count(facts.window.knownDays),
                .count(orAbsent: issue.events), .count(orAbsent: issue.users),
                facts.window.events == nil ? .absent : coverage,
            ]
        }
        return DataTable("issues", columns: issueColumns, rows: rows).naming(all.map(\.issue.namedShare))
    }

}

extension ReleasesSection {
    /// All releases, newest first.
    package var table: DataTable {
        let rows = all.map { facts -> [DataCell] in
            let release = facts.release
            return [
                .text(release.version.label), .text(release.version.build),
                .text(orAbsent: release.releasedAt?.description), .count(orAbsent: facts.sessions),
                .count(orAbsent: facts.crashedSessions), .count(orAbsent: facts.life?.known),
                .count(orAbsent: facts.life?.all),
            ] + rateCells(facts.crashed.value) + [
                facts.adoption.value.map { .rate($0.value) } ?? .absent
            ] + stageCells(facts.stage) + shareCountCells(facts) + rolloutCells(facts.evaluation)
                + userDayCells(facts.crashedUserDays?.value)
        }
        return DataTable("releases", columns: releaseColumns, rows: rows)
    }

}

extension UsageSection {
    /// The use of every day that a source knows, with the sessions of the page.
    package func table(with stability: StabilitySection) -> DataTable {
        let dates = dates(with: stability)
        let rows = dates.map { date -> [DataCell] in
            let day = byDate[date]
            return [
                .text(date.description), .count(orAbsent: day?.activeUsers),
                .count(orAbsent: day?.weeklyActiveUsers), .count(orAbsent: day?.monthlyActiveUsers),
                .count(orAbsent: day?.newUsers), .count(orAbsent: sessions(on: date, stability)),
                DataCell(coverage(of: date, stability)),
            ]
        }
        return DataTable(
            "usage",
            columns: [
                "date", "activeUsers", "weeklyActiveUsers", "monthlyActiveUsers", "newUsers", "sessions",
                "coverage",
            ], rows: rows
        ).naming(dates.map { namedShares[$0] })
    }
}

extension ReportedEvents {
    /// The events of each of the last days, from the first that is known.
    package var daysTable: DataTable {
        let first = counts.keys.min() ?? window.upperBound
        let days = (0...max(0, first.days(to: window.upperBound))).map { first.advanced(by: $0) }
        return DataTable(
            "eventDays", columns: ["date", "events", "coverage", "partOf"],
            rows: days.map { day in
                let isWhole = wholeDays.contains(day)
                return [
                    .text(day.description), .count(orAbsent: self[day]),
                    self[day] == nil ? .absent : .text(isWhole ? "complete" : "partial"),
                    self[day] == nil || isWhole ? .absent : .text(isOfShare ? "users" : "issues"),
                ]
            })
    }

    /// The events in each release over the window.
    package var releasesTable: DataTable {
        DataTable(
            "releaseEvents", columns: ["version", "events", "issues", "knownDays"],
            rows: releases.map {
                [.text($0.label), .count($0.events), .count($0.issues), .count(releaseDays.known)]
            })
    }
}

extension DeviceCounts {
    /// Crashes by kind of device.
    package var table: DataTable {
        DataTable(
            "devices", columns: ["device", "crashes", "share", "knownDays", "coverage", "source"],
            rows: devices.map { count in
                [
                    .text(count.device), .count(count.crashes),
                    count.share.map { .rate($0.value) } ?? .absent, .count(knownDays), DataCell(coverage),
                    .text(source.text),
                ]
            })
    }
}

extension DaySection {
    /// The first issues of the day.
    package var issuesTable: DataTable {
        let entries = summary?.entries ?? []
        return DataTable(
            "issues",
            columns: ["rank", "previousRank", "id", "title", "users", "events", "issuesOfDay", "coverage"],
            rows: entries.map { entry in
                [
                    .count(entry.rank), .count(orAbsent: entry.previousRank), .text(entry.issue.id),
                    .text(entry.issue.title), .count(orAbsent: entry.users), .count(orAbsent: entry.events),
                    .count(orAbsent: summary?.issueCount), DataCell(summary?.reported ?? .unknown),
                ]
            }
        ).naming(entries.map(\.namedShare))
    }

    /// The health of the day.
    package var healthTable: DataTable {
        DataTable(
            "health", columns: healthColumns,
            rows: [healthRow(date, health, crashes: crashes, isProvisional: isProvisional, coverage)]
        ).naming([health?.namedShare])
    }

    /// The health of the day as it was first reported: no row when it never was.
    package var healthAsReportedTable: DataTable {
        DataTable(
            "healthAsReported", columns: healthColumns,
            rows: reported.map {
                [healthRow(date, $0, crashes: $0.crashes, isProvisional: isProvisional)]
            } ?? [])
    }
}

extension DataCell {
    /// How much of a row's day or days was reported: `complete`, `approximate` where different ones are estimated,
    /// `partial`, or absent where nothing was stated.
    init(_ coverage: Coverage) {
        switch coverage {
        case .complete: self = .text("complete")
        case .approximate: self = .text("approximate")
        case .partial: self = .text("partial")
        case .unknown: self = .absent
        }
    }
}

extension DataTable {
    /// With the share of what the users of each row are counted from that names one, where it is not all of any row.
    func naming(_ shares: [Double?]) -> DataTable {
        guard shares.contains(where: { $0 != nil }) else { return self }
        return DataTable(
            name, columns: columns + ["namedShare"],
            rows: zip(rows, shares).map { $0 + [$1.map { .rate($0) } ?? .absent] })
    }
}

private func healthRow(
    _ date: CivilDate, _ day: HealthDay?, crashes: Int?, isProvisional: Bool, _ coverage: Coverage? = nil
) -> [DataCell] {
    [
        .text(date.description), .count(orAbsent: day?.sessions), .count(orAbsent: day?.crashedSessions),
        .count(orAbsent: day?.users), .count(orAbsent: day?.crashedUsers), .count(orAbsent: crashes),
    ] + rateCells(day?.crashedUserShare) + rateCells(day?.crashedSessionShare)
        + [
            day == nil && crashes == nil ? .absent : .flag(isProvisional), DataCell(coverage ?? .unknown),
        ]
}

/// The crash-free rate of a crashed share with its bounds.
func rateCells(_ crashed: Fraction?) -> [DataCell] {
    guard let free = crashed?.complement, let bounds = free.interval else {
        return [.absent, .absent, .absent]
    }
    return [.rate(free.value), .rate(bounds.lower), .rate(bounds.upper)]
}

/// User-days of the life of a release that is counted in users alone, and the rate of them.
private func userDayCells(_ crashed: Fraction?) -> [DataCell] {
    [.count(orAbsent: crashed?.denominator), .count(orAbsent: crashed?.numerator)] + rateCells(crashed)
}

private let healthColumns = [
    "date", "sessions", "crashedSessions", "users", "crashedUsers", "crashes", "crashFreeUsers",
    "crashFreeUsersLower",
    "crashFreeUsersUpper", "crashFreeSessions", "crashFreeSessionsLower", "crashFreeSessionsUpper",
    "provisional", "coverage",
]
private let issueColumns = [
    "id", "title", "kind", "state", "file", "line", "firstSeen", "lastSeen", "firstVersion", "lastVersion",
    "fixedIn",
    "eventsInWindow", "daysInWindow", "events", "users", "coverage",
]
private let releaseColumns = [
    "version", "build", "releasedAt", "sessions", "crashedSessions", "knownDays", "lifeDays",
    "crashFreeSessions",
    "crashFreeSessionsLower",
    "crashFreeSessionsUpper", "adoption", "stage", "stageBasis", "stageShare", "stageShareLower",
    "stageShareUpper", "adoptionSessions", "adoptionOf", "stageCount", "stageOf", "rollout", "rolloutNeeded",
    "rolloutLower", "rolloutUpper", "userDays", "crashedUserDays", "crashFreeUserDays",
    "crashFreeUserDaysLower", "crashFreeUserDaysUpper",
]

extension AppSummaryRow {
    /// One row for each app, in their order; with the group when any is in one.
    package static func table(_ digests: [AppSummaryRow]) -> DataTable {
        let hasGroups = digests.contains { $0.group != nil }
        return DataTable(
            "apps",
            columns: [
                "id", "name", "verdict", "day", "basis", "crashFree", "crashFreeLower", "crashFreeUpper",
                "openAlerts", "budget", "crashed", "of", "budgetSpent", "budgetAllowed",
            ] + (hasGroups ? ["group"] : []),
            rows: digests.map { digest in
                [
                    .text(digest.id.text), .text(digest.row.name), .text(digest.verdictName),
                    .text(digest.lastDay.description), .text(digest.basis.rawValue),
                ] + rateCells(digest.crashed) + [
                    .count(digest.row.openAlerts), .text(orAbsent: digest.budgetText),
                    .count(orAbsent: digest.crashed?.numerator),
                    .count(orAbsent: digest.crashed?.denominator),
                    .count(orAbsent: digest.budget.map { $0.counted }),
                    digest.budget.map { .number(cents($0.exactAllowed)) } ?? .absent,
                ] + (hasGroups ? [.text(orAbsent: digest.group)] : [])
            })
    }
}
