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

/// The fields of a model type in the order of their declaration.
package func reference(of type: any TemplateModel.Type) -> [FieldReference] {
    erased(type).fields.map { field in
        FieldReference(name: field.name, kind: field.kind, doc: field.doc, models: modelNames(in: field))
    }
}

/// The model types that can be reached from a type, itself first, each once, in order of first mention.
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
