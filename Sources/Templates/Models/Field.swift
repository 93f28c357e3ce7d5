package import Markup

/// Fields that are printed.
extension Field {
    /// Text, escaped where it is printed; a section on it is shown when it is not empty.
    package static func text(
        _ name: String, _ doc: String, _ get: @escaping @Sendable (Model) -> String
    ) -> Field {
        Field(
            name, doc, .text, child: { .text },
            access: unsafe FieldAccess(
                write: { unsafe $2.append(read($0, get), escapedFor: $1) },
                test: { pointer, _ in unsafe !read(pointer, get).isEmpty },
                visit: { pointer, _, body in
                    let text = unsafe read(pointer, get)
                    if !text.isEmpty { unsafe visit(text, body) }
                }))
    }

    /// Text or nothing; prints nothing when nil, and a section on it is shown when it is neither nil nor empty.
    package static func optionalText(
        _ name: String, _ doc: String, _ get: @escaping @Sendable (Model) -> String?
    ) -> Field {
        Field(
            name, doc, .optionalText, child: { .text },
            access: unsafe FieldAccess(
                write: { if let text = unsafe read($0, get) { $2.append(text, escapedFor: $1) } },
                test: { pointer, _ in unsafe !(read(pointer, get) ?? "").isEmpty },
                visit: { pointer, _, body in
                    if let text = unsafe read(pointer, get), !text.isEmpty { unsafe visit(text, body) }
                }))
    }

    /// A whole number, printed in plain decimal.
    package static func number(
        _ name: String, _ doc: String, _ get: @escaping @Sendable (Model) -> Int
    ) -> Field {
        unsafe Field(
            name, doc, .number,
            access: FieldAccess(
                write: { pointer, _, writer in unsafe writer.append(read(pointer, get)) },
                test: { _, _ in true }))
    }

    /// Yes or no, for sections.
    package static func flag(
        _ name: String, _ doc: String, _ get: @escaping @Sendable (Model) -> Bool
    ) -> Field {
        unsafe Field(name, doc, .flag, access: FieldAccess(test: { pointer, _ in unsafe read(pointer, get) }))
    }

    /// Markup for the template's language, printed as it is by `{{{name}}}`.
    ///
    /// Markup in a language that does not fit the template's is escaped as text.
    package static func markup(
        _ name: String, _ doc: String, _ get: @escaping @Sendable (Model, OutputLanguage) -> Markup
    ) -> Field {
        Field(
            name, doc, .markup, child: { .markup },
            access: unsafe FieldAccess(
                write: { unsafe $2.append(read($0, $1, get), in: $1) },
                test: { unsafe !read($0, $1, get).isEmpty },
                visit: { pointer, language, body in
                    let markup = unsafe read(pointer, language, get)
                    if !markup.isEmpty { unsafe visit(markup, body) }
                }))
    }

    /// Markup or nothing.
    package static func optionalMarkup(
        _ name: String, _ doc: String, _ get: @escaping @Sendable (Model, OutputLanguage) -> Markup?
    ) -> Field {
        Field(
            name, doc, .optionalMarkup, child: { .markup },
            access: unsafe FieldAccess(
                write: { if let markup = unsafe read($0, $1, get) { $2.append(markup, in: $1) } },
                test: { unsafe read($0, $1, get)?.isEmpty == false },
                visit: { pointer, language, body in
                    if let markup = unsafe read(pointer, language, get), !markup.isEmpty {
                        unsafe visit(markup, body)
                    }
                }))
    }

    /// An address, printed as `#` unless it is relative, http, https, mailto or a fragment.
    package static func url(
        _ name: String, _ doc: String, _ get: @escaping @Sendable (Model) -> String
    ) -> Field {
        Field(
            name, doc, .url, child: { .address },
            access: unsafe FieldAccess(
                write: { unsafe $2.append(address: read($0, get), escapedFor: $1) },
                test: { pointer, _ in unsafe !read(pointer, get).isEmpty },
                visit: { pointer, _, body in
                    let address = unsafe read(pointer, get)
                    if !address.isEmpty { unsafe visit(address, body) }
                }))
    }

    /// An address or nothing.
    package static func optionalUrl(
        _ name: String, _ doc: String, _ get: @escaping @Sendable (Model) -> String?
    ) -> Field {
        Field(
            name, doc, .optionalURL, child: { .address },
            access: unsafe FieldAccess(
                write: { if let text = unsafe read($0, get) { $2.append(address: text, escapedFor: $1) } },
                test: { pointer, _ in unsafe !(read(pointer, get) ?? "").isEmpty },
                visit: { pointer, _, body in
                    if let text = unsafe read(pointer, get), !text.isEmpty { unsafe visit(text, body) }
                }))
    }
}

extension Field {
    /// The value of an accessor for the model at a pointer that the resolver paired with this field.
    @inline(__always)
    static func read<Value>(_ pointer: UnsafeRawPointer, _ get: (Model) -> Value) -> Value {
        unsafe borrow(pointer.assumingMemoryBound(to: Model.self), get)
    }

    /// The same for an accessor that gets the language.
    @inline(__always)
    static func read<Value>(
        _ pointer: UnsafeRawPointer, _ language: OutputLanguage, _ get: (Model, OutputLanguage) -> Value
    ) -> Value {
        unsafe borrow(pointer.assumingMemoryBound(to: Model.self)) { get($0, language) }
    }

    /// Calls the closure with the value in its place: a type that cannot be copied is not copied either.
    ///
    /// For a type known only at run time, reading `pointee` would copy the whole model for each field.
    @inline(never)
    private static func borrow<Value: ~Copyable, Result>(
        _ pointer: UnsafePointer<Value>, _ get: (borrowing Value) -> Result
    ) -> Result {
        unsafe get(pointer.pointee)
    }

    /// Calls the closure with a pointer that is good until it returns.
    static func visit<Value>(_ value: Value, _ body: (UnsafeRawPointer) -> Void) {
        unsafe withUnsafePointer(to: value) { unsafe body(UnsafeRawPointer($0)) }
    }
}

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
    /// the program; the page says so where the model would have been.
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
