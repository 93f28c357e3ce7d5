package import Templates

/// One source of one app: what it is, how it is, and what it cannot know.
package struct SourceRow: TemplateModel {
    package static let modelName = "source-row"
    package var app: String
    package var stem: String?
    package var name: String
    package var provider: String
    package var state: String
    package var captured: String
    package var age: String
    package var session: String
    package var user: String
    package var zone: String
    package var delay: String
    package var cannotKnow: [String]
    package var failure: DiagnosticView?
    package var warnings: [DiagnosticView]

    package static let fields: [Field<SourceRow>] = [
        .text("app", "The app's name", \.app),
        .optionalUrl("stem", "The address of the app's page without ending", \.stem),
        .text("name", "The source's name within the app", \.name),
        .text("provider", "The provider, such as `files`", \.provider),
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
