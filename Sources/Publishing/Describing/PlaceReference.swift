package import Settings

/// The reference of kinds of places in Markdown: for each its keys with an example, and what it needs.
///
/// - Parameter title: what is done there, as `Publish to`.
package func placeReference(_ title: String, _ places: [some PlaceDescriptor]) -> String {
    places.map { "## \(title): \($0.schema.title)\n\n\($0.schema.summary).\n\n\(keyReference(of: $0))" }
        .joined(separator: "\n")
}

/// An example of a kind of place, the table of its keys, and what it needs.
private func keyReference(of place: some PlaceDescriptor) -> String {
    var lines = ["```yaml", "- to: \(place.name)"]
    lines += place.schema.keys.filter(\.isRequired).map { "  " + $0.exampleLine }
    lines += ["```", ""]
    return lines.joined(separator: "\n") + "\n" + keyTable(of: place.schema) + "\nNeeds: \(place.needs).\n"
}

/// The table of the keys of a kind of place.
package func keyTable(of schema: BlockSchema) -> String {
    let rows = schema.keys.map { key in
        let names = key.names.map { "`\($0)`" }.joined(separator: " or ")
        let standard = key.standard.map { "`\($0)`" } ?? (key.isRequired ? "required" : "–")
        return "| \(names) | \(key.help.replacing("|", with: "\\|")) | \(standard) |"
    }
    return (["| key | meaning | default |", "|---|---|---|"] + rows).joined(separator: "\n") + "\n"
}
