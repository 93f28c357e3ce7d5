import AppHealth
import Diagnostics

extension YAMLFile {
    /// One source; the keys that it may have depend on its provider.
    mutating func source(_ value: YAMLValue) -> SourceConfiguration? {
        let all = Set(ProviderKind.allCases.flatMap(keys(of:))).sorted()
        var probe = self
        guard let loose = probe.mapping(value, keys: all), let name = loose["provider"] else {
            if value.scalar == nil, probe.problems.count == problems.count {
                add(
                    "config.no-provider", "A source has no provider", at: value,
                    hints: ["add 'provider: files' or 'provider: bugsnag'"])
            } else {
                self = probe
            }
            return nil
        }
        guard let kind = choice(name, of: ProviderKind.self), let keys = mapping(value, keys: keys(of: kind))
        else {
            return nil
        }
        guard let provider = provider(kind, keys, value) else { return nil }
        let id = text(keys["id"]) ?? kind.rawValue
        guard let slug = Slug(id) else {
            add(
                "config.bad-id", "'\(id)' cannot be an id", at: keys["id"],
                hints: ["use lowercase letters, digits and '-'"])
            return nil
        }
        return SourceConfiguration(id: slug, provider: provider, location: location(of: value))
    }

    private func keys(of kind: ProviderKind) -> [String] {
        switch kind {
        case .files: ["provider", "id", "path", "token", "tokenFile"]
        case .bugsnag:
            ["provider", "id", "project", "organization", "releaseStage", "url", "token", "tokenFile"]
        }
    }

    private mutating func provider(
        _ kind: ProviderKind, _ keys: [String: YAMLValue], _ value: YAMLValue
    ) -> ProviderConfiguration? {
        switch kind {
        case .files:
            guard let path = required("path", keys, value) else { return nil }
            return .files(path: path, token: secret(keys))
        case .bugsnag:
            guard let project = required("project", keys, value) else { return nil }
            guard keys["token"] != nil || keys["tokenFile"] != nil else {
                add(
                    "config.no-token", "A bugsnag source has no token", at: value,
                    hints: ["add 'token: ${BUGSNAG_TOKEN}' and set that variable, or 'tokenFile: path'"])
                return nil
            }
            guard let token = secret(keys) else { return nil }
            return .bugsnag(
                BugsnagSettings(
                    project: project, organization: text(keys["organization"]),
                    releaseStage: text(keys["releaseStage"]) ?? "production",
                    url: text(keys["url"]) ?? "https://api.bugsnag.com", token: token))
        }
    }

    private mutating func required(_ key: String, _ keys: [String: YAMLValue], _ value: YAMLValue) -> String?
    {
        guard let found = keys[key] else {
            add("config.missing-key", "A source lacks the key '\(key)'", at: value, hints: ["add '\(key)'"])
            return nil
        }
        return text(found)
    }

    /// A secret is named, never written: `${VARIABLE}` or a file.
    private mutating func secret(_ keys: [String: YAMLValue]) -> SecretReference? {
        if let path = text(keys["tokenFile"]) { return .file(path) }
        guard let text = text(keys["token"]) else { return nil }
        let name = text.dropFirst(2).dropLast()
        let isName =
            !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard text.hasPrefix("${"), text.hasSuffix("}"), isName else {
            add(
                "config.literal-token", "A token is written in the configuration", at: keys["token"],
                hints: [
                    "keep it in an environment variable and write 'token: ${NAME}', or in a file and write 'tokenFile: path'"
                ])
            return nil
        }
        return .environment(String(name))
    }
}
