import Analysis
import AppHealth
import Estimates
import Formatting

extension WeekPage {
    /// The numbers of the page of a week, for programs.
    package static func data(_ inputs: WeekPageInputs, site: SiteFacts) -> DataDocument {
        DataDocument(
            title: "\(site.title), \(inputs.week)", capturedAt: inputs.capturedAt, site: site,
            tables: [appsTable(inputs.apps, site), releasesTable(inputs.apps)])
    }
}

private func appsTable(_ apps: [AppWeek], _ site: SiteFacts) -> DataTable {
    DataTable(
        "weekApps",
        columns: [
            "id", "name", "verdict", "basis", "countedDays", "crashFree", "crashFreeLower", "crashFreeUpper",
            "change", "changeLower", "changeUpper", "mover", "moverTitle", "opened", "closed", "budget",
            "events", "eventsBefore", "crashed", "of",
        ],
        rows: apps.map { app in
            let (facts, week) = (app.facts, app.week)
            let rate: [DataCell] =
                week.crashed.flatMap { crashed in
                    week.interval.map { [.rate(crashed.complement.value), .rate($0.lower), .rate($0.upper)] }
                } ?? [.absent, .absent, .absent]
            let change =
                week.change.map {
                    differenceCells($0.value, $0.interval)
                } ?? [.absent, .absent, .absent]
            let head: [DataCell] = [
                .text(facts.app.id.text), .text(facts.app.name),
                .text(VerdictView(week.verdict, why: "").name),
                .text(facts.basis.rawValue), .count(week.countedDays),
            ]
            return head + rate + change + [
                .text(orAbsent: week.mover?.id), .text(orAbsent: week.mover?.title),
                .count(week.opened), .count(week.closed),
                .text(orAbsent: week.budget?.shareText(counts: site.audience.counts)),
                .count(orAbsent: week.mover?.events), .count(orAbsent: week.mover?.eventsBefore),
                .count(orAbsent: week.crashed?.numerator), .count(orAbsent: week.crashed?.denominator),
            ]
        })
}

private func releasesTable(_ apps: [AppWeek]) -> DataTable {
    DataTable(
        "weekReleases", columns: ["app", "release", "isNew", "verdict"],
        rows: apps.flatMap { app in
            app.week.releases.map { release in
                [
                    .text(app.facts.app.id.text), .text(release.label), .flag(release.isNew),
                    .text(orAbsent: release.verdict?.name),
                ]
            }
        })
}
