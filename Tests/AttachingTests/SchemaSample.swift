import Foundation

/// Makes values that satisfy a schema.
struct SchemaSample {
    /// The schemas that others refer to.
    let definitions: [String: Any]
    /// Whether a value has no more than is required, and null wherever it may; otherwise it has all that is described.
    let isSparse: Bool

    /// A value with what is said, and something typical for the rest.
    func filled(_ said: Any?, _ schema: [String: Any]) -> Any {
        let schema = chosen(resolved(schema), for: said)
        if let list = said as? [Any] { return list.map { filled($0, items(of: schema)) } }
        let members = said as? [String: Any]
        if said == nil || members != nil, let properties = schema["properties"] as? [String: [String: Any]] {
            if said == nil, isSparse, types(of: schema).contains("null") { return NSNull() }
            return object(members ?? [:], properties, schema)
        }
        return said ?? typical(schema)
    }

    /// The types that a schema allows; empty when it allows all, or is a choice.
    func types(of schema: [String: Any]) -> [String] {
        let schema = resolved(schema)
        if let types = schema["type"] as? [String] { return types }
        return (schema["type"] as? String).map { [$0] } ?? []
    }

    private func resolved(_ schema: [String: Any]) -> [String: Any] {
        guard let reference = schema["$ref"] as? String, let name = reference.split(separator: "/").last
        else { return schema }
        return resolved(definitions[String(name)] as? [String: Any] ?? [:])
    }

    /// The first choice of several; nothing where that is one and is enough.
    private func chosen(_ schema: [String: Any], for said: Any?) -> [String: Any] {
        guard let choices = schema["anyOf"] as? [[String: Any]] else { return schema }
        let nothing = choices.first { $0["type"] as? String == "null" }
        if said == nil, isSparse, let nothing { return nothing }
        return resolved(choices.first { $0["type"] as? String != "null" } ?? [:])
    }

    private func items(of schema: [String: Any]) -> [String: Any] { schema["items"] as? [String: Any] ?? [:] }

    private func object(
        _ said: [String: Any], _ properties: [String: [String: Any]], _ schema: [String: Any]
    ) -> [String: Any] {
        let required = Set(schema["required"] as? [String] ?? [])
        var result = said
        for (name, property) in properties {
            if let own = said[name] {
                result[name] = filled(own, property)
            } else if !isSparse || required.contains(name) {
                result[name] = filled(nil, property)
            }
        }
        return result
    }

    private func typical(_ schema: [String: Any]) -> Any {
        let types = types(of: schema)
        if isSparse, types.contains("null") { return NSNull() }
        if let word = (schema["enum"] as? [Any])?.first { return word }
        switch types.first ?? "null" {
        case "string": return text(schema)
        case "integer", "number": return schema["minimum"] ?? 1
        case "boolean": return false
        case "array": return isSparse ? [Any]() : [filled(nil, items(of: schema))]
        case "object": return [String: Any]()
        default: return NSNull()
        }
    }

    private func text(_ schema: [String: Any]) -> String {
        let text =
            switch schema["format"] as? String ?? "" {
            case "date-time": "2026-11-20T08:00:00Z"
            case "uri": "https://vendor.example/x"
            default: "text"
            }
        guard let pattern = schema["pattern"] as? String else { return text }
        return [text, "1"].first { $0.range(of: pattern, options: .regularExpression) != nil } ?? text
    }
}
