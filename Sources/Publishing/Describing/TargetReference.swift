package import Settings

/// The reference of every kind of publish target in Markdown: for each its keys with an example, and what it needs.
package func targetReference(_ targets: [TargetDescriptor] = standardTargets) -> String {
    targets.map { "## Publish to: \($0.schema.title)\n\n\($0.schema.summary).\n\n\(targetKeys($0))" }
        .joined(separator: "\n")
}

/// An example of a target and the table of its keys.
package func targetKeys(_ target: TargetDescriptor) -> String {
    keyReference(of: target.schema, needs: target.needs)
}

/// An example of a kind of place, the table of its keys, and what it needs.
package func keyReference(of schema: BlockSchema, needs: String) -> String {
    var lines = ["```yaml", "- to: \(schema.name)"]
    lines += schema.keys.filter(\.isRequired).map { "  " + $0.exampleLine }
    lines += ["```", ""]
    return lines.joined(separator: "\n") + "\n" + keyTable(of: schema) + "\nNeeds: \(needs).\n"
}

/// The table of the keys of a target.
package func targetTable(_ target: TargetDescriptor) -> String { keyTable(of: target.schema) }

/// The table of the keys of a kind of place.
package func keyTable(of schema: BlockSchema) -> String {
    let rows = schema.keys.map { key in
        let names = key.names.map { "`\($0)`" }.joined(separator: " or ")
        let standard = key.standard.map { "`\($0)`" } ?? (key.isRequired ? "required" : "–")
        return "| \(names) | \(key.help.replacing("|", with: "\\|")) | \(standard) |"
    }
    return (["| key | meaning | default |", "|---|---|---|"] + rows).joined(separator: "\n") + "\n"
}
