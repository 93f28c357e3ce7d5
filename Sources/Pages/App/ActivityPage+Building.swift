import Analysis
package import AppHealth
import Formatting

extension ActivityPage {
    /// How many of the newest days the first page shows.
    package static let newestDays = 14

    /// What happened to an app lately, and the way to all weeks.
    ///
    /// - Parameter newest: how many of the newest days to show.
    package init(_ report: AppReport, newest: Int = newestDays, site: SiteFacts) {
        let all = report.activeDays
        let shown = Array(all.prefix(newest))
        let span =
            shown.count < all.count
            ? "The newest \(shown.count) of \(all.count) days on which something happened; the others by week."
            : "All days on which something happened."
        self.init(
            report, shown, at: .part(.activity, of: report.app.id), title: "\(report.app.name): activity",
            span: span, hasData: true, site: site)
        self.leftOut = report.leftOutLines
    }

    /// What happened to an app in a week; its address stays.
    package init(_ week: CivilWeek, _ report: AppReport, site: SiteFacts) {
        let path = SitePath.activity(week, of: report.app.id)
        let name = "Week \(week.number) of \(week.year)"
        self.init(
            report, report.activeDays.filter { CivilWeek(of: $0) == week }, at: path,
            title: "\(report.app.name): \(name)",
            span: "\(spanText(week.first, week.last)).",
            hasData: false, site: site)
        self.week = name
        let (links, weeks) = (site.links(from: path), report.activeWeeks)
        let place = weeks.firstIndex(of: week) ?? 0
        func stem(_ place: Int) -> String? {
            weeks.indices.contains(place)
                ? links.stem(to: .activity(weeks[place], of: report.app.id)) : nil
        }
        (nextStem, previousStem) = (stem(place - 1), stem(place + 1))
    }

    private init(
        _ report: AppReport, _ shown: [CivilDate], at path: SitePath, title: String, span: String,
        hasData: Bool,
        site: SiteFacts
    ) {
        let app = report.app
        let links = site.links(from: path)
        let part = SitePath.part(.activity, of: app.id)
        self.frame = Frame(
            path, title: title, summary: "Alerts, summaries, issues and notes of \(app.name)",
            freshness: report.freshness,
            crumbs: [("Apps", .portfolio), (app.name, .app(app.id))]
                + (path == part ? [] : [("Activity", part)]),
            hasData: hasData, site: site)
        self.name = app.name
        self.span = span
        self.weeks = report.activeWeeks.map { week in
            let target = SitePath.activity(week, of: app.id)
            return LinkItem(
                title: "\(week)", stem: links.stem(to: target), isCurrent: target == path)
        }
        let byDay = Dictionary(grouping: report.events, by: \.occasion.day)
        self.days = shown.map { report.activity(of: $0, byDay[$0] ?? [], links) }
        self.leftOut = []
        self.parts = partLinks(of: app, from: path, links)
    }
}

extension AppReport {
    /// The days on which something happened, was muted or was left out, newest first.
    var activeDays: [CivilDate] {
        let cut = index.leftOutByDay.keys.filter { !cutLines(of: $0).isEmpty }
        return Set(events.map(\.occasion.day)).union(index.mutedByDay.keys).union(cut).sorted(by: >)
    }

    /// The weeks of those days, newest first.
    package var activeWeeks: [CivilWeek] { Set(activeDays.map { CivilWeek(of: $0) }).sorted(by: >) }

    fileprivate func activity(of day: CivilDate, _ events: [Event], _ links: Links) -> ActivityDay {
        ActivityDay(
            date: day.description, dateText: day.compactText, entries: entries(events, links),
            muted: fold(index.mutedByDay[day] ?? [], links), leftOut: cutLines(of: day))
    }
}
