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
