package import Templates

/// One issue.
package struct IssuePage: TemplateModel {
    package static let modelName = "issue"
    /// What stands around every page.
    package var frame: Frame
    /// The app's name.
    package var app: String
    /// The issue's headline.
    package var title: String
    /// Its place in the code, such as `Atomic.swift:54`.
    package var place: String?
    /// The whole path of its file.
    package var file: String?
    /// `crash`, `hang` or `error`.
    package var kind: String
    /// `open`, `closed` or `muted`.
    package var state: String
    /// Words that mark it, such as `regressed`.
    package var signals: [String]
    /// What is known of it: first seen, versions, counts.
    package var facts: [FactRow]
    /// Its events by day; absent when the source has no days.
    package var chart: ChartView?
    /// Its counts in each release over the last 28 days.
    package var releases: [IssueReleaseRow]
    /// What happened to it.
    package var events: [EventEntry]
    /// What of it is muted; absent when nothing is.
    package var muted: MutedSection?
    /// Notes about it, newest first.
    package var notes: [NoteView]
    /// Its page at the source.
    package var url: String?
    /// The pages of this app.
    package var parts: [LinkItem]

    package static let fields: [Field<IssuePage>] = [
        .model("frame", "What stands around every page", \.frame),
        .text("app", "The app's name", \.app),
        .text("title", "The issue's headline", \.title),
        .optionalText("place", "Its place in the code, such as `Atomic.swift:54`", \.place),
        .optionalText("file", "The whole path of its file", \.file),
        .text("kind", "`crash`, `hang` or `error`", \.kind),
        .text("state", "`open`, `closed` or `muted`", \.state),
        .texts("signals", "Words that mark it, such as `regressed`", \.signals),
        .list("facts", "What is known of it: first seen, versions, counts", \.facts),
        .optional("chart", "Its events by day; absent when the source has no days", \.chart),
        .list("releases", "Its counts in each release over the last 28 days", \.releases),
        .list("events", "What happened to it", \.events),
        .optional("muted", "What of it is muted; absent when nothing is", \.muted),
        .list("notes", "Notes about it, newest first", \.notes),
        .optionalUrl("url", "Its page at the source", \.url),
        .list("parts", "The pages of this app", \.parts),
    ]
}

/// A name and a value.
package struct FactRow: TemplateModel, Hashable {
    package static let modelName = "fact"
    /// What it is, such as `First seen`.
    package var name: String
    /// Its value, such as `Wed, Oct 14, 2026`; `not known` when the source does not say.
    package var value: String

    package static let fields: [Field<FactRow>] = [
        .text("name", "What it is, such as `First seen`", \.name),
        .text(
            "value", "Its value, such as `Wed, Oct 14, 2026`; `not known` when the source does not say",
            \.value
        ),
    ]
}

/// What one issue did in one release.
package struct IssueReleaseRow: TemplateModel {
    package static let modelName = "issue-release"
    /// The release's label.
    package var version: String
    /// The address of the release's page without ending.
    package var stem: String?
    /// Its events in the release, such as `1,204`.
    package var events: String
    /// Events of the release's sessions on the same days, such as `0.84%`; `–` when unknown.
    package var share: String

    package static let fields: [Field<IssueReleaseRow>] = [
        .text("version", "The release's label", \.version),
        .optionalUrl("stem", "The address of the release's page without ending", \.stem),
        .text("events", "Its events in the release, such as `1,204`", \.events),
        .text(
            "share", "Events of the release's sessions on the same days, such as `0.84%`; `–` when unknown",
            \.share),
    ]
}
