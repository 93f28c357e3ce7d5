package import Templates

/// Everything that happened to one app, newest first.
package struct ActivityPage: TemplateModel {
    package static let modelName = "activity"
    package var frame: Frame
    package var name: String
    package var days: [ActivityDay]
    package var parts: [LinkItem]

    package static let fields: [Field<ActivityPage>] = [
        .model("frame", "What stands around every page", \.frame),
        .text("name", "The app's name", \.name),
        .list("days", "The days with events, newest first", \.days),
        .list("parts", "The pages of this app", \.parts),
    ]
}

/// The events that could be known on one day.
package struct ActivityDay: TemplateModel {
    package static let modelName = "activity-day"
    package var date: String
    package var dateText: String
    package var entries: [EventEntry]

    package static let fields: [Field<ActivityDay>] = [
        .text("date", "The day, such as `2026-11-19`", \.date),
        .text("dateText", "The day, such as `Thu 19 Nov 2026`", \.dateText),
        .list("entries", "Its events, newest first", \.entries),
    ]
}
