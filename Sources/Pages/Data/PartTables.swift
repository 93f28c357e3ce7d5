package import Analysis
package import AppHealth
import Diagnostics
import Estimates

extension IssueFacts {
    /// The issue by day, and by release where the source counts it so; `version` is absent for all releases together.
    ///
    /// - Parameter coverage: how much of the issues of each day is known.
    package func daysTable(_ coverage: (CivilDate) -> Coverage) -> DataTable {
        let shown = ((days ?? []) + releaseDays).filter { $0.date <= window.lastDay }
        let ordered = shown.sorted(by: isEarlier)
        let rows = ordered.map { day -> [DataCell] in
            [
                .text(day.date.description), .text(orAbsent: day.version), .count(orAbsent: day.events),
                .count(orAbsent: day.users),
                day.version == nil ? DataCell(coverage(day.date)) : .absent,
            ]
        }
        return DataTable(
            "issueDays", columns: ["date", "version", "events", "users", "coverage"], rows: rows
        ).naming(ordered.map(\.namedShare))
    }

}

extension ReleaseFacts {
    /// The release by day.
    package var daysTable: DataTable {
        let rows = days.map { day -> [DataCell] in
            [
                .text(day.date.description), .count(orAbsent: day.sessions),
                .count(orAbsent: day.crashedSessions), .count(orAbsent: day.users),
                .count(orAbsent: day.crashedUsers),
            ] + rateCells(day.crashedSessionShare)
        }
        return DataTable(
            "releaseDays",
            columns: [
                "date", "sessions", "crashedSessions", "users", "crashedUsers", "crashFreeSessions",
                "crashFreeSessionsLower", "crashFreeSessionsUpper",
            ], rows: rows
        ).naming(days.map(\.namedShare))
    }

    /// The issues that were seen, or seen first, in the release, in the order of the issues page.
    func issuesTable(_ listed: ListedIssues) -> DataTable {
        let rows = issues.compactMap { counted -> [DataCell]? in
            listed[counted.id].map { known in
                [
                    .text(known.issue.id), .text(known.issue.title), .flag(orAbsent: counted.isNew),
                    .text(known.issue.state.rawValue), .count(orAbsent: counted.events),
                ]
            }
        }
        return DataTable("releaseIssues", columns: ["id", "title", "isNew", "state", "events"], rows: rows)
    }

    /// The release and those it is compared with, at its age and at its number of sessions, or of user-days.
    package var agesTable: DataTable {
        var rows: [[DataCell]] = []
        if let basis = evaluation.basis, let comparison = basis.comparison {
            let all =
                [(evaluation.label, basis.total, comparison.ownAtSessions)]
                + comparison.peers.map { ($0.label, $0.atAge, $0.atSessions) }
            rows = all.map { label, atAge, atSessions in
                [.text(label), .count(basis.age), .text(basis.unit)]
                    + [atAge, atSessions].flatMap { count in
                        [.count(count.total), .count(count.crashed)]
                            + rateCells(count.share)
                    }
            }
        }
        return DataTable("ages", columns: ageColumns, rows: rows)
    }

}

/// The sources as rows: what they are and how they are at the report's instant.
func sourceCells(_ sources: SourcesSection, _ facts: AppFacts) -> [[DataCell]] {
    sources.all.map { history in
        let warnings: Int? =
            if case .succeeded(let list)? = history.lastAttempt?.outcome {
                list.count { $0.severity > .note }
            } else {
                nil
            }
        return [
            .text(facts.app.id.text), .text(history.source.id.text), .text(history.source.provider),
            .text(SourceState(history.state).rawValue), .text(orAbsent: history.capturedAt?.description),
            .count(orAbsent: history.capturedAt.map { max(0, $0.seconds(to: facts.asOf)) }),
            .text(orAbsent: history.lastAttempt?.at.description), .text(history.source.zone),
            .text(orAbsent: history.isEnded ? nil : history.trouble?.id), .count(orAbsent: warnings),
        ]
    }
}

extension AppSummaryRow {
    /// Every source of every app.
    package static func sourcesTable(_ digests: [AppSummaryRow]) -> DataTable {
        DataTable(
            "sources",
            columns: [
                "app", "source", "provider", "state", "capturedAt", "ageSeconds", "attemptedAt", "zone",
                "failure", "warnings",
            ], rows: digests.flatMap(\.sourceCells))
    }
}

/// Events as rows, with the addresses of their pages from the top of the site.
package func eventsTable(_ items: [FeedItem]) -> DataTable {
    DataTable(
        "events", columns: ["id", "app", "kind", "isAlert", "at", "updated", "text", "page"],
        rows: items.map { item in
            [
                .text(item.id), .text(item.app.text), .text(item.kind.rawValue), .flag(item.kind.isAlert),
                .text(item.at.description), .text(item.updated.description), .text(item.text),
                .text(item.path.stem + ".html"),
            ]
        })
}

/// The newest events of all apps, for the feed of the site: what changed last comes first, and what needs attention is not
/// pushed out by what only informs.
package func feedItems(_ digests: [AppSummaryRow]) -> [FeedItem] {
    newest(digests.flatMap(\.feed))
}

/// Those of some items that the feed of a site has room for.
private func newest(_ items: [FeedItem]) -> [FeedItem] {
    FeedPlace.chosen(from: items, limit: FeedItem.siteLimit) {
        FeedPlace($0.kind, changed: $0.updated, id: $0.id)
    }
}

extension AppSummaryRow {
    /// Lets go of the items that the feed of a site has no room for next to those of other apps.
    ///
    /// - Parameter others: the newest items of other apps, which those of this one join.
    package mutating func trimFeed(among others: inout [FeedItem]) {
        others = newest(others + feed)
        let ids = Set(others.map(\.id))
        feed.removeAll { !ids.contains($0.id) }
    }
}

private func isEarlier(_ first: IssueDay, _ second: IssueDay) -> Bool {
    (first.date, first.version ?? "") < (second.date, second.version ?? "")
}

private let ageColumns =
    ["release", "age", "unit"]
    + ["atAge", "atSessions"].flatMap { place in
        ["Sessions", "Crashed", "CrashFree", "CrashFreeLower", "CrashFreeUpper"].map { place + $0 }
    }

extension DataTable {
    /// The table without the columns that hold counts.
    var withoutCounts: DataTable {
        let kept = columns.indices.filter { !countColumns.contains(columns[$0]) }
        return DataTable(
            name, columns: kept.map { columns[$0] }, rows: rows.map { row in kept.map { row[$0] } })
    }
}
