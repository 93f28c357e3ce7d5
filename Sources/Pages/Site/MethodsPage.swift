package import Templates

/// How every number is made.
package struct MethodsPage: TemplateModel {
    package static let modelName = "methods"
    package var frame: Frame
    /// The words of the site's owner; nil when there are none.
    package var introduction: ContentBody?
    package var formulas: [FormulaRow]
    package var states: [FactRow]
    package var rules: [RuleRow]
    package var targets: [FactRow]
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
    package var name: String
    package var text: String
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
    package var kind: String
    package var statement: String

    package static let fields: [Field<RuleRow>] = [
        .text("kind", "The kind of event it finds, such as `Stability Alert`", \.kind),
        .text("statement", "What it does, with its live constants", \.statement),
    ]
}
