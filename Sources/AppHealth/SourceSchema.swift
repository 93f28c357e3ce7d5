/// What a source of one provider is configured with.
///
/// It is a plain value, so that the reader of the configuration knows every key without knowing the provider.
package struct SourceSchema: Hashable, Codable, Sendable {
    /// The provider's name, as the configuration writes it.
    package var provider: String
    /// The name of the service, for people.
    package var title: String
    /// What the source is, in one sentence without a period.
    package var summary: String
    /// The keys in the order in which they are written and read.
    package var keys: [SourceKey]
    /// Whether it is reached over TLS, so that a source may name certificates.
    package var usesTLS: Bool

    /// Makes a schema.
    package init(
        _ provider: String, title: String, summary: String, keys: [SourceKey], usesTLS: Bool = true
    ) {
        self.provider = provider
        self.title = title
        self.summary = summary
        self.keys = keys
        self.usesTLS = usesTLS
    }
}

/// One key of a source.
package struct SourceKey: Hashable, Codable, Sendable {
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

    /// The key.
    package var name: String
    /// What it holds.
    package var kind: Kind
    /// Whether a source must have it.
    package var isRequired: Bool
    /// What holds without it, as the configuration would write it; nil when nothing does.
    package var standard: String?
    /// A value for an example, as the configuration would write it.
    package var example: String
    /// What it means, in a few words without a period.
    package var help: String

    /// Makes a key that a source must have.
    package static func required(
        _ name: String, _ kind: Kind = .text, example: String, _ help: String
    ) -> SourceKey {
        SourceKey(name: name, kind: kind, isRequired: true, standard: nil, example: example, help: help)
    }

    /// Makes a key that a source may have.
    package static func optional(
        _ name: String, _ kind: Kind = .text, else standard: String? = nil, example: String? = nil,
        _ help: String
    ) -> SourceKey {
        SourceKey(
            name: name, kind: kind, isRequired: false, standard: standard, example: example ?? standard ?? "",
            help: help)
    }

    /// Every key that the configuration may have for it: a secret has a second one, for a file.
    package var names: [String] {
        if case .secret = kind { [name, name + "File"] } else { [name] }
    }
}

/// The values of a source's keys, as they were configured; what has a standard value has it.
package struct SourceSettings: Hashable, Codable, Sendable {
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
