package import Analysis
import AppHealth
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
    package var lastDay: LinkItem?
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
        .optional(
            "lastDay",
            "The page of the last day, from which each leads to the day before; absent on pages of weeks",
            \.lastDay),
        .list(
            "weeks",
            "The pages of all weeks, newest first; none on the page of a week, which they would change",
            \.weeks),
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
    package init(
        newest days: [DayActivity], of activity: ActivitySection, _ facts: AppFacts, site: SiteFacts
    ) {
        let all = activity.days.count
        let span =
            days.count < all
            ? "Latest \(days.count) of \(all) days with activity. Older ones by week."
            : "All days with activity."
        self.init(
            days, activity.weeks, facts, at: .part(.activity, of: facts.app.id),
            freshness: facts.freshnessSentence, title: "\(facts.app.name): activity", span: span, site: site)
        self.frame.hasData = true
        self.hidden = hiddenLines(activity.activity)
        self.lastDay = facts.days.last.map { day in
            let links = site.links(from: .part(.activity, of: facts.app.id))
            return LinkItem(
                title: day.compactText, stem: links.stem(to: .day(day, of: facts.app.id)), isCurrent: false)
        }
    }

    /// What happened to an app in a week; its address stays.
    package init(_ inputs: WeekInputs, site: SiteFacts) {
        let (week, days, weeks, facts) = (inputs.week, inputs.days, inputs.weeks, inputs.facts)
        let app = facts.app
        let path = SitePath.activity(week, of: app.id)
        let name = "Week \(week.number) of \(week.year)"
        self.init(
            days, [], facts, at: path, freshness: captureSentence(days.compactMap(\.capturedAt).max()),
            title: "\(app.name): \(name)", span: "\(spanText(week.first, week.last)).", site: site)
        self.week = name
        let links = site.links(from: path)
        let place = weeks.firstIndex(of: week) ?? 0
        func stem(_ place: Int) -> String? {
            weeks.indices.contains(place)
                ? links.stem(to: .activity(weeks[place], of: app.id)) : nil
        }
        (nextStem, previousStem) = (stem(place - 1), stem(place + 1))
    }

    private init(
        _ days: [DayActivity], _ weeks: [CivilWeek], _ facts: AppFacts, at path: SitePath,
        freshness: String, title: String, span: String, site: SiteFacts
    ) {
        let app = facts.app
        let scope = AppScope(facts, at: path, of: site)
        let part = SitePath.part(.activity, of: app.id)
        self.frame = Frame(
            path, title: title, summary: "Alerts, summaries, issues and notes of \(app.name)",
            freshness: freshness,
            crumbs: app.way
                + (path == part ? [] : [("Activity", part)]),
            hasData: false, site: site)
        self.name = app.name
        self.span = span
        self.lastDay = nil
        self.weeks = weeks.map { week in
            let target = SitePath.activity(week, of: app.id)
            return LinkItem(
                title: "\(week)", stem: scope.links.stem(to: target), isCurrent: target == path)
        }
        self.days = days.map { ActivityDay($0, in: scope) }
        self.hidden = []
        self.parts = partLinks(of: app, from: path, scope.links)
    }
}

extension ActivityDay {
    fileprivate init(_ activity: DayActivity, in scope: AppScope) {
        self.init(
            date: activity.day.description, dateText: activity.day.compactText,
            entries: activity.events.map { EventEntry($0, in: scope) },
            muted: MutedSection(activity.muted, in: scope), hidden: activity.cut.map(\.sentence))
    }
}
