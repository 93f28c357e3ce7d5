package import Templates

/// The overview of one app.
package struct AppPage: TemplateModel {
    package static let modelName = "app"
    package var frame: Frame
    package var name: String
    package var platform: String
    package var verdict: VerdictView
    package var causes: DropBreakdownView?
    package var budget: BudgetView?
    package var tiles: [Figure]
    package var stability: ChartView
    package var quiet: String?
    package var events: [EventEntry]
    package var muted: MutedSection?
    package var issues: [IssueRow]
    package var issuesSpan: String
    package var coverage: String?
    package var covering: String?
    package var releases: [ReleaseRow]
    package var usage: ChartView?
    package var notes: [NoteView]
    package var mutes: [MuteRow]
    package var sources: [SourceRow]
    package var issuesStem: String?
    package var parts: [LinkItem]

    package static let fields: [Field<AppPage>] = [
        .model("frame", "What stands around every page", \.frame),
        .text("name", "The app's name", \.name),
        .text("platform", "Its platform, such as `ios`; may be empty", \.platform),
        .model("verdict", "The verdict on its stability", \.verdict),
        .optional("causes", "Why the rate is down; absent when no Stability Alert is open", \.causes),
        .optional("budget", "The error budget of 28 days; absent without figures", \.budget),
        .list("tiles", "The headline figures", \.tiles),
        .model("stability", "The crash-free rate over 90 days", \.stability),
        .optionalText(
            "quiet", "How much was looked at on the last day; absent when there is something to report",
            \.quiet),
        .list("events", "The newest events, without daily summaries", \.events),
        .optional("muted", "The muted events of the last 28 days; absent when there are none", \.muted),
        .list("issues", "The top issues", \.issues),
        .text("issuesSpan", "What the issues are counted over, such as `on Thu, Nov 19, 2026`", \.issuesSpan),
        .optionalText("coverage", "How much of the affected users the first issue explains", \.coverage),
        .optionalText("covering", "The fewest issues that explain 80% of the crashes counted", \.covering),
        .list("releases", "The newest releases", \.releases),
        .optional("usage", "Active users over 90 days; absent when no source knows them", \.usage),
        .list("notes", "The newest notes", \.notes),
        .list("mutes", "The mutes that stand for the app", \.mutes),
        .flag("hasMutes", "True when there is at least one") { !$0.mutes.isEmpty },
        .list("sources", "Where the figures come from, and what they cannot tell", \.sources),
        .optionalUrl("issuesStem", "The address of the page of all issues, without ending", \.issuesStem),
        .list("parts", "The pages of this app", \.parts),
    ]
}
