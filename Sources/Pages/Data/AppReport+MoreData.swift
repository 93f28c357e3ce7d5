import Analysis
package import AppHealth
import Diagnostics
import Statistics

extension AppReport {
    /// All its events that are told, as feeds carry them, newest first.
    package var items: [FeedItem] { events.map { FeedItem($0, in: self) } }

    /// An issue by day, and by release where the source counts it so; `version` is absent for all releases together.
    package func daysTable(of issue: Issue) -> DataTable {
        let days = (evidence.issueDays[issue.id] ?? []) + (evidence.issueReleaseDays[issue.id] ?? [])
        let rows = days.sorted(by: isEarlier).map { day -> [DataCell] in
            [
                .text(day.date.description), .text(orAbsent: day.version), .count(orAbsent: day.events),
                .count(orAbsent: day.users),
            ]
        }
        return DataTable("issueDays", columns: ["date", "version", "events", "users"], rows: rows)
    }

    /// A release by day.
    package func daysTable(of release: Release) -> DataTable {
        let days = evidence.releaseHealth.filter { $0.key.version == release.version.label }
            .sorted { $0.key.date < $1.key.date }
        let rows = days.map { key, day -> [DataCell] in
            [
                .text(key.date.description), .count(orAbsent: day.sessions),
                .count(orAbsent: day.crashedSessions), .count(orAbsent: day.users),
                .count(orAbsent: day.crashedUsers),
            ] + rateCells(day.crashedSessionShare)
        }
        return DataTable(
            "releaseDays",
            columns: [
                "date", "sessions", "crashedSessions", "users", "crashedUsers", "crashFreeSessions",
                "crashFreeSessionsLower", "crashFreeSessionsUpper",
            ], rows: rows)
    }

    /// The issues that were seen, or seen first, in a release, in the order of the issues page.
    package func issuesTable(of release: Release) -> DataTable {
        let label = release.version.label
        let rows = rankedIssues.compactMap { issue -> [DataCell]? in
            let days = (evidence.issueReleaseDays[issue.id] ?? []).filter { $0.version == label }
            let isNew = issue.firstVersion?.label == label
            guard isNew || !days.isEmpty else { return nil }
            let events = days.compactMap(\.events)
            return [
                .text(issue.id), .text(issue.title), .flag(isNew), .text(issue.state.rawValue),
                .count(orAbsent: events.isEmpty ? nil : events.reduce(0, &+)),
            ]
        }
        return DataTable("releaseIssues", columns: ["id", "title", "isNew", "state", "events"], rows: rows)
    }

    /// A release and those it is compared with, at its age and at its number of sessions.
    package func agesTable(of release: Release) -> DataTable {
        var rows: [[DataCell]] = []
        let judgement = judgement(on: release)
        if let basis = judgement.basis, let comparison = basis.comparison {
            let all =
                [(judgement.label, basis.total, basis.total)]
                + comparison.peers.map { ($0.label, $0.atAge, $0.atSessions) }
            rows = all.map { label, atAge, atSessions in
                [.text(label), .count(basis.age)]
                    + [atAge, atSessions].flatMap { count in
                        [.count(count.total), .count(count.crashed)]
                            + rateCells(Fraction(count.crashed, of: count.total))
                    }
            }
        }
        return DataTable("ages", columns: ageColumns, rows: rows)
    }

    /// The sources as rows: what they are and how they are at the report's instant.
    var sourceCells: [[DataCell]] {
        sources.map { history in
            let warnings: Int? =
                if case .succeeded(let list)? = history.lastAttempt?.outcome { list.count } else { nil }
            return [
                .text(app.id.text), .text(history.source.id.text), .text(history.source.provider),
                .text(state(of: history)), .text(orAbsent: history.capturedAt?.description),
                .count(orAbsent: history.capturedAt.map { max(0, $0.seconds(to: asOf)) }),
                .text(orAbsent: history.lastAttempt?.at.description), .text(history.source.zone),
                .text(orAbsent: history.lastAttempt?.failure?.id), .count(orAbsent: warnings),
            ]
        }
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

/// The newest events of all apps, for the feed of the site: what changed last comes first.
package func feedItems(_ digests: [AppSummaryRow]) -> [FeedItem] {
    Array(digests.flatMap(\.feed).sorted(by: FeedItem.isNewer).prefix(100))
}

private func isEarlier(_ first: IssueDay, _ second: IssueDay) -> Bool {
    (first.date, first.version ?? "") < (second.date, second.version ?? "")
}

private let ageColumns =
    ["release", "age"]
    + ["atAge", "atSessions"].flatMap { place in
        ["Sessions", "Crashed", "CrashFree", "CrashFreeLower", "CrashFreeUpper"].map { place + $0 }
    }
