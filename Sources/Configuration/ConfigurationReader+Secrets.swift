extension YAMLFile {
    /// A text that a source must have.
    mutating func required(_ key: String, _ keys: [String: YAMLValue], _ value: YAMLValue) -> String? {
        guard let found = keys[key] else {
            add("config.missing-key", "A source lacks the key '\(key)'", at: value, hints: ["add '\(key)'"])
            return nil
        }
        return text(found)
    }

    /// The credential that a source must have, under a key or under the key with `File`.
    mutating func credential(
        _ key: String, of kind: ProviderKind, _ keys: [String: YAMLValue], _ value: YAMLValue
    ) -> SecretReference? {
        guard keys[key] != nil || keys[key + "File"] != nil else {
            let variable = "\(kind.rawValue.uppercased())_\(key.uppercased())"
            add(
                "config.no-\(key)", "A \(kind.rawValue) source has no \(key)", at: value,
                hints: ["add '\(key): ${\(variable)}' and set that variable, or '\(key)File: path'"])
            return nil
        }
        return secret(key, keys)
    }

    /// A secret is named, never written: `${VARIABLE}` or a file.
    mutating func secret(_ key: String, _ keys: [String: YAMLValue]) -> SecretReference? {
        if let path = text(keys[key + "File"]) { return .file(path) }
        guard let text = text(keys[key]) else { return nil }
        let name = text.dropFirst(2).dropLast()
        let isName =
            !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard text.hasPrefix("${"), text.hasSuffix("}"), isName else {
            let inVariable = "keep it in an environment variable and write '\(key): ${NAME}'"
            add(
                "config.literal-\(key)", "The \(key) itself is written in the configuration", at: keys[key],
                hints: [inVariable + ", or in a file and write '\(key)File: path'"])
            return nil
        }
        return .environment(String(name))
    }
}
