package import AppHealth
package import Diagnostics
package import Settings

/// A block that describes itself and has a name: a source, or a place to publish or attach to.
package struct BlockConfiguration: Sendable {
    /// Its name among the others.
    package var id: Slug
    /// The keys that its kind takes.
    package var schema: BlockSchema
    /// The values of those keys.
    package var settings: SettingValues
    /// Whom it trusts over TLS and what it shows; what the whole configuration says is in it.
    package var trust = TrustConfiguration()
    /// Where it is in the configuration.
    package var location: Location
}

/// A kind of block that describes itself: a source, or a place to publish or attach to.
struct ConfiguredKind {
    /// What it is called at the beginning of a sentence.
    let noun: String
    /// What the schema of the configuration calls it.
    let definition: String
    /// The key that names its schema.
    let key: String
    /// What that key names, in words.
    let names: String
    /// The id of the problem of a block that names none.
    let missing: String
    /// The keys that every such block may have.
    let common: [String]

    static let source = ConfiguredKind(
        noun: "Source", definition: "source", key: "provider", names: "provider",
        missing: "config.no-provider",
        common: ["provider", "id", "until"])
    static let target = ConfiguredKind(
        noun: "Publish target", definition: "target", key: "to", names: "kind",
        missing: "config.no-target-kind",
        common: ["to", "id", "mostRemoved", "audience"])
    static let attachment = ConfiguredKind(
        noun: "Attach target", definition: "attachment", key: "to", names: "kind",
        missing: "config.no-target-kind", common: ["to", "id", "app", "audience"])

    /// The keys that a block may have, those that all have first.
    func keys(of schema: BlockSchema) -> [String] {
        common + (schema.namesData ? ["formerly"] : []) + schema.keys.flatMap(\.names)
            + (schema.usesTLS ? trustKeys : [])
    }
}

extension YAMLFile {
    /// The schema that a block names, and its values by key; nil when it names none, or has keys of others.
    mutating func block(
        _ value: YAMLValue, _ kind: ConfiguredKind, _ schemas: [BlockSchema]
    ) -> (BlockSchema, [String: YAMLValue])? {
        let names = schemas.map(\.name)
        guard value.isMapping else {
            add(
                "yaml.wrong-type", "\(value.key): expected a mapping, found \(value.kind)", at: value,
                hints: ["begin it with '\(kind.key): ' and one of: \(names.joined(separator: ", "))"])
            return nil
        }
        guard let named = name(of: value, kind, schemas), let name = choice(named, among: names),
            let schema = schemas.first(where: { $0.name == name }),
            let keys = mapping(value, keys: kind.keys(of: schema))
        else { return nil }
        return (schema, keys)
    }

    /// The value that names the schema. Only keys that no schema has are reported before it is known.
    private mutating func name(
        of value: YAMLValue, _ kind: ConfiguredKind, _ schemas: [BlockSchema]
    ) -> YAMLValue? {
        var probe = self
        let keys = probe.mapping(value, keys: Set(schemas.flatMap(kind.keys)).sorted())
        if let name = keys?[kind.key] { return name }
        guard probe.problems.count == problems.count else {
            self = probe
            return nil
        }
        let names = schemas.map(\.name).joined(separator: ", ")
        add(
            kind.missing, "\(kind.noun) has no \(kind.names)", at: value,
            hints: ["add '\(kind.key): ' with one of: \(names)"])
        return nil
    }

    /// A block with its values and its name, which is that of its kind unless it has one; and all its keys.
    mutating func namedBlock(
        _ value: YAMLValue, _ kind: ConfiguredKind, _ schemas: [BlockSchema]
    ) -> (BlockConfiguration, [String: YAMLValue])? {
        guard let (schema, keys) = block(value, kind, schemas),
            let settings = settings(of: schema, kind, keys, value)
        else { return nil }
        let id = text(keys["id"]) ?? schema.name
        guard let slug = Slug(id) else {
            add(
                "config.bad-id", "Invalid id '\(id)'", at: keys["id"],
                hints: ["use lowercase letters, digits and '-'"])
            return nil
        }
        let block = BlockConfiguration(
            id: slug, schema: schema, settings: settings, trust: trust(keys), location: location(of: value))
        return (block, keys)
    }

    /// The values of a block's keys; nil when one that it must have is missing.
    mutating func settings(
        of schema: BlockSchema, _ kind: ConfiguredKind, _ keys: [String: YAMLValue], _ value: YAMLValue
    ) -> SettingValues? {
        var settings = SettingValues()
        var isWhole = true
        // What is no longer requested needs no credentials.
        let isEnded = kind.definition == ConfiguredKind.source.definition && keys["until"] != nil
        for var key in schema.keys {
            if isEnded { key.isRequired = false }
            let found = setting(key, of: schema, kind, keys, value)
            if let found { settings.values[key.name] = found }
            if found == nil, key.isRequired { isWhole = false }
        }
        return isWhole ? settings : nil
    }

    private mutating func setting(
        _ key: SettingKey, of schema: BlockSchema, _ kind: ConfiguredKind, _ keys: [String: YAMLValue],
        _ value: YAMLValue
    ) -> SettingValues.Value? {
        if key.isRequired, !key.names.contains(where: { keys[$0] != nil }) {
            addMissing(key, of: schema, kind, at: value)
            return nil
        }
        switch key.kind {
        case .secret: return secret(key.name, keys).map { .secret($0) }
        case .flag: return (flag(keys[key.name]) ?? key.standard.map { $0 == "true" }).map { .flag($0) }
        case .number(let range):
            return (count(keys[key.name], in: range).map(String.init) ?? key.standard).map { .text($0) }
        case .hours(let range):
            return (hours(keys[key.name], in: range).map(String.init) ?? key.standard).map { .text($0) }
        case .choice(let words):
            return (keys[key.name].flatMap { choice($0, among: words) } ?? key.standard).map { .text($0) }
        case .names(let words): return keys[key.name].flatMap { names($0, words) }.map { .names($0) }
        case .text, .textOrVariable, .path, .pathOrURL:
            return (text(keys[key.name]) ?? key.standard).map { .text($0) }
        }
    }

    /// The hours of `36h` or `3d` within a range; nil when there are none.
    private mutating func hours(_ value: YAMLValue?, in range: ClosedRange<Int>) -> Int? {
        guard let value else { return nil }
        let text = value.scalar ?? ""
        let digits = text.dropLast().prefix { $0.isASCII && $0.isNumber }
        let isWhole = text.dropLast(1).dropFirst(digits.count).allSatisfy { $0 == " " }
        let unit = ["h": 1, "d": 24][text.suffix(1)]
        if isWhole, let unit, let count = Int(digits), count <= range.upperBound,
            range.contains(count * unit)
        {
            return count * unit
        }
        add(
            "config.bad-age",
            "\(value.key): expected a time from \(range.lowerBound)h to \(range.upperBound / 24)d, found \(value.kind)",
            at: value, hints: ["write it in hours or days, such as 36h or 3d"])
        return nil
    }

    /// The texts of a mapping whose keys are some words.
    private mutating func names(_ value: YAMLValue, _ words: [String]) -> [String: String]? {
        guard let texts = mapping(value, keys: words) else { return nil }
        var result: [String: String] = [:]
        for word in words { result[word] = text(texts[word]) }
        return result
    }

    private mutating func addMissing(
        _ key: SettingKey, of schema: BlockSchema, _ kind: ConfiguredKind, at value: YAMLValue
    ) {
        guard case .secret = key.kind else {
            return add(
                "config.missing-key", "\(kind.noun) has no '\(key.name)'", at: value,
                hints: ["add '\(key.name)'"])
        }
        let variable = schema.secretVariable(key)
        add(
            "config.no-\(key.name)", "\(kind.noun) '\(schema.name)' has no \(key.name)", at: value,
            hints: [
                "add '\(key.name): ${\(variable)}' and set that variable, or '\(key.name)File: path'"
            ])
    }

    /// A secret is named, never written: `${VARIABLE}` or a file.
    mutating func secret(_ key: String, _ keys: [String: YAMLValue]) -> SecretReference? {
        if let path = text(keys[key + "File"]) { return .file(path) }
        guard let text = text(keys[key]) else { return nil }
        let name = text.dropFirst(2).dropLast()
        let isName =
            !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard text.hasPrefix("${"), text.hasSuffix("}"), isName else {
            let inVariable = "use '\(key): ${NAME}' with an environment variable"
            add(
                "config.literal-\(key)", "\(capitalized(key)) in plain text", at: keys[key],
                hints: [inVariable + ", or '\(key)File: path'"])
            return nil
        }
        return .environment(String(name))
    }
}

extension BlockSchema {
    /// The environment variable that usually holds a secret: `FILES_TOKEN` for the key `token` of `files`.
    package func secretVariable(_ key: SettingKey) -> String {
        "\(name)_\(key.name)".uppercased()
    }
}

/// With a capital at its beginning.
func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
