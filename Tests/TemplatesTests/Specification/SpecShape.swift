import Markup

@testable import Templates

/// What a case's data looks like: from it comes the schema that a page model would have declared.
indirect enum SpecShape: Sendable {
    case nothing
    case text
    case markup
    case flag
    case model([String: SpecShape])
    case list(SpecShape)
    case view(Set<String>)

    /// The shape of a value that is reached by a name.
    init(of value: SpecValue, name: String, tags: SpecTags) {
        switch value {
        case .null: self = tags.raw.contains(name) ? .markup : .text
        case .flag: self = .flag
        case .text(let text):
            self = tags.dynamic.contains(name) ? .view([text]) : tags.raw.contains(name) ? .markup : .text
        case .array(let elements):
            self = .list(
                elements.reduce(.nothing) { $0.merged(with: SpecShape(of: $1, name: ".", tags: tags)) })
        case .object(let members):
            self = .model(
                Dictionary(
                    uniqueKeysWithValues: members.map { ($0, SpecShape(of: $1, name: $0, tags: tags)) }))
        }
    }

    func merged(with other: SpecShape) -> SpecShape {
        switch (self, other) {
        case (.nothing, let shape), (let shape, .nothing): shape
        case (.model(let mine), .model(let theirs)):
            .model(mine.merging(theirs) { $0.merged(with: $1) })
        case (.list(let mine), .list(let theirs)): .list(mine.merged(with: theirs))
        case (.view(let mine), .view(let theirs)): .view(mine.union(theirs))
        default: self
        }
    }

    /// A list that is empty in the data is one of models that have no fields.
    private var orEmptyModel: SpecShape { if case .nothing = self { .model([:]) } else { self } }

    /// The schema of values of this shape, over pointers to `SpecValue`.
    func schema(_ path: String) -> Schema {
        if case .model(let members) = self {
            let fields = members.sorted { $0.key < $1.key }.map { name, shape in
                shape.field(name, "\(path).\(name)") { $0[name] }
            }
            return Schema(identity: .named(path), name: path, fields: fields)
        }
        let dot = field(".", "\(path).") { $0 }
        return Schema(identity: .named(path), name: path, fields: [], dot: dot)
    }

    private typealias Getter = @Sendable (SpecValue) -> SpecValue?

    private func field(_ name: String, _ path: String, _ get: @escaping Getter) -> FieldSchema {
        switch self {
        case .nothing, .text: textField(name, path, .optionalText, get)
        case .markup: textField(name, path, .optionalMarkup, get)
        case .flag:
            FieldSchema(
                name: name, kind: .flag,
                access: FieldAccess(test: { pointer, _ in
                    if case .flag(true) = get(value(at: pointer)) { true } else { false }
                }))
        case .model: modelField(name, path, get)
        case .list(let element): listField(name, path, element, get)
        case .view(let names): viewField(name, names.sorted(), get)
        }
    }

    private func textField(
        _ name: String, _ path: String, _ kind: FieldKind, _ get: @escaping Getter
    ) -> FieldSchema {
        let isMarkup = kind == .optionalMarkup
        let element: SpecShape = isMarkup ? .markup : .text
        return FieldSchema(
            name: name, kind: kind, child: { element.schema(path) },
            access: FieldAccess(
                write: { pointer, language, writer in
                    guard case .text(let text) = get(value(at: pointer)) else { return }
                    if isMarkup {
                        writer.append(raw: text)
                    } else {
                        writer.append(text, escapedFor: language)
                    }
                },
                test: { pointer, _ in
                    if case .text(let text) = get(value(at: pointer)) { !text.isEmpty } else { false }
                },
                visit: { pointer, _, body in
                    guard let text = get(value(at: pointer)), case .text = text else { return }
                    withUnsafePointer(to: text) { body(UnsafeRawPointer($0)) }
                }))
    }

    private func modelField(_ name: String, _ path: String, _ get: @escaping Getter) -> FieldSchema {
        let child = schema(path)
        return FieldSchema(
            name: name, kind: .optional, child: { child },
            access: FieldAccess(
                test: { pointer, _ in
                    if case .object = get(value(at: pointer)) { true } else { false }
                },
                visit: { pointer, _, body in
                    guard let model = get(value(at: pointer)), case .object = model else { return }
                    withUnsafePointer(to: model) { body(UnsafeRawPointer($0)) }
                }))
    }

    private func listField(
        _ name: String, _ path: String, _ element: SpecShape, _ get: @escaping Getter
    ) -> FieldSchema {
        let child = element.orEmptyModel.schema("\(path)[]")
        return FieldSchema(
            name: name, kind: .list, child: { child },
            access: FieldAccess(
                test: { pointer, _ in
                    if case .array(let elements) = get(value(at: pointer)) {
                        !elements.isEmpty
                    } else {
                        false
                    }
                },
                visit: { pointer, _, body in
                    guard case .array(let elements) = get(value(at: pointer)) else { return }
                    for element in elements { withUnsafePointer(to: element) { body(UnsafeRawPointer($0)) } }
                }))
    }

    private func viewField(_ name: String, _ names: [String], _ get: @escaping Getter) -> FieldSchema {
        FieldSchema(
            name: name, kind: .view,
            shown: { names.map { Schema(identity: .named("view \($0)"), name: $0, fields: []) } },
            access: FieldAccess(
                test: { _, _ in true },
                show: { pointer, body in
                    guard case .text(let text) = get(value(at: pointer)) else { return }
                    body(names.firstIndex(of: text), text, pointer)
                }))
    }
}

private func value(at pointer: UnsafeRawPointer) -> SpecValue {
    pointer.assumingMemoryBound(to: SpecValue.self).pointee
}

/// The names that a case prints without escaping, and those it takes partials from.
struct SpecTags {
    var raw: Set<String> = []
    var dynamic: Set<String> = []

    init(_ texts: [String]) {
        for text in texts {
            for match in text.matches(of: #/\{\{(?:\{|&)\s*([^}\s]+)\s*\}/#) { raw.insert(last(match.1)) }
            for match in text.matches(of: #/\{\{>\s*\*\s*([^}\s]+)\s*\}/#) { dynamic.insert(last(match.1)) }
        }
    }

    private func last(_ name: Substring) -> String {
        name == "." ? "." : String(name.split(separator: ".").last ?? name)
    }
}
