package import Markup
package import Templates

/// The report of one app as one file that needs no other: to send by mail, to keep, to open from a disk.
package struct SingleFilePage: TemplateModel {
    package static let modelName = "single-file"
    /// What stands around every page.
    package var frame: Frame
    /// The app's name.
    package var name: String
    /// The style sheets of the theme, to stand between `<style>` and `</style>` as they are.
    package var style: Markup
    /// What the file may load: nothing but its own style sheet, which is named by its hash.
    package var policy: String
    /// The parts of the file.
    package var contents: [ContentsRow]
    /// The overview.
    package var overview: AppPage
    /// The events of the last 28 days.
    package var activity: ActivityPage
    /// The issues, the first hundred of them.
    package var issues: IssuesPage
    /// How many issues there are when not all are listed.
    package var issuesCut: String?
    /// The releases, the newest thirty of them.
    package var releases: ReleasesPage
    /// The usage.
    package var usage: UsagePage
    /// The last seven days, newest first.
    package var days: [DayPage]
    /// How the numbers are made, with the sources of this app.
    package var methods: MethodsPage

    package static let fields: [Field<SingleFilePage>] = [
        .model("frame", "What stands around every page", \.frame),
        .text("name", "The app's name", \.name),
        .markup("style", "The style sheets of the theme, for a `style` element") { page, _ in page.style },
        .text("policy", "The content security policy: nothing is loaded but the style sheet", \.policy),
        .list("contents", "The parts of the file", \.contents),
        .model("overview", "The overview", \.overview),
        .model("activity", "The events of the last 28 days", \.activity),
        .model("issues", "The issues, the first hundred of them", \.issues),
        .optionalText(
            "issuesCut", "How many issues are listed, such as `The first 100 of 1,204 issues.`", \.issuesCut),
        .model("releases", "The releases, the newest thirty of them", \.releases),
        .model("usage", "The usage", \.usage),
        .list("days", "The last seven days, newest first", \.days),
        .model("methods", "How the numbers are made, with the sources of this app", \.methods),
    ]
}
