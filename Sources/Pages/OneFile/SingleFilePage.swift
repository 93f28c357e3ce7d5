package import Markup
package import Templates

/// The report of one app as one file that needs no other: to send by mail, to keep, to open from a disk.
package struct SingleFilePage: TemplateModel {
    package static let modelName = "single-file"
    package var frame: Frame
    package var name: String
    /// The style sheets of the theme, to stand between `<style>` and `</style>` as they are.
    package var style: Markup
    /// What the file may load: nothing but its own style sheet, which is named by its hash.
    package var policy: String
    package var contents: [ContentsRow]
    package var overview: AppPage
    package var activity: ActivityPage
    package var issues: IssuesPage
    package var issuesCut: String?
    package var releases: ReleasesPage
    package var usage: UsagePage
    package var days: [DayPage]
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
