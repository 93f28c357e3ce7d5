package import Settings
import Transport

/// Which data a source reads, as its settings name it: `acme/shop`.
package struct NamedData: Sendable {
    private struct Part: Sendable {
        let key: String
        /// Nil where the source has no value for an optional key.
        let text: String?
    }

    private let parts: [Part]

    /// Nil for a provider whose settings name none, such as paths and tables, and where a value is missing.
    package init?(_ settings: SettingValues, of schema: BlockSchema) {
        let keys = schema.keys.filter { $0.dataName == .host } + schema.keys.filter { $0.dataName != .host }
        var parts: [Part] = []
        for key in keys {
            guard let name = key.dataName else { continue }
            let text = settings.text(key.name).flatMap(name.text(of:))
            if text == nil, key.isRequired { return nil }
            parts.append(Part(key: key.name, text: text))
        }
        if parts.isEmpty { return nil }
        self.parts = parts
    }

    /// The names, a server before what is on it.
    package var text: String { parts.compactMap(\.text).joined(separator: "/") }

    /// The keys because of which its text is not this one.
    package func keys(differingFrom other: String) -> [String] {
        let others = other.split(
            separator: "/", maxSplits: parts.count - 1, omittingEmptySubsequences: false)
        return parts.indices.filter { place in
            parts[place].text != (place < others.count ? String(others[place]) : nil)
        }.map { parts[$0].key }
    }
}

extension SettingKey.DataName {
    /// What a value adds to the name; nil for nothing.
    fileprivate func text(of value: String) -> String? {
        switch self {
        case .value: value
        case .valueUnless(let word): value == word ? nil : value
        case .host: (try? Address(value))?.origin.host
        }
    }
}
