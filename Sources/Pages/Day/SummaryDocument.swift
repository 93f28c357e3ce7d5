package import Templates

/// The daily Top Issues Summary, or the summary of a release: Markdown to paste.
package struct SummaryDocument: TemplateModel {
    package static let modelName = "summary"
    package var title: String
    package var verdict: VerdictView
    package var isDemo: Bool
    package var sentences: [String]
    package var issuesHeading: String
    package var shareHeading: String
    package var issues: [IssueRow]
    package var folded: [FoldedGroup]
    package var muted: [MutedEntry]
    package var foldedTitle: String
    package var notes: [NoteView]
    package var freshness: String
    package var pageStem: String?
    package var methodsStem: String?

    package static let fields: [Field<SummaryDocument>] = [
        .text("title", "`Sketchbook — Thu, Nov 19, 2026 (UTC)`", \.title),
        .model("verdict", "The verdict", \.verdict),
        .flag("isDemo", "True when the figures are invented", \.isDemo),
        .texts("sentences", "The first lines, readable alone", \.sentences),
        .text("issuesHeading", "What the issues are", \.issuesHeading),
        .text("shareHeading", "What the shares are shares of, such as `Share of 4.2.1`", \.shareHeading),
        .list("issues", "The top issues", \.issues),
        .flag("hasIssues", "True when there is at least one issue") { !$0.issues.isEmpty },
        .flag("hasFolded", "True when there is a folded part") {
            !$0.folded.isEmpty || !$0.muted.isEmpty
        },
        .text("foldedTitle", "What the folded part holds, such as `Regressed (1) · New (2)`", \.foldedTitle),
        .list("folded", "Groups of issues for a folded part", \.folded),
        .list("muted", "The muted events of the day, for the folded part", \.muted),
        .list("notes", "The notes on the day or the release", \.notes),
        .flag("hasNotes", "True when there is at least one") { !$0.notes.isEmpty },
        .text("freshness", "How fresh and whole the figures are", \.freshness),
        .optionalUrl("pageStem", "The address of the page without ending", \.pageStem),
        .optionalUrl("methodsStem", "The address of the methods page without ending", \.methodsStem),
    ]
}

/// A named group of issues in a folded part.
package struct FoldedGroup: TemplateModel {
    package static let modelName = "folded-group"
    package var title: String
    package var issues: [IssueRow]

    package static let fields: [Field<FoldedGroup>] = [
        .text("title", "Its name, such as `Regressed`", \.title),
        .list("issues", "Its issues", \.issues),
    ]
}
