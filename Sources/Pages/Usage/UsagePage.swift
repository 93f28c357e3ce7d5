package import Templates

/// How much one app is used.
package struct UsagePage: TemplateModel {
    package static let modelName = "usage"
    package var frame: Frame
    package var name: String
    package var tiles: [Figure]
    package var chart: ChartView?
    package var sessions: ChartView?
    package var calendar: ChartView?
    package var rows: [UsageRow]
    package var hidesCounts: Bool
    package var unavailable: String?
    package var parts: [LinkItem]

    package static let fields: [Field<UsagePage>] = [
        .model("frame", "What stands around every page", \.frame),
        .text("name", "The app's name", \.name),
        .list("tiles", "The headline figures", \.tiles),
        .optional("chart", "Active users by day; absent when no source knows them", \.chart),
        .optional("sessions", "Sessions by day; absent when no source knows them", \.sessions),
        .optional(
            "calendar", "The verdict of each day over 26 weeks; absent when there is no rate", \.calendar),
        .list("rows", "The last 28 days, newest first", \.rows),
        .flag("hidesCounts", "True when numbers of users and sessions are left out", \.hidesCounts),
        .optionalText("unavailable", "Why active users are not known, when they are not", \.unavailable),
        .list("parts", "The pages of this app", \.parts),
    ]
}

/// The use of one day.
package struct UsageRow: TemplateModel, Hashable {
    package static let modelName = "usage-row"
    package var date: String
    package var daily: String
    package var weekly: String
    package var monthly: String
    package var new: String
    package var sessions: String
    package var stickiness: String

    package static let fields: [Field<UsageRow>] = [
        .text("date", "The day, such as `2026-11-19`", \.date),
        .text("daily", "Distinct users of the day; `–` when unknown", \.daily),
        .text("weekly", "Distinct users of the seven days to it", \.weekly),
        .text("monthly", "Distinct users of the month to it", \.monthly),
        .text("new", "Users seen for the first time", \.new),
        .text("sessions", "Sessions", \.sessions),
        .text("stickiness", "Daily of monthly users, such as `17.2%`", \.stickiness),
    ]
}
