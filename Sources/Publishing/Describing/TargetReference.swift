import Settings

/// The reference of every kind of publish target in Markdown: for each its keys with an example, and what it needs.
package func targetReference(_ targets: [TargetDescriptor] = standardTargets) -> String {
    targets.map { "## Publish to: \($0.schema.title)\n\n\($0.schema.summary).\n\n\(targetKeys($0))" }
        .joined(separator: "\n")
}

/// An example of a target and the table of its keys.
package func targetKeys(_ target: TargetDescriptor) -> String {
    var lines = ["```yaml", "- to: \(target.name)"]
    lines += target.schema.keys.filter(\.isRequired).map { "  \($0.name): \($0.example)" }
    lines += ["```", ""]
    return lines.joined(separator: "\n") + "\n" + targetTable(target) + "\nNeeds: \(target.needs).\n"
}

/// The table of the keys of a target.
package func targetTable(_ target: TargetDescriptor) -> String {
    let rows = target.schema.keys.map { key in
        let names = key.names.map { "`\($0)`" }.joined(separator: " or ")
        let standard = key.standard.map { "`\($0)`" } ?? (key.isRequired ? "required" : "–")
        return "| \(names) | \(key.help.replacing("|", with: "\\|")) | \(standard) |"
    }
    return (["| key | meaning | default |", "|---|---|---|"] + rows).joined(separator: "\n") + "\n"
}
