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
    package var leftOut: [String]
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
    package var date: String
    package var dateText: String
    package var entries: [EventEntry]
    package var muted: MutedSection?
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
