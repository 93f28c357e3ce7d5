package import Templates

/// The entry page: the state of everything.
package struct PortfolioPage: TemplateModel {
    package static let modelName = "portfolio"
    package var frame: Frame
    /// The words of the site's owner; nil when there are none.
    package var introduction: ContentBody?
    package var sentence: String
    package var quiet: String?
    package var apps: [AppRow]
    package var events: [EventEntry]
    package var rates: ChartView?

    package static let fields: [Field<PortfolioPage>] = [
        .model("frame", "What stands around every page", \.frame),
        .list("introduction", "The words of `index.md` and the live blocks in them") {
            $0.introduction?.parts ?? []
        },
        .text("sentence", "One sentence on the state of everything", \.sentence),
        .optionalText(
            "quiet", "How much was looked at; absent when there is something to report of any app", \.quiet),
        .list("apps", "The apps, those first that need attention most", \.apps),
        .list("events", "The newest events of all apps, without daily summaries", \.events),
        .optional(
            "rates", "The crash-free rates of the apps on one scale; absent for fewer than two apps", \.rates),
    ]
}

/// An app as one row of the entry page.
package struct AppRow: TemplateModel {
    package static let modelName = "app-row"
    package var name: String
    package var platform: String
    package var stem: String?
    package var verdict: VerdictView
    package var crashFree: Figure
    package var change: String?
    package var sparkline: ChartView
    package var release: String?
    package var adoption: String?
    package var stage: String?
    package var budget: String?
    package var openAlerts: Int

    package static let fields: [Field<AppRow>] = [
        .text("name", "The app's name", \.name),
        .text("platform", "Its platform, such as `ios`; may be empty", \.platform),
        .optionalUrl("stem", "The address of its page without ending", \.stem),
        .model("verdict", "The verdict on its stability", \.verdict),
        .model("crashFree", "Its crash-free rate of the last day", \.crashFree),
        .optionalText(
            "change",
            "The change against the same weekday a week before, such as `−0.21 pp vs Thu, Nov 12, 2026`",
            \.change),
        .model("sparkline", "Its crash-free rate over 28 days", \.sparkline),
        .optionalText("release", "Its newest release, such as `4.3.0 (391)`", \.release),
        .optionalText("adoption", "The share of sessions of that release on the last day", \.adoption),
        .optionalText("stage", "The stage of that release: `adopted`, `replaced` or `low`", \.stage),
        .optionalText("budget", "What is left of its error budget, such as `37% left`", \.budget),
        .number("openAlerts", "How many alerts of the last seven days stand", \.openAlerts),
        .flag("hasOpenAlerts", "True when there is at least one") { $0.openAlerts > 0 },
    ]
}
