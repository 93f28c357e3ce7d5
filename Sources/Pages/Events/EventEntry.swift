package import Templates

/// An event as one entry of a feed; the partial with its view's name shows it.
package struct EventEntry: TemplateModel {
    package static let modelName = "event-entry"
    package var anchor: String
    package var stayStem: String?
    package var kind: String
    package var isAlert: Bool
    package var date: String
    package var dateText: String
    package var time: String
    package var app: String
    package var appStem: String?
    package var view: any TemplateModel

    /// The models that can be a view, in the order of the kinds.
    package static let views: [any TemplateModel.Type] = [
        StabilityAlertView.self, IssueVelocityAlertView.self, UsageAnomalyView.self,
        TopIssuesSummaryView.self, NewIssueView.self, NewNoteView.self, RegressedIssueView.self,
        RecoveryView.self, SourceTroubleView.self, ReleaseVerdictView.self,
        WithdrawnAlertView.self,
    ]

    package static let fields: [Field<EventEntry>] = [
        .text("anchor", "A permanent name for an anchor", \.anchor),
        .optionalUrl(
            "stayStem",
            "The address of the page of its week, where it stays under its anchor, without ending; absent in a "
                + "single file", \.stayStem),
        .text("kind", "The kind of event, such as `Stability Alert`", \.kind),
        .flag("isAlert", "True when it asks for attention", \.isAlert),
        .text("date", "The day it is about, such as `2026-11-19`", \.date),
        .text("dateText", "The day it is about, such as `Thu, Nov 19, 2026`", \.dateText),
        .text(
            "time",
            "The time at which it could be known, such as `14:07`, or `24:00` for the end of its day, in UTC",
            \.time),
        .text("app", "The app's name", \.app),
        .optionalUrl("appStem", "The address of the app's page without ending", \.appStem),
        .view("view", "What it tells: `{{>*view}}` picks the partial with its name", of: views, \.view),
    ]
}
