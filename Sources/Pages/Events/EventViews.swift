package import Templates

/// What hurt most on a day.
package struct TopIssuesSummaryView: TemplateModel {
    package static let modelName = "top-issues-summary"
    package var sentence: String
    package var coverage: String?
    package var issues: [IssueRow]
    package var dayStem: String?

    package static let fields: [Field<TopIssuesSummaryView>] = [
        .text(
            "sentence", "`76.3% of your users were affected by 1 issue on Wednesday, Jan 27 UTC.`", \.sentence
        ),
        .optionalText(
            "coverage", "The share of the affected users that the first issue accounts for", \.coverage),
        .list("issues", "The issues of the day, most users first", \.issues),
        .optionalUrl("dayStem", "The address of the day's page without ending", \.dayStem),
    ]
}

/// An issue that was seen for the first time.
package struct NewIssueView: TemplateModel {
    package static let modelName = "new-issue"
    package var sentence: String
    package var title: String
    package var stem: String?

    package static let fields: [Field<NewIssueView>] = [
        .text("sentence", "`New issue detected in Atomic.swift line 54.`", \.sentence),
        .text("title", "The issue's headline", \.title),
        .optionalUrl("stem", "The address of the issue's page without ending", \.stem),
    ]
}

/// A note of the team.
package struct NewNoteView: TemplateModel {
    package static let modelName = "new-note"
    package var sentence: String
    package var note: NoteView?

    package static let fields: [Field<NewNoteView>] = [
        .text("sentence", "`Josh added a note to an issue in Atomic.swift line 54.`", \.sentence),
        .optional("note", "The note; absent on a page that shows it among its notes", \.note),
    ]
}

/// A fixed issue that came back.
package struct RegressedIssueView: TemplateModel {
    package static let modelName = "regressed-issue"
    package var sentence: String
    package var title: String
    package var stem: String?

    package static let fields: [Field<RegressedIssueView>] = [
        .text(
            "sentence", "`An issue in … regressed: fixed in 4.2.2 (376), seen in 4.3.0 (391).`", \.sentence),
        .text("title", "The issue's headline", \.title),
        .optionalUrl("stem", "The address of the issue's page without ending", \.stem),
    ]
}

/// The end of a drop.
package struct RecoveryView: TemplateModel {
    package static let modelName = "recovery"
    package var sentence: String
    package var facts: [FactRow]
    package var dayStem: String?

    package static let fields: [Field<RecoveryView>] = [
        .text("sentence", "`Crash free users recovered to 99.38% after 9 days.`", \.sentence),
        .list("facts", "What is behind it: observed, before the drop, duration", \.facts),
        .optionalUrl("dayStem", "The address of the day's page without ending", \.dayStem),
    ]
}

/// A source that could not be fetched, or brought no newer day.
package struct SourceFailureView: TemplateModel {
    package static let modelName = "source-trouble"
    package var sentence: String
    package var why: DiagnosticView
    package var sourcesStem: String?

    package static let fields: [Field<SourceFailureView>] = [
        .text(
            "sentence", "`Couldn't fetch 'files'. Last good data: Thu, Nov 19, 2026.`", \.sentence),
        .model("why", "Why it failed", \.why),
        .optionalUrl("sourcesStem", "The address of the page of data sources without ending", \.sourcesStem),
    ]
}
