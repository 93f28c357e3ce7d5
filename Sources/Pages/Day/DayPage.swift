package import Templates

/// One day of one app: as reported at the time and as known now.
package struct DayPage: TemplateModel {
    package static let modelName = "day"
    package var frame: Frame
    package var app: String
    package var date: String
    package var dateText: String
    package var isProvisional: Bool
    package var provisional: String?
    package var verdict: VerdictView
    package var causes: DropBreakdownView?
    package var sentence: String
    package var coverage: String?
    package var covering: String?
    package var quiet: String?
    package var issues: [IssueRow]
    package var issuesUnavailable: String?
    package var events: [EventEntry]
    package var muted: MutedSection?
    package var leftOut: [String]
    package var notes: [NoteView]
    package var revisions: [RevisionRow]
    package var previousStem: String?
    package var nextStem: String?
    package var summaryStem: String
    package var parts: [LinkItem]

    package static let fields: [Field<DayPage>] = [
        .model("frame", "What stands around every page", \.frame),
        .text("app", "The app's name", \.app),
        .text("date", "The day, such as `2026-11-19`", \.date),
        .text("dateText", "The day, such as `Thu, Nov 19, 2026`", \.dateText),
        .flag("isProvisional", "True when late reports may still change its figures", \.isProvisional),
        .optionalText("provisional", "Why they may, such as `one snapshot so far`", \.provisional),
        .model("verdict", "The verdict on the day", \.verdict),
        .optional(
            "causes", "Why the rate is down; absent when no Stability Alert is open on the day", \.causes),
        .text("sentence", "The day's Top Issues Summary in one sentence", \.sentence),
        .optionalText("coverage", "How much of the affected users the first issue explains", \.coverage),
        .optionalText("covering", "The fewest issues that explain 80% of the day's crashes", \.covering),
        .optionalText("quiet", "How much was looked at; absent when there is something to report", \.quiet),
        .list("issues", "The issues of the day, most users first", \.issues),
        .optionalText(
            "issuesUnavailable", "Why there are no issues by day, when there are none", \.issuesUnavailable),
        .list("events", "What happened on the day", \.events),
        .optional("muted", "What was muted of the day; absent when nothing was", \.muted),
        .texts(
            "leftOut", "What was left out of the day, such as `3 more New Issues not shown, limit 5 a day`",
            \.leftOut),
        .list("notes", "The notes on the day", \.notes),
        .flag("hasNotes", "True when there is at least one") { !$0.notes.isEmpty },
        .list("revisions", "Each figure as reported then and as known now", \.revisions),
        .optionalUrl("previousStem", "The address of the day before without ending", \.previousStem),
        .optionalUrl("nextStem", "The address of the day after without ending", \.nextStem),
        .url("summaryStem", "The address of the day's summary, without ending", \.summaryStem),
        .list("parts", "The pages of this app", \.parts),
    ]
}

/// One figure of a day: as first reported and as known now.
package struct RevisionRow: TemplateModel, Hashable {
    package static let modelName = "revision"
    package var label: String
    package var reported: String
    package var known: String
    package var change: String

    package static let fields: [Field<RevisionRow>] = [
        .text("label", "What is counted, such as `Sessions`", \.label),
        .text("reported", "As first reported; `–` when it was not", \.reported),
        .text("known", "As known now; `–` when it is not", \.known),
        .text("change", "The difference, such as `+1,204`; `=` when none", \.change),
    ]
}
