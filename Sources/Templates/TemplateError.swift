package import Diagnostics

/// What is wrong with a template.
package enum TemplateProblem: Error, Hashable, Sendable {
    /// A tag without its end; the start of the tag.
    case unclosedTag(String)
    /// Something that is not a name.
    case badName(String)
    /// Something that is not two delimiters.
    case badDelimiters(String)
    /// A section, block or parent without its closing tag.
    case unclosedSection(tag: String)
    /// A closing tag with another name than the open tag of that line.
    case mismatchedSection(found: String, open: String, line: Int)
    /// A closing tag with nothing to close.
    case unopenedSection(String)
    /// More open tags at once than one file may have.
    case nestedTooDeeply(limit: Int)
    /// A template over a limit; the headline says which.
    case tooLarge(String)
    /// Templates over a limit once each is put where it is used; the headline says which.
    case expandsTooFar(String)
    /// More sections, blocks and partials in each other than are resolved.
    case partialsTooDeep(limit: Int)
    /// The program was asked to stop.
    case interrupted
    /// A page over a limit; the headline says which.
    case tooMuch(String)
    /// A block that is filled twice in one parent.
    case duplicateBlock(String)
    /// A block that the parent does not have, and the one of it that was meant.
    case unknownBlock(String, nearest: String)
    /// A parent with a dynamic name.
    case dynamicParent(String)
    /// A name that no model in reach has, with those that exist, the innermost first; `path` is the dotted
    /// name around it.
    case unknownName(String, path: String?, nearest: String?, available: [String])
    /// A field in a tag that does not fit its kind.
    case wrongKind(String, kind: String, need: String, hint: String)
    /// Text in a tag for markup.
    case rawText(String)
    /// Markup in a tag for text.
    case markupEscaped(String)
    /// A page or partial that no place has.
    case missingTemplate(String, role: TemplateRole, lookedIn: [String])
    /// A page or partial whose file cannot be read.
    case unreadable(Diagnostic)
    /// An asset that no place has.
    case missingAsset(String, nearest: String?, available: [String], lookedIn: [String])
    /// A partial that shows itself without going into a model or a list.
    case recursion(String)
}

/// One mistake in a template, with its place.
package struct TemplateError: Error, Hashable, Sendable {
    /// What is wrong.
    package let problem: TemplateProblem
    /// The file, as in `TemplateSource.path`.
    package let path: String
    /// Counted from 1; nil when the file itself is missing.
    package let line: Int?
    /// Counted from 1 in Unicode scalars.
    package let column: Int?
}

/// All mistakes that were found in a page's template and the partials it uses.
package struct TemplateErrors: Error, Hashable, Sendable {
    /// In the order of finding, each once; never empty.
    package let errors: [TemplateError]
}

extension TemplateErrors {
    /// What to report, one for each mistake.
    package var diagnostics: [Diagnostic] { errors.map(\.diagnostic) }
}

extension TemplateError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        let (summary, details, hints) = problem.words
        var diagnostic = Diagnostic.usage(
            "template.\(problem.id)", summary, details: details,
            at: .file(path: path, line: line, column: column), hints: hints)
        // That a disk fails, or that somebody stops the program, is no mistake of the theme's author.
        switch problem {
        case .unreadable(let why): diagnostic.gravity = why.gravity
        case .interrupted: (diagnostic.gravity, diagnostic.location) = (.nothingDone, nil)
        default: break
        }
        return diagnostic
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
        case .nestedTooDeeply, .partialsTooDeep: "nested-too-deeply"
        case .tooLarge, .expandsTooFar: "too-large"
        case .interrupted: "interrupted"
        case .tooMuch: "too-much"
        case .duplicateBlock: "duplicate-block"
        case .unknownBlock: "unknown-block"
        case .dynamicParent: "dynamic-parent"
        case .unknownName: "unknown-name"
        case .wrongKind: "wrong-kind"
        case .rawText: "raw-text"
        case .markupEscaped: "markup-escaped"
        case .missingTemplate(_, let role, _): role == .page ? "missing-page" : "missing-partial"
        case .unreadable: "unreadable"
        case .missingAsset: "missing-asset"
        case .recursion: "recursion"
        }
    }

    fileprivate typealias Words = (summary: String, details: [String], hints: [String])

    fileprivate var words: Words {
        switch self {
        case .unreadable(let why): (why.summary, why.details, why.hints)
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
            ("'\(text)' does not set delimiters", [], ["use two of at most 16 bytes, such as {{=<% %>=}}"])
        case .unclosedSection(let tag): ("'\(tag)' is never closed", [], ["add its closing tag"])
        case .mismatchedSection(let found, let open, let line):
            ("'\(found)' cannot close '\(open)' of line \(line)", [], ["close the inner tag first"])
        case .unopenedSection(let tag): ("'\(tag)' closes nothing", [], ["remove it or add the opening tag"])
        case .nestedTooDeeply(let limit):
            ("Tags are nested more than \(limit) deep", [], ["move inner parts into partials"])
        case .tooLarge(let what): ("\(what)", [], ["split the template"])
        case .expandsTooFar(let what): ("\(what)", [], ["put fewer blocks and partials into each other"])
        case .partialsTooDeep(let limit):
            ("Sections, blocks and partials are more than \(limit) in each other", [], ["use fewer of them"])
        case .interrupted: ("Reading the templates was interrupted", [], ["run it again"])
        case .tooMuch(let what):
            ("\(what)", [], ["nest fewer lists in each other, or show fewer of their elements"])
        case .duplicateBlock(let name):
            ("Block '\(name)' is filled twice in one parent", [], ["keep one of the two"])
        case .unknownBlock(let name, let nearest):
            ("Layout has no block '\(name)'", [], ["did you mean '\(nearest)'?"])
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
                available.isEmpty ? [] : ["known: \(available.joined(separator: ", "))"],
                [nearest.map { "did you mean '\($0)'?" } ?? "correct the name or remove the tag"]
            )
        case .wrongKind(let name, let kind, let need, let hint):
            ("'\(name)' is \(kind) and cannot be used as \(need)", [], hint.isEmpty ? [] : [hint])
        case .rawText(let name):
            (
                "'\(name)' is text: its escaping cannot be turned off", ["only markup is output unescaped"],
                ["write {{\(name)}}"]
            )
        case .markupEscaped(let name):
            ("'\(name)' is markup: escaping would show its tags", [], ["write {{{\(name)}}}"])
        case .missingTemplate(let name, let role, let places):
            (
                "\(role == .page ? "Template" : "Partial") '\(name)' is missing",
                places.isEmpty ? [] : ["searched: \(places.joined(separator: ", "))"],
                ["add one of these files or correct the name"]
            )
        case .missingAsset(let name, let nearest, let available, let places):
            (
                "Unknown asset '\(name)'",
                (available.isEmpty ? [] : ["known: \(available.joined(separator: ", "))"])
                    + (places.isEmpty ? [] : ["searched: \(places.joined(separator: ", "))"]),
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
