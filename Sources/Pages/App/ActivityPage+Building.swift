import Alerts
import AppHealth

extension ActivityPage {
    /// Everything that happened to an app.
    package init(_ report: AppReport, site: SiteFacts) {
        let path = SitePath.part(.activity, of: report.app.id)
        let links = site.links(from: path)
        self.frame = Frame(
            path, title: "\(report.app.name): activity",
            summary: "Alerts, summaries, issues and notes of \(report.app.name)",
            freshness: report.freshness,
            crumbs: [("Apps", .portfolio), (report.app.name, .app(report.app.id))],
            hasData: true, site: site)
        self.name = report.app.name
        let byDay = Dictionary(grouping: report.events, by: \.occasion.day)
        let cut = report.index.leftOutByDay.keys.filter { !report.cutLines(of: $0).isEmpty }
        self.days = Set(byDay.keys).union(report.index.mutedByDay.keys).union(cut).sorted(by: >).map { day in
            ActivityDay(
                date: day.description, dateText: day.compactText,
                entries: report.entries(byDay[day] ?? [], links),
                muted: report.fold(report.index.mutedByDay[day] ?? [], links),
                leftOut: report.cutLines(of: day))
        }
        self.leftOut = report.leftOutLines
        self.parts = partLinks(of: report.app, from: path, links)
    }
}
