import Markup

@testable import Templates

/// One value of every field, gathered from page models in their order.
struct FieldExamples {
    /// Fields nest no deeper in the pages of a site.
    private static let depthLimit = 12
    private var values: [String: [String: String]] = [:]

    /// The example of a field; nil when no model had a value.
    func example(_ field: String, of model: String) -> String? { values[model]?[field] }

    /// Gathers from a page and from all that it holds.
    mutating func collect<Page: TemplateModel>(_ page: Page) {
        withUnsafePointer(to: page) { walk(Schema(of: Page.self), UnsafeRawPointer($0), depth: 0) }
    }

    private mutating func walk(_ schema: Schema, _ pointer: UnsafeRawPointer, depth: Int) {
        guard depth < Self.depthLimit else { return }
        for field in schema.fields {
            let value = value(of: field, pointer, depth: depth)
            if !value.isEmpty, values[schema.name]?[field.name] == nil {
                values[schema.name, default: [:]][field.name] = value
            }
        }
    }

    private mutating func value(of field: FieldSchema, _ pointer: UnsafeRawPointer, depth: Int) -> String {
        switch field.kind {
        case .flag: return field.access.test(pointer, .html) ? "true" : "false"
        case .list, .model, .optional:
            var count = 0
            field.access.visit?(pointer, .html) { inner in
                count += 1
                if let child = field.child?() { walk(child, inner, depth: depth + 1) }
            }
            return count == 0 ? "" : field.kind == .list ? "\(count) of them" : "one"
        case .view:
            var shown = ""
            field.access.show?(pointer) { number, name, inner in
                shown = name
                if let number { walk(field.shown()[number], inner, depth: depth + 1) }
            }
            return shown
        case .texts:
            var texts: [String] = []
            field.access.visit?(pointer, .html) {
                texts.append($0.assumingMemoryBound(to: String.self).pointee)
            }
            return short(texts.joined(separator: ", "))
        default:
            var writer = ByteWriter()
            field.access.write?(pointer, field.kind.isMarkup ? .html : .plain, &writer)
            return short(writer.text)
        }
    }
}

/// On one line, and not longer than a cell of a table should be.
private func short(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count <= 60 ? line : line.prefix(57) + "…"
}
