package import Analysis
package import AppHealth
import Formatting
package import Templates

/// What happened to one app, newest first: lately, or in one week.
package struct ActivityPage: TemplateModel {
    package static let modelName = "activity"
    package var frame: Frame
    package var name: String
    package var week: String?
    package var span: String
    package var nextStem: String?
    package var previousStem: String?
    package var weeks: [LinkItem]
    package var days: [ActivityDay]
    package var hidden: [String]
    package var parts: [LinkItem]

    package static let fields: [Field<ActivityPage>] = [
        .model("frame", "What is around every page", \.frame),
        .text("name", "The app's name", \.name),
        .optionalText(
            "week", "The week, such as `Week 47 of 2026`; absent on the page of the newest days", \.week),
        .text(
            "span",
            "The days that it shows, such as `Latest 14 of 120 days with activity. Older ones by week.`",
            \.span),
        .optionalUrl(
            "nextStem", "The address of the week after, without ending; absent on the newest one", \.nextStem),
        .optionalUrl(
            "previousStem", "The address of the week before, without ending; absent on the first one",
            \.previousStem),
        .list("weeks", "The pages of all weeks, newest first", \.weeks),
        .list("days", "The days with events, newest first", \.days),
        .texts(
            "hidden",
            "What the settings hide on all days, such as `12 New Notes hidden (turned off)`",
            \.hidden),
        .list("parts", "The pages of this app", \.parts),
    ]
}

/// The events that could be known on one day.
package struct ActivityDay: TemplateModel {
    package static let modelName = "activity-day"
    package var date: String
    package var dateText: String
    package var entries: [EventEntry]
    package var muted: MutedSection?
    package var hidden: [String]

    package static let fields: [Field<ActivityDay>] = [
        .text("date", "The day, such as `2026-11-19`", \.date),
        .text("dateText", "The day, such as `Thu, Nov 19, 2026`", \.dateText),
        .list("entries", "Its events, newest first", \.entries),
        .optional("muted", "Its muted events; absent when there are none", \.muted),
        .texts(
            "hidden", "What is hidden of the day, such as `3 more New Issues hidden (limit 5 a day)`",
            \.hidden),
    ]
}

extension ActivityPage {
    /// How many of the newest days the first page shows.
    package static let newestDays = 14

    /// What happened to an app lately, and the way to all weeks.
    ///
    /// - Parameter newest: how many of the newest days to show.
    package init(_ analysis: AppAnalysis, newest: Int = newestDays, site: SiteFacts) {
        let all = analysis.activity.days
        let shown = Array(all.prefix(newest))
        let span =
            shown.count < all.count
            ? "Latest \(shown.count) of \(all.count) days with activity. Older ones by week."
            : "All days with activity."
        self.init(
            analysis, shown, at: .part(.activity, of: analysis.facts.app.id),
            title: "\(analysis.facts.app.name): activity",
            span: span, hasData: true, site: site)
        self.hidden = hiddenLines(analysis.activity.activity)
    }

    /// What happened to an app in a week; its address stays.
    package init(_ week: CivilWeek, _ analysis: AppAnalysis, site: SiteFacts) {
        let app = analysis.facts.app
        let path = SitePath.activity(week, of: app.id)
        let name = "Week \(week.number) of \(week.year)"
        self.init(
            analysis, analysis.activity.days.filter { CivilWeek(of: $0) == week }, at: path,
            title: "\(app.name): \(name)",
            span: "\(spanText(week.first, week.last)).",
            hasData: false, site: site)
        self.week = name
        let (links, weeks) = (site.links(from: path), analysis.activity.weeks)
        let place = weeks.firstIndex(of: week) ?? 0
        func stem(_ place: Int) -> String? {
            weeks.indices.contains(place)
                ? links.stem(to: .activity(weeks[place], of: app.id)) : nil
        }
        (nextStem, previousStem) = (stem(place - 1), stem(place + 1))
    }

    private init(
        _ analysis: AppAnalysis, _ shown: [CivilDate], at path: SitePath, title: String, span: String,
        hasData: Bool, site: SiteFacts
    ) {
        let (app, activity) = (analysis.facts.app, analysis.activity)
        let scope = AppScope(analysis.facts, at: path, of: site)
        let part = SitePath.part(.activity, of: app.id)
        self.frame = Frame(
            path, title: title, summary: "Alerts, summaries, issues and notes of \(app.name)",
            freshness: analysis.facts.freshness.sentence,
            crumbs: [("Apps", .portfolio), (app.name, .app(app.id))]
                + (path == part ? [] : [("Activity", part)]),
            hasData: hasData, site: site)
        self.name = app.name
        self.span = span
        self.weeks = activity.weeks.map { week in
            let target = SitePath.activity(week, of: app.id)
            return LinkItem(
                title: "\(week)", stem: scope.links.stem(to: target), isCurrent: target == path)
        }
        let byDay = Dictionary(grouping: activity.events, by: \.occasion.day)
        self.days = shown.map { ActivityDay($0, byDay[$0] ?? [], of: analysis, in: scope) }
        self.hidden = []
        self.parts = partLinks(of: app, from: path, scope.links)
    }
}

extension ActivityDay {
    fileprivate init(
        _ day: CivilDate, _ events: [Event], of analysis: AppAnalysis, in scope: AppScope
    ) {
        self.init(
            date: day.description, dateText: day.compactText,
            entries: events.map { EventEntry($0, of: analysis, in: scope) },
            muted: MutedSection(analysis.activity.mutedByDay[day] ?? [], in: scope),
            hidden: analysis.activity.cut(on: day).map(\.sentence))
    }
}
