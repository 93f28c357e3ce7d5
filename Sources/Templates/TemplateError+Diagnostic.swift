package import Diagnostics

extension TemplateErrors {
    /// What to tell, one for each mistake.
    package var diagnostics: [Diagnostic] { errors.map(\.diagnostic) }
}

extension TemplateError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        let (summary, details, hints) = problem.words
        return .usage(
            "template.\(problem.id)", summary, details: details,
            at: .file(path: path, line: line, column: column), hints: hints)
    }
}

extension TemplateProblem {
    /// The last part of the stable id.
    fileprivate var id: String {
        switch self {
        case .unclosedTag: "unclosed-tag"
        case .badName: "bad-name"
        case .badDelimiters: "bad-delimiters"
        case .unclosedSection: "unclosed-section"
        case .mismatchedSection: "mismatched-section"
        case .unopenedSection: "unopened-section"
        case .nestedTooDeeply: "nested-too-deeply"
        case .tooLarge: "too-large"
        case .duplicateBlock: "duplicate-block"
        case .dynamicParent: "dynamic-parent"
        case .unknownName: "unknown-name"
        case .wrongKind: "wrong-kind"
        case .rawText: "raw-text"
        case .markupEscaped: "markup-escaped"
        case .missingTemplate(_, let role, _): role == .page ? "missing-page" : "missing-partial"
        case .missingAsset: "missing-asset"
        case .recursion: "recursion"
        }
    }

    fileprivate typealias Words = (summary: String, details: [String], hints: [String])

    fileprivate var words: Words {
        switch self {
        case .unknownName, .wrongKind, .rawText, .markupEscaped, .missingTemplate, .missingAsset,
            .recursion:
            wordsOfResolving
        default: wordsOfSyntax
        }
    }

    private var wordsOfSyntax: Words {
        switch self {
        case .unclosedTag(let open): ("Tag '\(open)' is never closed", [], ["close the tag"])
        case .badName(let name):
            ("'\(name)' is not a name", [], ["write names without spaces, parts joined by single dots"])
        case .badDelimiters(let text):
            ("'\(text)' does not set delimiters", [], ["write two delimiters, such as {{=<% %>=}}"])
        case .unclosedSection(let tag): ("'\(tag)' is never closed", [], ["add its closing tag"])
        case .mismatchedSection(let found, let open, let line):
            ("'\(found)' cannot close '\(open)' of line \(line)", [], ["close the inner tag first"])
        case .unopenedSection(let tag): ("'\(tag)' closes nothing", [], ["remove it or add the opening tag"])
        case .nestedTooDeeply(let limit):
            ("Tags are nested more than \(limit) deep", [], ["move inner parts into partials"])
        case .tooLarge(let what): ("\(what)", [], ["split the template"])
        case .duplicateBlock(let name):
            ("Block '\(name)' is filled twice in one parent", [], ["keep one of the two"])
        case .dynamicParent(let name):
            ("Parent '\(name)' cannot have a dynamic name", [], ["name the layout: {{<layout}}"])
        default: ("Template cannot be read", [], [])
        }
    }

    private var wordsOfResolving: Words {
        switch self {
        case .unknownName(let name, let path, let nearest, let available):
            (
                "Name '\(name)'\(path.map { " in '\($0)'" } ?? "") does not exist here",
                available.isEmpty ? [] : ["names that do: \(available.joined(separator: ", "))"],
                nearest.map { ["did you mean '\($0)'?"] } ?? []
            )
        case .wrongKind(let name, let kind, let need, let hint):
            ("'\(name)' is \(kind) and cannot be used as \(need)", [], hint.isEmpty ? [] : [hint])
        case .rawText(let name):
            (
                "'\(name)' is text: its escaping cannot be switched off", ["only markup is printed as it is"],
                ["write {{\(name)}}"]
            )
        case .markupEscaped(let name):
            ("'\(name)' is markup: escaping would show its tags", [], ["write {{{\(name)}}}"])
        case .missingTemplate(let name, let role, let places):
            (
                "\(role == .page ? "Template" : "Partial") '\(name)' is missing",
                places.isEmpty ? [] : ["looked in: \(places.joined(separator: ", "))"],
                ["add one of these files or correct the name"]
            )
        case .missingAsset(let name, let nearest, let available, let places):
            (
                "There is no asset '\(name)'",
                (available.isEmpty ? [] : ["assets that exist: \(available.joined(separator: ", "))"])
                    + (places.isEmpty ? [] : ["looked in: \(places.joined(separator: ", "))"]),
                [nearest.map { "did you mean {{asset.\($0)}}?" } ?? "add the file or correct the name"]
            )
        case .recursion(let name):
            (
                "'\(name)' shows itself without end", [],
                ["show it inside a section that goes into a list or a model"]
            )
        default: ("Template cannot be resolved", [], [])
        }
    }
}
