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
    /// What a section or a dotted name finds inside; asked late, since models may hold themselves.
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
