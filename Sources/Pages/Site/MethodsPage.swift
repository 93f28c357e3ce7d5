package import Templates

/// How every number is calculated.
package struct MethodsPage: TemplateModel {
    package static let modelName = "methods"
    package var frame: Frame
    /// The words of the site's owner; nil when there are none.
    package var introduction: ContentBody?
    package var formulas: [FormulaRow]
    package var states: [StateRow]
    package var rules: [RuleRow]
    package var targets: [FactRow]
    package var sources: [SourceRow]
    package var parts: [LinkItem]
    package var isFirst: Bool

    package static let fields: [Field<MethodsPage>] = [
        .model("frame", "What is around every page", \.frame),
        .list("introduction", "The words of `methods.md` and the live blocks in them") {
            $0.introduction?.parts ?? []
        },
        .list("formulas", "The formulas with their constants", \.formulas),
        .list("states", "The data states", \.states),
        .list("rules", "The activity rules with their constants", \.rules),
        .list("targets", "The target and critical levels of each app", \.targets),
        .list("sources", "How each source counts", \.sources),
        .list("parts", "The pages of methods, where many apps are on several", \.parts),
        .flag("hasParts", "True when they are on several") { !$0.parts.isEmpty },
        .flag("isFirst", "True on the first, which alone has what holds for all apps", \.isFirst),
    ]
}

/// A data state with what it means.
package struct StateRow: TemplateModel, Hashable {
    package static let modelName = "data-state"
    package var name: String
    package var label: String
    package var text: String

    /// A state by its name in data files.
    package init(_ name: String, _ text: String) {
        self.name = name
        self.label = chipText(name)
        self.text = text
    }

    package static let fields: [Field<StateRow>] = [
        .text("name", "Its name in data files, such as `stale`, for style sheets", \.name),
        .text("label", "Its name on pages, such as `Stale`", \.label),
        .text("text", "What it means", \.text),
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

/// An activity rule.
package struct RuleRow: TemplateModel, Hashable {
    package static let modelName = "rule"
    package var kind: String
    package var statement: String

    package static let fields: [Field<RuleRow>] = [
        .text("kind", "The kind of event it finds, such as `Stability Alert`", \.kind),
        .text("statement", "What it does, with its live constants", \.statement),
    ]
}
