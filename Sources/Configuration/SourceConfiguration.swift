package import AppHealth
package import Diagnostics

/// One source of one app.
package struct SourceConfiguration: Sendable {
    /// The name of the source within its app.
    package var id: Slug
    /// The keys that its provider takes.
    package var schema: SourceSchema
    /// The values of those keys.
    package var settings: SourceSettings
    /// Whom it trusts over TLS and what it shows; what the whole configuration says is in it.
    package var trust = TrustConfiguration()
    /// Where it is in the configuration.
    package var location: Location

    /// The provider's name.
    package var provider: String { schema.provider }
}

extension YAMLFile {
    /// One source; the keys that it may have are those of its provider.
    mutating func source(_ value: YAMLValue, _ schemas: [SourceSchema]) -> SourceConfiguration? {
        let names = schemas.map(\.provider)
        guard value.isMapping else {
            add(
                "yaml.wrong-type", "\(value.key): expected a mapping, found \(value.kind)", at: value,
                hints: ["begin it with 'provider: ' and one of: \(names.joined(separator: ", "))"])
            return nil
        }
        guard let name = provider(of: value, schemas) else { return nil }
        guard let provider = choice(name, among: names),
            let schema = schemas.first(where: { $0.provider == provider }),
            let keys = mapping(value, keys: schema.sourceKeys)
        else { return nil }
        guard let settings = settings(of: schema, keys, value) else { return nil }
        let id = text(keys["id"]) ?? provider
        guard let slug = Slug(id) else {
            add(
                "config.bad-id", "Invalid id '\(id)'", at: keys["id"],
                hints: ["use lowercase letters, digits and '-'"])
            return nil
        }
        return SourceConfiguration(
            id: slug, schema: schema, settings: settings, trust: trust(keys), location: location(of: value))
    }

    /// The value that names the provider. Only keys that no provider has are reported before it is known.
    private mutating func provider(of value: YAMLValue, _ schemas: [SourceSchema]) -> YAMLValue? {
        var probe = self
        let keys = probe.mapping(value, keys: Set(schemas.flatMap(\.sourceKeys)).sorted())
        if let name = keys?["provider"] { return name }
        guard probe.problems.count == problems.count else {
            self = probe
            return nil
        }
        let names = schemas.map(\.provider).joined(separator: ", ")
        add(
            "config.no-provider", "Source has no provider", at: value,
            hints: ["add 'provider: ' with one of: \(names)"])
        return nil
    }

    /// The values of a source's keys; nil when one that it must have is missing.
    private mutating func settings(
        of schema: SourceSchema, _ keys: [String: YAMLValue], _ value: YAMLValue
    ) -> SourceSettings? {
        var settings = SourceSettings()
        var isWhole = true
        for key in schema.keys {
            let found = setting(key, of: schema, keys, value)
            if let found { settings.values[key.name] = found }
            if found == nil, key.isRequired { isWhole = false }
        }
        return isWhole ? settings : nil
    }

    private mutating func setting(
        _ key: SourceKey, of schema: SourceSchema, _ keys: [String: YAMLValue], _ value: YAMLValue
    ) -> SourceSettings.Value? {
        if key.isRequired, !key.names.contains(where: { keys[$0] != nil }) {
            addMissing(key, of: schema, at: value)
            return nil
        }
        switch key.kind {
        case .secret: return secret(key.name, keys).map { .secret($0) }
        case .flag: return (flag(keys[key.name]) ?? key.standard.map { $0 == "true" }).map { .flag($0) }
        case .number(let range):
            let bounds = Double(range.lowerBound)...Double(range.upperBound)
            let found = number(keys[key.name], in: bounds).map { String(Int($0)) }
            return (found ?? key.standard).map { .text($0) }
        case .choice(let words):
            return (keys[key.name].flatMap { choice($0, among: words) } ?? key.standard).map { .text($0) }
        case .names(let words): return keys[key.name].flatMap { names($0, words) }.map { .names($0) }
        case .text, .textOrVariable, .path, .pathOrURL:
            return (text(keys[key.name]) ?? key.standard).map { .text($0) }
        }
    }

    /// The texts of a mapping whose keys are some words.
    private mutating func names(_ value: YAMLValue, _ words: [String]) -> [String: String]? {
        guard let texts = mapping(value, keys: words) else { return nil }
        var result: [String: String] = [:]
        for word in words { result[word] = text(texts[word]) }
        return result
    }

    private mutating func addMissing(_ key: SourceKey, of schema: SourceSchema, at value: YAMLValue) {
        guard case .secret = key.kind else {
            return add(
                "config.missing-key", "Source has no '\(key.name)'", at: value, hints: ["add '\(key.name)'"])
        }
        let variable = schema.secretVariable(key)
        add(
            "config.no-\(key.name)", "Source '\(schema.provider)' has no \(key.name)", at: value,
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

extension SourceSchema {
    /// The keys that a source may have, those that all have first.
    package var sourceKeys: [String] {
        ["provider", "id"] + keys.flatMap(\.names) + (usesTLS ? trustKeys : [])
    }

    /// The environment variable that usually holds a secret: `FILES_TOKEN` for the key `token` of `files`.
    package func secretVariable(_ key: SourceKey) -> String {
        "\(provider)_\(key.name)".uppercased()
    }
}

/// With a capital at its beginning.
func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
