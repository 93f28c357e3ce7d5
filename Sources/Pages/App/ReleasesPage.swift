package import Templates

/// All releases of one app.
package struct ReleasesPage: TemplateModel {
    package static let modelName = "releases"
    package var frame: Frame
    package var name: String
    package var sentence: String
    package var releases: [ReleaseRow]
    package var ages: ChartView?
    package var adoption: ChartView?
    package var unavailable: String?
    package var parts: [LinkItem]

    package static let fields: [Field<ReleasesPage>] = [
        .model("frame", "What stands around every page", \.frame),
        .text("name", "The app's name", \.name),
        .text("sentence", "How many releases there are and which is newest", \.sentence),
        .list("releases", "The releases, newest first", \.releases),
        .optional(
            "ages", "The newest releases at the same age; absent when no source counts releases by day",
            \.ages),
        .optional(
            "adoption", "The shares of the releases by day; absent when no source counts releases by day",
            \.adoption),
        .optionalText("unavailable", "Why there is no list, when there is none", \.unavailable),
        .list("parts", "The pages of this app", \.parts),
    ]
}

/// One release of one app.
package struct ReleasePage: TemplateModel {
    package static let modelName = "release"
    package var frame: Frame
    package var app: String
    package var version: String
    package var released: String
    package var rollout: VerdictView
    package var agesSpan: String?
    package var ages: [AgeRow]
    package var comparisons: [LinkItem]
    package var stage: String?
    package var stageShare: String?
    package var verdict: VerdictView
    package var tiles: [Figure]
    package var stability: ChartView?
    package var newIssues: [IssueRow]
    package var regressedIssues: [IssueRow]
    package var topIssues: [IssueRow]
    package var issuesUnavailable: String?
    package var notes: [NoteView]
    package var copyBlock: [String]
    package var summaryStem: String?
    package var parts: [LinkItem]

    package static let fields: [Field<ReleasePage>] = [
        .model("frame", "What stands around every page", \.frame),
        .text("app", "The app's name", \.app),
        .text("version", "The release's label and build, such as `4.2.1 (370)`", \.version),
        .text("released", "When it was released, such as `Tue, Oct 13, 2026`; `–` when unknown", \.released),
        .model("rollout", "The verdict on rolling it out further: `go`, `hold`, `roll back` …", \.rollout),
        .optionalText(
            "agesSpan", "What the rows of `ages` are counted over; absent without anything to compare",
            \.agesSpan),
        .list(
            "ages", "It beside the last three releases at the same age and at the same number of sessions",
            \.ages),
        .list(
            "comparisons", "The pages that show it beside another release, with the label of that one",
            \.comparisons),
        .flag("hasComparisons", "True when there is at least one") { !$0.comparisons.isEmpty },
        .optionalText("stage", "`adopted`, `replaced` or `low`; absent when no share is known", \.stage),
        .optionalText(
            "stageShare",
            "The share behind the stage, such as `41.2% of users (40.8–41.6) on Thu, Nov 19, 2026`",
            \.stageShare),
        .model("verdict", "The verdict on its life against the levels", \.verdict),
        .list("tiles", "The headline figures", \.tiles),
        .optional(
            "stability", "Its crash-free sessions by day; absent when no source knows them", \.stability),
        .list("newIssues", "Issues first seen in it", \.newIssues),
        .list("regressedIssues", "Issues that were fixed and came back in it", \.regressedIssues),
        .list("topIssues", "The issues with the most events in it", \.topIssues),
        .optionalText(
            "issuesUnavailable", "Why issues cannot be told for a release, when they cannot",
            \.issuesUnavailable),
        .list("notes", "Notes about it", \.notes),
        .texts("copyBlock", "Lines to paste into release notes", \.copyBlock),
        .optionalUrl(
            "summaryStem", "The address of its summary for release notes, without ending", \.summaryStem),
        .list("parts", "The pages of this app", \.parts),
    ]
}
