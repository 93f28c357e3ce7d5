package import Templates

/// One source of one app: what it is, how it is, and what it cannot know.
package struct SourceRow: TemplateModel {
    package static let modelName = "source-row"
    /// The app's name.
    package var app: String
    /// The address of the app's page without the ending.
    package var stem: String?
    /// The source's name within the app.
    package var name: String
    /// The provider: `files`, `bugsnag`.
    package var provider: String
    /// `loaded`, `stale`, `failed`, `never fetched`.
    package var state: String
    /// When the last good figures were captured; a dash when there are none.
    package var captured: String
    /// How old they are at the report's instant: `30 minutes`, `2 days`.
    package var age: String
    /// What it means by a session.
    package var session: String
    /// What it means by a user.
    package var user: String
    /// The zone of its days.
    package var zone: String
    /// How late it is.
    package var delay: String
    /// What it cannot know, in words.
    package var cannotKnow: [String]
    /// Why the newest attempt failed.
    package var failure: DiagnosticView?
    /// What was left out or looked odd.
    package var warnings: [DiagnosticView]

    package static let fields: [Field<SourceRow>] = [
        .text("app", "The app's name", \.app),
        .optionalUrl("stem", "The address of the app's page without ending", \.stem),
        .text("name", "The source's name within the app", \.name),
        .text("provider", "The provider, such as `bugsnag`", \.provider),
        .text("state", "`loaded`, `stale`, `failed` or `never fetched`", \.state),
        .text("captured", "When the last good figures were captured; `–` when there are none", \.captured),
        .text("age", "How old they are, such as `30 minutes`", \.age),
        .text("session", "What it means by a session", \.session),
        .text("user", "What it means by a user", \.user),
        .text("zone", "The zone of its days, such as `UTC`", \.zone),
        .text("delay", "How late it is, in words", \.delay),
        .texts("cannotKnow", "What it cannot know, such as `active users`", \.cannotKnow),
        .optional("failure", "Why the newest attempt failed; absent when it did not", \.failure),
        .list("warnings", "What was left out or looked odd", \.warnings),
    ]
}
