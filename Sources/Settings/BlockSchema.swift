/// The keys of one kind of block in the configuration, such as a source of one provider.
///
/// It is a plain value, so that the reader of the configuration knows every key without knowing whose they are.
package struct BlockSchema: Hashable, Sendable, Codable {
    /// The kind's name, as the configuration writes it: the name of a provider.
    package var name: String
    /// The name of the service, for people.
    package var title: String
    /// What it is, in one sentence without a period.
    package var summary: String
    /// The keys in the order in which they are written and read.
    package var keys: [SettingKey]
    /// Whether it is reached over TLS, so that the block may name certificates.
    package var usesTLS: Bool

    /// Makes a schema.
    package init(
        _ name: String, title: String, summary: String, keys: [SettingKey], usesTLS: Bool = true
    ) {
        self.name = name
        self.title = title
        self.summary = summary
        self.keys = keys
        self.usesTLS = usesTLS
    }

    /// Whether some of its keys say which data is read.
    package var namesData: Bool { keys.contains { $0.dataName != nil } }
}

/// One key of a block.
package struct SettingKey: Hashable, Sendable, Codable {
    /// What a key holds.
    package enum Kind: Hashable, Codable, Sendable {
        /// A text.
        case text
        /// A text, or `${NAME}` for the value of an environment variable.
        case textOrVariable
        /// A path from the folder of the configuration.
        case path
        /// A path from the folder of the configuration, or a URL.
        case pathOrURL
        /// `true` or `false`.
        case flag
        /// A whole number within bounds.
        case number(ClosedRange<Int>)
        /// A time such as `36h` or `3d`, within bounds of hours; its value is the number of hours.
        case hours(ClosedRange<Int>)
        /// One of some words.
        case choice([String])
        /// A text for each of some words that is given one.
        case names([String])
        /// A secret that is named, never written: `key: ${NAME}`, or `keyFile: path`. The form is the usual one.
        case secret(SecretForm)
    }

    /// Where a secret usually is.
    package enum SecretForm: Hashable, Codable, Sendable {
        case variable, file
    }

    /// What of a value says which data is read, such as that of one project.
    package enum DataName: Hashable, Codable, Sendable {
        /// The value.
        case value
        /// The value, unless it is this word, which means the same as no value.
        case valueUnless(String)
        /// The host of a URL: other servers have other data.
        case host
    }

    /// The key.
    package var name: String
    /// What it holds.
    package var kind: Kind
    /// Whether a block must have it.
    package var isRequired: Bool
    /// What holds without it, as the configuration would write it; nil when nothing does.
    package var standard: String?
    /// A value for an example, as the configuration would write it.
    package var example: String
    /// What it means, in a few words without a period.
    package var help: String
    /// Whether it is the path of a folder that this program fills.
    package var isOutput = false
    /// Whether it is the path of a file that this program writes to, and others too.
    package var isWritten = false
    /// What of its value says which data is read; nil when nothing does, as of a token or a limit.
    package var dataName: DataName?

    /// Makes a key that a block must have.
    package static func required(
        _ name: String, _ kind: Kind = .text, example: String, _ help: String
    ) -> SettingKey {
        SettingKey(name: name, kind: kind, isRequired: true, standard: nil, example: example, help: help)
    }

    /// Makes a key that a block may have.
    package static func optional(
        _ name: String, _ kind: Kind = .text, else standard: String? = nil, example: String? = nil,
        _ help: String
    ) -> SettingKey {
        SettingKey(
            name: name, kind: kind, isRequired: false, standard: standard, example: example ?? standard ?? "",
            help: help)
    }

    /// Makes a key for a folder that this program fills.
    package static func output(_ name: String, example: String, _ help: String) -> SettingKey {
        var key = required(name, .path, example: example, help)
        key.isOutput = true
        return key
    }

    /// Makes a key for a file that this program writes to.
    package static func written(_ name: String, example: String, _ help: String) -> SettingKey {
        var key = optional(name, .path, example: example, help)
        key.isWritten = true
        return key
    }

    /// The same as a key that says which data is read.
    package func namingData(_ name: DataName = .value) -> SettingKey {
        var key = self
        key.dataName = name
        return key
    }

    /// Every key that the configuration may have for it: a secret has a second one, for a file.
    package var names: [String] {
        if case .secret = kind { [name, name + "File"] } else { [name] }
    }
}

/// The values of a block's keys, as they were configured; what has a standard value has it.
package struct SettingValues: Hashable, Sendable, Codable {
    /// A value.
    package enum Value: Hashable, Codable, Sendable {
        case text(String)
        case flag(Bool)
        case names([String: String])
        case secret(SecretReference)
    }

    /// By the keys' names.
    package var values: [String: Value]

    /// Makes settings.
    package init(_ values: [String: Value] = [:]) {
        self.values = values
    }

    /// The text of a key; nil when there is none.
    package func text(_ key: String) -> String? {
        if case .text(let text)? = values[key] { text } else { nil }
    }

    /// The texts of a key by word; empty when there are none.
    package func names(_ key: String) -> [String: String] {
        if case .names(let names)? = values[key] { names } else { [:] }
    }

    /// Where the secret of a key is; nil when there is none.
    package func secret(_ key: String) -> SecretReference? {
        if case .secret(let reference)? = values[key] { reference } else { nil }
    }
}

/// Where a secret is kept; the secret itself is never in the configuration.
package enum SecretReference: Hashable, Codable, Sendable {
    /// In an environment variable.
    case environment(String)
    /// In a file, from the folder of the configuration.
    case file(String)
}

extension SettingKey {
    /// The key with its example, as a line of YAML.
    package var exampleLine: String {
        switch kind {
        case .secret(.variable): "\(name): ${\(example)}"
        case .secret(.file): "\(name)File: \(example)"
        default: "\(name): \(example)"
        }
    }
}
