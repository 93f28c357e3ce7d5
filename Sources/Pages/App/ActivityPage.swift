package import Templates

/// What happened to one app, newest first: lately, or in one week.
package struct ActivityPage: TemplateModel {
    package static let modelName = "activity"
    /// What stands around every page.
    package var frame: Frame
    /// The app's name.
    package var name: String
    /// The week, such as `Week 47 of 2026`; absent on the page of the newest days.
    package var week: String?
    /// The days that it shows, such as `The newest 14 of 120 days on which something happened`.
    package var span: String
    /// The address of the week after, without ending; absent on the newest one.
    package var nextStem: String?
    /// The address of the week before, without ending; absent on the first one.
    package var previousStem: String?
    /// The pages of all weeks, newest first.
    package var weeks: [LinkItem]
    /// The days with events, newest first.
    package var days: [ActivityDay]
    /// What the settings leave out of all days, such as `12 New Notes not shown, turned off`.
    package var leftOut: [String]
    /// The pages of this app.
    package var parts: [LinkItem]

    package static let fields: [Field<ActivityPage>] = [
        .model("frame", "What stands around every page", \.frame),
        .text("name", "The app's name", \.name),
        .optionalText(
            "week", "The week, such as `Week 47 of 2026`; absent on the page of the newest days", \.week),
        .text(
            "span", "The days that it shows, such as `The newest 14 of 120 days on which something happened`",
            \.span),
        .optionalUrl(
            "nextStem", "The address of the week after, without ending; absent on the newest one", \.nextStem),
        .optionalUrl(
            "previousStem", "The address of the week before, without ending; absent on the first one",
            \.previousStem),
        .list("weeks", "The pages of all weeks, newest first", \.weeks),
        .list("days", "The days with events, newest first", \.days),
        .texts(
            "leftOut",
            "What the settings leave out of all days, such as `12 New Notes not shown, turned off`",
            \.leftOut),
        .list("parts", "The pages of this app", \.parts),
    ]
}

/// The events that could be known on one day.
package struct ActivityDay: TemplateModel {
    package static let modelName = "activity-day"
    /// The day, such as `2026-11-19`.
    package var date: String
    /// The day, such as `Thu, Nov 19, 2026`.
    package var dateText: String
    /// Its events, newest first.
    package var entries: [EventEntry]
    /// Its muted events; absent when there are none.
    package var muted: MutedSection?
    /// What was left out of the day, such as `3 more New Issues not shown, limit 5 a day`.
    package var leftOut: [String]

    package static let fields: [Field<ActivityDay>] = [
        .text("date", "The day, such as `2026-11-19`", \.date),
        .text("dateText", "The day, such as `Thu, Nov 19, 2026`", \.dateText),
        .list("entries", "Its events, newest first", \.entries),
        .optional("muted", "Its muted events; absent when there are none", \.muted),
        .texts(
            "leftOut", "What was left out of the day, such as `3 more New Issues not shown, limit 5 a day`",
            \.leftOut),
    ]
}
