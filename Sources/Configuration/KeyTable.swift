/// The keys of one mapping of `plimsoll.yml`, as the manual lists them; made from the schema.
package struct KeyTable: Hashable, Sendable {
    /// One key.
    package struct Row: Hashable, Sendable {
        /// The key, with those above it: `retries.attempts`.
        package var key: String
        /// What it is, with its range or its words.
        package var meaning: String
        /// `required`, or the value that holds when the key is not given; nil when there is none.
        package var standard: String?
    }

    /// The heading of the manual.
    package var title: String
    /// The keys in their order.
    package var rows: [Row]

    fileprivate init(
        _ title: String, _ properties: [SchemaProperty], required: Set<String>, isWhole: Bool = true
    ) {
        self.title = title
        rows = properties.flatMap { KeyTable.rows(of: $0, required, isWhole) }
    }

    /// The table in Markdown.
    package var markdown: String {
        let lines = rows.map { row in
            let standard = row.standard.map { $0 == "required" ? $0 : "`\($0)`" } ?? "–"
            return "| `\(row.key)` | \(row.meaning.replacing("|", with: "\\|")) | \(standard) |"
        }
        return (["| key | what it is | default |", "|---|---|---|"] + lines).joined(separator: "\n") + "\n"
    }
}

/// The tables of all keys but those of providers. What an app or a source shares with the site is listed there.
package let keyTables: [KeyTable] = [
    KeyTable("The site", site, required: ["apps"]), KeyTable("Requests", requests, required: []),
    KeyTable("An app", appProperties, required: ["id", "sources"], isWhole: false),
    KeyTable("A source", anySource, required: ["provider"], isWhole: false),
    KeyTable("A publish target", anyTarget, required: ["to"], isWhole: false),
    KeyTable("An attach target", anyAttachment, required: ["to"], isWhole: false),
]

extension KeyTable {
    /// A key, and those below it when it is a small mapping. Activity has a page of its own in the manual.
    private static func rows(
        of property: SchemaProperty, _ required: Set<String>, _ isWhole: Bool
    ) -> [Row] {
        let below = property.name == "alerts" || !isWhole ? [] : members(of: property.value)
        let own = Row(
            key: property.name, meaning: meaning(property.value),
            standard: required.contains(property.name) ? "required" : standard(property.value))
        return [own]
            + below.map { member in
                Row(
                    key: "\(property.name).\(member.name)", meaning: meaning(member.value),
                    standard: standard(member.value))
            }
    }

    /// The keys of the mapping that a shared definition is.
    private static func members(of value: SchemaValue) -> [SchemaProperty] {
        guard case .text(let path)? = value["$ref"] else { return [] }
        guard let definition = shared.first(where: { path == "#/$defs/\($0.name)" })?.value else { return [] }
        var mappings = [definition]
        if case .list(let forms)? = definition["anyOf"] { mappings = forms }
        return mappings.flatMap { mapping -> [SchemaProperty] in
            if case .object(let members)? = mapping["properties"] { members } else { [] }
        }
    }

    private static func meaning(_ value: SchemaValue) -> String {
        var text = plain(value["description"]) ?? ""
        if let least = plain(value["minimum"]), let most = plain(value["maximum"]) {
            text += ", \(least)–\(most)"
        }
        if case .list(let words)? = value["enum"] {
            text += ": " + words.compactMap(plain).map { "`\($0)`" }.joined(separator: ", ")
        }
        return text
    }

    private static func standard(_ value: SchemaValue) -> String? { plain(value["default"]) }

    private static func plain(_ value: SchemaValue?) -> String? {
        switch value {
        case .text(let text)?: text
        case .number(let number)?: "\(number)"
        case .decimal(let number)?: "\(number)"
        case .flag(let flag)?: "\(flag)"
        default: nil
        }
    }
}
