package import Diagnostics
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
    /// What some template had too much of. What others share with it would take as long in each of them.
    private var excess: TemplateError?
    /// What `{{asset.…}}` may name; without it `asset` is a name like any other.
    let assets: TemplateAssets?

    /// A library over a lookup such as "site override, then theme, then default".
    package init(lookup: @escaping Lookup, assets: TemplateAssets? = nil) {
        self.lookup = lookup
        self.assets = assets
    }

    /// The paths of the files that were requested and found so far.
    package var usedPaths: Set<String> { Set(parsed.values.map(\.text.source.path)) }

    /// What templates of a language write themselves, by the paths of those that were found so far; a space is where tags
    /// are.
    package func literals(in language: OutputLanguage) -> [String: String] {
        let found = parsed.filter { $0.key.language == language }.values
        return Dictionary(
            found.map { ($0.text.source.path, literalText(of: $0.nodes)) },
            uniquingKeysWith: { first, _ in first })
    }

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
        if let excess { throw TemplateErrors(errors: [excess]) }
        switch find(role, name, language) {
        case .missing(let places):
            let problem = TemplateProblem.missingTemplate(name, role: role, lookedIn: places)
            let path = places.first ?? name
            throw TemplateErrors(errors: [
                TemplateError(problem: problem, path: path, line: nil, column: nil)
            ])
        case .unreadable(let path, let why):
            throw TemplateErrors(errors: [
                TemplateError(problem: .unreadable(why), path: path, line: nil, column: nil)
            ])
        case .found(let template):
            var resolver = Resolver(library: self, language: language)
            defer { self = resolver.library }
            let routine = resolver.routine(template, [schema])
            resolver.library.excess = resolver.excess
            resolver.reportStandingRecursion()
            guard let routine, resolver.errors.isEmpty else { throw TemplateErrors(errors: resolver.errors) }
            return (Program(resolver.code, language: language), routine)
        }
    }

    /// Finds a template and parses it when it is first requested.
    mutating func find(
        _ role: TemplateRole, _ name: String, _ language: OutputLanguage
    ) -> ParsedLookup {
        let key = Key(role: role, name: name, language: language)
        if let known = parsed[key] { return .found(known) }
        switch lookup(role, name, language) {
        case .missing(let places): return .missing(lookedIn: places)
        case .unreadable(let path, let why): return .unreadable(path: path, why: why)
        case .found(let source):
            let template = parse(source)
            parsed[key] = template
            return .found(template)
        }
    }
}

/// The text of one template file.
package struct TemplateSource: Sendable, Hashable {
    /// Where it is, for messages: `Themes/default/templates/release.html`.
    package let path: String
    /// The name without folder and extension: `release`, `issue.row`.
    package let name: String
    /// What it writes.
    package let language: OutputLanguage
    /// The template.
    package let text: String

    /// Puts a source together; the language decides how its fields are escaped.
    package init(path: String, name: String, language: OutputLanguage, text: String) {
        self.path = path
        self.name = name
        self.language = language
        self.text = text
    }
}

/// What is looked up by name.
package enum TemplateRole: String, Sendable, Hashable {
    /// A whole page, looked up by the program.
    case page
    /// A part or a layout, looked up by tags: `{{>name}}`, `{{>*name}}`, `{{<name}}`.
    case partial
}

/// What a lookup found.
package enum TemplateLookup: Sendable {
    /// The file to take.
    case found(TemplateSource)
    /// Nothing, with the files that would have been taken.
    case missing(lookedIn: [String])
    /// A file that cannot be read, and why.
    case unreadable(path: String, why: Diagnostic)
}

/// The assets that a template may name, with the address that is written for each.
///
/// `{{asset.site.css}}` names the asset `site.css`, `{{asset.fonts/text.woff2}}` one in a folder. Names are
/// looked up when the template is loaded, so a page cannot lead to an asset that is not there.
package struct TemplateAssets: Sendable {
    /// The addresses from the top of the site, by name: `site.css` is `assets/site.0a1b2c3d4e.css`.
    package let addresses: [String: String]
    /// The files that were looked for, for a message about a name that none of them has.
    package let places: @Sendable (_ name: String) -> [String]

    /// Names with their addresses.
    package init(
        addresses: [String: String], places: @escaping @Sendable (_ name: String) -> [String] = { _ in [] }
    ) {
        self.addresses = addresses
        self.places = places
    }
}

/// A page template that was resolved against its page model; renders any number of pages, on any thread.
package struct Template<Page: TemplateModel>: Sendable {
    let program: Program
    let routine: Int

    init(program: Program, routine: Int) {
        self.program = program
        self.routine = routine
    }

    /// What the template writes.
    package var language: OutputLanguage { program.language }

    /// Writes the page. Every name was checked when the template was loaded, so there is one way to fail: sections
    /// that multiply each other until the page is too large.
    ///
    /// - Returns: what the page has too much of, with its place; nil when the page is whole.
    @discardableResult
    package func render(_ page: Page, into writer: inout ByteWriter) -> TemplateError? {
        render(page, into: &writer, limits: PageLimits())
    }

    func render(_ page: Page, into writer: inout ByteWriter, limits: PageLimits) -> TemplateError? {
        unsafe withUnsafePointer(to: page) {
            unsafe Execution.run(
                program, routine: routine, page: UnsafeRawPointer($0), into: &writer, limits: limits)
        }
    }

    /// The page as a string, for tests and for short texts.
    package func rendered(_ page: Page) -> String {
        var writer = ByteWriter()
        render(page, into: &writer)
        return writer.text
    }
}
