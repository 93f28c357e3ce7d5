package import Templates

/// The error budget of an app.
package struct BudgetView: TemplateModel {
    package static let modelName = "budget"
    package var verdict: VerdictView
    package var sentence: String
    package var facts: [FactRow]
    package var brief: String

    package static let fields: [Field<BudgetView>] = [
        .model("verdict", "The verdict on the window of 28 days", \.verdict),
        .text("sentence", "What is allowed, spent and left, and how long the rest lasts", \.sentence),
        .list("facts", "The numbers one by one", \.facts),
        .text("brief", "What is left, such as `37% left` or `overspent by 12%`", \.brief),
    ]
}
