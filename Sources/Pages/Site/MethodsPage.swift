package import Templates

/// How every number is made.
package struct MethodsPage: TemplateModel {
    package static let modelName = "methods"
    /// What stands around every page.
    package var frame: Frame
    /// The words of the site's owner; nil when there are none.
    package var introduction: ContentBody?
    /// The formulas with their constants.
    package var formulas: [FormulaRow]
    /// The five states of a number and what they look like.
    package var states: [FactRow]
    /// The rules of the activity feed with their constants.
    package var rules: [RuleRow]
    /// The target and critical levels of each app.
    package var targets: [FactRow]
    /// What each source means by its words.
    package var sources: [SourceRow]

    package static let fields: [Field<MethodsPage>] = [
        .model("frame", "What stands around every page", \.frame),
        .list("introduction", "The words of `methods.md` and the live blocks in them") {
            $0.introduction?.parts ?? []
        },
        .list("formulas", "The formulas with their constants", \.formulas),
        .list("states", "The five states of a number and what they look like", \.states),
        .list("rules", "The rules of the activity feed with their constants", \.rules),
        .list("targets", "The target and critical levels of each app", \.targets),
        .list("sources", "What each source means by its words", \.sources),
    ]
}

/// A formula with its source.
package struct FormulaRow: TemplateModel, Hashable {
    package static let modelName = "formula"
    /// What it gives, such as `Crash-free users`.
    package var name: String
    /// The formula in words.
    package var text: String
    /// Where it comes from.
    package var source: String?

    package static let fields: [Field<FormulaRow>] = [
        .text("name", "What it gives, such as `Crash-free users`", \.name),
        .text("text", "The formula in words", \.text),
        .optionalText("source", "Where it comes from", \.source),
    ]
}

/// A rule of the activity feed.
package struct RuleRow: TemplateModel, Hashable {
    package static let modelName = "rule"
    /// The kind of event it finds, such as `Stability Alert`.
    package var kind: String
    /// What it does, with its live constants.
    package var statement: String

    package static let fields: [Field<RuleRow>] = [
        .text("kind", "The kind of event it finds, such as `Stability Alert`", \.kind),
        .text("statement", "What it does, with its live constants", \.statement),
    ]
}
