import Diagnostics

/// The models that names are looked up in at one place of a template, known when it is resolved.
struct Context {
    struct Frame {
        let slot: Int
        let schema: Schema
    }

    /// From the outermost to the innermost.
    private(set) var frames: [Frame] = []
    /// The next free slot.
    private(set) var depth = 0
    /// Whether a model was entered since the routine began.
    private(set) var hasAdvanced = false

    init(_ schemas: [Schema]) {
        frames = schemas.enumerated().map { Frame(slot: $0.offset, schema: $0.element) }
        depth = schemas.count
    }

    /// The innermost frame.
    var top: Frame? { frames.last }

    /// The context inside a section: an outer frame of the same schema cannot be reached any more and goes.
    func entering(_ schema: Schema, slot: Int) -> Context {
        var context = self
        context.frames.removeAll { $0.schema.identity == schema.identity || $0.schema.isElement }
        context.frames.append(Frame(slot: slot, schema: schema))
        context.depth = max(depth, slot + 1)
        if !schema.isElement { context.hasAdvanced = true }
        return context
    }

    /// The context with a slot taken by a frame that names cannot reach.
    func reserving(slot: Int) -> Context {
        var context = self
        context.depth = max(depth, slot + 1)
        return context
    }

    /// The context with at least so many slots taken.
    func keeping(depth: Int) -> Context { depth > self.depth ? reserving(slot: depth - 1) : self }
}

extension Schema {
    /// Whether it is no model but the element of a section, reached by `{{.}}` only.
    var isElement: Bool { dot != nil && fields.isEmpty }
}

/// A name's way to its value.
struct Resolution {
    let slot: Int
    /// The models on the way.
    let steps: [FieldSchema]
    let field: FieldSchema
}

extension Context {
    /// Finds what a name means, from the innermost frame outwards; later parts only in the one before.
    func resolve(_ parts: [String], as text: String) throws(TemplateProblem) -> Resolution {
        guard let first = parts.first else { return try resolveDot() }
        guard let frame = frames.last(where: { $0.schema.field(first) != nil }),
            var field = frame.schema.field(first)
        else { throw unknown(first, text, among: frames.reversed().flatMap(\.schema.fields)) }
        var steps: [FieldSchema] = []
        for part in parts.dropFirst() {
            guard field.kind.isPath, let schema = field.child?() else {
                throw .wrongKind(
                    field.name, kind: field.kind.words, need: "a model", hint: field.kind.usage(field.name))
            }
            steps.append(field)
            guard let next = schema.field(part) else { throw unknown(part, text, among: schema.fields) }
            field = next
        }
        return Resolution(slot: frame.slot, steps: steps, field: field)
    }

    private func resolveDot() throws(TemplateProblem) -> Resolution {
        guard let top else { throw .unknownName(".", path: nil, nearest: nil, available: []) }
        guard let dot = top.schema.dot else {
            let names = top.schema.fields.prefix(20).map(\.name).joined(separator: ", ")
            throw .wrongKind(".", kind: "a model", need: "text", hint: "name one of its fields: \(names)")
        }
        return Resolution(slot: top.slot, steps: [], field: dot)
    }

    private func unknown(_ part: String, _ text: String, among fields: [FieldSchema]) -> TemplateProblem {
        let names = fields.map(\.name).uniqued()
        return .unknownName(
            part, path: part == text ? nil : text, nearest: nearestName(to: part, among: names),
            available: Array(names.prefix(40)))
    }
}

extension FieldKind {
    /// The kind in a message.
    var words: String {
        switch self {
        case .url, .optionalURL: "an address"
        case .optional, .model: "a model"
        case .optionalText: "text"
        case .optionalMarkup: "markup"
        case .texts: "a list of texts"
        case .text, .markup: rawValue
        case .number, .flag, .list, .view: "a \(rawValue)"
        }
    }

    /// How to use a field of the kind.
    func usage(_ name: String) -> String {
        switch self {
        case .text, .optionalText, .number, .url, .optionalURL: "write {{\(name)}}"
        case .markup, .optionalMarkup: "write {{{\(name)}}}"
        case .view: "write {{>*\(name)}}"
        case .flag, .model, .optional, .list, .texts: "write {{#\(name)}}…{{/\(name)}}"
        }
    }
}
