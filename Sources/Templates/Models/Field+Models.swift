/// Fields that hold models or several values.
extension Field {
    /// Another model: a section, dotted names, or `{{>*name}}`.
    package static func model<Child: TemplateModel>(
        _ name: String, _ doc: String, _ get: @escaping @Sendable (Model) -> Child
    ) -> Field {
        Field(
            name, doc, .model, child: { Schema(of: Child.self) }, shown: { [Schema(of: Child.self)] },
            access: unsafe FieldAccess(
                test: { _, _ in true },
                visit: { pointer, _, body in unsafe visit(read(pointer, get), body) },
                show: { pointer, body in
                    unsafe visit(read(pointer, get)) { unsafe body(0, Child.modelName, $0) }
                }))
    }

    /// Another model or nothing.
    package static func optional<Child: TemplateModel>(
        _ name: String, _ doc: String, _ get: @escaping @Sendable (Model) -> Child?
    ) -> Field {
        Field(
            name, doc, .optional, child: { Schema(of: Child.self) }, shown: { [Schema(of: Child.self)] },
            access: unsafe FieldAccess(
                test: { pointer, _ in unsafe read(pointer, get) != nil },
                visit: { pointer, _, body in
                    if let child = unsafe read(pointer, get) { unsafe visit(child, body) }
                },
                show: { pointer, body in
                    guard let child = unsafe read(pointer, get) else { return }
                    unsafe visit(child) { unsafe body(0, Child.modelName, $0) }
                }))
    }

    /// Models: a section shown once for each.
    package static func list<Child: TemplateModel>(
        _ name: String, _ doc: String, _ get: @escaping @Sendable (Model) -> [Child]
    ) -> Field {
        Field(
            name, doc, .list, child: { Schema(of: Child.self) },
            access: unsafe FieldAccess(
                test: { pointer, _ in unsafe !read(pointer, get).isEmpty },
                visit: { pointer, _, body in unsafe visit(each: read(pointer, get), body) }))
    }

    /// Texts: a section shown once for each, with `{{.}}`.
    package static func texts(
        _ name: String, _ doc: String, _ get: @escaping @Sendable (Model) -> [String]
    ) -> Field {
        Field(
            name, doc, .texts, child: { .text },
            access: unsafe FieldAccess(
                test: { pointer, _ in unsafe !read(pointer, get).isEmpty },
                visit: { pointer, _, body in unsafe visit(each: read(pointer, get), body) }))
    }

    /// One of several model types, shown by the partial with the type's name: `{{>*name}}`.
    ///
    /// `{{>*name.row}}` picks the variant `row` of that partial. A type that is missing in `of` is a mistake of
    /// the program; the page says so where the model would have stood.
    package static func view(
        _ name: String, _ doc: String, of types: [any TemplateModel.Type],
        _ get: @escaping @Sendable (Model) -> any TemplateModel
    ) -> Field {
        let numbers = Dictionary(
            types.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
        return Field(
            name, doc, .view, shown: { types.map { erased($0) } },
            access: unsafe FieldAccess(
                test: { _, _ in true },
                show: { pointer, body in
                    let value: any TemplateModel = unsafe read(pointer, get)
                    unsafe open(value, numbers, body)
                }))
    }

    static func open<Value: TemplateModel>(
        _ value: Value, _ numbers: [ObjectIdentifier: Int], _ body: (Int?, String, UnsafeRawPointer) -> Void
    ) {
        unsafe visit(value) { unsafe body(numbers[ObjectIdentifier(Value.self)], Value.modelName, $0) }
    }

    static func visit<Value>(each values: [Value], _ body: (UnsafeRawPointer) -> Void) {
        unsafe values.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            for index in buffer.indices { unsafe body(UnsafeRawPointer(start + index)) }
        }
    }
}

/// The schema of a model type known only at run time.
func erased(_ type: any TemplateModel.Type) -> Schema {
    func open<Model: TemplateModel>(_ type: Model.Type) -> Schema { Schema(of: type) }
    return open(type)
}
