package import Markup

/// Finds, parses and resolves templates; each file is parsed once.
///
/// ```
/// var library = TemplateLibrary(lookup: theme.lookup)
/// let template = try library.template("release", for: ReleasePage.self, in: .html)
/// template.render(page, into: &writer)
/// ```
package struct TemplateLibrary: Sendable {
    /// Finds the source of a template by role, name and language.
    package typealias Lookup = @Sendable (TemplateRole, String, OutputLanguage) -> TemplateLookup

    private struct Key: Hashable {
        let role: TemplateRole
        let name: String
        let language: OutputLanguage
    }

    private let lookup: Lookup
    private var parsed: [Key: ParsedTemplate] = [:]
    /// What `{{asset.…}}` may name; without it `asset` is a name like any other.
    let assets: TemplateAssets?

    /// A library over a lookup such as "site override, then theme, then default".
    package init(lookup: @escaping Lookup, assets: TemplateAssets? = nil) {
        self.lookup = lookup
        self.assets = assets
    }

    /// The paths of the files that were asked for and found so far.
    package var usedPaths: Set<String> { Set(parsed.values.map(\.text.source.path)) }

    /// A library over sources in memory; each can be a page and a partial.
    package init(_ sources: [TemplateSource]) {
        self.init { _, name, language in
            let found = sources.first { $0.name == name && $0.language == language }
            return found.map { .found($0) } ?? .missing(lookedIn: [])
        }
    }

    /// Loads a page template with all partials it uses.
    ///
    /// - Throws: every mistake in them, not only the first.
    package mutating func template<Page: TemplateModel>(
        _ name: String, for page: Page.Type = Page.self, in language: OutputLanguage
    ) throws(TemplateErrors) -> Template<Page> {
        let (program, routine) = try resolve(.page, name, for: Schema(of: page), in: language)
        return Template(program: program, routine: routine)
    }

    /// Loads the partial that shows a model, `modelName` or `modelName.variant`, as a template of its own.
    ///
    /// - Throws: every mistake in it and in the partials it uses.
    package mutating func partial<Model: TemplateModel>(
        for model: Model.Type = Model.self, variant: String? = nil, in language: OutputLanguage
    ) throws(TemplateErrors) -> Template<Model> {
        let name = variant.map { "\(model.modelName).\($0)" } ?? model.modelName
        let (program, routine) = try resolve(.partial, name, for: Schema(of: model), in: language)
        return Template(program: program, routine: routine)
    }

    /// Resolves a template against a schema.
    mutating func resolve(
        _ role: TemplateRole, _ name: String, for schema: Schema, in language: OutputLanguage
    ) throws(TemplateErrors) -> (program: Program, routine: Int) {
        switch find(role, name, language) {
        case .missing(let places):
            let problem = TemplateProblem.missingTemplate(name, role: role, lookedIn: places)
            let path = places.first ?? name
            throw TemplateErrors(errors: [
                TemplateError(problem: problem, path: path, line: nil, column: nil)
            ])
        case .found(let template):
            var resolver = Resolver(library: self, language: language)
            defer { self = resolver.library }
            let routine = resolver.routine(template, [schema], fillings: [:], isIndented: false)
            resolver.reportStandingRecursion()
            guard let routine, resolver.errors.isEmpty else { throw TemplateErrors(errors: resolver.errors) }
            return (Program(resolver.code, language: language), routine)
        }
    }

    /// Finds a template and parses it when it is asked for the first time.
    mutating func find(
        _ role: TemplateRole, _ name: String, _ language: OutputLanguage
    ) -> ParsedLookup {
        let key = Key(role: role, name: name, language: language)
        if let known = parsed[key] { return .found(known) }
        switch lookup(role, name, language) {
        case .missing(let places): return .missing(lookedIn: places)
        case .found(let source):
            let template = parse(source)
            parsed[key] = template
            return .found(template)
        }
    }
}
