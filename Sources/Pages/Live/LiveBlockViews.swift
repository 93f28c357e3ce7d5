package import Templates

/// The verdict on an app within a content page.
package struct VerdictBlock: TemplateModel {
    package static let modelName = "verdict-block"
    /// The app's name.
    package var title: String
    /// The address of the app's page without ending.
    package var stem: String?
    /// The verdict on its last day.
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
    /// The app and the day.
    package var title: String
    /// The address of the app's page without ending.
    package var stem: String?
    /// The headline figures.
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
    /// The app and what is shown of it.
    package var title: String
    /// The address of the app's page without ending.
    package var stem: String?
    /// The error budget.
    package var budget: BudgetView

    package static let fields: [Field<BudgetBlock>] = [
        .text("title", "The app and what is shown of it", \.title),
        .optionalUrl("stem", "The address of the app's page without ending", \.stem),
        .model("budget", "The error budget", \.budget),
    ]
}

/// What a content page asks for and no source can tell.
package struct AbsentBlock: TemplateModel {
    package static let modelName = "absent-block"
    /// What would have stood here.
    package var title: String
    /// Why it does not.
    package var why: String

    package static let fields: [Field<AbsentBlock>] = [
        .text("title", "What would have stood here", \.title),
        .text("why", "Why it does not", \.why),
    ]
}
