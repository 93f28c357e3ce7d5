package import Markup

/// Writes a field of the model at the pointer.
package typealias FieldWriter = @Sendable (UnsafeRawPointer, OutputLanguage, inout ByteWriter) -> Void
/// Whether a section on the field of the model at the pointer is shown.
package typealias FieldTest = @Sendable (UnsafeRawPointer, OutputLanguage) -> Bool
/// Calls the closure with a pointer to each value that a section on the field goes through.
package typealias FieldVisitor =
    @Sendable (UnsafeRawPointer, OutputLanguage, (UnsafeRawPointer) -> Void) -> Void
/// Calls the closure with the number of the type among those declared, or nil, its name, and the model.
package typealias FieldShower = @Sendable (UnsafeRawPointer, (Int?, String, UnsafeRawPointer) -> Void) -> Void

/// The ways from a pointer to a model to the value of one of its fields.
///
/// The pointer must point to a value of the model that declares the field. The resolver sees to it: it is the
/// only one that pairs frames with fields, and it does so by schema.
@safe package struct FieldAccess: Sendable {
    let write: FieldWriter?
    let test: FieldTest
    let visit: FieldVisitor?
    let show: FieldShower?

    /// Ways that make sense for the kind; the others stay nil.
    package init(
        write: FieldWriter? = nil, test: @escaping FieldTest, visit: FieldVisitor? = nil,
        show: FieldShower? = nil
    ) {
        unsafe self.write = unsafe write
        unsafe self.test = unsafe test
        unsafe self.visit = unsafe visit
        unsafe self.show = unsafe show
    }
}

/// A field without the type of its model.
package struct FieldSchema: Sendable {
    /// The name as written in templates.
    package let name: String
    /// One line about the meaning, with an example.
    package let doc: String
    /// What it holds.
    package let kind: FieldKind
    /// What a section or a dotted name finds inside; looked up late, since models may hold themselves.
    let child: (@Sendable () -> Schema)?
    /// The models that a view may hold.
    let shown: @Sendable () -> [Schema]
    let access: FieldAccess

    /// Puts a field together from its parts; models declare `Field`s instead.
    package init(
        name: String, doc: String = "", kind: FieldKind, child: (@Sendable () -> Schema)? = nil,
        shown: @escaping @Sendable () -> [Schema] = { [] }, access: FieldAccess
    ) {
        self.name = name
        self.doc = doc
        self.kind = kind
        self.child = child
        self.shown = shown
        self.access = access
    }
}

/// What templates may name in one kind of model.
package struct Schema: Sendable {
    /// What makes two schemas the same one.
    package enum Identity: Hashable, Sendable {
        /// The model type.
        case type(ObjectIdentifier)
        /// A name, for schemas without a Swift type.
        case named(String)
    }

    /// Which schema it is.
    package let identity: Identity
    /// The model's name, also that of the partial that shows it.
    package let name: String
    /// The fields, in the order of their declaration.
    package let fields: [FieldSchema]
    /// What `{{.}}` is, for elements that are no models.
    let dot: FieldSchema?

    /// Puts a schema together from its parts.
    package init(identity: Identity, name: String, fields: [FieldSchema], dot: FieldSchema? = nil) {
        self.identity = identity
        self.name = name
        self.fields = fields
        self.dot = dot
    }

    /// The schema of a model type.
    package init<Model: TemplateModel>(of type: Model.Type) {
        self.init(
            identity: .type(ObjectIdentifier(type)), name: type.modelName, fields: type.fields.map(\.schema))
    }

    func field(_ name: String) -> FieldSchema? { fields.first { $0.name == name } }
}

extension Schema {
    /// A text as an element: `{{.}}`.
    package static let text = unsafe Schema(scalar: "text", .text) { pointer, language, writer in
        unsafe writer.append(pointer.assumingMemoryBound(to: String.self).pointee, escapedFor: language)
    }
    /// An address as the value of a section: `{{.}}`.
    static let address = unsafe Schema(scalar: "url", .url) { pointer, language, writer in
        unsafe writer.append(
            address: pointer.assumingMemoryBound(to: String.self).pointee, escapedFor: language)
    }
    /// Markup as the value of a section: `{{{.}}}`.
    package static let markup = unsafe Schema(scalar: "markup", .markup) { pointer, language, writer in
        unsafe writer.append(pointer.assumingMemoryBound(to: Markup.self).pointee, in: language)
    }

    private init(scalar name: String, _ kind: FieldKind, write: @escaping FieldWriter) {
        let access = unsafe FieldAccess(write: write, test: { _, _ in true })
        self.init(
            identity: .named(".\(name)"), name: name, fields: [],
            dot: FieldSchema(name: ".", kind: kind, access: access))
    }
}

extension ByteWriter {
    /// Writes markup as it is where its language fits, and as text where it does not.
    package mutating func append(_ markup: Markup, in language: OutputLanguage) {
        if language.accepts(markup.language) {
            append(raw: markup.text)
        } else {
            append(markup.text, escapedFor: language)
        }
    }
}

/// One line of the theme reference: a name that templates may use.
package struct FieldReference: Sendable, Hashable {
    /// The name as written in templates.
    package let name: String
    /// What the field holds.
    package let kind: FieldKind
    /// What it means, with an example.
    package let doc: String
    /// The names of the models inside: one for a model or a list, several for a view.
    package let models: [String]
}

/// The fields of a model type in the order of their declaration, for tests and the reference of the manual.
package func reference(of type: any TemplateModel.Type) -> [FieldReference] {
    erased(type).fields.map { field in
        FieldReference(name: field.name, kind: field.kind, doc: field.doc, models: modelNames(in: field))
    }
}

/// The model types that can be reached from a type, itself first, each once, in order of first mention; for tests
/// and the reference of the manual.
package func modelsReached(from type: any TemplateModel.Type) -> [(name: String, fields: [FieldReference])] {
    var waiting = [erased(type)]
    var seen: Set<Schema.Identity> = []
    var result: [(name: String, fields: [FieldReference])] = []
    while !waiting.isEmpty {
        let schema = waiting.removeFirst()
        guard seen.insert(schema.identity).inserted else { continue }
        let fields = schema.fields.map {
            FieldReference(name: $0.name, kind: $0.kind, doc: $0.doc, models: modelNames(in: $0))
        }
        result.append((schema.name, fields))
        waiting += schema.fields.flatMap(models)
    }
    return result
}

private func modelNames(in field: FieldSchema) -> [String] { models(in: field).map(\.name) }

private func models(in field: FieldSchema) -> [Schema] {
    switch field.kind {
    case .model, .optional, .list: field.child.map { [$0()] } ?? []
    case .view: field.shown()
    default: []
    }
}

/// What a field holds, which decides the tags it may stand in.
package enum FieldKind: String, Sendable, CaseIterable {
    /// Text: `{{name}}`; as a section it is shown when not empty.
    case text
    /// Text or nothing: `{{name}}`; as a section it is shown when there is some.
    case optionalText = "optional text"
    /// A whole number: `{{name}}`.
    case number
    /// Yes or no: only as a section.
    case flag
    /// Markup in the template's language: `{{{name}}}`.
    case markup
    /// Markup or nothing: `{{{name}}}`, or a section.
    case optionalMarkup = "optional markup"
    /// An address: `{{name}}`; printed as `#` when its scheme is not allowed.
    case url
    /// An address or nothing: `{{name}}`, or a section.
    case optionalURL = "optional url"
    /// Another model: a section, a dotted name, or `{{>*name}}`.
    case model
    /// Another model or nothing.
    case optional = "optional model"
    /// Models: a section, shown once for each.
    case list
    /// Texts: a section, shown once for each, with `{{.}}`.
    case texts
    /// One of several models: `{{>*name}}`.
    case view

    /// Whether `{{name}}` prints it.
    var isPrintable: Bool { isMarkup || [.text, .optionalText, .number, .url, .optionalURL].contains(self) }

    /// Whether it is printed only by `{{{name}}}`.
    var isMarkup: Bool { self == .markup || self == .optionalMarkup }

    /// Whether `{{#name}}` may stand on it.
    var isSection: Bool { self != .number && self != .view }

    /// Whether a dotted name may go through it.
    var isPath: Bool { self == .model || self == .optional }

    /// Whether `{{>*name}}` may show it.
    var isShowable: Bool { self == .model || self == .optional || self == .view }
}

/// A value that a template can show; it lists its fields by name.
///
/// What a field means is said once, in its declaration: the reference for theme authors is made from it, and the
/// stored property behind it needs no comment that says the same.
///
/// ```
/// package struct Tile: TemplateModel {
///     package let label: String
///     package let value: String?
///     package static let modelName = "tile"
///     package static let fields: [Field<Tile>] = [
///         .text("label", "What is counted, such as `Crash-free users`.", \.label),
///         .optionalText("value", "The number as shown, such as `99.12%`.", \.value),
///     ]
/// }
/// ```
package protocol TemplateModel: Sendable {
    /// The name in kebab case; the partial that shows the model has the same one: `stability-alert`.
    static var modelName: String { get }
    /// What templates may name; written as `static let`, so that it is made once.
    static var fields: [Field<Self>] { get }
}

/// One name that a template may use, with the way to its value.
package struct Field<Model: TemplateModel>: Sendable {
    let schema: FieldSchema

    init(
        _ name: String, _ doc: String, _ kind: FieldKind, child: (@Sendable () -> Schema)? = nil,
        shown: @escaping @Sendable () -> [Schema] = { [] }, access: FieldAccess
    ) {
        schema = FieldSchema(name: name, doc: doc, kind: kind, child: child, shown: shown, access: access)
    }
}
