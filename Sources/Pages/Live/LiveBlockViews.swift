package import Templates

/// The verdict on an app within a content page.
package struct VerdictBlock: TemplateModel {
    package static let modelName = "verdict-block"
    package var title: String
    package var stem: String?
    package var verdict: VerdictView

    package static let fields: [Field<VerdictBlock>] = [
        .text("title", "The app's name", \.title),
        .optionalUrl("stem", "The address of the app's page without ending", \.stem),
        .model("verdict", "The verdict on its last day", \.verdict),
    ]
}

/// The headline figures of an app within a content page.
package struct TilesBlock: TemplateModel {
    package static let modelName = "tiles-block"
    package var title: String
    package var stem: String?
    package var tiles: [Figure]

    package static let fields: [Field<TilesBlock>] = [
        .text("title", "The app and the day", \.title),
        .optionalUrl("stem", "The address of the app's page without ending", \.stem),
        .list("tiles", "The headline figures", \.tiles),
    ]
}

/// The error budget of an app within a content page.
package struct BudgetBlock: TemplateModel {
    package static let modelName = "budget-block"
    package var title: String
    package var stem: String?
    package var budget: BudgetView

    package static let fields: [Field<BudgetBlock>] = [
        .text("title", "The app and what is shown of it", \.title),
        .optionalUrl("stem", "The address of the app's page without ending", \.stem),
        .model("budget", "The error budget", \.budget),
    ]
}

/// What a content page requests and no source can report.
package struct AbsentBlock: TemplateModel {
    package static let modelName = "absent-block"
    package var title: String
    package var why: String

    package static let fields: [Field<AbsentBlock>] = [
        .text("title", "What would be here", \.title),
        .text("why", "Why it does not", \.why),
    ]
}
